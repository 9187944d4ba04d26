"""From a template to a page: whose language and theme it has, and what every page may say."""

from dataclasses import dataclass
from datetime import tzinfo
from functools import cache
from pathlib import Path
import re
from typing import Any
from urllib.parse import quote

from aiohttp import web
import jinja2

from ira_home.domain.people import ROLE_PERMISSIONS, Permission, Person
from ira_home.domain.settings import TEXT_SIZES, THEMES, zone_of
from ira_home.tools.origins import KEPT
from ira_home.web.call import Call
from ira_home.web.pages.assets import assets
from ira_home.web.pages.moments import Moments, clock_text
from ira_home.web.pages.prose import blocks
from ira_home.web.pages.words import LANGUAGES, Words, language, words_of

FOLDER = Path(__file__).parent.parent / "templates"
LANG_COOKIE = "ira_lang"
THEME_COOKIE = "ira_theme"
SIZE_COOKIE = "ira_text"
COOKIE_S = 365 * 86_400
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS", "Mac"),
    ("Windows", "Windows"),
    ("Linux", "Linux"),
)
# The picture of each kind of device.
_ICONS = {"mac": "laptop", "windows": "desktop", "linux": "desktop", "android": "phone", "ios": "phone"}  # fmt: skip
_BACK = re.compile(r"/(?![/\\])[A-Za-z0-9/_?=&.%+-]{0,200}")


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the content of every page."""

    lang: str
    theme: str
    text_size: str
    back: str  # where the switch of language returns to
    person: Person | None
    house: str
    nav: str
    unread: int  # events that the person has not looked at

    @property
    def runs_house(self) -> bool:
        """Whether the visitor may open the house's own pages."""
        return self.person is not None and Permission.CONSOLE in ROLE_PERMISSIONS[self.person.role]


def quoted(text: str) -> str:
    """The text as one part of an address."""
    return quote(text, safe="")


@cache
def environment() -> jinja2.Environment:
    """The templates, escaping everything and refusing names that are not there."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(
        asset=assets().address,
        blocks=blocks,
        browser=browser,
        clock=clock_text,
        icons=_ICONS,
        kept_source=KEPT,
        quoted=quoted,
    )
    return made


def words_for(request: web.Request) -> Words:
    """The words of whoever sent the request."""
    return words_of(
        language(request.cookies.get(LANG_COOKIE), request.headers.get("Accept-Language", ""))
    )


def theme_for(request: web.Request) -> str:
    """The theme chosen in this browser."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else "system"


def text_size_for(request: web.Request) -> str:
    """The size of letters chosen in this browser."""
    chosen = request.cookies.get(SIZE_COOKIE, "")
    return chosen if chosen in TEXT_SIZES else "normal"


def way_back(text: str | None, default: str = "/") -> str:
    """A path of this server to return to; anything else, another site above all, is the default."""
    return text if text is not None and _BACK.fullmatch(text) else default


def browser(agent: str) -> str:
    """A browser by the name that people know it by, with its system."""
    name = next((one for mark, one in _BROWSERS if mark in agent), "")
    system = next((one for mark, one in _SYSTEMS if mark in agent), "")
    return ", ".join(part for part in (name, system) if part) or agent[:40] or "?"


def render(template: str, words: Words, frame: Frame, values: dict[str, Any]) -> str:
    """The page as HTML."""
    shared = {
        "t": words.t,
        "count": words.count,
        "rich": words.rich,
        "texts": words,
        "other": next(lang for lang in LANGUAGES if lang != words.lang),
        "frame": frame,
    }
    return environment().get_template(template).render(shared | values)


async def moments_of(call: Call) -> Moments:
    """How moments are said on this visitor's pages."""
    zone = await _zone(call, await call.services.house.zone())
    return Moments(words_for(call.request), zone, call.services.clock.now())


async def _zone(call: Call, of_house: str) -> tzinfo:
    """The visitor's own time zone, the house's for whoever has none or is not known."""
    if call.visitor is None:
        return zone_of(of_house)
    settings = await call.services.person_settings.get(call.visitor.person.id)
    return settings.zone(of_house)


async def show(
    call: Call, template: str, *, status: int = 200, nav: str = "", **values: Any
) -> web.Response:
    """A whole page; `nav` names the entry of the navigation it belongs to."""
    house = await call.services.house.get()
    person = call.visitor.person if call.visitor is not None else None
    unread = 0 if person is None else await call.services.events.unread(person.id)
    frame = frame_of(call.request, person, house=house.name, nav=nav, unread=unread)
    words = words_for(call.request)
    moments = Moments(words, await _zone(call, house.time_zone), call.services.clock.now())
    html = render(template, words, frame, {"when": moments, **values})
    return web.Response(text=html, status=status, content_type="text/html")


def frame_of(
    request: web.Request,
    person: Person | None = None,
    *,
    house: str = "",
    nav: str = "",
    unread: int = 0,
    lang: str = "",
) -> Frame:
    """The frame of a page for whoever sent the request, in their language unless another is given."""
    back = request.path_qs if request.method == "GET" else request.path
    return Frame(
        lang=lang or words_for(request).lang,
        theme=theme_for(request),
        text_size=text_size_for(request),
        back=way_back(back),
        person=person,
        house=house,
        nav=nav,
        unread=unread,
    )


def remember(response: web.Response, **cookies: str) -> web.Response:
    """Keep these choices in the browser."""
    for name, value in cookies.items():
        response.set_cookie(
            name, value, max_age=COOKIE_S, path="/", secure=True, httponly=True, samesite="Lax"
        )
    return response


def go(path: str) -> web.Response:
    """See another page, by GET: the answer to a form that was taken."""
    return web.Response(status=303, headers={"Location": path})
