"""My page: name, languages, search, time, password, PIN, browsers, API tokens, and my data."""

from collections.abc import Awaitable

from aiohttp import web

from ira_home.base.errors import IraError, NotFound
from ira_home.base.ids import SessionId
from ira_home.domain.people import TOKEN_PERMISSIONS, Permission
from ira_home.domain.settings import LANGUAGES, REPLY_LANGUAGES, TEXT_SIZES, THEMES
from ira_home.web.call import Call
from ira_home.web.dispatch import ENCODER
from ira_home.web.guard import drop_session
from ira_home.web.pages import pins
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.home_fields import time_zones
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

SAVED = frozenset({"name", "settings", "search", "time", "password", "pin", "sessions", "tokens"})


async def page(call: Call) -> web.Response:
    """Everything about oneself."""
    return await page_of_me(call)


async def page_of_me(call: Call, fault: Fault | None = None, at: str = "") -> web.Response:
    """The page; `at` names the part that the fault stands beside."""
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
        languages=LANGUAGES,
        themes=THEMES,
        text_sizes=TEXT_SIZES,
        zones=time_zones(),
        house_zone=await call.services.house.zone(),
        tokens=await call.services.api_tokens.list(call.person_id),
        scopes=[one for one in Permission if one in TOKEN_PERMISSIONS & call.principal.permissions],
        typed={} if fault is None else call.form,
        searchable=bool(await call.services.house.skills()),
        saved=saved if saved in SAVED else "",
        fault=fault,
        at=at,
    )


async def _saved(call: Call, work: Awaitable[object], at: str, **renamed: str) -> web.Response:
    try:
        await work
    except IraError as error:
        return await page_of_me(call, fault_of(error, words_for(call.request), **renamed), at)
    return go(f"/me?saved={at}#{at}")


async def save_name(call: Call) -> web.Response:
    """What the person is called."""
    name = call.form.get("name", "")
    return await _saved(
        call, call.services.accounts.change(call.principal, call.person_id, name=name), "name"
    )


async def save_settings(call: Call) -> web.Response:
    """Ira's name and wake phrase, what the person speaks, and the language she answers in."""
    form = call.form
    work = call.services.person_settings.change(
        call.principal,
        assistant_name=form.get("assistant_name"),
        wake_phrase=form.get("wake_phrase"),
        languages=form.getall("language", []),
        reply_language=form.get("reply_language"),
    )
    return await _saved(call, work, "settings")


async def save_time(call: Call) -> web.Response:
    """Where the person's clock hangs."""
    zone = call.form.get("time_zone", "")
    work = call.services.person_settings.change(call.principal, time_zone=zone)
    return await _saved(call, work, "time")


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


async def end_other_sessions(call: Call) -> web.Response:
    """Sign out every browser but this one."""
    await call.services.sessions.end_others(call.principal)
    return go("/me?saved=sessions#sessions")


async def export(call: Call) -> web.Response:
    """All that is mine as one file, after the password."""
    try:
        await call.services.sessions.verify(call.principal, call.form.get("password", ""))
    except IraError as error:
        return await page_of_me(call, fault_of(error, words_for(call.request)), "export")
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
        return await page_of_me(call, fault_of(error, words_for(call.request)), "delete")
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
    *_form("/me/name", save_name, "Change my name."),
    *_form("/me/time", save_time, "Choose my time zone."),
    *_form("/me/settings", save_settings, "Change my settings."),
    *_form("/me/search", save_search, "Switch web search and news."),
    *_form("/me/password", save_password, "Choose another password."),
    *_form("/me/pin", save_pin, "Set my PIN."),
    *_form("/me/sessions/end", end_other_sessions, "Sign out every other browser."),
    *_form("/me/sessions/{id}/end", end_session, "Sign a browser out."),
    *_form("/me/export", export, "Get my data as a file."),
    *_form("/me/delete", delete_data, "Delete my data."),
)
