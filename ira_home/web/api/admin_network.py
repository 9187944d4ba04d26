"""The network as the house stands in it: by which addresses it is reached, and which one links carry."""

import msgspec

from ira_home.base.addresses import origin
from ira_home.base.clock import rfc3339
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route


class NetworkAddress(msgspec.Struct):
    """An address by which other devices may reach this server.

    `interface` is empty where no network card has it. `kind` is home, shared, tunnel, link_local,
    public or unique_local. `certified`: whether the certificate names it; else browsers warn there.
    """

    address: str
    interface: str
    kind: str
    certified: bool
    url: str


class Announced(msgspec.Struct):
    """Whether devices find the server by themselves; `fault` says why not, where nobody switched it off."""

    state: str
    name: str | None
    fault: str | None
    since: str


class Network(msgspec.Struct):
    """The present state, the best address first.

    `chosen` is the address in links and QR codes, null where no other device reaches any (`why_no_qr`
    then is only_this_computer, only_tunnel or no_network). `picked` is the choice that the house
    keeps, `set_outside` the one in the server's own settings, which goes before it.
    """

    addresses: list[NetworkAddress]
    chosen: str | None
    url: str | None
    picked: str | None
    set_outside: str | None
    why_no_qr: str | None
    identity: str
    fingerprint: str
    announced: Announced
    changed_at: str


async def show(call: Call) -> Network:
    """The present state of the network."""
    services, view = call.services, call.services.network()
    port, announced = services.addresses.https_port, view.announcement
    return Network(
        addresses=[
            NetworkAddress(
                address=one.address,
                interface=one.interface,
                kind=one.kind,
                certified=one.address in view.certified,
                url=origin("https", one.address, port),
            )
            for one in view.addresses
        ],
        chosen=view.chosen,
        url=origin("https", view.chosen, port) if view.chosen else None,
        picked=view.picked,
        set_outside=view.set_outside,
        why_no_qr=view.why_no_qr,
        identity=services.trust.identity,
        fingerprint=services.trust.fingerprint,
        announced=Announced(
            state=announced.state,
            name=announced.name,
            fault=announced.fault,
            since=rfc3339(announced.since),
        ),
        changed_at=rfc3339(view.changed_at),
    )


ROUTES = (
    Route(
        "GET",
        "/v1/admin/network",
        show,
        Needs.CONSOLE,
        summary="By which addresses the server is reached",
        reply=Network,
    ),
)
