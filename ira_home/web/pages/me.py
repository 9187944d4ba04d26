"""My page: languages, search, password, PIN, signed-in browsers, and my data."""

from collections.abc import Awaitable

from aiohttp import web

from ira_home.base.errors import IraError, NotFound
from ira_home.base.ids import SessionId
from ira_home.domain.people import Permission
from ira_home.domain.settings import REPLY_LANGUAGES, THEMES
from ira_home.web.call import Call
from ira_home.web.dispatch import ENCODER
from ira_home.web.guard import drop_session
from ira_home.web.pages import pins
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

SAVED = frozenset({"settings", "search", "password", "pin", "sessions"})


async def page(call: Call) -> web.Response:
    """Everything about oneself."""
    return await _page(call)


async def _page(call: Call, fault: Fault | None = None, at: str = "") -> web.Response:
    """`at` names the part that the fault stands beside."""
    saved = call.request.query.get("saved", "")
    return await show(
        call,
        "me.html",
        nav="me",
        status=200 if fault is None else fault.status,
        settings=await call.services.person_settings.get(call.person_id),
        sessions=await call.services.sessions.list(call.person_id),
        this_session=call.principal.credential_id,
        reply_languages=REPLY_LANGUAGES,
        themes=THEMES,
        may_run=Permission.CONSOLE in call.principal.permissions,
        searchable=bool(await call.services.house.skills()),
        saved=saved if saved in SAVED else "",
        fault=fault,
        at=at,
    )


async def _saved(call: Call, work: Awaitable[object], at: str, **renamed: str) -> web.Response:
    try:
        await work
    except IraError as error:
        return await _page(call, fault_of(error, words_for(call.request), **renamed), at)
    return go(f"/me?saved={at}#{at}")


async def save_settings(call: Call) -> web.Response:
    """Ira's name to this person, and the language she answers in."""
    form = call.form
    work = call.services.person_settings.change(
        call.principal,
        assistant_name=form.get("assistant_name", ""),
        reply_language=form.get("reply_language", ""),
    )
    return await _saved(call, work, "settings")


async def save_search(call: Call) -> web.Response:
    """Web search and news on, with the PIN, or off."""
    wanted = call.form.get("on") == "yes"
    work = call.services.person_settings.change(
        call.principal, web_search=wanted, pin=call.form.get("pin")
    )
    return await _saved(call, work, "search")


async def save_password(call: Call) -> web.Response:
    """Another password; the person's other sessions end."""
    work = call.services.accounts.change_password(
        call.principal, old=call.form.get("old", ""), new=call.form.get("new", "")
    )
    return await _saved(call, work, "password", password_wrong="old", weak_password="new")  # noqa: S106


async def save_pin(call: Call) -> web.Response:
    """The first PIN, or another."""
    return await _saved(call, pins.set_pin(call), "pin")


async def end_session(call: Call) -> web.Response:
    """Sign another browser out."""
    session_id = SessionId(call.number("id"))
    try:
        await call.services.sessions.end(call.principal, session_id)
    except NotFound:
        # silent-ok: it ended meanwhile, which is what was asked for.
        return go("/me#sessions")
    if session_id == call.principal.credential_id:
        return drop_session(go("/signin"))
    return go("/me?saved=sessions#sessions")


async def export(call: Call) -> web.Response:
    """All that is mine as one file, after the password."""
    try:
        await call.services.sessions.verify(call.principal, call.form.get("password", ""))
    except IraError as error:
        return await _page(call, fault_of(error, words_for(call.request)), "export")
    found = await call.services.export(call.person_id)
    headers = {"Content-Disposition": 'attachment; filename="ira-my-data.json"'}
    return web.Response(
        body=ENCODER.encode(found), content_type="application/json", headers=headers
    )


async def delete_data(call: Call) -> web.Response:
    """Delete all that is mine but the account, after the password, and show the receipt."""
    try:
        receipt = await call.services.delete_data(call.principal, call.form.get("password", ""))
    except IraError as error:
        return await _page(call, fault_of(error, words_for(call.request)), "delete")
    return await show(call, "deleted.html", nav="me", receipt=receipt)


async def back_to_me(_call: Call) -> web.Response:
    """Whoever opens the address of a form sees the page."""
    return go("/me")


def _form(path: str, handler: "object", summary: str) -> tuple[Route, Route]:
    return (
        Route("POST", path, handler, Needs.SESSION, page=True, summary=summary),  # type: ignore[arg-type]
        Route("GET", path, back_to_me, Needs.SESSION, page=True),
    )


ROUTES = (
    Route("GET", "/me", page, Needs.SESSION, page=True, summary="My page.", query=("saved",)),
    *_form("/me/settings", save_settings, "Change my settings."),
    *_form("/me/search", save_search, "Switch web search and news."),
    *_form("/me/password", save_password, "Choose another password."),
    *_form("/me/pin", save_pin, "Set my PIN."),
    *_form("/me/sessions/{id}/end", end_session, "Sign a browser out."),
    *_form("/me/export", export, "Get my data as a file."),
    *_form("/me/delete", delete_data, "Delete my data."),
)
