"""Which names, ports and addresses may be spoken to."""

import ipaddress

from hypothesis import given, strategies as st
import pytest

from ira_home.net.interfaces import own_networks
from ira_home.providers.addresses import AddressPolicy

POLICY = AddressPolicy()
REFUSED = """
127.0.0.1 127.8.9.1 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 100.127.255.255
192.0.0.8 192.0.2.1 198.51.100.7 203.0.113.9 198.18.0.1 198.19.255.255 224.0.0.251 239.1.1.1 240.0.0.1 255.255.255.255 192.88.99.1
168.63.129.16
:: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:10.0.0.1 ::8.8.8.8 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::a00:1 100::1 fe80::1
fe80::1%eth0 fec0::1 fc00::1 fd12:3456::1 ff02::fb ff0e::1 2001:db8::1 2001::1 2001:0:53aa:64c:0:fbff:f5f7:fffe 2002:7f00:1::1
2002:808:808::1 3fff::1 5f00::1 4000::1
""".split()
PUBLIC = "1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 193.0.0.1 223.255.255.255 2606:4700:4700::1111 2a00:1450::1 2001:4860::1".split()  # fmt: skip


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_is_nobodys_on_the_internet_is_refused(address: str) -> None:
    assert not POLICY.allows_address(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_may_be_spoken_to(address: str) -> None:
    assert POLICY.allows_address(address)


@given(st.ip_addresses())
def test_what_python_calls_private_is_never_allowed(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if address.is_private or address.is_multicast or address.is_reserved or address.is_link_local:
        assert not POLICY.allows_address(str(address))


@pytest.mark.parametrize("text", ["", "example.com", "2130706433", "0x7f.1", "127.1", "1.2.3.4.5"])
def test_what_is_no_address_is_refused(text: str) -> None:
    assert not POLICY.allows_address(text)


def test_neighbours_with_public_addresses_are_of_the_house() -> None:
    mine = {ipaddress.ip_network("2606:4700:1:2::/64"), ipaddress.ip_network("8.8.8.8/32")}
    policy = AddressPolicy(own=lambda: mine)
    assert not policy.allows_address("2606:4700:1:2::99")
    assert not policy.allows_address("8.8.8.8")
    assert policy.allows_address("2606:4700:1:3::99")
    assert policy.allows_address("8.8.4.4")


def test_the_networks_of_this_machine_are_known_and_no_network_is_the_whole_internet() -> None:
    networks = own_networks()
    assert any(ipaddress.ip_address("127.0.0.1") in one for one in networks)
    assert all(one.prefixlen >= (16 if one.version == 4 else 48) for one in networks)


@pytest.mark.parametrize(
    "name",
    "localhost ira.local printer router.lan nas.home.arpa x.internal 2130706433 0x7f.1 127.1 017700000001 a.b.0x1 example.com.1 home".split(),
)
def test_a_name_of_the_house_or_a_number_is_not_even_looked_up(name: str) -> None:
    assert not POLICY.allows_name(name)
    assert not POLICY.allows_name(name.upper() + ".")


@pytest.mark.parametrize("name", ["example.com", "xn--p1b6ci4b4b3a.xn--11b5bs1di", "8.8.8.8", "2606:4700::1"])  # fmt: skip
def test_other_names_are_looked_up(name: str) -> None:
    assert POLICY.allows_name(name)


def test_the_ports_are_those_of_web_servers() -> None:
    assert [port for port in range(1, 9_000) if POLICY.allows_port(port)] == [80, 443]
