"""Which of this machine's addresses others can use, and in which order."""

from hypothesis import given, strategies as st
import pytest

from ira_home.net import addresses
from ira_home.net.addresses import (
    Interface,
    Reach,
    lan_addresses,
    listening,
    own_addresses,
    ranked,
)

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
        ([TUNNEL, ETHERNET], "10.8.0.2", ["192.168.1.23"]),
        ([TUNNEL, LOOPBACK], "10.8.0.2", ["10.8.0.2"]),
        ([LONELY, ETHERNET], None, ["192.168.1.23"]),
        ([LONELY], None, ["169.254.3.4"]),
        ([SHARED, ETHERNET], None, ["192.168.1.23", "100.64.2.2"]),
        ([ULA, GLOBAL, LINK, ETHERNET], None, ["192.168.1.23", "fd00::23"]),
        (
            [Interface("vEthernet (Default Switch)", 1, "172.20.0.1"), ETHERNET],
            None,
            ["192.168.1.23"],
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
    assert ranked(interfaces, source=source) == expected


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
    found = ranked(interfaces, source=None)
    assert len(found) == len(set(found))
    assert all("." in one or one.startswith(("fc", "fd")) for one in found)
    assert not any(one.startswith("127.") for one in found)


def test_this_machine_can_be_asked() -> None:
    assert all(isinstance(one, str) for one in lan_addresses())


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
        ("::1", ["::1"]),
        (DOCUMENTED, [DOCUMENTED]),
    ],
)
def test_only_addresses_of_a_family_that_is_listened_on_are_own(
    monkeypatch: pytest.MonkeyPatch, bind: str, expected: list[str]
) -> None:
    monkeypatch.setattr(addresses, "lan_addresses", lambda: [DOCUMENTED, "fd00::2"])
    monkeypatch.setattr(addresses, "_has_ipv6", lambda: True)
    assert own_addresses(bind, None) == expected
    monkeypatch.setattr(addresses, "_has_ipv6", lambda: False)
    assert own_addresses("all", None) == [DOCUMENTED]
    assert listening("all") == ("0.0.0.0",)


def test_an_advertised_address_that_nothing_listens_for_is_left_out_with_a_word(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(addresses, "lan_addresses", lambda: ["192.168.1.5"])
    assert own_addresses("0.0.0.0", "10.0.0.9") == ["10.0.0.9", "192.168.1.5"]
    assert own_addresses("0.0.0.0", "fd00::9") == ["192.168.1.5"]
    assert "fd00::9 (advertise) is left out" in caplog.text


def test_an_address_of_home_goes_before_the_one_that_leads_out() -> None:
    public = Interface("eth1", 3, "203.0.113.9")
    assert ranked([public, ETHERNET], source="203.0.113.9") == ["192.168.1.23", "203.0.113.9"]
