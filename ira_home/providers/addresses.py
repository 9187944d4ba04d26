"""Which addresses of the outside world may be spoken to: public ones, and nothing of this house."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
import ipaddress
import re

from aiohttp.abc import AbstractResolver

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# What the IANA registries of special-purpose addresses keep from being anybody's on the internet.
_REFUSED = tuple(
    ipaddress.ip_network(one)
    for one in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by the customers of a provider
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's own service for its machines
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",
        "2001::/23",  # tunnels and other protocols
        "2001:db8::/32",  # documentation
        "2002::/16",  # an IPv4 address inside
        "3fff::/20",  # documentation
    )
)
# All other IPv6 is no public address of one machine: loopback, mapped IPv4, NAT64, local, multicast.
_PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
_PORTS = frozenset({80, 443})
# Names that only a network of the house answers for.
_LOCAL_NAME = re.compile(r"(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|home\.arpa|corp|private)$")  # fmt: skip
_NUMBER = re.compile(r"(?:^|\.)(?:\d+|0x[0-9a-f]*)$")


def _nothing() -> Collection[Network]:
    return ()


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Decides on names, ports and addresses before anything is sent.

    `own` gives the networks that this machine is on at this moment: neighbours with public
    addresses are of the house all the same. `resolver` finds the addresses of names, by default
    the system's.
    """

    own: Callable[[], Collection[Network]] = _nothing
    resolver: AbstractResolver | None = None

    def allows_name(self, host: str) -> bool:
        """Whether a host may be looked up at all; an IP address is judged by `allows_address`."""
        name = host.rstrip(".").lower()
        if _parsed(name) is not None:
            return True
        return "." in name and not _LOCAL_NAME.search(name) and not _NUMBER.search(name)

    def allows_port(self, port: int) -> bool:
        """Whether a port is that of web servers."""
        return port in _PORTS

    def allows_address(self, address: str) -> bool:
        """Whether this very address may be connected to."""
        found = _parsed(address)
        if found is None:
            return False
        if isinstance(found, ipaddress.IPv6Address) and found not in _PUBLIC_V6:
            return False
        return not any(found in network for network in (*_REFUSED, *self.own()))


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address.partition("%")[0].strip("[]"))
    except ValueError:
        return None
