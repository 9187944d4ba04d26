"""The tools of one person at one moment."""

from ira_home.base.ids import PersonId
from ira_home.domain.house import HouseSkill
from ira_home.domain.people import Principal
from ira_home.domain.settings import PersonSettings
from ira_home.tools.skills import HouseSkills, SkillBook
from ira_home.tools.toolbox import Toolboxes
from tests.support.internet import NoSkills, StandingHouse
from tests.support.requirements import requirement
from tests.support.talk import HOUSE, KETTLE, LANTERN, TOYS, Talk, toy


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


async def test_a_device_cannot_take_the_name_of_a_tool_that_is_off(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha, [toy("web_search", "Search the web", 0)], skills=("web",))
    box = await talk.workshop.toolboxes.of(asha.person)
    assert "web_search" not in box.offered


@requirement("tools.search")
async def test_search_tools_are_those_of_skills_that_are_set_up_and_switched_on(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    house = StandingHouse(HOUSE)
    toolboxes = Toolboxes(
        talk.house.hub, talk.workshop.library.tools, SkillBook(talk.house.storage, house.skills)
    )

    async def seen(who: Principal) -> tuple[set[str], dict[str, bool]]:
        box = await toolboxes.of(who.person)
        searching = {name for name in box.offered if "search" in name}
        return searching, {str(one.skill): one.is_set_up for one in box.house_off}

    assert await seen(asha) == (set(), {"web search": False, "news": False})
    house.set_up = frozenset({HouseSkill.NEWS})
    assert await seen(asha) == (set(), {"web search": False, "news": True})
    on = PersonSettings(web_search=True)
    await talk.house.storage.write(
        lambda tx: talk.house.storage.settings.put(tx, asha.person.id, on)
    )
    assert await seen(asha) == ({"news_search"}, {"web search": False})
    house.set_up = frozenset(HouseSkill)
    assert await seen(asha) == ({"news_search", "web_search"}, {})
    assert await seen(ravi) == (set(), {"web search": True, "news": True})


async def test_a_call_to_a_device_reads_no_settings_of_the_house(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha, [LANTERN])
    skills = CountingSkills()
    toolboxes = Toolboxes(talk.house.hub, talk.workshop.library.tools, skills)
    box = await toolboxes.of(asha.person)
    assert await toolboxes.of_devices(asha.person) is box
    assert skills.asked == 1
    mac.link.drop()
    await talk.until(lambda: not talk.house.hub.is_online(mac.device.id))
    assert "lantern_colour" not in (await toolboxes.of_devices(asha.person)).offered
    assert skills.asked == 1


class CountingSkills(NoSkills):
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def of(self, person_id: PersonId) -> HouseSkills:
        self.asked += 1
        return await super().of(person_id)
