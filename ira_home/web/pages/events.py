"""What a person's devices announced, and how they want to be told."""

from aiohttp import web

from ira_home.base.errors import IraError
from ira_home.base.ids import EventId
from ira_home.domain.devices import EventKind
from ira_home.domain.events import USUAL_WAYS, Way
from ira_home.web.call import Call, id_of
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route


async def events(call: Call) -> web.Response:
    """The events, newest first."""
    return await _page(call)


async def _page(call: Call, fault: Fault | None = None) -> web.Response:
    page = await call.services.events.list(call.person_id, call.cursor, call.limit)
    settings = await call.services.person_settings.get(call.person_id)
    newest = page.items[0].id if page.items else 0
    return await show(
        call,
        "events.html",
        nav="events",
        status=200 if fault is None else fault.status,
        page=page,
        has_unread=any(one.read_at is None for one in page.items),
        newest=newest,
        kinds=list(EventKind),
        ways=list(Way),
        chosen={kind: settings.events.get(kind, USUAL_WAYS) for kind in EventKind},
        quiet=settings.quiet,
        typed={} if fault is None else call.form,
        saved=call.request.query.get("saved") == "telling",
        fault=fault,
    )


async def read(call: Call) -> web.Response:
    """Mark what was shown as read."""
    up_to = EventId(id_of(call.form.get("up_to", "")) or 0)
    await call.services.events.mark_read(call.person_id, up_to)
    return go("/events")


async def choose(call: Call) -> web.Response:
    """How each kind makes itself known, and the quiet hours."""
    form = call.form
    try:
        await call.services.person_settings.change(
            call.principal,
            events={kind: form.getall(kind, []) for kind in EventKind},
            quiet_from=form.get("quiet_from", "").strip(),
            quiet_until=form.get("quiet_until", "").strip(),
        )
    except IraError as error:
        return await _page(call, fault_of(error, words_for(call.request)))
    return go("/events?saved=telling#telling")


async def back_to_events(_call: Call) -> web.Response:
    """Whoever opens the address of a form sees the page."""
    return go("/events")


ROUTES = (
    Route(
        "GET",
        "/events",
        events,
        Needs.SESSION,
        page=True,
        summary="What my devices announced.",
        query=("cursor", "limit", "saved"),
    ),
    Route("POST", "/events", read, Needs.SESSION, page=True, summary="Mark as read."),
    Route(
        "POST",
        "/events/telling",
        choose,
        Needs.SESSION,
        page=True,
        summary="Choose how I am told of events.",
    ),
    Route("GET", "/events/telling", back_to_events, Needs.SESSION, page=True),
)
