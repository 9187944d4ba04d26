"""The certificate authority as a file, and whether a browser trusts it."""

from aiohttp import web

from ira_home.base.errors import NotFound
from ira_home.web.call import Call
from ira_home.web.pages.arrived import note_ping
from ira_home.web.plain import CA_MEDIA
from ira_home.web.routes import Needs, Route


async def certificate(call: Call) -> web.Response:
    """The CA as DER; no login, no attachment, no redirect, or phones do not take it."""
    return web.Response(body=call.services.trust.ca_der, content_type=CA_MEDIA)


async def next_certificate(call: Call) -> web.Response:
    """The CA that will sign next, while one takes over from the other."""
    found = call.services.trust.next_ca
    if found is None:
        raise NotFound
    return web.Response(body=found.der, content_type=CA_MEDIA)


async def ping(call: Call) -> web.Response:
    """Nothing, that can be had from this server's other names only where it is trusted."""
    note_ping(call)
    return web.Response(status=204, headers={"Cross-Origin-Resource-Policy": "cross-origin"})


ROUTES = (
    Route(
        "GET", "/ca.crt", certificate, Needs.OPEN, media=CA_MEDIA, summary="The local CA, as DER"
    ),
    Route(
        "GET",
        "/next-ca.crt",
        next_certificate,
        Needs.OPEN,
        page=True,  # a file for people and devices, no part of the API
        media=CA_MEDIA,
        summary="The next local CA, while one takes over from the other",
    ),
    Route(
        "GET",
        "/trust-ping",
        ping,
        Needs.OPEN,
        status=204,
        summary="Whether the name is trusted",
        query=("knows",),
    ),
)
