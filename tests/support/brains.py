"""A brain that does what a script says, and remembers every view it was shown."""

import asyncio
from collections.abc import AsyncIterator, Sequence
import json
from typing import Any

from ira_home.base.errors import ModelFailed
from ira_home.base.ids import CallId
from ira_home.domain.ports import CallPart, Part, TextPart
from ira_home.domain.turn_view import TurnView

Step = Sequence[Part | Exception | asyncio.Event]


class ScriptedBrain:
    """One step of the script a step of a turn; an empty script says "Done."."""

    name = "scripted"

    def __init__(self) -> None:
        self.views: list[TurnView] = []
        self.script: list[Step] = []

    # --- the script

    def then(self, *parts: Part | Exception | asyncio.Event) -> None:
        """The next step: parts, an error to raise, or an event to wait for."""
        self.script.append(parts)

    def say(self, text: str) -> None:
        self.then(TextPart(text))

    def call(self, tool: str, /, **arguments: Any) -> None:
        self.then(call(tool, **arguments))

    def fail(self, sentence: str, *before: Part) -> None:
        self.then(*before, ModelFailed(sentence))

    # --- the port

    async def step(self, view: TurnView) -> AsyncIterator[Part]:
        self.views.append(view)
        for part in self.script.pop(0) if self.script else [TextPart("Done.")]:
            if isinstance(part, Exception):
                raise part
            if isinstance(part, asyncio.Event):
                await part.wait()
            else:
                yield part

    async def check(self) -> str:
        return "scripted"

    async def close(self) -> None:
        self.script.clear()


def call(tool: str, /, **arguments: Any) -> CallPart:
    """A tool call; the id is one that every provider uses again and again."""
    return CallPart(CallId("call_1"), tool, json.dumps(arguments))
