"""By what the house is known, kept in step with its certificates."""

from collections.abc import Callable
from dataclasses import replace

from ira_home.app.network import Network
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
