"""When the server is announced, announced again, tried again, and what people are told of it."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from ira_home.app.announcing import Announcing
from ira_home.app.network import Network
from ira_home.base.pubsub import Bus
from ira_home.domain.facts import HouseChanged, NetworkChanged
from ira_home.domain.network import AnnouncementFault, AnnouncementState
from ira_home.net.addresses import Doors
from ira_home.net.interfaces import Interface
from ira_home.net.mdns import AnnouncementFailed, Notice, Said
from ira_home.net.monitor import Seen
from tests.support.announcing import Crier
from tests.support.clock import FakeClock
from tests.support.home import open_home
from tests.support.requirements import requirement

ALL = Doors("all", ("0.0.0.0", "::"))
CLOSED = Doors("127.0.0.1", ("127.0.0.1",))
ETHERNET = Interface("eth0", 2, "192.168.1.23")
CABLE = Interface("eth0", 2, "fe80::1")
AGAIN = Interface("eth0", 9, "192.168.1.23")
TUNNEL = Interface("wg0", 5, "10.8.0.2")
TUNNEL_CABLE = Interface("wg0", 5, "fe80::5")
REFUSED = AnnouncementFailed(AnnouncementFault.PORT_TAKEN, "in use")


@dataclass
class House:
    """An announcement in a network that a test changes."""

    network: Network
    clock: FakeClock = field(default_factory=FakeClock)
    crier: Crier = field(default_factory=Crier)
    bus: Bus = field(default_factory=Bus)
    name: str = "Home"
    may_pair: bool = True

    def __post_init__(self) -> None:
        self.announcing = Announcing(
            self.network, self.notice, clock=self.clock, bus=self.bus, announcer=self.crier
        )

    async def notice(self) -> Notice:
        return Notice(
            name=self.name, install_id="7f3a9c", port=8443, pin="p" * 43, may_pair=self.may_pair,
            addresses=self.network.told, cards=self.network.seen.neighbourly,
        )  # fmt: skip

    async def step(self) -> tuple[AnnouncementState, AnnouncementFault | None, int]:
        """What is shown after a look, and how often it was announced so far."""
        await self.announcing.bring_up_to_date()
        shown = self.network.view().announcement
        return shown.state, shown.fault, len(self.crier.cried)

    def found(self, *there: Interface) -> None:
        self.network.found(Seen.of(self.network.doors, there, None))


def house(*there: Interface, doors: Doors = ALL) -> House:
    clock = FakeClock()
    return House(Network(doors, clock, Seen.of(doors, there, None)), clock)


ANNOUNCED, FAILED = AnnouncementState.ANNOUNCED, AnnouncementState.FAILED


async def test_it_is_announced_once_and_again_when_anything_of_it_is_new() -> None:
    home = house(ETHERNET)
    assert home.network.view().announcement.state is AnnouncementState.OFF
    assert await home.step() == (ANNOUNCED, None, 1)
    assert home.network.view().announcement.name == "Home"
    assert home.announcing.pause_s is None
    home.clock.advance(3_600)
    assert await home.step() == (ANNOUNCED, None, 1)
    home.found(AGAIN)
    assert await home.step() == (ANNOUNCED, None, 2), "another card with the same address"
    home.found(AGAIN, replace(CABLE, index=9))
    assert await home.step() == (ANNOUNCED, None, 3)
    home.name = "Sunrise"
    assert await home.step() == (ANNOUNCED, None, 4)
    home.announcing.follow(woke=True)
    assert await home.step() == (ANNOUNCED, None, 5)
    assert await home.step() == (ANNOUNCED, None, 5)


async def test_only_what_neighbours_can_use_is_told_and_only_to_them() -> None:
    home = house(ETHERNET, CABLE, TUNNEL, TUNNEL_CABLE)
    await home.step()
    (cried,) = home.crier.cried
    assert cried.addresses == ("192.168.1.23", "fe80::1")
    assert cried.cards == (ETHERNET, CABLE)


async def test_what_was_given_is_told_in_place_of_all_others() -> None:
    home = house(ETHERNET, CABLE, doors=Doors("all", ("0.0.0.0", "::"), ("192.168.7.7", "fd00::7")))
    await home.step()
    assert home.crier.cried[0].addresses == ("192.168.7.7", "fd00::7")


async def test_until_there_is_an_owner_that_is_looked_at_again() -> None:
    home = house(ETHERNET)
    home.may_pair = False
    await home.step()
    assert home.announcing.pause_s is not None
    home.may_pair = True
    assert (await home.step())[2] == 2
    assert home.announcing.pause_s is None


@requirement("lan.announce")
async def test_a_failure_is_tried_again_ever_more_rarely_and_never_given_up() -> None:
    home = house(ETHERNET)
    home.crier.faults = [REFUSED] * 8
    waits = []
    for attempt in range(1, 9):
        assert await home.step() == (FAILED, AnnouncementFault.PORT_TAKEN, attempt)
        assert await home.step() == (FAILED, AnnouncementFault.PORT_TAKEN, attempt), "not yet"
        pause = home.announcing.pause_s
        assert pause is not None
        waits.append(pause)
        home.clock.advance(pause)
    assert waits == [5, 10, 20, 40, 60, 60, 60, 60]
    assert await home.step() == (ANNOUNCED, None, 9)
    assert home.announcing.pause_s is None


async def test_what_becomes_of_it_later_is_shown_and_an_end_is_followed_by_another_try() -> None:
    home = house(ETHERNET)
    await home.step()
    assert home.crier.changed is not None
    home.crier.changed(Said("Home 2", everywhere=True))
    assert home.network.view().announcement.name == "Home 2"
    assert await home.step() == (ANNOUNCED, None, 1)
    home.crier.changed(REFUSED)
    assert await home.step() == (FAILED, AnnouncementFault.PORT_TAKEN, 1)
    assert home.announcing.pause_s == 5
    home.clock.advance(5)
    assert await home.step() == (ANNOUNCED, None, 2)


async def test_a_change_of_the_network_is_reason_to_try_at_once() -> None:
    home = house(ETHERNET)
    home.crier.faults = [REFUSED] * 5
    for _ in range(4):
        await home.step()
        home.clock.advance(home.announcing.pause_s or 0)
    await home.step()
    home.found(AGAIN)
    assert await home.step() == (ANNOUNCED, None, 6)


async def test_without_a_network_it_is_not_tried_and_what_was_told_is_taken_back() -> None:
    home = house(ETHERNET)
    await home.step()
    for there in ((), (TUNNEL, TUNNEL_CABLE)):
        home.found(*there)
        assert await home.step() == (FAILED, AnnouncementFault.NO_NETWORK, 1)
    assert home.crier.goodbyes
    home.found(ETHERNET)
    assert await home.step() == (ANNOUNCED, None, 2)


async def test_a_server_for_this_computer_alone_is_not_announced() -> None:
    home = house(ETHERNET, doors=CLOSED)
    assert await home.step() == (FAILED, AnnouncementFault.ONLY_THIS_COMPUTER, 0)
    assert home.announcing.pause_s is None


async def test_a_card_that_was_not_ready_is_tried_again_but_not_for_ever() -> None:
    home = house(ETHERNET, CABLE)
    home.crier.everywhere = False
    for _ in range(20):
        await home.step()
        home.clock.advance(60)
    assert await home.step() == (ANNOUNCED, None, 4)


async def test_facts_wake_it_and_no_error_ends_it() -> None:
    home, told = house(ETHERNET), asyncio.Event()
    failed, notice = asyncio.Event(), home.notice

    async def troubled() -> Notice:
        if not failed.is_set():
            failed.set()
            raise ZeroDivisionError
        return await notice()

    home.announcing._notice = troubled
    home.network.tell(home.bus)
    home.bus.subscribe(NetworkChanged, lambda _: told.set() if home.network.view().announcement.name else None)  # fmt: skip
    home.announcing.start()
    try:
        async with asyncio.timeout(20):
            await failed.wait()
            home.name = "Sunrise"
            home.bus.publish(HouseChanged())
            await told.wait()
        assert home.network.view().announcement.name == "Sunrise"
    finally:
        before = home.crier.goodbyes
        await home.announcing.close()
        assert home.crier.goodbyes == before + 1


@pytest.mark.parametrize(
    ("mdns", "state", "fault"),
    [("yes", FAILED, AnnouncementFault.ONLY_THIS_COMPUTER), ("no", AnnouncementState.OFF, None)],
)
async def test_a_server_says_how_its_announcement_stands(
    tmp_path: Path, mdns: str, state: AnnouncementState, fault: AnnouncementFault | None
) -> None:
    async with open_home(tmp_path, settings={"mdns": mdns}) as home:
        told, network = asyncio.Event(), home.services.network
        home.bus.subscribe(NetworkChanged, lambda _: told.set())
        if network().announcement.state is not state:
            async with asyncio.timeout(20):
                await told.wait()
        assert network().announcement.state is state
        assert network().announcement.fault is fault
        assert (await home.caller().call("GET", "/healthz")).status == 200
