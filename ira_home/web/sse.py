"""Server-sent events: one bounded, heart-beating stream of one client that may vanish."""

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
import logging
from typing import Any

from aiohttp import web

from ira_home.base.jsontext import dump
from ira_home.channels.live import Line
from ira_home.web.call import Call
from ira_home.web.dispatch import admit_again
from ira_home.web.door import cut_if_stuck, when_lost
from ira_home.web.middleware import STARTED

log = logging.getLogger(__name__)
WRITE_S = 10.0  # a client that takes nothing for this long is dropped
LAST_EVENT_ID = "Last-Event-ID"
HEARTBEAT = b": still here\n\n"
_HEADERS = {"X-Accel-Buffering": "no"}  # a proxy in front must not keep the words back


def message(event: str, data: Any, number: int | None = None) -> bytes:
    """One message on the wire; `data` is the whole object."""
    head = "" if number is None else f"id: {number}\n"
    return f"{head}event: {event}\ndata: {dump(data)}\n\n".encode()


async def stream(call: Call, line: Line, source: AsyncIterator[bytes]) -> web.StreamResponse:
    """Tell the client what `source` gives, until either side or the line ends."""
    try:
        await admit_again(call)
        return await _told(call, line, source)
    finally:
        line.end()


async def _told(call: Call, line: Line, source: AsyncIterator[bytes]) -> web.StreamResponse:
    request, live = call.request, call.services.live
    response = web.StreamResponse(status=HTTPStatus.OK, headers=_HEADERS)
    response.content_type = "text/event-stream"
    response.force_close()
    when_lost(request, line.end)
    request[STARTED] = response
    await response.prepare(request)
    await _write(response, b": hello\n\n")
    work = live.tasks.start(_pump(response, source), "stream")
    try:
        while not (work.done() or line.is_over):
            done, _waiting = await asyncio.wait(
                {work, line.over},
                timeout=live.heartbeat_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if not done:
                await _write(response, HEARTBEAT)
    finally:
        work.cancel()
        await asyncio.wait({work})
        cut_if_stuck(request)
    return response


async def _pump(response: web.StreamResponse, source: AsyncIterator[bytes]) -> None:
    try:
        async for piece in source:
            await _write(response, piece)
    except ConnectionError:
        # silent-ok: the client hung up, which is how a stream usually ends.
        log.debug("a stream's client hung up")


async def _write(response: web.StreamResponse, piece: bytes) -> None:
    try:
        async with asyncio.timeout(WRITE_S):
            await response.write(piece)
    except TimeoutError:
        text = "the client of a stream takes nothing"
        raise ConnectionResetError(text) from None
