"""A model's server on loopback that behaves as a test tells it to."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
import json
from typing import Any

from aiohttp import web

Behaviour = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ModelServer:
    """Keeps every request's body and headers; `closed` is set when a streaming client went away."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.closed = asyncio.Event()
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.json())
        self.headers.append(dict(request.headers))
        try:
            return await self.behaviour(request)
        except (asyncio.CancelledError, ConnectionError):
            self.closed.set()
            raise


@asynccontextmanager
async def model_server(behaviour: Behaviour) -> AsyncIterator[ModelServer]:
    server = ModelServer(behaviour)
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", server.handle)
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        yield server
    finally:
        await runner.cleanup()


def chunk(delta: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
    } | more


def text(said: str, finish: str | None = None) -> dict[str, Any]:
    return chunk({"content": said}, finish)


def pieces(*calls: dict[str, Any]) -> dict[str, Any]:
    return chunk({"tool_calls": list(calls)})


def piece(arguments: str = "", name: str | None = None, **more: Any) -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return {"type": "function", "function": function} | more


async def begin(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    return response


async def send(response: web.StreamResponse, *chunks: Any) -> None:
    for one in chunks:
        line = one if isinstance(one, str) else json.dumps(one)
        await response.write(f"data: {line}\n\n".encode())


def streaming(*chunks: Any, done: bool = True) -> Behaviour:
    """Streams these chunks (a text as it is) and ends well, or ends without a word."""

    async def behave(request: web.Request) -> web.StreamResponse:
        response = await begin(request)
        await send(response, *chunks, *(["[DONE]"] if done else []))
        return response

    return behave


def refusing(status: int, body: Any = None, **headers: str) -> Behaviour:
    async def behave(request: web.Request) -> web.StreamResponse:
        return web.json_response(
            body or {"error": {"message": "no"}}, status=status, headers=headers
        )

    return behave
