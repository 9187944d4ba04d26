"""Events of the person's devices: the list, what was read, and the live stream."""

from collections.abc import AsyncIterator
from typing import Any

from aiohttp import web
import msgspec

from ira_home.assistant.render import proposal_json
from ira_home.base.errors import NotFound, TooMany
from ira_home.base.ids import ConversationId, EventId
from ira_home.base.limits import STREAMS_A_SESSION
from ira_home.channels.live import EVENTS, Line
from ira_home.domain.facts import (
    ConversationChanged,
    DataDeleted,
    DeviceRevoked,
    EventKept,
    LogGrew,
    ProposalEnded,
    ProposalOpened,
)
from ira_home.web.api.conversations import head_of
from ira_home.web.api.devices import find
from ira_home.web.call import PAGING, Call, id_of
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Event, Items, event_of
from ira_home.web.sse import LAST_EVENT_ID, message, stream

_RESET = message("reset", {})
_LOG = message("log", {})  # its lines are read where it is asked again who may read them


class Read(msgspec.Struct):
    """Everything up to this event was seen."""

    up_to: int


async def show(call: Call) -> Items[Event]:
    """The person's kept events, newest first."""
    page = await call.services.events.list(call.person_id, call.cursor, call.limit)
    return Items([event_of(event) for event in page.items], page.next_cursor)


async def mark_read(call: Call) -> None:
    """Remember what was seen."""
    await call.services.events.mark_read(call.person_id, EventId(call.body.up_to))


async def listen(call: Call) -> web.StreamResponse:
    """Be told events, proposals, devices and conversations as they change."""
    line = call.services.live.open(call.principal, EVENTS, STREAMS_A_SESSION)
    return await stream(call, line, _told(call, line))


async def _told(call: Call, line: Line) -> AsyncIterator[bytes]:
    """What was missed, then what comes. The line was open before the first was read."""
    seen = 0
    async for number, piece in _missed(call):
        seen = max(seen, number)
        yield piece
    while (fact := await line.next()) is not None:
        if isinstance(fact, EventKept) and fact.event.id <= seen:
            continue
        yield await _piece(call, fact)


async def _missed(call: Call) -> AsyncIterator[tuple[int, bytes]]:
    """The kept events after Last-Event-ID; `reset` when some of them may be gone."""
    text = call.request.headers.get(LAST_EVENT_ID)
    if text is None:
        return
    after = id_of(text)
    if after is None or not await _is_among(call, after):
        yield 0, _RESET
        return
    for event in await call.services.events.after(call.person_id, EventId(after)):
        yield event.id, _event(event_of(event))


async def _is_among(call: Call, after: int) -> bool:
    """Whether nothing after this event can have been dropped; 0 asks for all that is kept."""
    if after == 0:
        return True
    oldest = await call.services.events.oldest_kept(call.person_id)
    newest = await call.services.events.list(call.person_id, None, 1)
    return oldest is not None and oldest <= after <= newest.items[0].id


def _event(event: Event) -> bytes:
    return message("event", msgspec.to_builtins(event), event.id)


async def _piece(call: Call, fact: object) -> bytes:
    if isinstance(fact, EventKept):
        return _event(event_of(fact.event))
    if isinstance(fact, ProposalOpened | ProposalEnded):
        return message("proposal", proposal_json(fact.proposal))
    if isinstance(fact, ConversationChanged):
        return message("conversation", await _conversation(call, fact.conversation_id))
    if isinstance(fact, DataDeleted):
        return _RESET
    if isinstance(fact, LogGrew):
        return _LOG
    return message("device", await _device(call, fact))


async def _device(call: Call, fact: Any) -> dict[str, Any]:
    """The device as it is now; one that is gone is said so."""
    gone = {"id": fact.device_id, "revoked": True}
    if isinstance(fact, DeviceRevoked):
        return gone
    try:
        found: dict[str, Any] = msgspec.to_builtins(await find(call, fact.device_id))
    except NotFound:
        return gone
    return found


async def _conversation(call: Call, number: ConversationId) -> dict[str, Any]:
    """The head of the conversation as it is now; one that is gone is said so."""
    try:
        head = await call.services.assistant.conversations.get(call.person_id, number)
    except NotFound:
        return {"id": number, "deleted": True}
    found: dict[str, Any] = msgspec.to_builtins(head_of(head))
    return found


ROUTES = (
    Route(
        "GET",
        "/v1/me/events",
        show,
        Needs.SESSION,
        summary="What my devices announced",
        reply=Items[Event],
        query=PAGING,
    ),
    Route(
        "POST",
        "/v1/me/events/read",
        mark_read,
        Needs.SESSION,
        summary="Remember what I have seen",
        body=Read,
        status=204,
    ),
    Route(
        "GET",
        "/v1/me/events/stream",
        listen,
        Needs.SESSION,
        summary="Live events event, proposal, device, conversation, log, reset",
        media="text/event-stream",
        headers=(LAST_EVENT_ID,),
        problems=(TooMany,),
    ),
)
