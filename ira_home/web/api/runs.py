"""Runs: attach to an answer that is being made, or stop it."""

from aiohttp import web

from ira_home.base.errors import Invalid, NotFound
from ira_home.base.ids import RunId
from ira_home.web.api.ask import tell
from ira_home.web.call import Call, id_of
from ira_home.web.routes import Needs, Route
from ira_home.web.sse import LAST_EVENT_ID


def after_of(call: Call) -> int:
    """The last event that the client has seen: ?after=, else Last-Event-ID, else none."""
    query = call.request.query.get("after")
    text = query if query is not None else call.request.headers.get(LAST_EVENT_ID, "0")
    number = id_of(text)
    if number is None:
        message = "`after` is the id of an event."
        raise Invalid(message, field="after")
    return number


async def attach(call: Call) -> web.StreamResponse:
    """Be told a run from after an event on."""
    run = call.services.assistant.run(call.person_id, RunId(call.text("id")))
    return await tell(call, run, after_of(call))


async def cancel(call: Call) -> None:
    """Stop a run; what it said so far stays."""
    await call.services.assistant.cancel(call.person_id, RunId(call.text("id")))


ROUTES = (
    Route(
        "GET",
        "/v1/runs/{id}/stream",
        attach,
        Needs.ASK,
        summary="Attach to a run",
        media="text/event-stream",
        query=("after",),
        headers=(LAST_EVENT_ID,),
        problems=(NotFound, Invalid),
    ),
    Route(
        "POST",
        "/v1/runs/{id}/cancel",
        cancel,
        Needs.SESSION,
        summary="Stop a run",
        status=204,
        problems=(NotFound,),
    ),
)
