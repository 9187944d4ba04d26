"""The front door, and the two switches that every page has: language and theme."""

from aiohttp import web

from ira_home.base.errors import Invalid
from ira_home.domain.people import Permission
from ira_home.domain.settings import THEMES
from ira_home.web.call import Call
from ira_home.web.pages.view import COOKIE_S, LANG_COOKIE, THEME_COOKIE, go, way_back
from ira_home.web.pages.words import LANGUAGES
from ira_home.web.routes import Needs, Route


async def home(call: Call) -> web.Response:
    """Where a visitor goes first: to set up, to sign in, or to the chat."""
    if call.visitor is not None:
        return go("/setup" if await _is_asked(call) else "/chat")
    return go("/signin" if await call.services.accounts.is_set_up() else "/setup")


async def _is_asked(call: Call) -> bool:
    """Whether the first run waits for this person's answers."""
    person = call.principal.person
    if Permission.CONSOLE not in call.principal.permissions:
        return False
    return await call.services.first_run.step(person) is not None


def remember_language(response: web.Response, lang: str) -> web.Response:
    """Keep the language of the pages, one of LANGUAGES, in this browser."""
    return _keep(response, LANG_COOKIE, lang)


def _keep(response: web.Response, cookie: str, value: str) -> web.Response:
    response.set_cookie(
        cookie, value, max_age=COOKIE_S, path="/", secure=True, httponly=True, samesite="Lax"
    )
    return response


def _remembered(call: Call, cookie: str, value: str, allowed: tuple[str, ...]) -> web.Response:
    if value not in allowed:
        raise Invalid(field=cookie)
    return _keep(go(way_back(call.form.get("back"))), cookie, value)


async def choose_language(call: Call) -> web.Response:
    """Keep the language of the pages in this browser."""
    return _remembered(call, LANG_COOKIE, call.form.get("lang", ""), LANGUAGES)


async def choose_theme(call: Call) -> web.Response:
    """Keep light, dark or the system's own in this browser."""
    return _remembered(call, THEME_COOKIE, call.form.get("theme", ""), THEMES)


ROUTES = (
    Route("GET", "/", home, Needs.GUEST, page=True, summary="The front door."),
    Route(
        "POST",
        "/language",
        choose_language,
        Needs.GUEST,
        page=True,
        summary="Choose the language of the pages.",
    ),
    Route(
        "POST",
        "/theme",
        choose_theme,
        Needs.GUEST,
        page=True,
        summary="Choose light, dark or the system's own.",
    ),
)
