"""The recovery sheet: one page to print, with all that helps when nobody can get in any more."""

import shlex

from aiohttp import web

from ira_home.base.addresses import origin
from ira_home.base.errors import IraError
from ira_home.domain.people import Role
from ira_home.web.call import Call
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.network import entrance_of
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

_PLACE = "/house/sheet"


async def page(call: Call) -> web.Response:
    """The sheet, within ten minutes of the password."""
    if not await call.services.sessions.is_verified(call.principal):
        return await _locked(call)
    services = call.services
    people = await services.accounts.list()
    owners = [one for one in people if one.role is Role.OWNER]
    mine = next((one for one in owners if one.id == call.person_id), owners[0])
    return await show(
        call,
        "sheet.html",
        nav="house",
        **entrance_of(call),
        trust=services.trust,
        owners=owners,
        folder=str(services.data_dir),
        commands=_commands(str(services.data_dir), mine.email),
        here=origin("https", "localhost", services.addresses.https_port),
        is_ready=call.request.query.get("ready") == "yes",
    )


def _commands(folder: str, email: str) -> dict[str, str]:
    """What is typed on the Ira PC, by what it is for; each names the folder, which may be another's."""
    ira = f"ira --data {shlex.quote(folder)}"
    return {
        "password": f"{ira} user passwd --email {shlex.quote(email)}",
        "pin": f"{ira} pin set --user {shlex.quote(email)}",
        "look": f"{ira} doctor",
        "numbers": f"{ira} cert show",
        "start": f"{ira} serve",
    }


async def _locked(call: Call, fault: Fault | None = None) -> web.Response:
    status = 200 if fault is None else fault.status
    return await show(call, "sheet_locked.html", nav="house", status=status, fault=fault)


async def unlock(call: Call) -> web.Response:
    """Take the password again."""
    try:
        await call.services.sessions.verify(call.principal, call.form.get("password", ""))
    except IraError as error:
        return await _locked(call, fault_of(error, words_for(call.request)))
    return go(_PLACE)


ROUTES = (
    Route(
        "GET",
        _PLACE,
        page,
        Needs.CONSOLE,
        page=True,
        summary="The recovery sheet.",
        query=("ready",),
    ),
    Route(
        "POST", _PLACE, unlock, Needs.CONSOLE, page=True, summary="The recovery sheet: password."
    ),
)
