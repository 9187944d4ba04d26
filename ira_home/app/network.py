"""The network as the house stands in it: looked at, and handed to whoever needs it."""

import asyncio

from ira_home.base.clock import Clock
from ira_home.domain.network import Address, Announcement, AnnouncementState, NetworkView
from ira_home.net.addresses import Doors, Reach


class Network:
    """By which addresses this server is reached, as of the last look."""

    def __init__(self, doors: Doors, clock: Clock, found: tuple[Address, ...]) -> None:
        """Use `look`."""
        self._doors, self._clock, self._found = doors, clock, found
        off = Announcement(AnnouncementState.OFF, None, clock.now())
        self._view = doors.view(
            found, certified=frozenset(), picked=None, announcement=off, at=clock.now()
        )

    @classmethod
    async def look(cls, bind: str, advertise: str | None, clock: Clock) -> "Network":
        """What there is now."""
        doors = await asyncio.to_thread(Doors.of, bind, advertise)
        return cls(doors, clock, await asyncio.to_thread(doors.present))

    @property
    def addresses(self) -> list[str]:
        """Those that the certificate should name."""
        return [one.address for one in self._found]

    @property
    def link(self) -> str:
        """The address in pairing links."""
        return self.reach.link

    @property
    def reach(self) -> Reach:
        """What to offer of the addresses."""
        view = self._view
        return self._doors.reach(view.addresses, certified=view.certified, picked=view.picked)

    def certified(self, named: frozenset[str]) -> None:
        """Take in which addresses the certificate names."""
        self._view = self._doors.view(
            self._found,
            certified=named,
            picked=self._view.picked,
            announcement=self._view.announcement,
            at=self._clock.now(),
        )

    def view(self) -> NetworkView:
        """The present state."""
        return self._view
