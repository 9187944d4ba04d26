"""The scripted language model's server: the chat completions of any provider, streamed over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import itertools
import json
import re
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.guard.variants import Move
from tests.providers.model_server import (
    ModelServer,
    begin,
    chunk,
    model_server,
    piece,
    pieces,
    send,
    text,
)

if TYPE_CHECKING:
    from tests.guard.mind import Mind

_WHO = re.compile(r"the assistant of (.+?) in ")


class Minds:
    """A brain for each person, told apart by the name in the system prompt."""

    def __init__(self) -> None:
        """Nobody is thought for yet."""
        self.of: dict[str, Mind] = {}
        self.server: ModelServer | None = None
        self._ids = itertools.count(1)

    async def behave(self, request: web.Request) -> web.StreamResponse:
        """Answer one request with the next step of its person's brain."""
        asked = await request.json()
        who = _WHO.search(str(asked["messages"][0]["content"]))
        assert who is not None, asked["messages"][0]
        move = self.of[who[1]].step(asked)
        self._forget()
        response = await begin(request)
        await send(response, *self._chunks(move), "[DONE]")
        return response

    @property
    def url(self) -> str:
        """Where the server is to be told that its model is."""
        assert self.server is not None
        return self.server.url

    def _forget(self) -> None:
        """Keep no bodies: there are tens of thousands of long ones."""
        if self.server is not None:
            self.server.bodies.clear()
            self.server.headers.clear()

    def _chunks(self, move: Move) -> list[dict[str, Any]]:
        said = [text(move.text)] if move.text else []
        called = [
            pieces(
                piece(
                    json.dumps(call.arguments, ensure_ascii=False),
                    call.tool,
                    index=place,
                    id=f"call_{next(self._ids)}",
                )
            )
            for place, call in enumerate(move.calls)
        ]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        finish = chunk({}, "tool_calls" if called else "stop")
        return [*said, *called, finish, chunk(None, usage=usage)]


@asynccontextmanager
async def serving_minds() -> AsyncIterator[Minds]:
    """The model's server on loopback."""
    minds = Minds()
    async with model_server(minds.behave) as server:
        minds.server = server
        yield minds
