"""The page of an invitation: whoever was invited makes their own account, and is signed in."""

from aiohttp import web

from ira_home.base.errors import Invalid, IraError
from ira_home.domain.people import Person
from ira_home.web.call import Call
from ira_home.web.guard import set_session
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route


def invitation_in(text: str) -> str:
    """The invitation in a whole link, or by itself."""
    return text.strip().rpartition("#")[2]


async def form(call: Call) -> web.Response:
    """The form; a script puts in what stands behind the # of the link."""
    return await _form(call)


async def _form(call: Call, fault: Fault | None = None) -> web.Response:
    return await show(
        call,
        "join.html",
        status=200 if fault is None else fault.status,
        typed={name: call.form.get(name, "") for name in ("invitation", "name")},
        fault=fault,
    )


async def join(call: Call) -> web.Response:
    """Make the account, sign the person in, and go on to their first device."""
    try:
        person = await _accept(call)
    except IraError as error:
        renamed = fault_of(error, words_for(call.request), gone="invitation")
        return await _form(call, renamed)
    token, _principal = await call.services.sessions.sign_in(
        email=person.email,
        password=call.form.get("password", ""),
        address=call.address,
        agent=call.request.headers.get("User-Agent", ""),
    )
    if call.visitor is not None:
        await call.services.sessions.sign_out(call.visitor)
    return set_session(go("/devices/add?first=1"), token)


async def _accept(call: Call) -> Person:
    asked = call.form
    if asked.get("pin", "") != asked.get("pin_again", ""):
        raise Invalid(field="pin_again")
    return await call.services.invitations.accept(
        invitation_in(asked.get("invitation", "")),
        name=asked.get("name", ""),
        password=asked.get("password", ""),
        pin=asked.get("pin", ""),
    )


ROUTES = (
    Route("GET", "/join", form, Needs.GUEST, page=True, summary="Accept an invitation."),
    Route("POST", "/join", join, Needs.GUEST, page=True, summary="Accept an invitation."),
)
