"""Whether a call still is what was shown: each way in which it may not be has its own reason."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from ira_home.base.errors import DeviceAway
from ira_home.base.ids import PersonId
from ira_home.domain.house import HouseSkill
from ira_home.domain.tools import OfferedTool, Target, Tier
from ira_home.tools.calls import Refused
from ira_home.tools.permit import Void, VoidReason, as_shown, definition_of, permit
from ira_home.tools.skills import HouseSkills
from ira_home.tools.toolbox import Toolbox, Toolboxes
from tests.support.internet import NoSkills
from tests.tools.gating import Bench, held

PERSON_S_OWN = ("files_read", 1)


def shown(box: Toolbox, **other: Any) -> tuple[OfferedTool, Target | None]:
    asked: dict[str, Any] = {"definition": held("files_read").digest, "skills": {"files"}}
    name, device = PERSON_S_OWN
    return as_shown(box, name, other.pop("device_id", device), **(asked | other))


async def test_what_is_there_as_it_was_stands(bench: Bench) -> None:
    box = await bench.box()
    tool, target = shown(box)
    assert target is not None
    assert (tool.name, target.device_id) == PERSON_S_OWN


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        ({"digest": "another"}, VoidReason.CHANGED),
        ({"name": "files_see"}, VoidReason.CHANGED),
        ({"off": True}, VoidReason.SKILL_OFF),
        ({"gone": True}, VoidReason.DEVICE_GONE),
    ],
)
async def test_what_changed_does_not_stand(
    bench: Bench, device: dict[str, Any], reason: VoidReason
) -> None:
    tool = held(device.pop("name", "files_read"), **{k: v for k, v in device.items() if k == "digest"})  # fmt: skip
    bench.hub.devices.clear()
    bench.hub.give(bench.principal.person.id, held("files_read"), number=2)
    if not device.get("gone"):
        skills = frozenset() if device.get("off") else frozenset({"files"})
        bench.hub.give(bench.principal.person.id, tool, skills=skills)
    with pytest.raises(Void) as void:
        shown(await bench.box())
    assert void.value.reason is reason


async def test_a_skill_that_is_off_on_another_device_is_no_reason(bench: Bench) -> None:
    bench.hub.give(bench.principal.person.id, held("files_see"))
    bench.hub.give(bench.principal.person.id, held("files_read"), number=2, skills=frozenset())
    with pytest.raises(Void) as void:
        shown(await bench.box())
    assert void.value.reason is VoidReason.CHANGED


async def test_a_device_that_is_away_is_not_gone(bench: Bench) -> None:
    bench.hub.give(bench.principal.person.id, held("files_read"), online=False)
    with pytest.raises(DeviceAway):
        shown(await bench.box())


async def test_a_call_of_the_house_is_not_taken_over_by_a_device(bench: Bench) -> None:
    with pytest.raises(Void) as void:
        shown(await bench.box(), device_id=None)
    assert void.value.reason is VoidReason.CHANGED


@dataclass
class Switches:
    """The skills of the house that the person has switched on."""

    on: frozenset[HouseSkill]

    async def of(self, person_id: PersonId) -> HouseSkills:
        return HouseSkills(on=self.on)


async def test_a_skill_of_the_house_that_went_off_just_now_is_off(bench: Bench) -> None:
    person, switches = bench.principal.person, Switches(frozenset({HouseSkill.WEB_SEARCH}))
    toolboxes = Toolboxes(bench.hub, bench.tools, switches)
    tool = (await toolboxes.of(person)).offered["web_search"]
    await permit(toolboxes, person, tool, None)
    switches.on = frozenset()
    with pytest.raises(Refused, match="switched off or changed"):
        await permit(toolboxes, person, tool, None)


async def test_a_tool_that_everybody_has_needs_no_skill(bench: Bench) -> None:
    person, tool = bench.principal.person, (await bench.box()).offered["house_time"]
    await permit(Toolboxes(bench.hub, (), NoSkills()), person, tool, None)


async def test_a_tool_of_the_house_is_what_it_says_of_itself(bench: Bench) -> None:
    tool = (await bench.box()).offered["house_time"]
    digest = definition_of(tool, None)
    assert digest == definition_of(replace(tool), None)
    others = (
        replace(tool, name="house_date"),
        replace(tool, description="Another."),
        replace(tool, parameters={"type": "object", "required": ["a"]}),
        replace(tool, tier=Tier.YES),
        replace(tool, title="Another"),
    )
    assert len({digest, *(definition_of(one, None) for one in others)}) == len(others) + 1
