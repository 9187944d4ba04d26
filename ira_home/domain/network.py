"""How this server stands in the network of its house: its addresses, and whether it is announced."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class AddressKind(StrEnum):
    """What an address is good for."""

    HOME = "home"  # of a home network, IPv4
    SHARED = "shared"  # of a provider's inner network (100.64.0.0/10)
    TUNNEL = "tunnel"  # leads out of the house: a VPN
    LINK_LOCAL = "link_local"  # made up by two machines on one cable
    PUBLIC = "public"
    UNIQUE_LOCAL = "unique_local"  # of a home network, IPv6


@dataclass(frozen=True, slots=True)
class Address:
    """An address by which other machines may reach this one; `interface` is empty where none has it."""

    address: str
    interface: str
    kind: AddressKind


class AnnouncementState(StrEnum):
    """How far the announcement on the local network has come."""

    OFF = "off"
    STARTING = "starting"
    ANNOUNCED = "announced"
    FAILED = "failed"  # tried again by itself


class AnnouncementFault(StrEnum):
    """Why the server is not announced although nobody switched that off."""

    ONLY_THIS_COMPUTER = "only_this_computer"  # it listens on no address of a network
    NO_NETWORK = "no_network"
    PORT_TAKEN = "port_taken"  # another program keeps the port of announcements for itself
    NOT_ALLOWED = "not_allowed"  # the system does not let this program
    NAME_TAKEN = "name_taken"  # every name that was tried is another server's
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Announcement:
    """Whether other devices find the server by themselves.

    `name` is the one that they show, while announced; `since` when this state began.
    """

    state: AnnouncementState
    name: str | None
    since: datetime
    fault: AnnouncementFault | None = None


class NoQr(StrEnum):
    """Why no link can be made that another machine could follow."""

    ONLY_THIS_COMPUTER = "only_this_computer"
    ONLY_TUNNEL = "only_tunnel"
    NO_NETWORK = "no_network"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkView:
    """The present state of the network, as pages, links and commands need it.

    `addresses`: the best first, tunnels last. `chosen`: what links and QR codes carry, None when no
    other machine can reach this one by any of them (`why_no_qr` says why). `picked`: the owner's
    stored choice, which holds while this computer has that address. `set_outside`: the address that
    whoever runs the server gave it, which goes before any choice. `certified`: the addresses that
    the certificate names.
    """

    addresses: tuple[Address, ...]
    chosen: str | None
    picked: str | None
    set_outside: str | None
    why_no_qr: NoQr | None
    certified: frozenset[str]
    announcement: Announcement
    changed_at: datetime
