"""The addresses by which other machines of the house reach this one, the likeliest first."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
import ipaddress
from pathlib import Path
import socket

import ifaddr

_HOME = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_SHARED = ipaddress.ip_network("100.64.0.0/10")
_LINK_LOCAL = ipaddress.ip_network("169.254.0.0/16")
_UNIQUE_LOCAL = ipaddress.ip_network("fc00::/7")
# Networks of machines, containers and other programs on this machine: nobody else is on them.
_INSIDE = ("lo", "docker", "br-", "veth", "virbr", "vnet", "vmnet", "vboxnet", "awdl", "llw", "bluetooth", "bnep")  # fmt: skip
# Tunnels lead out of the house; they are taken when there is nothing else.
_TUNNELS = ("utun", "tun", "tap", "wg", "tailscale", "zt", "ham", "vethernet")
_SYSTEM = Path("/sys/class/net")
_ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104 - what is compared, not bound


@dataclass(frozen=True, slots=True)
class Interface:
    """One address of one network interface."""

    name: str
    index: int
    address: str


def own_addresses(bind: str, advertise: str | None) -> list[str]:
    """Where a server that listens on `bind` is reached, the best address first."""
    found = lan_addresses() if bind in _ANY else [bind]
    return [advertise, *found] if advertise else found


def best_address(own: Iterable[str], certified: Collection[str]) -> str:
    """The first that the certificate vouches for; this computer's own without one."""
    return next((one for one in own if one in certified), "127.0.0.1")


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


def _rank(one: Interface, source: str | None) -> int | None:
    """Smaller is likelier; None for what no other machine can use."""
    address = ipaddress.ip_address(one.address)
    if one.name.lower().startswith(_INSIDE) or address.is_loopback or address.is_unspecified:
        return None
    if address.version == 6:
        # Browsers cannot use zones, and a public IPv6 address is reached by the server's name.
        return 9 if address in _UNIQUE_LOCAL else None
    order = (one.address == source, any(address in net for net in _HOME), address in _SHARED)
    return order.index(True) if True in order else 4 if address in _LINK_LOCAL else 3


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
