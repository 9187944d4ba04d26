"""The network as the house stands in it: looked at, and handed to whoever needs it."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from ira_home.base.clock import Clock
from ira_home.base.pubsub import Bus
from ira_home.domain.facts import NetworkChanged
from ira_home.domain.network import AddressKind, Announcement, AnnouncementState, NetworkView
from ira_home.net.addresses import Doors, Reach
from ira_home.net.monitor import Seen


class Network:
    """By which addresses this server is reached, as of the last look."""

    def __init__(self, doors: Doors, clock: Clock, seen: Seen) -> None:
        """Use `look`."""
        self.doors, self.seen = doors, seen
        self._clock, self._bus = clock, Bus()
        off = Announcement(AnnouncementState.OFF, None, clock.now())
        self._view = doors.view(
            seen.addresses, certified=frozenset(), picked=None, announcement=off, at=clock.now()
        )

    @classmethod
    async def look(cls, bind: str, advertise: Iterable[str], clock: Clock) -> "Network":
        """What there is now."""
        doors = await asyncio.to_thread(Doors.of, bind, advertise)
        return cls(doors, clock, await asyncio.to_thread(Seen.now, doors))

    def tell(self, bus: Bus) -> None:
        """Publish NetworkChanged there from now on, whenever the view has changed."""
        self._bus = bus

    @property
    def addresses(self) -> list[str]:
        """Those that the certificate should name."""
        return [one.address for one in self.seen.addresses]

    @property
    def told(self) -> tuple[str, ...]:
        """Those to be announced to the neighbours: the ones that were given, else all but tunnels."""
        if self.doors.given:
            return self.doors.given
        best = (one.address for one in self.seen.addresses if one.kind is not AddressKind.TUNNEL)
        return tuple(dict.fromkeys((*best, *(one.address for one in self.seen.neighbourly))))

    @property
    def link(self) -> str:
        """The address in pairing links."""
        return self.reach.link

    @property
    def reach(self) -> Reach:
        """What to offer of the addresses."""
        view = self._view
        return self.doors.reach(view.addresses, certified=view.certified, picked=view.picked)

    def view(self) -> NetworkView:
        """The present state."""
        return self._view

    # --- what is taken in

    def found(self, seen: Seen) -> None:
        """Take in what there is now."""
        self.seen = seen
        self._show(self._view)

    def certified(self, named: frozenset[str]) -> None:
        """Take in which addresses the certificate names."""
        self._show(replace(self._view, certified=named))

    def pick(self, address: str) -> None:
        """Take in which address the owner chose for links; empty for the best there is."""
        self._show(replace(self._view, picked=address or None))

    def announced(self, announcement: Announcement) -> None:
        """Take in how far the announcement has come."""
        self._show(replace(self._view, announcement=announcement))

    def _show(self, known: NetworkView) -> None:
        """Work out what follows from `known` and the addresses, and tell when that is new."""
        before = self._view
        after = self.doors.view(
            self.seen.addresses,
            certified=known.certified,
            picked=known.picked,
            announcement=known.announcement,
            at=self._clock.now(),
        )
        if replace(after, changed_at=before.changed_at) != before:
            self._view = after
            self._bus.publish(NetworkChanged())
