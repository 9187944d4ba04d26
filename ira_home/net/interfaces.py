"""What the system says of this machine's network interfaces."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
import ipaddress
from pathlib import Path
import socket

import ifaddr

from ira_home.base.addresses import ANY_V6

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# A tunnel may call all of the internet its network.
_SMALLEST_PREFIX = {4: 16, 6: 48}
_SYSTEM = Path("/sys/class/net")


@dataclass(frozen=True, slots=True, order=True)
class Interface:
    """One address of one network interface."""

    name: str
    index: int
    address: str


def interfaces() -> Iterator[Interface]:
    """Every address of every interface that is up, in the system's order; none where it cannot tell."""
    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            if _is_down(adapter.name):
                continue
            for found in adapter.ips:
                address = found.ip if isinstance(found.ip, str) else found.ip[0]
                yield Interface(adapter.nice_name, adapter.index or 0, address)


def own_networks() -> frozenset[Network]:
    """The networks that this machine is on right now; of a very large one only its own address."""
    found: set[Network] = set()
    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            for one in adapter.ips:
                address = ipaddress.ip_address(one.ip if isinstance(one.ip, str) else one.ip[0])
                bits = max(one.network_prefix, 0)
                if bits < _SMALLEST_PREFIX[address.version]:
                    bits = address.max_prefixlen
                found.add(ipaddress.ip_network(f"{address}/{bits}", strict=False))
    return frozenset(found)


def has_ipv6() -> bool:
    """Whether the system gives a socket of that family an address."""
    with suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        probe.bind((ANY_V6, 0))
        return True
    return False


def default_source() -> str | None:
    """The address that packets to elsewhere leave from. Nothing is sent to find out."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return None


def _is_down(name: str) -> bool:
    """Whether the system says so; only Linux tells in a file."""
    with suppress(OSError, ValueError):
        return (_SYSTEM / name / "operstate").read_text("ascii").strip() == "down"
    return False
