"""What Ira did for everybody, page by page."""

from aiohttp import web

from ira_home.web.call import PAGING, Call
from ira_home.web.pages.did import days, titles_of
from ira_home.web.pages.view import moments_of, show
from ira_home.web.routes import Needs, Route


async def page(call: Call) -> web.Response:
    """What Ira did for anyone, newest first: no arguments, no results."""
    found = await call.services.tool_log.list_all(call.cursor, call.limit)
    by_day = days(found.items, await titles_of(call), await moments_of(call))
    return await show(
        call,
        "did.html",
        nav="house",
        of_all=True,
        days=by_day,
        next_cursor=found.next_cursor,
    )


ROUTES = (
    Route(
        "GET",
        "/house/did",
        page,
        Needs.CONSOLE,
        page=True,
        summary="What Ira did for anyone.",
        query=PAGING,
    ),
)
