"""Frames on their way to a device: in order, one at a time, and never too many."""

import asyncio

from ira_home.base.clock import Clock
from ira_home.base.limits import OUTBOX_FRAMES
from ira_home.base.tasks import Tasks
from ira_home.devices.link import Link, LinkClosed


class OutboxFull(Exception):
    """The device does not read what it is sent."""


class Outbox:
    """Whoever puts a frame into an idle outbox hands over all that is in it; no task waits beside it."""

    __slots__ = ("_clock", "_frames", "_line", "_link", "_tasks", "handing_since")

    def __init__(self, link: Link, clock: Clock, tasks: Tasks) -> None:
        """Send over `link`; `tasks` own what is sent by nobody who could wait."""
        self._link = link
        self._clock = clock
        self._tasks = tasks
        self._line = asyncio.Lock()
        self._frames: list[str] = []
        # Since when one frame has been waiting to be taken over by the transport.
        self.handing_since: float | None = None

    async def send(self, text: str) -> None:
        """Put a frame in line and hand it over, unless somebody is at it already.

        Raises OutboxFull, and LinkClosed to whoever is handing over.
        """
        self._put(text)
        if not self._line.locked():
            await self.flush()

    def post(self, text: str) -> None:
        """Put a frame in line and let it be handed over in the background; raises OutboxFull."""
        self._put(text)
        if not self._line.locked():
            _ = self._tasks.start(self._flush_quietly(), "post")

    async def flush(self) -> None:
        """Hand over everything, after whoever is at it; raises LinkClosed."""
        try:
            async with self._line:
                await self._hand_over()
        except asyncio.CancelledError:
            # Whoever waited is gone; what others put in line since is still to be sent.
            if self._frames and not self._line.locked():
                _ = self._tasks.start(self._flush_quietly(), "flush")
            raise

    async def _hand_over(self) -> None:
        try:
            while self._frames:
                self.handing_since = self._clock.monotonic()
                await self._link.send(self._frames.pop(0))
        except LinkClosed:
            self._frames.clear()
            raise
        finally:
            self.handing_since = None

    async def _flush_quietly(self) -> None:
        try:
            await self.flush()
        except LinkClosed:
            return  # whoever receives on this link learns of it too

    def _put(self, text: str) -> None:
        if len(self._frames) >= OUTBOX_FRAMES:
            raise OutboxFull
        self._frames.append(text)
