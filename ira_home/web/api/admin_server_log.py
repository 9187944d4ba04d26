"""The last lines of the server's log: what the program did, nothing that anybody said."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.server_log import LogLine
from ira_home.household.server_log import level_name
from ira_home.web.call import PAGING, Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items


class ServerLine(msgspec.Struct):
    """A line; `level` is debug, info, warning or error, `part` the part of the program that said it."""

    id: int
    at: str
    level: str
    part: str
    text: str


def _shown(line: LogLine) -> ServerLine:
    return ServerLine(
        id=line.number,
        at=rfc3339(line.at),
        level=level_name(line.level),
        part=line.part,
        text=line.text,
    )


async def show(call: Call) -> Items[ServerLine]:
    """Lines of `level` (info unless said) and above, newest first, since the server's start."""
    level = call.request.query.get("level", "info")
    page = call.services.server_log.page(call.person_id, level, call.cursor, call.limit)
    return Items([_shown(one) for one in page.items], page.next_cursor)


ROUTES = (
    Route(
        "GET",
        "/v1/admin/server-log",
        show,
        Needs.CONSOLE,
        summary="The last lines of the server's log",
        reply=Items[ServerLine],
        query=("level", *PAGING),
    ),
)
