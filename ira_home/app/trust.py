"""By what the house is known, kept in step with its certificates."""

from collections.abc import Callable
from dataclasses import replace

from ira_home.domain.facts import TrustChanged
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


def follow(services: Services, authority: Authority, link: Callable[[], PairingLink]) -> None:
    """Take over what changed in the certificates, before anybody else hears of it.

    Whoever changes them publishes TrustChanged. `link` makes pairing links for the present state.
    """

    def take_over(_: TrustChanged) -> None:
        services.trust = trust_of(authority)
        named = authority.names | authority.addresses
        services.addresses = replace(services.addresses, names=named)
        services.pairing_link = link()

    services.bus.subscribe(TrustChanged, take_over)
