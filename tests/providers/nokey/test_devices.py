"""Which device is meant, skills that are off, devices that are away."""

import pytest

from ira_home.domain.turn_view import SkillOff
from tests.providers.nokey.offered import AWAY, BELL, TELL, TWO, WINDMILL
from tests.providers.nokey.talk import step
from tests.support.requirements import requirement
from tests.support.views import (
    device_tool,
    ira,
    person,
    view,
)


@requirement("tools.device_arg")
async def test_the_device_named_by_its_label_is_called() -> None:
    for words, label in (
        ("Tell me the speed of the windmill on the Old mill device", "Old mill"),
        ("speed of the windmill, on BARN", "Barn"),
        ("Barn par windmill ki speed batao", "Barn"),
    ):
        answer = await step(view(words, TWO))
        assert (answer.tool, answer.arguments) == ("windmill_speed", {"device": label})


async def test_without_a_name_it_asks_which_device_and_takes_the_answer() -> None:
    words = "Tell me the speed of the windmill"
    asked = await step(view(words, TWO))
    assert (asked.tool, asked.text) == (None, "On which device: Barn or Old mill?")
    history = (person(words), ira(asked.text))
    answer = await step(view("the barn please", TWO, history=history))
    assert (answer.tool, answer.arguments) == ("windmill_speed", {"device": "Barn"})


async def test_the_device_asked_on_is_meant_by_here() -> None:
    answer = await step(view("Tell me the speed of the windmill here", TWO, here="Old mill"))
    assert answer.arguments == {"device": "Old mill"}


async def test_a_kind_word_picks_the_one_device_of_that_kind() -> None:
    both = device_tool(
        "windmill_speed", "Tell the speed of the windmill", on=("Asha's phone", "Office Mac")
    )
    for words, label in (("speed of the windmill on my mobile", "Asha's phone"), ("laptop par windmill ki speed batao", "Office Mac")):  # fmt: skip
        assert (await step(view(words, both))).arguments == {"device": label}


async def test_a_device_that_lacks_the_tool_is_not_replaced_by_another() -> None:
    other = device_tool("bell_strike", "Strike the bell", tier=1, on=("Barn",))
    answer = await step(view("Tell me the speed of the windmill on the Barn", WINDMILL, other))
    assert (answer.tool, answer.text) == (None, "Barn does not offer that.")


@requirement("grant.off.said", "grant.off.no_detour")
@pytest.mark.parametrize(
    "words",
    [
        "List the missed calls on my phone",
        "mere missed call batao",
        "मिस्ड कॉल बताओ",
        "who called me",
    ],
)
async def test_a_skill_that_is_off_is_said_with_device_and_where_to_switch_it_on(
    words: str,
) -> None:
    answer = await step(
        view(words, WINDMILL, skills_off=(SkillOff("Pocket phone", "android", "calls"),))
    )
    assert answer.tool is None
    for word in ("calls", "off", "Pocket phone", "Devices"):
        assert word in answer.text


async def test_a_tool_that_fits_better_than_the_skill_is_called() -> None:
    off = (SkillOff("Pocket phone", "android", "windmill"),)
    assert (
        await step(view("Tell me the speed of the windmill", WINDMILL, skills_off=off))
    ).tool == "windmill_speed"


async def test_the_skill_of_the_named_device_counts_before_another_devices_tool() -> None:
    off = (SkillOff("Pocket phone", "android", "windmill"),)
    answer = await step(
        view("Tell me the speed of the windmill on Pocket phone", WINDMILL, skills_off=off)
    )
    assert answer.tool is None
    assert "off on Pocket phone" in answer.text


async def test_a_device_that_is_away_is_said_with_the_time_of_the_house() -> None:
    answer = await step(view("Tell me the speed of the windmill", BELL, devices_away=(AWAY,)))
    assert (answer.tool, answer.text) == (None, "Office Mac is away since 10:42.")


async def test_it_offers_to_tell_when_the_device_is_back_and_does_so_on_a_yes() -> None:
    words = "Tell me the speed of the windmill"
    offered = await step(view(words, TELL, devices_away=(AWAY,)))
    assert offered.tool is None
    history = (person(words), ira(offered.text))
    for text in ("yes", "haan", "हाँ", "Yes, please."):
        answer = await step(view(text, TELL, devices_away=(AWAY,), history=history))
        assert (answer.tool, answer.arguments) == (
            "device_tell_when_back",
            {"device": "Office Mac"},
        )
    assert (await step(view("no", TELL, devices_away=(AWAY,), history=history))).tool is None


async def test_asked_by_name_it_tells_when_the_device_is_back() -> None:
    answer = await step(view("tell me when Office Mac is back", TELL, devices_away=(AWAY,)))
    assert (answer.tool, answer.arguments) == ("device_tell_when_back", {"device": "Office Mac"})


async def test_without_any_device_it_says_where_to_add_one() -> None:
    answer = await step(view("read invoice.pdf in Downloads", TELL))
    assert answer.tool is None
    assert "Pair one under Devices" in answer.text
