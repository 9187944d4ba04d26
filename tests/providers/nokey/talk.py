"""One step of the no-key brain, as what it says and what it calls."""

from dataclasses import dataclass
from typing import Any

from ira_home.base.jsontext import parse
from ira_home.domain.ports import CallPart, TextPart
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.nokey import NoKeyBrain


@dataclass(frozen=True)
class Answer:
    text: str
    tool: str | None
    arguments: dict[str, Any]


async def step(view: TurnView) -> Answer:
    parts = [part async for part in NoKeyBrain().step(view)]
    calls = [part for part in parts if isinstance(part, CallPart)]
    assert len(calls) <= 1
    text = "".join(part.text for part in parts if isinstance(part, TextPart))
    assert text or calls
    call = calls[0] if calls else None
    return Answer(text, call.tool if call else None, parse(call.arguments) if call else {})
