"""What Ira did, for everybody, as an admin reads it."""

from ira_home.web.api.log import language_of
from ira_home.web.call import PAGING, Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items, LogLine, log_page


async def show(call: Call) -> Items[LogLine]:
    """What Ira did for anyone, newest first."""
    log, language = call.services.tool_log, await language_of(call)
    return log_page(log, await log.list_all(call.cursor, call.limit), language)


ROUTES = (
    Route(
        "GET",
        "/v1/admin/log",
        show,
        Needs.CONSOLE,
        summary="What Ira did for anyone",
        reply=Items[LogLine],
        query=PAGING,
    ),
)
