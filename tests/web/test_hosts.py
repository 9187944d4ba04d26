"""Host names: what is this server, spelled however clients spell it."""

from hypothesis import given, strategies as st

from ira_home.web.headers import content_policy
from ira_home.web.hosts import HostList
from ira_home.web.services import Addresses

NAMES = frozenset({"localhost", "ira-7f3a9c.local", "Office-PC", "192.168.1.5", "::1", "fd00::2"})


def listed(port: int = 8443, *extra: str) -> HostList:
    addresses = Addresses(https_port=port, http_port=8080, names=NAMES, extra=extra)
    return HostList(addresses, is_tls=True)


def test_an_address_is_own_only_where_the_connection_came_in() -> None:
    hosts = listed()
    assert hosts.is_own("192.168.1.5:8443", "192.168.1.5")
    assert hosts.is_own("192.168.1.5:8443", "::ffff:192.168.1.5")
    assert hosts.is_own("[fe80::1]:8443", "fe80::1%eth0")
    assert hosts.is_own("[0:0::1]:8443", "::1")
    assert not hosts.is_own("192.168.1.6:8443", "192.168.1.5")
    assert not hosts.is_own("192.168.1.5:8443", "127.0.0.1")


def test_the_default_port_may_be_left_out() -> None:
    assert listed(443).is_own("localhost", "127.0.0.1")
    assert listed(443).is_own("office-pc:443", "127.0.0.1")
    assert not listed(8443).is_own("localhost", "127.0.0.1")


def test_the_operator_can_name_more_names() -> None:
    hosts = listed(8443, "ira.example.com:443", "ira.lan", "203.0.113.9")
    assert hosts.is_own("ira.example.com", "10.0.0.2")
    assert hosts.is_own("ira.lan:8443", "10.0.0.2")
    assert hosts.is_own("203.0.113.9:8443", "10.0.0.2")
    assert not hosts.is_own("ira.lan", "10.0.0.2")
    assert hosts.is_own_origin("https://ira.example.com", "10.0.0.2")


def test_the_trust_page_may_try_the_other_names_that_a_policy_can_name() -> None:
    assert set(listed().other_origins) == {
        "https://192.168.1.5:8443",
        "https://Office-PC:8443",
        "https://ira-7f3a9c.local:8443",
    }


@given(st.text())
def test_whatever_a_header_says_nothing_breaks(text: str) -> None:
    assert listed().is_own(text, "127.0.0.1") in (True, False)
    assert listed().is_own_origin(text, "127.0.0.1") in (True, False)


def test_a_policy_names_no_ipv6_address() -> None:
    policy = content_policy("[fd00::2]:8443", listed().other_origins)
    assert "[" not in policy
    assert "wss://192.168.1.5:8443" in content_policy("192.168.1.5:8443")
