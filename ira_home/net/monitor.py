"""Watching this machine's network: what changed is told once it stays so, and at once after a sleep."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
import ipaddress

from ira_home.base.clock import Clock
from ira_home.domain.network import Address, AddressKind
from ira_home.net.addresses import Doors
from ira_home.net.interfaces import Interface, default_source, interfaces

POLL_S = 5.0
AGAIN_S = (
    2.0  # a change is looked at once more before it is believed: a card that flaps is no change
)
WOKE_S = 30.0  # nobody looked for so long, or the clock was turned: this machine slept, as far as it matters


@dataclass(frozen=True, slots=True)
class Seen:
    """The network as it was found.

    `addresses` lead here from other machines, the best first. `cards` are the interfaces that have
    them, with each address there that other machines of the same network can use, and their numbers:
    a card that was taken out and put in again has another one.
    """

    addresses: tuple[Address, ...] = ()
    cards: tuple[Interface, ...] = ()

    @classmethod
    def of(cls, doors: Doors, found: Iterable[Interface], source: str | None) -> "Seen":
        """What of these interfaces matters to a server with these doors."""
        every = tuple(found)
        addresses = doors.among(every, source)
        own, numbers = {one.address for one in addresses}, _numbers(every, addresses)
        cards = [one for one in every if one.index in numbers
                 and (one.address in own or (doors.hears_cable and _is_of_the_cable(one.address)))]  # fmt: skip
        return cls(addresses, tuple(sorted(cards)))

    @property
    def neighbourly(self) -> tuple[Interface, ...]:
        """The cards that are on a network of the house: a tunnel leads out of it."""
        away = {one.address for one in self.addresses if one.kind is AddressKind.TUNNEL}
        numbers = {one.index for one in self.cards if one.address in away}
        return tuple(one for one in self.cards if one.index not in numbers)

    @classmethod
    def now(cls, doors: Doors) -> "Seen":
        """What there is now; this may block."""
        return cls.of(doors, interfaces(), default_source())


@dataclass(frozen=True, slots=True)
class Change:
    """What is there now. `woke`: the machine slept, so what was set up before may be dead."""

    seen: Seen
    woke: bool = False


class Monitor:
    """Looks when it is told to, and says what is new."""

    def __init__(self, look: Callable[[], Seen], clock: Clock, known: Seen) -> None:
        """`known` is what the house goes by now; `look` may block and is called in any thread."""
        self._look, self._clock = look, clock
        self._known = self._last = known
        self._at, self._wall = clock.monotonic(), clock.now()

    @property
    def pause_s(self) -> float:
        """How long to wait before the next look."""
        return POLL_S if self._last == self._known else AGAIN_S

    def look(self) -> Change | None:
        """Look now: what is new and stayed so for two looks, or what there is after a sleep."""
        seen = self._look()
        woke = self._woke()
        is_settled = seen == self._last
        self._last = seen
        if not woke and (seen == self._known or not is_settled):
            return None
        self._known = seen
        return Change(seen, woke)

    def _woke(self) -> bool:
        """Whether this machine was asleep since the last look: not every clock goes on meanwhile."""
        at, wall = self._clock.monotonic(), self._clock.now()
        passed, shown = at - self._at, (wall - self._wall).total_seconds()
        self._at, self._wall = at, wall
        return passed > WOKE_S or abs(shown - passed) > WOKE_S


def _numbers(found: Iterable[Interface], addresses: Iterable[Address]) -> frozenset[int]:
    names = {(one.interface, one.address) for one in addresses}
    return frozenset(one.index for one in found if (one.name, one.address) in names)


def _is_of_the_cable(address: str) -> bool:
    """Whether it is an IPv6 address that works only between neighbours."""
    return ipaddress.ip_address(address).is_link_local and ":" in address
