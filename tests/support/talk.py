"""The house with its assistant: real stores, real hub, devices on in-memory lines, a scripted brain."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ira_home.assistant.assistant import Assistant, Inbound
from ira_home.assistant.runs import Run, RunEvent, RunResult
from ira_home.base.ids import ConversationId, ProposalId
from ira_home.devices.link import LinkClosed
from ira_home.domain.conversations import Entry
from ira_home.domain.devices import Device, DeviceKind
from ira_home.domain.house import HouseView
from ira_home.domain.people import Principal
from ira_home.domain.proposals import Proposal
from ira_home.tools.workshop import Workshop
from tests.support.brains import ScriptedBrain
from tests.support.device_house import DeviceHouse, open_device_house
from tests.support.internet import NoInternet, StandingHouse
from tests.support.links import MemoryLink

WAIT_S = 5.0
NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}
HOUSE = HouseView("Asha's home", "Asia/Kolkata", "none", "", "", model_key_set=False, version=0)


def toy(name: str, description: str, tier: int | None = None, **more: Any) -> dict[str, Any]:
    """A tool of a hello; `takes` names its required text arguments."""
    takes = more.pop("takes", ())
    properties = {one: {"type": "string"} for one in takes}
    parameters = {"type": "object", "properties": properties, "required": list(takes)}
    made = {"name": name, "description": description, "parameters": parameters} | more
    return made if tier is None else made | {"tier": tier}


LANTERN = toy("lantern_colour", "Tell the colour of the lantern", 0)
KETTLE = toy("kettle_boil", "Boil the water in the kettle", 1)
PARCEL = toy("parcel_send", "Send the parcel to the person with the given name", 2, takes=("name",))
VAULT = toy("vault_empty", "Empty the vault", 3)
POSTCARD = toy("postcard_fetch", "Fetch the postcard from the address", 0, outward=True, takes=("url",))  # fmt: skip
TOYS = [LANTERN, KETTLE, PARCEL, VAULT, POSTCARD]
SKILLS = ("lantern", "kettle", "parcel", "vault", "postcard")


@dataclass
class Gadget:
    """A device that answers every call at once, unless it holds them back."""

    device: Device
    link: MemoryLink
    contents: dict[str, Any] = field(default_factory=dict)
    holds: bool = False

    @property
    def calls(self) -> list[dict[str, Any]]:
        return self.link.of("call")

    async def answer_all(self) -> None:
        with suppress(LinkClosed):
            while True:
                await self.answer(await self._next_call())

    async def _next_call(self) -> dict[str, Any]:
        while True:
            try:
                return await self.link.hear("call")
            except TimeoutError:
                continue

    async def answer(self, call: dict[str, Any]) -> None:
        if self.holds:
            return
        content = self.contents.get(call["tool"], {"summary": f"Finished {call['tool']}."})
        reply = {"type": "result", "id": call["id"]}
        if isinstance(content, Exception):
            self.link.say(reply | {"ok": False, "error": str(content)})
        else:
            self.link.say(reply | {"ok": True, "content": content})

    async def called(self, count: int) -> list[dict[str, Any]]:
        """Wait until it has been called that often."""
        await until(lambda: len(self.calls) >= count)
        return self.calls


@dataclass
class Talk:
    house: DeviceHouse
    brain: ScriptedBrain
    workshop: Workshop
    assistant: Assistant

    async def gadget(
        self,
        principal: Principal,
        tools: list[dict[str, Any]] | None = None,
        *,
        skills: tuple[str, ...] = SKILLS,
        label: str = "Office Mac",
    ) -> Gadget:
        device = await self.house.paired(principal, DeviceKind.MAC, skills=skills, label=label)
        return await self.connect(device, tools)

    async def connect(self, device: Device, tools: list[dict[str, Any]] | None = None) -> Gadget:
        link = await self.house.online(device, TOYS if tools is None else tools)
        gadget = Gadget(device, link)
        _ = self.house.tasks.start(_quietly(gadget), "gadget")
        return gadget

    async def run(
        self,
        principal: Principal,
        text: str,
        conversation_id: ConversationId | None = None,
        *,
        here: Device | None = None,
    ) -> Run:
        return await self.assistant.ask(
            Inbound(
                principal=principal,
                text=text,
                conversation_id=conversation_id,
                channel="web" if here is None else "device",
                here_device_id=None if here is None else here.id,
            )
        )

    async def ask(
        self,
        principal: Principal,
        text: str,
        conversation_id: ConversationId | None = None,
        *,
        here: Device | None = None,
    ) -> RunResult:
        return await ended(await self.run(principal, text, conversation_id, here=here))

    async def confirm(
        self, principal: Principal, proposal: Proposal, *, pin: str | None = None
    ) -> RunResult:
        return await ended(await self.answer(principal, proposal.id, digest=proposal.digest, pin=pin))  # fmt: skip

    async def answer(
        self,
        principal: Principal,
        proposal_id: ProposalId,
        *,
        yes: bool = True,
        digest: str | None = None,
        pin: str | None = None,
    ) -> Run:
        return await self.assistant.answer_proposal(
            principal, proposal_id, yes=yes, digest=digest, pin=pin
        )

    async def entries(self, conversation_id: ConversationId) -> list[Entry]:
        return await self.house.storage.conversations.entries(conversation_id)

    async def log(self, principal: Principal) -> list[tuple[str, str, str]]:
        """(tool, outcome, confirmed) of each line, oldest first."""
        page = await self.house.storage.tool_log.list(principal.person.id, None, 100)
        return [(one.tool, one.outcome.value, one.confirmed.value) for one in reversed(page.items)]

    async def until(self, holds: Callable[[], bool]) -> None:
        await until(holds)


async def _quietly(gadget: Gadget) -> None:
    with suppress(AssertionError):
        await gadget.answer_all()


async def until(holds: Callable[[], bool]) -> None:
    """Let the loop go on until something holds; a test that waits in vain fails."""
    for _ in range(2_000):
        if holds():
            return
        await asyncio.sleep(0.002)
    pytest.fail("what was waited for did not come")


async def ended(run: Run) -> RunResult:
    async with asyncio.timeout(WAIT_S):
        return await run.result()


async def events(run: Run, after: int = 0) -> list[RunEvent]:
    async with asyncio.timeout(WAIT_S):
        return [event async for event in run.follow(after)]


async def house_view() -> HouseView:
    return HOUSE


@asynccontextmanager
async def open_talk(folder: Path) -> AsyncIterator[Talk]:
    async with open_device_house(folder) as house:
        brain = ScriptedBrain()
        workshop = Workshop.put_together(
            house.storage,
            house.clock,
            house.bus,
            devices=house.hub,
            folder=folder / "tools",
            house=StandingHouse(HOUSE),
            internet=NoInternet(),
        )
        assistant = Assistant(
            house.storage,
            house.accounts,
            workshop,
            clock=house.clock,
            bus=house.bus,
            brain=lambda: brain,
            house=house_view,
        )
        await assistant.start()
        try:
            yield Talk(house, brain, workshop, assistant)
        finally:
            await assistant.close()
