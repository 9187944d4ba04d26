"""Looking at the server's log: pages of its last lines, and news of more for whoever looks."""

import asyncio
import logging

from ira_home.base.clock import Clock
from ira_home.base.errors import Invalid
from ira_home.base.ids import PersonId
from ira_home.base.limits import LOG_LOOKED_AT_S, LOG_NEWS_S
from ira_home.base.pubsub import Bus
from ira_home.base.server_log import LogLine, ServerLog
from ira_home.domain.facts import LogGrew
from ira_home.domain.pages import Page, page_of, read_cursor

LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def level_name(level: int) -> str:
    """The name in LEVELS of a line's level."""
    return next((name for name, at in reversed(LEVELS.items()) if level >= at), "debug")


class LogReader:
    """Gives the lines; for a while after each look its person is told when there are more.

    What comes at debug level is no news: a look at the log makes such lines itself.
    """

    def __init__(self, kept: ServerLog, *, clock: Clock, bus: Bus) -> None:
        """Read from `kept`; in the running loop."""
        self._kept, self._clock, self._bus = kept, clock, bus
        self._loop = asyncio.get_running_loop()
        self._looking: dict[PersonId, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False
        kept.on_line = self._came

    def close(self) -> None:
        """Tell nobody any more."""
        self._is_closed = True
        self._kept.on_line = lambda _level: None
        if self._timer is not None:
            self._timer.cancel()

    @property
    def lowest(self) -> str:
        """The level below which this server logs nothing."""
        return level_name(logging.getLogger("ira_home").getEffectiveLevel())

    def page(
        self, person_id: PersonId, level: str, cursor: str | None, limit: int
    ) -> Page[LogLine]:
        """Lines of the level and above, newest first; raises Invalid for another level than of LEVELS."""
        if level not in LEVELS:
            message = f"`level` is one of {', '.join(LEVELS)}."
            raise Invalid(message, field="level")
        self._looking[person_id] = self._clock.monotonic() + LOG_LOOKED_AT_S
        start = read_cursor(cursor)
        found = self._kept.lines(LEVELS[level])
        if start is not None:
            found = [one for one in found if one.number < start[0]]
        return page_of(found, limit, lambda line: str(line.number))

    def _came(self, level: int) -> None:
        """In any thread."""
        if level >= logging.INFO and self._looking and not self._is_closed:
            try:
                self._loop.call_soon_threadsafe(self._soon)
            except (
                RuntimeError
            ):  # silent-ok: the loop is closed; a line about it would come here again
                return

    def _soon(self) -> None:
        if self._timer is None and not self._is_closed:
            self._timer = self._loop.call_later(LOG_NEWS_S, self._tell)

    def _tell(self) -> None:
        self._timer = None
        now = self._clock.monotonic()
        self._looking = {who: until for who, until in self._looking.items() if until > now}
        for person_id in self._looking:
            self._bus.publish(LogGrew(person_id))
