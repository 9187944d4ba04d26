"""The server's log as it grows, by level; without scripts its last lines."""

import logging

from aiohttp import web

from ira_home.household.server_log import LEVELS, level_name
from ira_home.web.call import PAGING, Call
from ira_home.web.pages.view import show
from ira_home.web.routes import Needs, Route

_SHOWN = "info"


async def page(call: Call) -> web.Response:
    """The newest lines of a level and above."""
    reader = call.services.server_log
    asked = call.request.query.get("level", _SHOWN)
    level = asked if asked in LEVELS else _SHOWN
    found = reader.page(call.person_id, level, call.cursor, call.limit)
    # Whoever reads older lines is not moved on.
    is_live = call.cursor is None
    lowest = LEVELS[reader.lowest]
    return await show(
        call,
        "house_server_log.html",
        nav="house",
        lines=[(one, level_name(one.level)) for one in found.items],
        level=level,
        levels=[name for name, at in LEVELS.items() if at >= min(lowest, logging.INFO)],
        lowest=reader.lowest,
        is_live=is_live,
        next_cursor=found.next_cursor,
    )


ROUTES = (
    Route(
        "GET",
        "/house/log",
        page,
        Needs.CONSOLE,
        page=True,
        summary="The server's log.",
        query=("level", *PAGING),
    ),
)
