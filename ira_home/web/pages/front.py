"""The front door, and the two switches that every page has: language and theme."""

from aiohttp import web

from ira_home.access.settings import Wish
from ira_home.base.errors import Invalid
from ira_home.domain.people import Permission
from ira_home.domain.settings import TEXT_SIZES, THEMES
from ira_home.web.call import Call
from ira_home.web.pages.view import LANG_COOKIE, SIZE_COOKIE, THEME_COOKIE, go, remember, way_back
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
    return remember(response, **{LANG_COOKIE: lang})


async def _remembered(
    call: Call, cookie: str, value: str, allowed: tuple[str, ...], wish: Wish
) -> web.Response:
    """Keep what was chosen in this browser, and with whoever is signed in for their next one."""
    if value not in allowed:
        raise Invalid(field=cookie)
    if call.visitor is not None:
        await call.services.person_settings.change(call.visitor, **wish)
    return remember(go(way_back(call.form.get("back"))), **{cookie: value})


async def choose_language(call: Call) -> web.Response:
    """Choose the language of the pages."""
    lang = call.form.get("lang", "")
    return await _remembered(call, LANG_COOKIE, lang, LANGUAGES, Wish(page_language=lang))


async def choose_theme(call: Call) -> web.Response:
    """Choose light, dark or the system's own."""
    theme = call.form.get("theme", "")
    return await _remembered(call, THEME_COOKIE, theme, THEMES, Wish(theme=theme))


async def choose_text_size(call: Call) -> web.Response:
    """Choose how large letters are."""
    size = call.form.get("text_size", "")
    return await _remembered(call, SIZE_COOKIE, size, TEXT_SIZES, Wish(text_size=size))


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
    Route(
        "POST",
        "/text-size",
        choose_text_size,
        Needs.GUEST,
        page=True,
        summary="Choose how large letters are.",
    ),
)
