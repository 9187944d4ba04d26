"""Which of this machine's addresses others can use, and in which order."""

from hypothesis import given, strategies as st
import pytest

from ira_home.net.addresses import Interface, lan_addresses, ranked

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
