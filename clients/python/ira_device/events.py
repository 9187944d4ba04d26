"""What the device has to tell, waiting for its turn: one event in 30 seconds, none lost on the way."""

import asyncio
from collections import deque
from collections.abc import Mapping
import logging
from typing import Any, Final

from msgspec import UNSET

from ira_device.pace import Pace
from ira_home.base.errors import ProtocolError
from ira_home.base.limits import (
    EVENT_DATA_BYTES,
    EVENT_S,
    EVENT_TEXT_CHARS,
    EVENT_TITLE_CHARS,
)
from ira_home.base.text import cut
from ira_home.protocol.codec import encode
from ira_home.protocol.frames import Event

log = logging.getLogger(__name__)

KINDS: Final = ("watch_done", "task_progress", "task_done", "task_failed", "task_reply")
WAITING: Final = 100  # a device that was away for a day must not tell stories for an hour
MARGIN_S: Final = 1.0  # the server counts from when an event arrives, which may be late
TRIES: Final = 3  # an event that is refused so often is refused for what it says


def new_event(kind: str, title: str, text: str, data: Mapping[str, Any] | None) -> Event:
    """An event that a server takes; raises ValueError saying what is wrong with it."""
    if kind not in KINDS:
        message = f"an event is one of {', '.join(KINDS)}"
        raise ValueError(message)
    if not title.strip():
        message = "an event needs a title"
        raise ValueError(message)
    event = Event(
        event=kind,
        title=cut(title, EVENT_TITLE_CHARS),
        text=cut(text, EVENT_TEXT_CHARS),
        data=UNSET if data is None else dict(data),
    )
    _check_data(event)
    return event


def _check_data(event: Event) -> None:
    try:
        size = len(encode(Event(event=event.event, title="", text="", data=event.data)))
    except ProtocolError as error:
        message = f"data is no JSON object: {error.message}"
        raise ValueError(message) from None
    if size > EVENT_DATA_BYTES:
        message = f"the data of an event has {EVENT_DATA_BYTES} bytes at most"
        raise ValueError(message)


class EventQueue:
    """Events in order; it lives longer than any connection."""

    def __init__(self, pace: Pace) -> None:
        """Nothing waits."""
        self._pace = pace
        self._waiting: deque[Event] = deque()
        self._filled = asyncio.Event()
        self._free_at = float("-inf")
        self._tries = 0

    def add(self, event: Event) -> None:
        """Let an event wait for its turn; when too many wait, the oldest is given up."""
        if len(self._waiting) >= WAITING:
            self._waiting.popleft()
            self._tries = 0
            log.warning("too many events are waiting: the oldest was given up")
        self._waiting.append(event)
        self._filled.set()

    async def turn(self) -> Event:
        """Wait until there is an event and 30 seconds have passed since the last; it stays first in line."""
        while True:
            await self._filled.wait()
            left_s = self._free_at - self._pace.clock.monotonic()
            if left_s <= 0:
                return self._waiting[0]
            await self._pace.sleep(left_s)

    def sent(self) -> None:
        """The first event has just gone out: the next has its turn in 30 seconds."""
        self._free_at = self._pace.clock.monotonic() + EVENT_S + MARGIN_S

    def taken(self, event: Event) -> None:
        """The server has this event."""
        if self._waiting and self._waiting[0] is event:
            self._waiting.popleft()
            self._tries = 0
        if not self._waiting:
            self._filled.clear()

    def refused(self, event: Event) -> None:
        """The server did not take this event; it is tried again, but not for ever."""
        self._tries += 1
        if self._tries >= TRIES:
            log.warning("an event was refused %d times and given up", self._tries)
            self.taken(event)

    def __len__(self) -> int:
        return len(self._waiting)
