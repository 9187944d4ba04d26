"""What Ira did, as its person reads it."""

from ira_home.web.call import PAGING, Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items, LogLine, log_page


async def show(call: Call) -> Items[LogLine]:
    """What Ira did for this person, newest first."""
    log = call.services.tool_log
    return log_page(log, await log.list(call.person_id, call.cursor, call.limit))


ROUTES = (
    Route(
        "GET",
        "/v1/me/log",
        show,
        Needs.SESSION,
        summary="What Ira did for me",
        reply=Items[LogLine],
        query=PAGING,
    ),
)
