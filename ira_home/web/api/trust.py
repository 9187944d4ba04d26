"""Trusting this server: its certificate authority, how to install it, and whether that worked."""

from aiohttp import web

from ira_home.web.call import Call
from ira_home.web.plain import CA_MEDIA, page
from ira_home.web.routes import Needs, Route


async def certificate(call: Call) -> web.Response:
    """The CA as DER; no login, no attachment, no redirect, or phones do not take it."""
    return web.Response(body=call.services.trust.ca_der, content_type=CA_MEDIA)


async def show(call: Call) -> web.Response:
    """How to install the certificate."""
    return page(call.services.addresses, call.services.trust, call.request.host)


async def ping(_call: Call) -> web.Response:
    """Nothing, that can be had from this server's other names only where it is trusted."""
    return web.Response(status=204, headers={"Cross-Origin-Resource-Policy": "cross-origin"})


ROUTES = (
    Route(
        "GET", "/ca.crt", certificate, Needs.OPEN, media=CA_MEDIA, summary="The local CA, as DER"
    ),
    Route(
        "GET",
        "/trust",
        show,
        Needs.OPEN,
        page=True,
        media="text/html",
        summary="How to install the certificate",
    ),
    Route(
        "GET", "/trust-ping", ping, Needs.OPEN, status=204, summary="Whether the name is trusted"
    ),
)
