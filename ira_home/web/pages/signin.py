"""Signing in and out: an e-mail address and a password, and no list of who lives here."""

from aiohttp import web

from ira_home.base.errors import IraError
from ira_home.domain.people import Principal
from ira_home.domain.settings import PersonSettings
from ira_home.web.call import Call
from ira_home.web.guard import drop_session, set_session
from ira_home.web.pages.arrived import note
from ira_home.web.pages.faults import fault_of
from ira_home.web.pages.view import (
    LANG_COOKIE,
    SIZE_COOKIE,
    THEME_COOKIE,
    go,
    remember,
    show,
    way_back,
    words_for,
)
from ira_home.web.routes import Needs, Route


async def form(call: Call) -> web.Response:
    """The form; whoever is signed in goes on, a house without an owner is set up first."""
    back = way_back(call.request.query.get("next"))
    if call.visitor is not None:
        return go(back)
    if not await call.services.accounts.is_set_up():
        return go("/setup")
    note(call.request, call.services)
    return await show(call, "signin.html", next=back, email="", fault=None)


async def sign_in(call: Call) -> web.Response:
    """Open a session, or say that the two do not belong together."""
    back, email = way_back(call.form.get("next")), call.form.get("email", "")
    try:
        token, principal = await call.services.sessions.sign_in(
            email=email,
            password=call.form.get("password", ""),
            address=call.address,
            agent=call.request.headers.get("User-Agent", ""),
        )
    except IraError as error:
        fault = fault_of(error, words_for(call.request))
        return await show(
            call, "signin.html", status=fault.status, next=back, email=email, fault=fault
        )
    return await _as_chosen(call, principal, set_session(go(back), token))


async def _as_chosen(call: Call, principal: Principal, response: web.Response) -> web.Response:
    """The person's looks in this browser, too; what they never chose stays as it is here."""
    own, usual = await call.services.person_settings.get(principal.person.id), PersonSettings()
    looks = (
        (LANG_COOKIE, own.page_language, usual.page_language),
        (THEME_COOKIE, own.theme, usual.theme),
        (SIZE_COOKIE, own.text_size, usual.text_size),
    )
    return remember(response, **{name: now for name, now, before in looks if now != before})


async def sign_out(call: Call) -> web.Response:
    """End this browser's session."""
    await call.services.sessions.sign_out(call.principal)
    return drop_session(go("/signin"))


ROUTES = (
    Route("GET", "/signin", form, Needs.GUEST, page=True, summary="Sign in.", query=("next",)),
    Route("POST", "/signin", sign_in, Needs.GUEST, page=True, summary="Sign in."),
    Route("POST", "/signout", sign_out, Needs.SESSION, page=True, summary="Sign out."),
)
