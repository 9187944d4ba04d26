"""A person's devices: which are here, what Ira may do on them, and taking one away."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from aiohttp import web

from ira_home.base.errors import IraError, NotFound
from ira_home.base.ids import DeviceId
from ira_home.base.jsontext import canonical
from ira_home.devices.definitions import HeldTool
from ira_home.devices.registry import ListedDevice
from ira_home.domain.devices import ToolDefinition, ToolState
from ira_home.domain.tools import Tier
from ira_home.web.call import Call
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.skills import ShownSkill, shown
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.pages.words import Words
from ira_home.web.routes import Needs, Route

NEW_FOR = timedelta(days=1)  # how long the list asks whether a new device is the person's own


@dataclass(frozen=True, slots=True)
class SkillTool:
    """A tool under its skill: what it does, how freely, and whether nobody decided on it yet."""

    title: str
    tier: Tier
    is_new: bool


@dataclass(frozen=True, slots=True)
class SkillRow:
    """A skill of one device: whether it is on, and what its tools are."""

    skill: ShownSkill
    is_on: bool
    tiers: tuple[Tier, ...]
    tools: tuple[SkillTool, ...]

    @property
    def is_new(self) -> bool:
        """Whether the device offers it and its person never decided on it."""
        return any(tool.is_new for tool in self.tools)


@dataclass(frozen=True, slots=True)
class FreerTool:
    """A tool that was declared again more freely, as it is and as it wants to be.

    `more` names what else of it changes: arguments, skill, outward.
    """

    name: str
    now: str
    now_tier: Tier
    wanted: str
    tier: Tier
    more: tuple[str, ...]


def skill_rows(listed: ListedDevice, words: Words) -> list[SkillRow]:
    """Every skill that the device has or was given, those that are on first."""
    on = listed.device.skills
    rows = [_row(listed, name, words) for name in sorted({*listed.skills_known, *on})]
    return sorted(rows, key=lambda row: not row.is_on)


def _row(listed: ListedDevice, name: str, words: Words) -> SkillRow:
    held = [(tool, state) for tool, state in listed.tools if name in tool.skills]
    return SkillRow(
        skill=shown(name, words),
        is_on=name in listed.device.skills,
        tiers=tuple(sorted({tool.tier for tool, _state in held})),
        tools=tuple(
            SkillTool(tool.title or tool.description, tool.tier, state is ToolState.NEW)
            for tool, state in held
        ),
    )


def freer_tools(listed: ListedDevice) -> list[FreerTool]:
    """What waits for the person's agreement."""
    declared = {one.name: one for one in listed.device.tools}
    found = []
    for tool, state in listed.tools:
        wanted = declared.get(tool.name)
        if state is ToolState.FREER and wanted is not None:
            found.append(_freer(tool, wanted))
    return found


def _freer(held: HeldTool, wanted: ToolDefinition) -> FreerTool:
    changes = {
        "arguments": canonical(held.parameters) != canonical(wanted.parameters),
        "skill": held.skills != {wanted.skill},
        "outward": held.outward and not wanted.outward,
    }
    return FreerTool(
        held.name,
        held.description,
        held.tier,
        wanted.description,
        wanted.tier,
        tuple(name for name, does in changes.items() if does),
    )


def shadowed_tools(listed: ListedDevice) -> list[str]:
    """Tools of the device that the house keeps the name of."""
    return [
        tool.title or tool.description
        for tool, state in listed.tools
        if state is ToolState.SHADOWED
    ]


async def find(call: Call) -> ListedDevice:
    """The device of the address; NotFound for anybody else's."""
    wanted = call.number("id")
    for listed in await call.services.registry.list(call.person_id):
        if listed.device.id == wanted:
            return listed
    raise NotFound


async def list_devices(call: Call) -> web.Response:
    """All devices, and the codes that still wait for one."""
    return await _devices(call, None)


async def show_device(call: Call) -> web.Response:
    """One device beside the list."""
    return await _devices(call, await find(call))


async def _devices(
    call: Call, one: ListedDevice | None, *, fault: Fault | None = None, at: str = ""
) -> web.Response:
    """The list, and one of it beside it; `at` names the part of that one that the fault is about."""
    devices = await call.services.registry.list(call.person_id)
    now = call.services.clock.now()
    return await show(
        call,
        "devices.html",
        nav="devices",
        status=200 if fault is None else fault.status,
        devices=devices,
        waiting=await call.services.pairings.list_open(call.person_id),
        new=[found for found in devices if now - found.device.created_at < NEW_FOR],
        needing={found.device.id for found in devices if freer_tools(found)},
        one=one,
        fault=fault,
        **_parts(one, words_for(call.request), at),
    )


def _parts(one: ListedDevice | None, words: Words, at: str) -> dict[str, object]:
    """What is shown of one device; a fault about a part that is not shown stands at its top."""
    if one is None:
        return {"skills": [], "freer": [], "shadowed": [], "at": ""}
    skills, freer = skill_rows(one, words), freer_tools(one)
    places = {"name", *(f"skill.{row.skill.name}" for row in skills if not row.is_on)}
    places |= {f"tool.{tool.name}" for tool in freer}
    return {
        "skills": skills,
        "freer": freer,
        "shadowed": shadowed_tools(one),
        "at": at if at in places else "top",
    }


async def _done(call: Call, work: Callable[[DeviceId], Awaitable[object]], at: str) -> web.Response:
    """Do it and show the device again; `at` names the part that a fault stands beside."""
    listed = await find(call)
    try:
        await work(listed.device.id)
    except NotFound:
        raise
    except IraError as error:
        fault = fault_of(error, words_for(call.request))
        return await _devices(call, listed, fault=fault, at=at)
    return go(f"/devices/{listed.device.id}")


async def switch(call: Call) -> web.Response:
    """Switch a skill: off at once, on with the PIN."""
    skill, is_on = call.text("skill"), call.form.get("on") == "1"

    async def work(device_id: DeviceId) -> None:
        await call.services.registry.switch(
            call.principal, device_id, skill, on=is_on, pin=call.form.get("pin") or None
        )

    return await _done(call, work, at=f"skill.{skill}")


async def agree(call: Call) -> web.Response:
    """Let a tool do what it wants to do from now on."""
    tool = call.text("tool")

    async def work(device_id: DeviceId) -> None:
        await call.services.registry.agree(
            call.principal, device_id, tool, call.form.get("pin") or None
        )

    return await _done(call, work, at=f"tool.{tool}")


async def rename(call: Call) -> web.Response:
    """Give the device another name."""

    async def work(device_id: DeviceId) -> None:
        await call.services.registry.rename(call.principal, device_id, call.form.get("label", ""))

    return await _done(call, work, at="name")


async def ask_remove(call: Call) -> web.Response:
    """What removing a device means, before it is done."""
    listed = await find(call)
    return await show(call, "remove.html", nav="devices", one=listed)


async def remove(call: Call) -> web.Response:
    """Remove the device: its token is dead at once."""
    listed = await find(call)
    await call.services.registry.revoke(call.principal, listed.device.id)
    return go("/devices")


async def back_to_device(call: Call) -> web.Response:
    """Whoever opens the address of a form sees the device."""
    return go(f"/devices/{call.number('id')}")


ROUTES = (
    Route("GET", "/devices", list_devices, Needs.DEVICES, page=True, summary="My devices."),
    Route("GET", "/devices/{id}", show_device, Needs.DEVICES, page=True, summary="A device."),
    Route(
        "POST",
        "/devices/{id}/skills/{skill}",
        switch,
        Needs.DEVICES,
        page=True,
        summary="Switch a skill on (with the PIN) or off.",
    ),
    Route("GET", "/devices/{id}/skills/{skill}", back_to_device, Needs.DEVICES, page=True),
    Route(
        "POST",
        "/devices/{id}/agree/{tool}",
        agree,
        Needs.DEVICES,
        page=True,
        summary="Agree to what a tool newly wants to do.",
    ),
    Route("GET", "/devices/{id}/agree/{tool}", back_to_device, Needs.DEVICES, page=True),
    Route(
        "POST", "/devices/{id}/name", rename, Needs.DEVICES, page=True, summary="Rename a device."
    ),
    Route("GET", "/devices/{id}/name", back_to_device, Needs.DEVICES, page=True),
    Route(
        "GET",
        "/devices/{id}/remove",
        ask_remove,
        Needs.DEVICES,
        page=True,
        summary="What removing a device means.",
    ),
    Route(
        "POST",
        "/devices/{id}/remove",
        remove,
        Needs.DEVICES,
        page=True,
        summary="Remove a device.",
    ),
)
