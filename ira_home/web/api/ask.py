"""Asking Ira: the whole answer at once, or told as it comes."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import web
import msgspec

from ira_home.access.idempotency import Keep
from ira_home.assistant.assistant import Inbound
from ira_home.assistant.render import error_json
from ira_home.assistant.runs import Run, RunResult
from ira_home.base.errors import AlreadyDone, Busy, NotFound
from ira_home.base.ids import ConversationId, MessageId, RunId
from ira_home.base.limits import ANSWERS_AT_ONCE, STREAMS_OF_RUNS
from ira_home.channels.live import ANSWERS, RUNS
from ira_home.domain.people import Credential
from ira_home.web.call import Call
from ira_home.web.dispatch import admit_again
from ira_home.web.once import HEADER, once_whole
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Answer
from ira_home.web.sse import message, stream

_CHANNELS = {
    Credential.SESSION: "web",
    Credential.API_TOKEN: "api",
    Credential.DEVICE_TOKEN: "device",
}


class Ask(msgspec.Struct):
    """What the person says; without `conversation_id` a new conversation begins."""

    text: str
    conversation_id: int | None = None


def channel_of(call: Call) -> str:
    """Where the person talks from."""
    return _CHANNELS[call.principal.credential]


async def begin(call: Call) -> Run:
    """Hand the words over; the run goes on whoever listens."""
    asked: Ask = call.body
    number = asked.conversation_id

    async def work(keep: Keep | None) -> Run:
        return await call.services.assistant.ask(
            Inbound(
                principal=call.principal,
                text=asked.text,
                conversation_id=None if number is None else ConversationId(number),
                channel=channel_of(call),
                here_device_id=call.principal.device_id,
                keep=keep,
            )
        )

    return await once_whole(call, work, lambda name: asked_again(call, name))


async def asked_again(call: Call, name: str) -> Run:
    """The run of words that came before; AlreadyDone with where they stand when it is no longer kept."""
    conversation_id, _, message_id = name.partition(".")
    try:
        return call.services.assistant.run_of(call.person_id, MessageId(int(message_id)))
    except NotFound:
        raise AlreadyDone(id=int(message_id), conversation_id=int(conversation_id)) from None


async def run_again(call: Call, name: str) -> Run:
    """The run of a repeated request; raises AlreadyDone when it is no longer kept."""
    try:
        return call.services.assistant.run(call.person_id, RunId(name))
    except NotFound:
        raise AlreadyDone(id=name) from None


async def answer_of(call: Call, run: Run) -> dict[str, Any]:
    """The finished run as `/v1/ask` answers it; a failure of it is part of the answer.

    A credential that ends meanwhile gets no answer any more; the run itself goes on.
    """
    work = call.services.live.tasks.start(run.result(), "answer")
    try:
        while not await _done_first(call, work):
            await admit_again(call)
    finally:
        work.cancel()
    return error_json(work.result())


async def _done_first(call: Call, work: asyncio.Task[RunResult]) -> bool:
    """Whether the work was done before anything happened to the caller's credential."""
    line = call.services.live.open(call.principal, ANSWERS, ANSWERS_AT_ONCE)
    try:
        both: set[asyncio.Future[Any]] = {work, line.over}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        return not line.is_over
    finally:
        line.end()


async def pieces(run: Run, after: int = 0) -> AsyncIterator[bytes]:
    """The run's events on the wire."""
    async for event in run.follow(after):
        yield message(event.name, event.data, event.id)


async def tell(call: Call, run: Run, after: int = 0) -> web.StreamResponse:
    """Tell a run to this client as it comes."""
    line = call.services.live.open(call.principal, RUNS, STREAMS_OF_RUNS)
    return await stream(call, line, pieces(run, after))


async def ask(call: Call) -> dict[str, Any]:
    """Ask, and wait for the answer."""
    return await answer_of(call, await begin(call))


async def ask_stream(call: Call) -> web.StreamResponse:
    """Ask, and be told the answer as it comes."""
    return await tell(call, await begin(call))


_PROBLEMS = (NotFound, Busy, AlreadyDone)
ROUTES = (
    Route(
        "POST",
        "/v1/ask",
        ask,
        Needs.ASK,
        summary="Ask Ira, and wait for the answer",
        body=Ask,
        reply=Answer,
        headers=(HEADER,),
        problems=_PROBLEMS,
    ),
    Route(
        "POST",
        "/v1/ask/stream",
        ask_stream,
        Needs.ASK,
        summary="Ask Ira; events start, token, tool, proposal, done, error",
        body=Ask,
        media="text/event-stream",
        headers=(HEADER,),
        problems=_PROBLEMS,
    ),
)
