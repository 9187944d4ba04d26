"""A home whose brain does what the person's words name, and a device for it to do it on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from ira_home.base.errors import ModelFailed
from ira_home.base.ids import CallId
from ira_home.domain.ports import CallPart, Part, TextPart
from ira_home.domain.turn_view import TurnView
from tests.support.callers import DeviceLine, Member
from tests.support.home import Home, hands_of_now, open_home

LAMP: dict[str, Any] = {
    "name": "lamp_colour",
    "description": "Tell the colour of the lamp.",
    "parameters": {"type": "object", "properties": {}},
    "tier": 0,
}
DOOR = LAMP | {"name": "door_open", "description": "Open the front door.", "tier": 2}
SAFE = LAMP | {"name": "safe_open", "description": "Open the safe.", "tier": 3}
LAMP_RED = {"summary": "The lamp is crimson."}


class Scripted:
    """A brain that calls the tool named in the person's words, and else says them back."""

    name = "scripted"

    def __init__(self) -> None:
        self.hold: asyncio.Event | None = None
        self.asked = asyncio.Semaphore(0)

    async def step(self, view: TurnView) -> AsyncIterator[Part]:
        words = view.own_words.split()
        self.asked.release()
        if self.hold is not None:
            await self.hold.wait()
        if view.own_words == "fail":
            yield TextPart("Half an ")
            message = "The model's server is not there."
            raise ModelFailed(message)
        tool = next((one.name for one in view.tools if one.name in words), None)
        if tool is not None and not view.steps:
            yield CallPart(CallId("c1"), tool, "{}")
            return
        said = view.steps[-1].text if view.steps else f"You said: {view.own_words}"
        for word in said.split(" "):
            yield TextPart(f"{word} ")

    async def check(self) -> str:
        return "fine"

    async def close(self) -> None:
        pass


@asynccontextmanager
async def scripted(folder: Path) -> AsyncIterator[tuple[Home, Scripted]]:
    brain = Scripted()
    async with open_home(folder / "data", brain=brain, clock=hands_of_now()) as home:
        yield home, brain


async def lamp(member: Member, label: str = "Office Mac") -> DeviceLine:
    device = await member.online([LAMP, DOOR, SAFE], label=label)
    device.answers = {"lamp_colour": LAMP_RED, "door_open": {"summary": "It is open."}}
    return device
