"""Address and certificate: where other devices open Ira, which address links carry, and what to compare."""

from dataclasses import dataclass
from typing import Any

from aiohttp import web
from markupsafe import Markup

from ira_home.base.addresses import origin
from ira_home.base.errors import IraError
from ira_home.domain.network import Address, AddressKind, NetworkView
from ira_home.web.call import Call
from ira_home.web.pages.arrived import others
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.trust import stable_origin
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route


@dataclass(frozen=True, slots=True)
class Choice:
    """An address that can be picked; `is_named`: browsers do not warn there once they know Ira."""

    address: Address
    is_named: bool
    is_picked: bool


def best(view: NetworkView) -> str | None:
    """The address that links would carry if nobody had picked one."""
    usable = [one.address for one in view.addresses if one.kind is not AddressKind.TUNNEL]
    return next((one for one in usable if one in view.certified), next(iter(usable), None))


def entrance_of(call: Call, path: str = "/") -> dict[str, Any]:
    """Where another device opens Ira: addresses, and the QR code of a page there; why there is none."""
    services, view = call.services, call.services.network()
    ports = services.addresses
    entrance = view.chosen and origin("https", view.chosen, ports.https_port)
    return {
        "view": view,
        "entrance": entrance,
        "opens": entrance and entrance + path.removesuffix("/"),
        # Drawn by the server itself, from its own address.
        "qr": Markup(services.pairing_link.qr_svg(f"{entrance}{path}")) if entrance else "",  # noqa: S704
        "start_page": view.chosen and origin("http", view.chosen, ports.http_port),
        "stable": stable_origin(call),
    }


async def page(call: Call) -> web.Response:
    """The page."""
    return await _page(call)


async def _page(call: Call, fault: Fault | None = None) -> web.Response:
    services, view = call.services, call.services.network()
    is_here = any(one.address == view.picked for one in view.addresses)
    return await show(
        call,
        "network.html",
        nav="house",
        status=200 if fault is None else fault.status,
        **entrance_of(call),
        arrivals=others(call),
        choices=[
            Choice(one, one.address in view.certified, one.address == view.picked)
            for one in view.addresses
        ],
        best=best(view),
        is_picked=is_here,
        gone=view.picked if not is_here else None,
        trust=services.trust,
        until=services.authority.not_after,
        is_saved=call.request.query.get("saved") == "yes",
        fault=fault,
    )


async def pick(call: Call) -> web.Response:
    """Pick one of the addresses, or none: links and QR codes carry it from now on."""
    wish = {"advertise": call.form.get("advertise", "")}
    try:
        await call.services.house.change(call.principal, wish)
    except IraError as error:
        return await _page(call, fault_of(error, words_for(call.request)))
    return go("/address?saved=yes#which")


ROUTES = (
    Route(
        "GET",
        "/address",
        page,
        Needs.CONSOLE,
        page=True,
        summary="Address, certificate and QR code.",
        query=("saved",),
    ),
    Route(
        "POST",
        "/address",
        pick,
        Needs.CONSOLE,
        page=True,
        summary="Pick the address in links and QR codes.",
    ),
)
