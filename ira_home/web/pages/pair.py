"""Where a scanned code leads: the page shows the code and says what to do with it.

The code stands behind the `#`, which browsers never send: this server does not learn it here.
"""

from aiohttp import web

from ira_home.web.call import Call
from ira_home.web.pages.trust import stable_origin
from ira_home.web.pages.view import show
from ira_home.web.routes import Needs, Route


async def page(call: Call) -> web.Response:
    """The same page for everybody."""
    return await show(
        call, "pair.html", identity=call.services.trust.identity, stable=stable_origin(call)
    )


ROUTES = (
    Route("GET", "/pair", page, Needs.OPEN, page=True, summary="What to do with a pairing code."),
)
