"""By what the house is known, kept in step with its certificates."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ira_home.app.network import Network
from ira_home.base.clock import rfc3339
from ira_home.domain.facts import NetworkChanged, TrustChanged
from ira_home.domain.ports import PairingLink
from ira_home.net.certificates import Authority
from ira_home.web.services import Services, Trust


def trust_of(authority: Authority) -> Trust:
    """What devices and people need to trust this server, as it is now."""
    return Trust(
        ca_der=authority.ca_der,
        fingerprint=authority.fingerprint,
        identity=authority.identity,
        cas=authority.cas,
    )


def follow(
    services: Services, authority: Authority, network: Network, link: Callable[[], PairingLink]
) -> None:
    """Take over what changed in the certificates and the network, before anybody else hears of it.

    Whoever changes certificates publishes TrustChanged. `link` makes pairing links for the present state.
    """

    def take_over(_: TrustChanged) -> None:
        services.trust = trust_of(authority)
        named = authority.names | authority.addresses
        services.addresses = replace(services.addresses, names=named)
        network.certified(authority.addresses)
        services.pairing_link = link()

    def link_anew(_: NetworkChanged) -> None:
        services.pairing_link = link()

    services.bus.subscribe(TrustChanged, take_over)
    services.bus.subscribe(NetworkChanged, link_anew)
    network.tell(services.bus)


def public_facts(authority: Authority) -> dict[str, Any]:
    """What a certificate tells anybody who connects, without the names and addresses in it."""
    return {
        "good_until": rfc3339(authority.not_after),
        "names": len(authority.names),
        "addresses": len(authority.addresses),
        "is_constrained": authority.is_constrained,
        "is_faulty": authority.fault is not None,
        "authorities": [
            {"fingerprint": one.fingerprint, "until": rfc3339(one.until), "is_constrained": one.is_constrained}
            for one in authority.cas
        ],
        "change": None if authority.roll_over is None else {
            "since": rfc3339(authority.roll_over.since),
            "earliest": rfc3339(authority.roll_over.earliest),
            "devices_told": len(authority.roll_over.seen),
        },
    }  # fmt: skip
