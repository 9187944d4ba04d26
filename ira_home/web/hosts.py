"""By which names this server may be called, and which web origins are its own."""

from dataclasses import dataclass
from functools import lru_cache
import ipaddress
import re

from ira_home.web.services import Addresses

_HOST = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?))"
    r"(?::(?P<port>[0-9]{1,5}))?"
)
_ORIGIN_START = "https://"
HTTPS, HTTP = 443, 80


@dataclass(frozen=True, slots=True)
class Host:
    """A host and port as a Host header spells them."""

    name: str
    port: int


def read_host(text: str, default_port: int) -> Host | None:
    """The parts of `name[:port]`, or None for what is no such thing."""
    match = _HOST.fullmatch(text.lower())
    if match is None:
        return None
    name = match["six"] or match["name"]
    port = int(match["port"]) if match["port"] else default_port
    return Host(_plain(name), port)


def _plain(name: str) -> str:
    """An IP literal in its one spelling, IPv4 in IPv6 as IPv4; other names as they are."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name
    return str(getattr(address, "ipv4_mapped", None) or address)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_this_machine(name: str) -> bool:
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)


class HostList:
    """The allow-list of one listener."""

    def __init__(self, addresses: Addresses, *, is_tls: bool) -> None:
        """`is_tls`: the https listener; else the plain one."""
        self._port = addresses.https_port if is_tls else addresses.http_port
        self._default = HTTPS if is_tls else HTTP
        self._names = {_plain(n.lower()) for n in addresses.names if not _is_address(_plain(n))}
        self._extra = frozenset(
            found for text in addresses.extra if (found := read_host(text, self._port)) is not None
        )
        # A policy cannot name an IPv6 address: browsers drop it and complain.
        shown = sorted(n for n in addresses.names if not _is_this_machine(n) and ":" not in n)
        suffix = "" if self._port == HTTPS else f":{self._port}"
        # The server's other names as origins, for the trust page to try (DESIGN 4).
        self.other_origins = tuple(f"{_ORIGIN_START}{n}{suffix}" for n in shown)

    def is_own(self, text: str, local: str) -> bool:
        """Whether a Host header names this listener; `local` is the connection's own address."""
        host = read_host(text, self._default)
        if host is None:
            return False
        if host in self._extra:
            return True
        if host.port != self._port:
            return False
        return host.name in self._names or (_is_address(host.name) and host.name == _plain(local))

    def is_own_origin(self, origin: str, local: str) -> bool:
        """Whether an Origin header is a page of this server."""
        return origin.startswith(_ORIGIN_START) and self.is_own(
            origin.removeprefix(_ORIGIN_START), local
        )


@lru_cache(maxsize=8)
def host_list(addresses: Addresses, *, is_tls: bool) -> HostList:
    """The allow-list of these addresses; addresses change while the server runs, so ask each time."""
    return HostList(addresses, is_tls=is_tls)
