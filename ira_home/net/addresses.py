"""The addresses by which other machines of the house reach this one, the likeliest first."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
import ipaddress
import logging
import re

from ira_home.base.addresses import ALL, ANY_V4, ANY_V6, localhost, origin, this_computer
from ira_home.domain.network import Address, AddressKind, Announcement, NetworkView, NoQr
from ira_home.net.interfaces import Interface, has_ipv6

log = logging.getLogger(__name__)
_HOME = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_SHARED = ipaddress.ip_network("100.64.0.0/10")
_LINK_LOCAL = ipaddress.ip_network("169.254.0.0/16")
_UNIQUE_LOCAL = ipaddress.ip_network("fc00::/7")
# Networks of machines, containers and other programs on this machine: nobody else is on them.
# What a router calls br-lan is the house itself.
_INSIDE = re.compile(
    r"lo\d*$|br-(?!lan$)|bridge1\d\d|(docker|podman|cni|flannel|cali|hassio|lxcbr|lxdbr|incusbr|veth(?!ernet)|ve-|vb-|virbr"
    r"|vnet|vmnet|vboxnet|virtualbox|vmware|awdl|llw|bluetooth|bnep|software loopback)"
)
# Tunnels lead out of the house: an address of one is offered only where the owner picked it.
_TUNNEL = re.compile(
    r"utun|tun|tap|wg|wireguard|wintun|tailscale|zt|zerotier|ham|ppp|ipsec|openvpn|nordlynx|proton|vethernet|hyper-v"
)
_ANY = frozenset({ANY_V4, ANY_V6})


@dataclass(frozen=True, slots=True)
class Doors:
    """Where a server listens, and the addresses that whoever runs it has said to give out.

    `heard` are the addresses listened on; those of `given` are of their families, the one for links first.
    """

    bind: str
    heard: tuple[str, ...]
    given: tuple[str, ...] = ()

    @classmethod
    def of(cls, bind: str, advertise: Iterable[str] = ()) -> "Doors":
        """From the settings; an address that nobody listens for is left out with a word in the log."""
        heard = listening(bind)
        families, given = {_family(one) for one in heard}, []
        for one in advertise:
            if _family(one) in families:
                given.append(one)
            else:
                log.warning("%s (advertise) is left out: the server does not listen on its family of "
                            "addresses (bind is %s)", one, bind)  # fmt: skip
        return cls(bind, heard, tuple(given))

    def among(self, found: Iterable[Interface], source: str | None) -> tuple[Address, ...]:
        """The addresses of these interfaces that lead here from other machines, the best first, tunnels last.

        `source` is the address from which the default route leaves. What was given goes before all.
        """
        if _ANY.issuperset(self.heard):
            families = {_family(one) for one in self.heard}
            own = [one for one in ranked(found, source=source) if _family(one.address) in families]
        else:
            own = [_address(one) for one in found if one.address == self.bind][:1]
            own = [one for one in own if not ipaddress.ip_address(one.address).is_loopback]
        here = {one.address: one for one in own}
        first = [here.get(one) or _address(Interface("", 0, one)) for one in self.given]
        return (*first, *(one for one in own if one not in first))

    def reach(
        self, addresses: Sequence[Address], *, certified: Collection[str], picked: str | None
    ) -> "Reach":
        """What to offer of them: that of a tunnel only where it was picked, or given."""
        said = self.given[0] if self.given else picked
        own = [one.address for one in addresses
               if one.kind is not AddressKind.TUNNEL or one.address in {said, *self.given}]  # fmt: skip
        return Reach.of(own, certified=certified, bind=self.bind, said=said)

    def view(
        self,
        addresses: tuple[Address, ...],
        *,
        certified: frozenset[str],
        picked: str | None,
        announcement: Announcement,
        at: datetime,
    ) -> NetworkView:
        """How it stands, with the address for links and codes, or why there is none."""
        chosen = self.reach(addresses, certified=certified, picked=picked).others
        why = None
        if chosen is None:
            why = NoQr.ONLY_TUNNEL if addresses else NoQr.NO_NETWORK
            why = NoQr.ONLY_THIS_COMPUTER if self.is_closed else why
        return NetworkView(
            addresses=addresses,
            chosen=chosen,
            picked=picked,
            set_outside=next(iter(self.given), None),
            why_no_qr=why,
            certified=certified,
            announcement=announcement,
            changed_at=at,
        )

    @property
    def hears_cable(self) -> bool:
        """Whether it listens on the IPv6 addresses that a card makes up for its own network."""
        return ANY_V6 in self.heard

    @property
    def is_closed(self) -> bool:
        """Whether it listens for nobody but this computer itself."""
        return all(ipaddress.ip_address(one).is_loopback for one in self.heard)


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
    def of(
        cls, own: Sequence[str], *, certified: Collection[str], bind: str, said: str | None = None
    ) -> "Reach":
        """What to offer of a server's own addresses, the best of which comes first.

        `said` is the one that somebody chose: it goes before what the certificate vouches for.
        """
        outside = [one for one in own if not ipaddress.ip_address(one).is_loopback]
        good = next((one for one in own if one in certified), None)
        named = next((one for one in outside if one in certified), next(iter(outside), None))
        here = this_computer(bind)
        return cls(
            host=good or (here if localhost(bind) or not own else own[0]),
            others=said if said in outside else named,
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
    return (ANY_V4, ANY_V6) if has_ipv6() else (ANY_V4,)


def ranked(found: Iterable[Interface], *, source: str | None) -> list[Address]:
    """The useful addresses: private IPv4, then others, then unique local IPv6, then those of tunnels.

    `source` is the one from which the default route leaves.
    """
    usable = [(rank, one) for one in found if (rank := _rank(one, source)) is not None]
    usable.sort(key=lambda pair: (pair[0], pair[1].index))
    places = [_address(one) for _, one in usable]
    if any(one.kind not in _LAST for one in places):
        places = [one for one in places if one.kind is not AddressKind.LINK_LOCAL]
    return list({one.address: one for one in reversed(places)}.values())[::-1]


_LAST = frozenset({AddressKind.LINK_LOCAL, AddressKind.TUNNEL})


def _address(one: Interface) -> Address:
    address, kind = ipaddress.ip_address(one.address), AddressKind.PUBLIC
    if _TUNNEL.match(one.name.lower()):
        kind = AddressKind.TUNNEL
    elif address.version == 6:
        kind = AddressKind.UNIQUE_LOCAL if address in _UNIQUE_LOCAL else kind
    elif any(address in net for net in _HOME):
        kind = AddressKind.HOME
    elif address in _SHARED:
        kind = AddressKind.SHARED
    elif address in _LINK_LOCAL:
        kind = AddressKind.LINK_LOCAL
    return Address(one.address, one.name, kind)


_ORDER = tuple(AddressKind(kind) for kind in ("public", "link_local", "unique_local", "tunnel"))


def _rank(one: Interface, source: str | None) -> int | None:
    """Smaller is likelier; None for what no other machine can use."""
    address = ipaddress.ip_address(one.address)
    if _INSIDE.match(one.name.lower()) or address.is_loopback or address.is_unspecified:
        return None
    if address.version == 6 and address not in _UNIQUE_LOCAL:
        # Browsers cannot use zones, and a public IPv6 address is reached by the server's name.
        return None
    kind = _address(one).kind
    if kind is AddressKind.TUNNEL:
        return 10 if address.version == 4 else 11
    is_home, is_source = kind is AddressKind.HOME, one.address == source
    order = (is_home and is_source, is_home, is_source, kind is AddressKind.SHARED)
    return order.index(True) if True in order else 4 + _ORDER.index(kind)


def _family(address: str) -> int:
    return ipaddress.ip_address(address).version
