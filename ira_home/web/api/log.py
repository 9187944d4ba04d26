"""What Ira did, as its person reads it."""

from ira_home.web.call import PAGING, Call
from ira_home.web.pages.words import accepted
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items, LogLine, log_page


async def language_of(call: Call) -> str:
    """In which language whoever asks reads: the one that they chose, else what their program asks for."""
    chosen = (await call.services.person_settings.get(call.person_id)).reply_language
    wanted = call.request.headers.get("Accept-Language", "")
    return accepted(wanted) if chosen == "auto" else chosen


async def show(call: Call) -> Items[LogLine]:
    """What Ira did for this person, newest first."""
    log, language = call.services.tool_log, await language_of(call)
    return log_page(log, await log.list(call.person_id, call.cursor, call.limit), language)


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
