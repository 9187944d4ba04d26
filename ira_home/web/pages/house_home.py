"""The house's name, its time zone and its news feeds: changed here, with how each feed is doing."""

from dataclasses import dataclass

from aiohttp import web

from ira_home.base.errors import IraError, NotFound
from ira_home.domain.feeds import FeedHealth
from ira_home.web.call import Call
from ira_home.web.pages import home_fields
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

_PLACE = "/house/home"
SAVED = frozenset({"home", "feeds"})


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed with how it is doing; `is_named`: it stands in the settings of the server."""

    health: FeedHealth
    is_named: bool


async def page(call: Call) -> web.Response:
    """The page."""
    return await _page(call)


async def _page(call: Call, fault: Fault | None = None, at: str = "") -> web.Response:
    """`at` names the part that the fault stands in."""
    house, saved = await call.services.house.get(), call.request.query.get("saved", "")
    return await show(
        call,
        "house_home.html",
        nav="house",
        status=200 if fault is None else fault.status,
        **home_fields.values_of(call, house, name=house.name),
        feeds=[
            Feed(one, one.url in house.feeds_named) for one in await call.services.feeds.health()
        ],
        url=call.form.get("url", ""),
        saved=saved if saved in SAVED and fault is None else "",
        fault=fault if at == "home" else None,
        feed_fault=fault if at == "feeds" else None,
    )


async def save(call: Call) -> web.Response:
    """Another name, another time zone."""
    try:
        await home_fields.keep(call)
    except IraError as error:
        return await _page(call, fault_of(error, words_for(call.request)), "home")
    return go(f"{_PLACE}?saved=home#home")


async def add_feed(call: Call) -> web.Response:
    """Keep one more feed and try to read it; what cannot be read now is kept all the same."""
    url = call.form.get("url", "").strip()
    try:
        await call.services.house.add_feed(call.principal, url)
    except IraError as error:
        return await _page(call, fault_of(error, words_for(call.request)), "feeds")
    await call.services.feeds.read(url)
    return go(f"{_PLACE}?saved=feeds#feeds")


async def remove_feed(call: Call) -> web.Response:
    """Keep a feed no longer."""
    try:
        await call.services.house.remove_feed(call.principal, call.form.get("url", ""))
    except NotFound:
        # silent-ok: it is gone already, which is what was asked for; a named one has no such button.
        return go(f"{_PLACE}#feeds")
    return go(f"{_PLACE}?saved=feeds#feeds")


async def read_feeds(call: Call) -> web.Response:
    """Try each feed that was not tried just now."""
    await call.services.feeds.news(count=1)
    return go(f"{_PLACE}#feeds")


async def back(_call: Call) -> web.Response:
    """Whoever opens the address of a form sees the page."""
    return go(_PLACE)


def _form(path: str, handler: "object", summary: str) -> tuple[Route, Route]:
    return (
        Route("POST", path, handler, Needs.CONSOLE, page=True, summary=summary),  # type: ignore[arg-type]
        Route("GET", path, back, Needs.CONSOLE, page=True),
    )


ROUTES = (
    Route(
        "GET",
        _PLACE,
        page,
        Needs.CONSOLE,
        page=True,
        summary="Name, time zone and news feeds.",
        query=("saved",),
    ),
    Route("POST", _PLACE, save, Needs.CONSOLE, page=True, summary="Change name and time zone."),
    *_form("/house/feeds", add_feed, "Keep one more news feed."),
    *_form("/house/feeds/remove", remove_feed, "Keep a news feed no longer."),
    *_form("/house/feeds/read", read_feeds, "Read the news feeds now."),
)
