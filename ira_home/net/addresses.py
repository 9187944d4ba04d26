"""The addresses by which other machines of the house reach this one, the likeliest first."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
import ipaddress
import logging
from pathlib import Path
import socket

import ifaddr

from ira_home.base.addresses import ALL, ANY_V4, ANY_V6, localhost, origin, this_computer

log = logging.getLogger(__name__)
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_HOME = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_SHARED = ipaddress.ip_network("100.64.0.0/10")
_LINK_LOCAL = ipaddress.ip_network("169.254.0.0/16")
_UNIQUE_LOCAL = ipaddress.ip_network("fc00::/7")
# Networks of machines, containers and other programs on this machine: nobody else is on them.
_INSIDE = ("lo", "docker", "br-", "veth", "virbr", "vnet", "vmnet", "vboxnet", "awdl", "llw", "bluetooth", "bnep")  # fmt: skip
# Tunnels lead out of the house; they are taken when there is nothing else.
_TUNNELS = ("utun", "tun", "tap", "wg", "tailscale", "zt", "ham", "vethernet")
# A tunnel may call all of the internet its network.
_SMALLEST_PREFIX = {4: 16, 6: 48}
_SYSTEM = Path("/sys/class/net")
_ANY = frozenset({ANY_V4, ANY_V6})


@dataclass(frozen=True, slots=True)
class Interface:
    """One address of one network interface."""

    name: str
    index: int
    address: str


@dataclass(frozen=True, slots=True)
class Reach:
    """By which addresses a server is reached; every one of them is of a family that it listens on.

    `host`: the best that the certificate vouches for, or where there is none, one that works on this
    computer. `others`: the best for other machines, None when none of them can reach it. `here`: that
    of this computer itself, where it works. `unnamed`: what others could dial but the certificate cannot name.
    """

    host: str
    others: str | None
    here: str | None
    unnamed: tuple[str, ...] = ()

    @classmethod
    def of(cls, own: Sequence[str], *, certified: Collection[str], bind: str) -> "Reach":
        """What to offer of a server's own addresses, the best of which comes first."""
        outside = [one for one in own if not ipaddress.ip_address(one).is_loopback]
        good = next((one for one in own if one in certified), None)
        return cls(
            host=good or (this_computer(bind) if localhost(bind) else own[0]),
            others=next((one for one in outside if one in certified), next(iter(outside), None)),
            here=localhost(bind),
            unnamed=tuple(one for one in outside if one not in certified),
        )

    @property
    def link(self) -> str:
        """The address in pairing links: devices prove the server by its name, not by its address."""
        return self.others or self.host


@dataclass(frozen=True, slots=True)
class Entrance:
    """The addresses of a server's pages, as URLs."""

    reach: Reach
    port: int
    http_port: int

    @property
    def address(self) -> str:
        """The best that the certificate vouches for."""
        return self.https(self.reach.host)

    @property
    def shown(self) -> str:
        """The one to be shown to people: of other devices where any reaches it."""
        return self.https(self.reach.link)

    @property
    def start_page(self) -> str:
        """The plain page on which another device begins."""
        return origin("http", self.reach.link, self.http_port)

    def https(self, host: str) -> str:
        """By one of its addresses."""
        return origin("https", host, self.port)


def listening(bind: str) -> tuple[str, ...]:
    """The addresses to listen on; of `all` those families that this system has."""
    if bind != ALL:
        return (bind,)
    return (ANY_V4, ANY_V6) if _has_ipv6() else (ANY_V4,)


def own_addresses(bind: str, advertise: str | None) -> list[str]:
    """Where a server that listens on `bind` is reached, the best address first."""
    heard = listening(bind)
    families = {_family(one) for one in heard}
    found = [bind]
    if _ANY.issuperset(heard):
        found = [one for one in lan_addresses() if _family(one) in families]
    if advertise and _family(advertise) not in families:
        log.warning("%s (advertise) is left out: the server does not listen on its family of "
                    "addresses (bind is %s)", advertise, bind)  # fmt: skip
        return found
    return [advertise, *found] if advertise else found


def lan_addresses() -> list[str]:
    """Private IPv4 addresses, then others, then unique local IPv6; empty without a network."""
    return ranked(_interfaces(), source=_default_source())


def ranked(interfaces: Iterable[Interface], *, source: str | None) -> list[str]:
    """The useful addresses in order; `source` is the one from which the default route leaves."""
    usable = [one for one in interfaces if _rank(one, source) is not None]
    outside = [one for one in usable if not one.name.lower().startswith(_TUNNELS)]
    usable = outside or usable
    routable = [one for one in usable if ipaddress.ip_address(one.address) not in _LINK_LOCAL]
    usable = routable or usable
    usable.sort(key=lambda one: (_rank(one, source), one.index))
    return list(dict.fromkeys(one.address for one in usable))


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


def _rank(one: Interface, source: str | None) -> int | None:
    """Smaller is likelier; None for what no other machine can use."""
    address = ipaddress.ip_address(one.address)
    if one.name.lower().startswith(_INSIDE) or address.is_loopback or address.is_unspecified:
        return None
    if address.version == 6:
        # Browsers cannot use zones, and a public IPv6 address is reached by the server's name.
        return 9 if address in _UNIQUE_LOCAL else None
    is_home, is_source = any(address in net for net in _HOME), one.address == source
    order = (is_home and is_source, is_home, is_source, address in _SHARED)
    return order.index(True) if True in order else 5 if address in _LINK_LOCAL else 4


def _family(address: str) -> int:
    return ipaddress.ip_address(address).version


def _has_ipv6() -> bool:
    """Whether the system gives a socket of that family an address."""
    with suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        probe.bind((ANY_V6, 0))
        return True
    return False


def _interfaces() -> Iterator[Interface]:
    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            if _is_down(adapter.name):
                continue
            for found in adapter.ips:
                address = found.ip if isinstance(found.ip, str) else found.ip[0]
                yield Interface(adapter.nice_name, adapter.index or 0, address)


def _is_down(name: str) -> bool:
    """Whether the system says so; only Linux tells in a file."""
    with suppress(OSError, ValueError):
        return (_SYSTEM / name / "operstate").read_text("ascii").strip() == "down"
    return False


def _default_source() -> str | None:
    """The address that packets to elsewhere leave from. Nothing is sent to find out."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return None
