"""The first run: the owner is made from this machine, or with the code its console shows."""

import zoneinfo

from aiohttp import web

from ira_home.base.errors import Invalid, IraError
from ira_home.web.call import Call
from ira_home.web.guard import set_session
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

_KEPT = ("name", "house", "email", "time_zone")
_AREAS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
    "Indian", "Pacific",
)  # fmt: skip


def time_zones() -> list[str]:
    """The zones a person may live in, by name."""
    every = zoneinfo.available_timezones()
    return ["UTC", *sorted(name for name in every if name.partition("/")[0] in _AREAS)]


async def _page(call: Call, fault: Fault | None = None) -> web.Response:
    typed = {name: call.form.get(name, "") for name in _KEPT}
    house = await call.services.house.get()
    return await show(
        call,
        "setup.html",
        status=200 if fault is None else fault.status,
        typed=typed,
        fault=fault,
        zones=time_zones(),
        zone=typed["time_zone"] or house.time_zone,
        needs_code=not (call.is_loopback and call.services.loopback_setup),
    )


async def form(call: Call) -> web.Response:
    """The form, as long as the house has no owner."""
    if await call.services.accounts.is_set_up():
        return go("/")
    return await _page(call)


async def set_up(call: Call) -> web.Response:
    """Make the owner, sign them in, and go on to their first device."""
    if await call.services.accounts.is_set_up():
        return go("/")
    words = words_for(call.request)
    try:
        await _make_owner(call)
    except IraError as error:
        return await _page(call, fault_of(error, words, forbidden="setup_code"))
    token, principal = await call.services.sessions.sign_in(
        email=call.form.get("email", ""),
        password=call.form.get("password", ""),
        address=call.address,
        agent=call.request.headers.get("User-Agent", ""),
    )
    house = call.form.get("house", "").strip()
    name = house or words.t("setup.house_of", name=principal.person.name)
    await call.services.house.change(principal, {"name": name[:80]})
    return set_session(go("/devices/add?first=1"), token)


async def _make_owner(call: Call) -> None:
    form = call.form
    if form.get("pin", "") != form.get("pin_again", ""):
        raise Invalid(field="pin_again")
    await call.services.first_run.set_up(
        setup_code=form.get("setup_code") or None,
        from_loopback=call.is_loopback and call.services.loopback_setup,
        address=call.address,
        email=form.get("email", ""),
        name=form.get("name", ""),
        password=form.get("password", ""),
        pin=form.get("pin", ""),
        time_zone=form.get("time_zone", ""),
    )


ROUTES = (
    Route("GET", "/setup", form, Needs.GUEST, page=True, summary="Make the owner."),
    Route("POST", "/setup", set_up, Needs.GUEST, page=True, summary="Make the owner."),
)
