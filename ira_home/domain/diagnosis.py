"""Why a device cannot connect: what was looked at, and what was found, as a closed list."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Topic(StrEnum):
    """What a finding is about."""

    ADDRESS = "address"
    REACH = "reach"  # what a device sees that dials one of the addresses
    CERTIFICATE = "server_certificate"
    CLOCK = "clock"
    ANNOUNCEMENT = "announcement"
    FIREWALL = "firewall"


class State(StrEnum):
    """How it stands; what is not good has a next step."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


class Said(StrEnum):
    """Everything that can be found. `facts` tells what each is about, how bad it is and what it names."""

    ADDRESS_GOOD = "address_good"
    ADDRESS_NOT_HELD = "address_not_held"  # given in the settings, and no interface has it
    ADDRESS_NOT_PICKED = "address_not_picked"  # picked by the owner, and gone
    ADDRESS_IN_CONTAINER = "address_in_container"
    ADDRESS_UNNAMED = "address_unnamed"  # the certificate cannot name it
    ADDRESS_ONLY_THIS_COMPUTER = "address_only_this_computer"
    ADDRESS_ONLY_TUNNEL = "address_only_tunnel"
    ADDRESS_NO_NETWORK = "address_no_network"
    ADDRESS_NOT_HERE = "address_not_here"  # the one to listen on is not this computer's
    REACH_GOOD = "reach_good"
    REACH_NOTHING = "reach_nothing"
    REACH_STRANGER = "reach_stranger"
    REACH_DISTRUSTED = "reach_distrusted"
    REACH_TURNED_AWAY = "reach_turned_away"
    PLAIN_GOOD = "plain_good"
    PLAIN_NOTHING = "plain_nothing"
    PLAIN_STRANGER = "plain_stranger"
    PORTS_FREE = "ports_free"
    PORT_TAKEN = "port_taken"
    PORT_REFUSED = "port_refused"
    CERTIFICATE_GOOD = "certificate_good"
    CERTIFICATE_FAULT = "certificate_fault"
    CERTIFICATE_NEAR_END = "certificate_near_end"
    CERTIFICATE_ENDED = "certificate_ended"
    OWN_CERTIFICATE_GOOD = "own_certificate_good"  # one that the owner brings
    OWN_CERTIFICATE_FAULT = "own_certificate_fault"
    AUTHORITY_NEAR_END = "authority_near_end"
    AUTHORITY_CHANGES = "authority_changes"
    CLOCK_GOOD = "clock_good"
    CLOCK_LOST = "clock_lost"
    CLOCK_ALONE = "clock_alone"  # no other clock sets it
    ANNOUNCED_GOOD = "announced_good"
    ANNOUNCED_OFF = "announced_off"
    ANNOUNCED_SOON = "announced_soon"
    ANNOUNCED_UNHEARD = "announced_unheard"
    ANNOUNCED_OTHERWISE = "announced_otherwise"
    ANNOUNCED_UNASKED = "announced_unasked"
    UNANNOUNCED_ONLY_THIS_COMPUTER = "unannounced_only_this_computer"
    UNANNOUNCED_NO_NETWORK = "unannounced_no_network"
    UNANNOUNCED_PORT_TAKEN = "unannounced_port_taken"
    UNANNOUNCED_NOT_ALLOWED = "unannounced_not_allowed"
    UNANNOUNCED_NAME_TAKEN = "unannounced_name_taken"
    UNANNOUNCED_UNKNOWN = "unannounced_unknown"
    FIREWALL_NONE = "firewall_none"
    FIREWALL_OPEN = "firewall_open"
    FIREWALL_CLOSED = "firewall_closed"
    FIREWALL_UNSURE = "firewall_unsure"
    FIREWALL_PUBLIC = "firewall_public"  # Windows takes the network for a public one
    FIREWALL_MAC_BLOCKS = "firewall_mac_blocks"
    FIREWALL_MAC_ALL = "firewall_mac_all"
    FIREWALL_MAC_ASKS = "firewall_mac_asks"


@dataclass(frozen=True, slots=True)
class Facts:
    """What holds for every finding of one kind: `names` are the values that its words may hold."""

    topic: Topic
    state: State
    names: frozenset[str]


def _facts() -> Mapping[Said, Facts]:
    """States are read off here and nowhere else."""
    good, warn, bad = State
    rows = {
        Topic.ADDRESS: {
            Said.ADDRESS_GOOD: (good, "address"),
            Said.ADDRESS_NOT_HELD: (warn, "address"),
            Said.ADDRESS_NOT_PICKED: (warn, "address"),
            Said.ADDRESS_IN_CONTAINER: (warn, "address"),
            Said.ADDRESS_UNNAMED: (warn, "address name"),
            Said.ADDRESS_ONLY_THIS_COMPUTER: (warn, ""),
            Said.ADDRESS_ONLY_TUNNEL: (warn, ""),
            Said.ADDRESS_NO_NETWORK: (warn, ""),
            Said.ADDRESS_NOT_HERE: (bad, "address"),
        },
        Topic.REACH: {
            Said.REACH_GOOD: (good, "addresses"),
            Said.REACH_NOTHING: (bad, "address"),
            Said.REACH_STRANGER: (bad, "address"),
            Said.REACH_DISTRUSTED: (bad, "address why"),
            Said.REACH_TURNED_AWAY: (bad, "address"),
            Said.PLAIN_GOOD: (good, "address"),
            Said.PLAIN_NOTHING: (bad, "address"),
            Said.PLAIN_STRANGER: (bad, "address"),
            Said.PORTS_FREE: (good, "port http_port"),
            Said.PORT_TAKEN: (bad, "port"),
            Said.PORT_REFUSED: (bad, "port"),
        },
        Topic.CERTIFICATE: {
            Said.CERTIFICATE_GOOD: (good, "until"),
            Said.CERTIFICATE_FAULT: (bad, "why"),
            Said.CERTIFICATE_NEAR_END: (warn, "until"),
            Said.CERTIFICATE_ENDED: (bad, "until"),
            Said.OWN_CERTIFICATE_GOOD: (good, "until names"),
            Said.OWN_CERTIFICATE_FAULT: (warn, "why"),
            Said.AUTHORITY_NEAR_END: (warn, "until"),
            Said.AUTHORITY_CHANGES: (good, "until"),
        },
        Topic.CLOCK: {
            Said.CLOCK_GOOD: (good, "now"),
            Said.CLOCK_LOST: (bad, "now"),
            Said.CLOCK_ALONE: (warn, "now"),
        },
        Topic.ANNOUNCEMENT: {
            Said.ANNOUNCED_GOOD: (good, "name"),
            Said.ANNOUNCED_OFF: (good, ""),
            Said.ANNOUNCED_SOON: (warn, ""),
            Said.ANNOUNCED_UNHEARD: (warn, "name"),
            Said.ANNOUNCED_OTHERWISE: (warn, "address"),
            Said.ANNOUNCED_UNASKED: (warn, "why"),
            Said.UNANNOUNCED_ONLY_THIS_COMPUTER: (warn, ""),
            Said.UNANNOUNCED_NO_NETWORK: (warn, ""),
            Said.UNANNOUNCED_PORT_TAKEN: (warn, ""),
            Said.UNANNOUNCED_NOT_ALLOWED: (warn, ""),
            Said.UNANNOUNCED_NAME_TAKEN: (warn, ""),
            Said.UNANNOUNCED_UNKNOWN: (warn, ""),
        },
        Topic.FIREWALL: {
            Said.FIREWALL_NONE: (good, ""),
            Said.FIREWALL_OPEN: (good, "firewall"),
            Said.FIREWALL_CLOSED: (warn, "firewall ports command"),
            Said.FIREWALL_UNSURE: (warn, "firewall ports command"),
            Said.FIREWALL_PUBLIC: (warn, "network"),
            Said.FIREWALL_MAC_BLOCKS: (warn, ""),
            Said.FIREWALL_MAC_ALL: (warn, ""),
            Said.FIREWALL_MAC_ASKS: (warn, ""),
        },
    }  # fmt: skip
    return {
        said: Facts(topic, state, frozenset(names.split()))
        for topic, found in rows.items()
        for said, (state, names) in found.items()
    }


FACTS = _facts()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `values` has a text for each name that its words hold."""

    said: Said
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def topic(self) -> Topic:
        """What it is about."""
        return FACTS[self.said].topic

    @property
    def state(self) -> State:
        """How it stands."""
        return FACTS[self.said].state
