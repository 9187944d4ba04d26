"""Whether the server lives, and whether it can do its work; no versions, no names."""

import msgspec

from ira_home.base.errors import StorageFull, Unavailable
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route


class Health(msgspec.Struct):
    """One word."""

    status: str


async def live(_call: Call) -> Health:
    """The process answers."""
    return Health("ok")


async def ready(call: Call) -> Health:
    """It has started, it is not stopping, and its database can be read and written."""
    if not call.services.ready:
        message = "The server is starting or stopping."
        raise Unavailable(message)
    await call.services.accounts.is_set_up()
    await call.services.check_writing()
    return Health("ready")


ROUTES = (
    Route("GET", "/healthz", live, Needs.OPEN, summary="Whether it lives", reply=Health),
    Route(
        "GET",
        "/readyz",
        ready,
        Needs.OPEN,
        summary="Whether it can work",
        reply=Health,
        problems=(Unavailable, StorageFull),
    ),
)
