"""The network kept an eye on while the server runs: certificate, links and announcement go with it."""

import asyncio
import logging

from ira_home.app.announcing import Announcing
from ira_home.app.network import Network
from ira_home.base.clock import Clock
from ira_home.base.tasks import Tasks
from ira_home.net.certificates import REISSUE_S, Keeper
from ira_home.net.monitor import Monitor, Seen

log = logging.getLogger(__name__)


class Watch:
    """Sees within ten seconds that the network changed, and brings the house in step with it."""

    def __init__(
        self,
        network: Network,
        certificates: Keeper,
        clock: Clock,
        announcing: Announcing | None = None,
    ) -> None:
        """Nothing is looked at yet; without `announcing` nobody is told."""
        self._network, self._certificates, self._clock = network, certificates, clock
        self._monitor = Monitor(lambda: Seen.now(network.doors), clock, network.seen)
        self._announcing = announcing
        self._cover_until = clock.monotonic()
        self._tasks = Tasks("network")

    def start(self) -> None:
        """Look every few seconds from now on."""
        _ = self._tasks.start(self._keep(), "watch")

    async def close(self) -> None:
        """Look no more."""
        await self._tasks.close()

    async def look(self) -> None:
        """Look once, and follow what is new."""
        change = await asyncio.to_thread(self._monitor.look)
        if change is not None:
            self._network.found(change.seen)
            log.info("%s: %s", "this computer slept; it is reached by" if change.woke else
                     "the network changed; this computer is reached by",
                     ", ".join(self._network.addresses) or "nothing")  # fmt: skip
            if self._announcing is not None:
                self._announcing.follow(woke=change.woke)
            # A certificate may have been made so short a while ago that this one has to wait its turn.
            self._cover_until = self._clock.monotonic() + REISSUE_S + self._monitor.pause_s
        if change is not None or self._clock.monotonic() <= self._cover_until:
            await self._certificates.cover(self._network.addresses)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(self._monitor.pause_s)
            try:
                await self.look()
            except Exception:
                # A boundary: the next look may go well, and nothing else may suffer from this one.
                log.exception("the network could not be looked at")
