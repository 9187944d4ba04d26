"""The certificates as a running server changes them: worked on in a thread, then told on the bus."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

from ira_home.base.ids import DeviceId
from ira_home.base.pubsub import Bus
from ira_home.domain.facts import PinsHeard, TrustChanged
from ira_home.net.certificates.authority import Authority


class Keeper:
    """The one way to change what is in force while the server runs.

    TrustChanged is published after each change, when the next handshake already has it.
    """

    def __init__(
        self, authority: Authority, bus: Bus, paired: Callable[[], Awaitable[Collection[DeviceId]]]
    ) -> None:
        """What is in force now counts as told. `paired` gives the devices that are paired now."""
        self._authority, self._bus, self._paired = authority, bus, paired
        self._told = authority.changes
        self._heard: set[tuple[int, tuple[str, ...]]] = set()
        bus.subscribe(PinsHeard, lambda fact: self._heard.add((fact.device_id, fact.pins)))

    @property
    def has_heard(self) -> bool:
        """Whether a device has proved something that is not kept yet: `look` does that."""
        return bool(self._heard)

    async def cover(self, addresses: Sequence[str] | None = None) -> bool:
        """See to it that the certificates are good here and now; whether something changed.

        `addresses`: those that clients may use from now on, else those of the last time. What cannot be
        done now (`Authority.fault`, or the last time was less than a minute ago) is tried again at the
        next call.
        """
        changed = await asyncio.to_thread(self._authority.cover, addresses)
        self._tell()
        return changed

    async def look(self) -> None:
        """Do whatever is due; raises DataFolderError when something of it cannot be done now."""
        await self.cover()
        heard, self._heard = self._heard, set()
        try:
            await asyncio.to_thread(self._authority.heard, heard)
        except BaseException:
            self._heard |= heard
            raise
        await self.take_over()

    async def renew(self) -> None:
        """A new server certificate with a new key, now; raises DataFolderError."""
        await asyncio.to_thread(self._authority.renew)
        self._tell()

    async def announce_next(self, *, constrained: bool | None = None) -> None:
        """Make and announce the next authority (`Authority.announce_next`); raises IraError."""
        await asyncio.to_thread(self._authority.announce_next, constrained=constrained)
        self._tell()

    async def give_up_next(self) -> None:
        """The authority in force stays; raises Conflict where there is no next one."""
        await asyncio.to_thread(self._authority.give_up_next)
        self._tell()

    async def take_over(self, *, at_once: bool = False) -> bool:
        """Let the next authority sign if it is time (`Authority.take_over`); raises DataFolderError."""
        if self._authority.roll_over is None:
            return False
        paired = await self._paired()
        done = await asyncio.to_thread(self._authority.take_over, paired, at_once=at_once)
        self._tell()
        return done

    async def waits_for(self) -> frozenset[DeviceId]:
        """The devices that have not heard of the next authority yet."""
        state = self._authority.roll_over
        return frozenset() if state is None else frozenset(await self._paired()) - state.seen

    def _tell(self) -> None:
        if self._authority.changes != self._told:
            self._told = self._authority.changes
            self._bus.publish(TrustChanged(self._authority.pins))
