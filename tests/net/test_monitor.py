"""When a look at the network is news: what stays, what flaps, a card of the same address, a sleep."""

from collections.abc import Iterable
from datetime import timedelta

import pytest

from ira_home.net.addresses import Doors
from ira_home.net.interfaces import Interface
from ira_home.net.monitor import Change, Monitor, Seen
from tests.support.clock import FakeClock

ALL = Doors("all", ("0.0.0.0", "::"))
ETHERNET = Interface("eth0", 2, "192.168.1.23")
CABLE = Interface("eth0", 2, "fe80::1")
MOVED = Interface("eth0", 2, "192.168.1.50")
AGAIN = Interface("eth0", 9, "192.168.1.23")
DOCKER = Interface("docker0", 4, "172.17.0.1")
DOCKER_CABLE = Interface("docker0", 4, "fe80::4")
GLOBAL = Interface("eth0", 2, "2001:db8::23")
TUNNEL = Interface("wg0", 5, "10.8.0.2")
LOOPBACK = Interface("lo", 1, "127.0.0.1")


def seen(*found: Interface, doors: Doors = ALL) -> Seen:
    return Seen.of(doors, found, "192.168.1.23")


class Watched:
    """A monitor over a network that a test changes, looked at as often as it asks for."""

    def __init__(self, *found: Interface) -> None:
        self.clock, self.there = FakeClock(), seen(*found)
        self.monitor = Monitor(lambda: self.there, self.clock, self.there)

    def look(self, *found: Interface) -> Change | None:
        """The next look, at these."""
        self.clock.advance(self.monitor.pause_s)
        self.there = seen(*found)
        return self.monitor.look()

    def until_told(self, found: Iterable[Interface]) -> float:
        """The seconds until a change to these is told, at the worst: it comes right after a look."""
        begin, found = self.clock.monotonic(), tuple(found)
        while self.look(*found) is None:
            assert self.clock.monotonic() - begin < 60
        return self.clock.monotonic() - begin


@pytest.mark.parametrize("after", [(MOVED,), (AGAIN,), (ETHERNET, TUNNEL), (ETHERNET, CABLE), ()])
def test_a_change_is_told_once_and_within_ten_seconds(after: tuple[Interface, ...]) -> None:
    watched = Watched(LOOPBACK, ETHERNET)
    assert watched.until_told((LOOPBACK, *after)) < 10
    assert watched.look(LOOPBACK, *after) is None


def test_what_flaps_is_no_change() -> None:
    watched = Watched(ETHERNET)
    for found in ((), (ETHERNET,), (MOVED,), (ETHERNET,), (ETHERNET,)):
        assert watched.look(*found) is None
    assert watched.look(MOVED) is None
    assert watched.look() is None
    assert watched.look(MOVED) is None
    assert watched.look(MOVED) == Change(seen(MOVED))


def test_networks_inside_this_machine_come_and_go_unnoticed() -> None:
    watched = Watched(ETHERNET)
    for _ in range(3):
        assert watched.look(ETHERNET, DOCKER, DOCKER_CABLE, GLOBAL) is None
        assert watched.look(ETHERNET, DOCKER, DOCKER_CABLE, GLOBAL) is None
        assert watched.look(ETHERNET) is None


def test_after_a_sleep_what_is_there_counts_at_once() -> None:
    watched = Watched(ETHERNET)
    watched.clock.advance(3_600)
    assert watched.look(MOVED) == Change(seen(MOVED), woke=True)
    assert watched.look(MOVED) is None
    watched.clock.advance(3_600)
    assert watched.look(MOVED) == Change(seen(MOVED), woke=True), "the same, but all may be dead"


@pytest.mark.parametrize("hours", [3, -3])
def test_a_clock_that_did_not_run_in_sleep_or_was_turned_tells_too(hours: int) -> None:
    watched = Watched(ETHERNET)
    watched.clock.set_wall(watched.clock.now() + timedelta(hours=hours))
    change = watched.look(ETHERNET)
    assert change is not None
    assert change.woke


def test_looks_that_are_late_are_no_sleep() -> None:
    watched = Watched(ETHERNET)
    watched.clock.advance(20)
    assert watched.look(ETHERNET) is None


def test_a_card_has_its_numbers_and_what_neighbours_can_use() -> None:
    found = seen(LOOPBACK, DOCKER, DOCKER_CABLE, ETHERNET, CABLE, GLOBAL)
    assert found.cards == (ETHERNET, CABLE)
    assert [one.address for one in found.addresses] == ["192.168.1.23"]


def test_addresses_that_nobody_listens_on_are_none_of_a_card() -> None:
    only_four = Doors("0.0.0.0", ("0.0.0.0",))
    assert seen(ETHERNET, CABLE, doors=only_four).cards == (ETHERNET,)
    assert seen(ETHERNET, CABLE, doors=Doors("10.0.0.1", ("10.0.0.1",))).cards == ()
