"""Trusting this server: how its certificate is installed, and whether this browser knows it already."""

from aiohttp import web

from ira_home.web.call import Call
from ira_home.web.pages.arrived import note
from ira_home.web.pages.view import show
from ira_home.web.routes import Needs, Route

# The first that stands in how a browser names itself; Android says Linux, too.
_SYSTEMS = (
    ("Android", "android"),
    ("iPhone", "ios"),
    ("iPad", "ios"),
    ("Mac OS", "mac"),
    ("Windows", "windows"),
    ("Linux", "linux"),
)


def system_of(agent: str) -> str:
    """What a browser runs on, as kinds of devices are named; "" where it does not say."""
    return next((name for mark, name in _SYSTEMS if mark in agent), "")


def opened_for(agent: str) -> frozenset[str]:
    """The sections that are open first for a browser; all the others are on the page, too.

    Firefox takes what the system trusts, but for Linux, where it keeps its own list.
    """
    system = system_of(agent)
    if "Firefox/" not in agent:
        return frozenset({system})
    return frozenset({"firefox"} if system in {"linux", ""} else {"firefox", system})


def stable_origin(call: Call) -> str:
    """The server's address by the name that stays when the network changes."""
    port, host = call.services.addresses.https_port, call.services.trust.identity
    return f"https://{host}" if port == 443 else f"https://{host}:{port}"


async def page(call: Call) -> web.Response:
    """The same page for everybody, with the steps of the visitor's own system open."""
    note(call.request, call.services)
    return await show(
        call,
        "trust.html",
        trust=call.services.trust,
        stable=stable_origin(call),
        opened=opened_for(call.request.headers.get("User-Agent", "")),
    )


ROUTES = (
    Route(
        "GET",
        "/trust",
        page,
        Needs.OPEN,
        page=True,
        media="text/html",
        summary="How to install the certificate",
    ),
)
