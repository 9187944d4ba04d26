"""The server announced on the local network, for as long as it runs and in step with what it is."""

import asyncio
from collections.abc import Awaitable, Callable
import logging

from ira_home.app.network import Network
from ira_home.base.clock import Clock
from ira_home.base.log import field
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.domain.facts import HouseChanged, NetworkChanged, TrustChanged
from ira_home.domain.network import Announcement, AnnouncementFault, AnnouncementState
from ira_home.net.mdns import AnnouncementFailed, Announcer, Notice, Said

log = logging.getLogger(__name__)

FIRST_RETRY_S, LONGEST_RETRY_S = 5.0, 60.0
LOOK_S = 10.0  # until the house has an owner, of which nobody else tells
_REPAIRS = 3  # a card that was not ready may be soon; one that cannot speak never will be


class Announcing:
    """Announces the present state, again after each change, and after a failure until it works."""

    def __init__(
        self,
        network: Network,
        notice: Callable[[], Awaitable[Notice]],
        *,
        clock: Clock,
        bus: Bus,
        announcer: Announcer | None = None,
    ) -> None:
        """Nothing is told yet; `notice` gives what should be."""
        self._network, self._notice, self._clock, self._bus = network, notice, clock, bus
        self._announcer = announcer or Announcer()
        self._announcer.changed = self._became
        self._tasks = Tasks("announcement")
        self._something = asyncio.Event()
        self._told: Notice | None = None
        self._anew = False
        self._failures = self._repairs = 0
        self._next_at: float | None = None
        self._fault: AnnouncementFault | None = None

    def start(self) -> None:
        """Announce from now on."""
        for kind in (HouseChanged, NetworkChanged, TrustChanged):
            self._bus.subscribe(kind, self._look_again)
        _ = self._tasks.start(self._keep(), "keep")

    async def close(self) -> None:
        """Say goodbye."""
        await self._tasks.close()
        await self._announcer.withdraw()

    def follow(self, *, woke: bool) -> None:
        """The network changed, be it only a card. `woke`: this computer slept, so what was set up may be dead."""
        self._anew = self._anew or woke
        self._something.set()

    def _look_again(self, _: object) -> None:
        self._something.set()

    @property
    def pause_s(self) -> float | None:
        """How long to wait for something to happen; None: until it does."""
        waits = [] if self._told is not None and self._told.may_pair else [LOOK_S]
        if self._next_at is not None:
            waits.append(max(self._next_at - self._clock.monotonic(), 0))
        return min(waits, default=None)

    async def bring_up_to_date(self) -> None:
        """See to it that what is announced is so, or say why not."""
        notice = await self._notice()
        is_due = self._next_at is not None and self._clock.monotonic() >= self._next_at
        if notice == self._told and not self._anew and not is_due:
            return
        if notice != self._told or self._anew:
            self._failures = self._repairs = 0
        self._told, self._anew, self._next_at = notice, False, None
        fault = self._hindrance(notice)
        if fault is not None:
            await self._announcer.withdraw()
            self._show(AnnouncementState.FAILED, fault=fault)
            return
        self._show(AnnouncementState.STARTING)
        try:
            said = await self._announcer.announce(notice)
        except AnnouncementFailed as error:
            self._failed(error)
        else:
            self._announced(said, notice)

    def _hindrance(self, notice: Notice) -> AnnouncementFault | None:
        """Why it is not even tried; a change of that is a change of the network."""
        if self._network.doors.is_closed:
            return AnnouncementFault.ONLY_THIS_COMPUTER
        if not (notice.addresses and notice.cards):
            return AnnouncementFault.NO_NETWORK
        return None

    def _announced(self, said: Said, notice: Notice) -> None:
        self._failures, self._fault = 0, None
        if not said.everywhere and self._repairs < _REPAIRS:
            self._repairs += 1
            self._next_at = self._clock.monotonic() + FIRST_RETRY_S
        log.info("announced as %s on the local network, at %s", field(said.name), ", ".join(notice.addresses))  # fmt: skip
        self._show(AnnouncementState.ANNOUNCED, name=said.name)

    def _became(self, news: Said | AnnouncementFailed) -> None:
        """What came of it later: another server has the name, or the system ended it."""
        if isinstance(news, AnnouncementFailed):
            self._failed(news)
        elif self._told is not None:
            self._announced(news, self._told)
        self._something.set()

    def _failed(self, error: AnnouncementFailed) -> None:
        wait_s = min(FIRST_RETRY_S * 2**self._failures, LONGEST_RETRY_S)
        self._failures += 1
        self._next_at = self._clock.monotonic() + wait_s
        if self._fault is not error.why:
            log.warning("the server is not announced on the local network (%s); it is tried again", field(error))  # fmt: skip
        self._fault = error.why
        self._show(AnnouncementState.FAILED, fault=error.why)

    def _show(
        self,
        state: AnnouncementState,
        *,
        name: str | None = None,
        fault: AnnouncementFault | None = None,
    ) -> None:
        self._network.announced(Announcement(state, name, self._clock.now(), fault))

    async def _keep(self) -> None:
        while True:
            self._something.clear()
            try:
                await self.bring_up_to_date()
            except Exception:
                # A boundary: the announcement is a help, and the next attempt may go well.
                log.exception("the announcement could not be looked after")
            try:
                async with asyncio.timeout(self.pause_s):
                    await self._something.wait()
            except TimeoutError:
                # silent-ok: it is time to look again.
                pass
