"""What to do about a device that cannot connect: what to try on it, and what the server finds of itself."""

from aiohttp import web

from ira_home.base.addresses import origin
from ira_home.base.clock import to_ms
from ira_home.domain.diagnosis import State
from ira_home.domain.people import Permission
from ira_home.web.call import Call
from ira_home.web.diagnosis import told
from ira_home.web.pages.trust import stable_origin
from ira_home.web.pages.view import show, words_for
from ira_home.web.routes import Needs, Route

_WORST_FIRST = (State.BAD, State.WARN, State.GOOD)


async def page(call: Call) -> web.Response:
    """The steps for everybody; whoever runs the house may have the server look at itself, too."""
    may_look = Permission.CONSOLE in call.principal.permissions
    is_looking = may_look and call.request.query.get("look") == "yes"
    found = told(await call.services.diagnose(), words_for(call.request)) if is_looking else []
    found.sort(key=lambda one: _WORST_FIRST.index(State(one.state)))
    view, addresses = call.services.network(), call.services.addresses
    chosen = view.chosen
    return await show(
        call,
        "connect.html",
        nav="devices",
        entrance=chosen and origin("https", chosen, addresses.https_port),
        start_page=chosen and origin("http", chosen, addresses.http_port),
        stable=stable_origin(call),
        why=view.why_no_qr,
        may_look=may_look,
        is_looking=is_looking,
        troubles=[one for one in found if one.state != State.GOOD],
        well=[one for one in found if one.state == State.GOOD],
        now_ms=to_ms(call.services.clock.now()),
    )


ROUTES = (
    Route(
        "GET",
        "/connect",
        page,
        Needs.SESSION,
        page=True,
        media="text/html",
        summary="What to do about a device that cannot connect",
        query=("look",),
    ),
)
