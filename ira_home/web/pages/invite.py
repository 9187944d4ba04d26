"""Inviting somebody: the link is shown once, and an open invitation can be taken back."""

from aiohttp import web
from markupsafe import Markup

from ira_home.access.rules import good_email
from ira_home.base.addresses import origin
from ira_home.base.errors import IraError, NotFound
from ira_home.domain.people import Role
from ira_home.web.call import Call
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.people import role_of, roles_for
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route


async def form(call: Call) -> web.Response:
    """Whom, and as what."""
    return await _form(call)


async def _form(call: Call, fault: Fault | None = None) -> web.Response:
    return await show(
        call,
        "invite.html",
        nav="house",
        status=200 if fault is None else fault.status,
        email=call.form.get("email", ""),
        role=call.form.get("role", Role.STAFF),
        roles=roles_for(call.principal.person.role),
        fault=fault,
    )


def join_link(call: Call, token: str) -> str:
    """The link of an invitation: its secret stands behind the #, which no browser sends."""
    view, port = call.services.network(), call.services.addresses.https_port
    base = origin("https", view.chosen, port) if view.chosen else f"https://{call.request.host}"
    return f"{base}/join#{token}"


async def invite(call: Call) -> web.Response:
    """Make the invitation and show its link, this once."""
    try:
        email = good_email(call.form.get("email", ""))
        role = role_of(call.form.get("role", ""))
        token = await call.services.invitations.make(call.principal, email, role)
    except IraError as error:
        words = words_for(call.request)
        return await _form(call, fault_of(error, words, conflict="invitation"))
    link = join_link(call, token)
    open_ones = await call.services.invitations.list()
    return await show(
        call,
        "invited.html",
        nav="house",
        made=next((one for one in open_ones if one.email == email), None),
        email=email,
        link=link,
        # Drawn by the server itself, from its own link.
        qr=Markup(call.services.pairing_link.qr_svg(link)),  # noqa: S704
        why_no_qr=call.services.network().why_no_qr,
    )


async def cancel(call: Call) -> web.Response:
    """Take an invitation back."""
    try:
        await call.services.invitations.cancel(call.principal, call.number("id"))
    except NotFound:
        # silent-ok: it was accepted or ended meanwhile, and the list shows which.
        return go("/house/people")
    return go("/house/people")


async def back_to_people(_call: Call) -> web.Response:
    """Whoever opens the address of a form sees the people."""
    return go("/house/people")


_CANCEL = "/house/people/invitations/{id}/cancel"
ROUTES = (
    Route(
        "GET", "/house/people/invite", form, Needs.CONSOLE, page=True, summary="Invite somebody."
    ),
    Route(
        "POST", "/house/people/invite", invite, Needs.CONSOLE, page=True, summary="Invite somebody."
    ),
    Route("POST", _CANCEL, cancel, Needs.CONSOLE, page=True, summary="Take an invitation back."),
    Route("GET", _CANCEL, back_to_people, Needs.CONSOLE, page=True),
)
