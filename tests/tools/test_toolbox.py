"""The tools of one person at one moment."""

from tests.support.requirements import requirement
from tests.support.talk import KETTLE, LANTERN, TOYS, Talk, toy


@requirement("tools.turn", "tools.devices", "grant.offered")
async def test_a_person_has_the_house_s_tools_and_those_of_skills_that_are_on(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha, skills=("lantern",))
    box = await talk.workshop.toolboxes.of(asha.person)
    assert set(box.offered) == {"house_time", "device_tell_when_back", "lantern_colour"}


@requirement("tools.private")
async def test_nobody_else_has_them(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    await talk.gadget(asha)
    box = await talk.workshop.toolboxes.of(ravi.person)
    assert set(box.offered) == {"house_time", "device_tell_when_back"}
    assert not box.skills_off
    assert not box.devices_away


@requirement("tools.search")
async def test_no_search_tool_is_offered_where_none_is_set_up(talk: Talk) -> None:
    asha = await talk.house.person()
    box = await talk.workshop.toolboxes.of(asha.person)
    assert not any("search" in name for name in box.offered)


@requirement("grant.off.known", "grant.off.no_tools")
async def test_of_a_skill_that_is_off_only_the_skill_is_known(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha, [LANTERN, KETTLE], skills=("lantern",))
    box = await talk.workshop.toolboxes.of(asha.person)
    assert [(one.device, one.skill) for one in box.skills_off] == [("Office Mac", "kettle")]
    assert "kettle_boil" not in box.offered


async def test_a_device_that_is_away_offers_nothing_and_is_known_to_be_away(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha, [LANTERN, KETTLE], skills=("lantern",))
    mac.link.drop()
    await talk.until(lambda: not talk.house.hub.is_online(mac.device.id))
    box = await talk.workshop.toolboxes.of(asha.person)
    assert "lantern_colour" not in box.offered
    assert [(one.device, one.skills) for one in box.devices_away] == [("Office Mac", ("lantern",))]
    assert [one.skill for one in box.skills_off] == ["kettle"]


@requirement("tools.device_arg")
async def test_two_devices_with_a_tool_are_one_tool_with_a_device_argument(talk: Talk) -> None:
    asha = await talk.house.person()
    study = await talk.gadget(asha, [LANTERN], label="Study")
    attic = await talk.gadget(asha, [LANTERN], label="Attic")
    await talk.gadget(asha, [LANTERN], label="Cellar", skills=())
    tool = (await talk.workshop.toolboxes.of(asha.person)).offered["lantern_colour"]
    assert tool.parameters["properties"]["device"]["enum"] == ["Study", "Attic"]
    assert [one.device_id for one in tool.targets] == [study.device.id, attic.device.id]


async def test_equal_labels_carry_the_device_s_number(talk: Talk) -> None:
    asha = await talk.house.person()
    one, two = await talk.gadget(asha, [LANTERN]), await talk.gadget(asha, [LANTERN])
    tool = (await talk.workshop.toolboxes.of(asha.person)).offered["lantern_colour"]
    assert tool.parameters["properties"]["device"]["enum"] == [
        f"Office Mac (#{one.device.id})",
        f"Office Mac (#{two.device.id})",
    ]


async def test_a_name_of_the_house_is_never_a_device_s(talk: Talk) -> None:
    asha = await talk.house.person()
    mine = toy("house_time", "Tell a wrong time", 0, skill="clock")
    await talk.gadget(asha, [mine], skills=("clock",))
    tool = (await talk.workshop.toolboxes.of(asha.person)).offered["house_time"]
    assert not tool.targets


async def test_every_toy_is_offered_with_its_own_tier(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    box = await talk.workshop.toolboxes.of(asha.person)
    assert {name: int(box.offered[name].tier) for name in (one["name"] for one in TOYS)} == {
        one["name"]: one["tier"] for one in TOYS
    }


async def test_a_toolbox_is_made_anew_only_when_something_changed(talk: Talk) -> None:
    """It is looked at several times in every call."""
    asha = await talk.house.person()
    mac = await talk.gadget(asha, [LANTERN, KETTLE], skills=("lantern",))
    of = talk.workshop.toolboxes.of
    box = await of(asha.person)
    assert await of(asha.person) is box
    mac.link.drop()
    await talk.until(lambda: not talk.house.hub.is_online(mac.device.id))
    without = await of(asha.person)
    assert "lantern_colour" not in without.offered
    await talk.connect(mac.device, [KETTLE])
    assert "lantern_colour" not in (await of(asha.person)).offered
