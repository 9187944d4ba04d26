"""Which of this machine's addresses others can use, and in which order."""

from hypothesis import given, strategies as st
import pytest

from ira_home.domain.network import (
    Address,
    AddressKind,
    Announcement,
    AnnouncementState,
    NetworkView,
    NoQr,
)
from ira_home.net import addresses
from ira_home.net.addresses import Doors, Reach, listening, ranked
from ira_home.net.interfaces import Interface
from ira_home.net.monitor import Seen
from tests.support.clock import START

ETHERNET = Interface("eth0", 2, "192.168.1.23")
WIFI = Interface("wlan0", 3, "10.0.0.7")
DOCKER = Interface("docker0", 4, "172.17.0.1")
TUNNEL = Interface("tun0", 5, "10.8.0.2")
LOOPBACK = Interface("lo", 1, "127.0.0.1")
LONELY = Interface("eth1", 6, "169.254.3.4")
SHARED = Interface("eth2", 7, "100.64.2.2")
ULA = Interface("eth0", 2, "fd00::23")
GLOBAL = Interface("eth0", 2, "2001:db8::23")
LINK = Interface("eth0", 2, "fe80::1")


@pytest.mark.parametrize(
    ("interfaces", "source", "expected"),
    [
        ([LOOPBACK, DOCKER], "127.0.0.1", []),
        ([DOCKER, WIFI, ETHERNET, LOOPBACK], "192.168.1.23", ["192.168.1.23", "10.0.0.7"]),
        ([DOCKER, ETHERNET, WIFI], None, ["192.168.1.23", "10.0.0.7"]),
        ([TUNNEL, ETHERNET], "10.8.0.2", ["192.168.1.23", "10.8.0.2"]),
        ([TUNNEL, LOOPBACK], "10.8.0.2", ["10.8.0.2"]),
        ([LONELY, ETHERNET], None, ["192.168.1.23"]),
        ([LONELY], None, ["169.254.3.4"]),
        ([SHARED, ETHERNET], None, ["192.168.1.23", "100.64.2.2"]),
        ([ULA, GLOBAL, LINK, ETHERNET], None, ["192.168.1.23", "fd00::23"]),
        (
            [Interface("vEthernet (Default Switch)", 1, "172.20.0.1"), ETHERNET],
            None,
            ["192.168.1.23", "172.20.0.1"],
        ),
        (
            [Interface("eth0", 2, "203.0.113.9"), SHARED],
            "203.0.113.9",
            ["203.0.113.9", "100.64.2.2"],
        ),
    ],
)
def test_useful_addresses_come_first_and_useless_ones_never(
    interfaces: list[Interface], source: str | None, expected: list[str]
) -> None:
    assert [one.address for one in ranked(interfaces, source=source)] == expected


@pytest.mark.parametrize(
    "name",
    ["lo", "lo0", "docker0", "br-5a1b2c3d4e5f", "br-proxy", "veth1a2b", "virbr0", "podman1", "cni0", "hassio", "lxdbr0",
     "bridge100", "VirtualBox Host-Only Ethernet Adapter", "VMware Virtual Ethernet Adapter for VMnet8", "awdl0"],
)  # fmt: skip
def test_a_network_inside_this_machine_is_never_offered(name: str) -> None:
    assert ranked([Interface(name, 1, "172.17.0.1"), ETHERNET], source="172.17.0.1") == [
        Address("192.168.1.23", "eth0", AddressKind.HOME)
    ]


@pytest.mark.parametrize("name", ["br-lan", "br0", "bridge0", "LogiLink USB Ethernet", "en0", "wlp3s0"])  # fmt: skip
def test_a_network_of_the_house_is_offered_whatever_it_is_called(name: str) -> None:
    found = ranked([Interface(name, 1, "192.168.1.9")], source=None)
    assert found == [Address("192.168.1.9", name, AddressKind.HOME)]


@pytest.mark.parametrize("name", ["tailscale0", "utun4", "wg0", "zt5u4y", "WireGuard Tunnel", "ppp0"])  # fmt: skip
def test_a_tunnel_comes_last_and_is_offered_only_where_it_was_picked(name: str) -> None:
    tunnel = Interface(name, 1, "100.64.0.7")
    doors = Doors("0.0.0.0", ("0.0.0.0",))
    both = doors.among([tunnel, ETHERNET], "100.64.0.7")
    assert [one.kind for one in both] == [AddressKind.HOME, AddressKind.TUNNEL]
    everything = frozenset({"100.64.0.7", "192.168.1.23"})
    assert view(doors, both, certified=everything).chosen == "192.168.1.23"
    assert view(doors, both, certified=everything, picked="100.64.0.7").chosen == "100.64.0.7"
    alone = doors.among([tunnel], None)
    lonely = view(doors, alone, certified=everything)
    assert (lonely.chosen, lonely.why_no_qr) == (None, NoQr.ONLY_TUNNEL)
    assert view(doors, alone, certified=everything, picked="100.64.0.7").why_no_qr is None


def view(
    doors: Doors,
    found: tuple[Address, ...],
    *,
    certified: frozenset[str] = frozenset(),
    picked: str | None = None,
) -> NetworkView:
    off = Announcement(AnnouncementState.OFF, None, START)
    return doors.view(found, certified=certified, picked=picked, announcement=off, at=START)


def test_a_choice_that_is_gone_gives_way_to_the_best_there_is() -> None:
    doors = Doors("0.0.0.0", ("0.0.0.0",))
    found = doors.among([ETHERNET, WIFI], None)
    assert view(doors, found, picked="10.0.0.7").chosen == "10.0.0.7"
    assert view(doors, found, picked="10.0.0.99").chosen == "192.168.1.23"


def test_without_a_way_in_it_is_said_why() -> None:
    anywhere = Doors("0.0.0.0", ("0.0.0.0",))
    assert view(anywhere, anywhere.among([LOOPBACK, DOCKER], None)).why_no_qr is NoQr.NO_NETWORK
    closed = Doors("127.0.0.1", ("127.0.0.1",))
    nothing = closed.among([LOOPBACK, ETHERNET], None)
    assert (nothing, view(closed, nothing).why_no_qr) == ((), NoQr.ONLY_THIS_COMPUTER)
    gone = Doors("192.168.1.50", ("192.168.1.50",))
    assert view(gone, gone.among([ETHERNET], None)).why_no_qr is NoQr.NO_NETWORK


def test_a_server_bound_to_one_address_has_that_alone_whatever_it_is() -> None:
    for one in (DOCKER, GLOBAL, WIFI):
        doors = Doors(one.address, (one.address,))
        found = doors.among([ETHERNET, DOCKER, GLOBAL, WIFI], "192.168.1.23")
        assert [address.address for address in found] == [one.address]
        assert view(doors, found).chosen == one.address


@given(
    st.lists(
        st.builds(
            Interface,
            st.sampled_from(["eth0", "tun0", "lo", "docker0"]),
            st.integers(1, 9),
            st.ip_addresses().map(str),
        )
    )
)
def test_whatever_there_is_loopback_and_public_ipv6_never_come_out(
    interfaces: list[Interface],
) -> None:
    found = [one.address for one in ranked(interfaces, source=None)]
    assert len(found) == len(set(found))
    assert all("." in one or one.startswith(("fc", "fd")) for one in found)
    assert not any(one.startswith("127.") for one in found)


def test_this_machine_can_be_asked() -> None:
    assert all(isinstance(one, Address) for one in Seen.now(Doors.of("all")).addresses)


DOCUMENTED = "192.0.2.2"  # an address of an interface here, but of no home network
HERE = frozenset({"127.0.0.1", "::1"})


@pytest.mark.parametrize(
    ("bind", "own", "certified", "expected"),
    [
        ("all", [DOCUMENTED, "fd00::2"], {"fd00::2"}, Reach("fd00::2", "fd00::2", "localhost", (DOCUMENTED,))),
        ("0.0.0.0", [DOCUMENTED], set(), Reach("127.0.0.1", DOCUMENTED, "localhost", (DOCUMENTED,))),
        ("all", ["192.168.1.5", "fd00::2"], {"192.168.1.5", "fd00::2"}, Reach("192.168.1.5", "192.168.1.5", "localhost")),
        ("all", [], set(), Reach("127.0.0.1", None, "localhost")),
        ("::", [], set(), Reach("::1", None, "::1")),
        ("127.0.0.1", ["127.0.0.1"], set(), Reach("127.0.0.1", None, "localhost")),
        ("192.168.1.5", ["192.168.1.5"], {"192.168.1.5"}, Reach("192.168.1.5", "192.168.1.5", None)),
        (DOCUMENTED, [DOCUMENTED], set(), Reach(DOCUMENTED, DOCUMENTED, None, (DOCUMENTED,))),
    ],
)  # fmt: skip
def test_what_is_offered_is_what_the_certificate_names_and_else_what_works(
    bind: str, own: list[str], certified: set[str], expected: Reach
) -> None:
    reach = Reach.of(own, certified=certified | HERE, bind=bind)
    assert reach == expected
    assert reach.link == (expected.others or expected.host)


@pytest.mark.parametrize(
    ("bind", "expected"),
    [
        ("all", [DOCUMENTED, "fd00::2"]),
        ("0.0.0.0", [DOCUMENTED]),
        ("::", ["fd00::2"]),
        ("::1", []),
        (DOCUMENTED, [DOCUMENTED]),
    ],
)
def test_only_addresses_of_a_family_that_is_listened_on_are_own(
    monkeypatch: pytest.MonkeyPatch, bind: str, expected: list[str]
) -> None:
    found = [Interface("eth0", 2, DOCUMENTED), Interface("eth0", 2, "fd00::2")]
    monkeypatch.setattr(addresses, "has_ipv6", lambda: True)
    assert [one.address for one in Doors.of(bind).among(found, None)] == expected
    monkeypatch.setattr(addresses, "has_ipv6", lambda: False)
    assert [one.address for one in Doors.of("all").among(found, None)] == [DOCUMENTED]
    assert listening("all") == ("0.0.0.0",)


def test_an_advertised_address_goes_before_all_unless_nothing_listens_for_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    given = Doors.of("0.0.0.0", ["203.0.113.9"])
    found = given.among([ETHERNET], None)
    assert [one.address for one in found] == ["203.0.113.9", "192.168.1.23"]
    named = frozenset({"192.168.1.23"})
    shown = view(given, found, certified=named, picked="192.168.1.23")
    assert (shown.chosen, shown.set_outside) == ("203.0.113.9", "203.0.113.9")
    assert not caplog.text
    other = Doors.of("0.0.0.0", ["fd00::9"])
    assert [one.address for one in other.among([ETHERNET], None)] == ["192.168.1.23"]
    assert "fd00::9 (advertise) is left out" in caplog.text


def test_several_may_be_given_the_first_of_them_for_links() -> None:
    vpn = Interface("wg0", 9, "10.9.0.1")
    doors = Doors.of("all", ["203.0.113.9", "10.9.0.1", "192.168.1.23"])
    found = doors.among([ETHERNET, vpn, WIFI], None)
    given = ["203.0.113.9", "10.9.0.1", "192.168.1.23"]
    assert [one.address for one in found] == [*given, WIFI.address]
    assert view(doors, found, picked=None).chosen == "203.0.113.9"
    reach = doors.reach(found, certified=frozenset({"10.9.0.1"}), picked=None)
    assert (reach.link, reach.unnamed) == (
        "203.0.113.9",
        ("203.0.113.9", "192.168.1.23", WIFI.address),
    )


def test_an_address_of_home_goes_before_the_one_that_leads_out() -> None:
    public = Interface("eth1", 3, "203.0.113.9")
    found = ranked([public, ETHERNET], source="203.0.113.9")
    assert [one.address for one in found] == ["192.168.1.23", "203.0.113.9"]
