"""One step of a brain against a server that behaves as told."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from ira_home.base.errors import ModelFailed
from ira_home.domain.ports import CallPart, Part
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.openai import OpenAiBrain
from tests.providers.model_server import (
    Behaviour,
    ModelServer,
    model_server,
)
from tests.support.views import device_tool, view

KEY = "sk-secret-of-the-house-1234"
BELL = device_tool("bell_strike", "Strike the bell")
USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}


async def parts_of(brain: OpenAiBrain, turn: TurnView | None = None) -> list[Part]:
    async with asyncio.timeout(20):
        return [part async for part in brain.step(turn or view("Strike the bell", BELL))]


async def collect(stream: AsyncIterator[Part], seen: list[Part]) -> None:
    async with asyncio.timeout(20):
        while True:
            try:
                seen.append(await anext(stream))
            except StopAsyncIteration:
                return


async def answer(behaviour: Behaviour, **more: Any) -> tuple[list[Part], ModelServer]:
    async with model_server(behaviour) as server:
        brain = OpenAiBrain(server.url, "tiny", KEY, **more)
        try:
            return await parts_of(brain), server
        finally:
            await brain.close()


async def failure(behaviour: Behaviour, **more: Any) -> tuple[list[Part], ModelFailed]:
    """The parts that came, and how it ended."""
    seen: list[Part] = []
    async with model_server(behaviour) as server:
        brain = OpenAiBrain(server.url, "tiny", KEY, **more)
        turn = view("Strike the bell, my secret plan", BELL)
        with pytest.raises(ModelFailed) as caught:
            await collect(brain.step(turn), seen)
        await brain.close()
    assert KEY not in str(caught.value)
    assert "secret plan" not in str(caught.value)
    assert caught.value.__cause__ is None
    return seen, caught.value


def calls_in(parts: list[Part]) -> list[tuple[str, str]]:
    return [(part.tool, part.arguments) for part in parts if isinstance(part, CallPart)]
