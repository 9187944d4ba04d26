"""Reading "What Ira did"."""

import pytest

from ira_home.base.limits import CALLS_A_TURN
from ira_home.tools.log import ToolLog
from tests.support.brains import call
from tests.support.talk import Talk


async def test_each_call_is_a_line_in_words_of_its_person_s_own(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("lantern_colour")
    talk.brain.call("parcel_send", name="Marigold")
    result = await talk.ask(asha, "Tell me the colour of the lantern, send the parcel to Marigold")
    await talk.ask(asha, "yes", result.conversation_id)
    log = ToolLog(talk.house.storage)
    page = await log.list(asha.person.id, None, 2)
    rest = await log.list(asha.person.id, page.next_cursor, 2)
    lines = [*page.items, *rest.items]
    assert [log.sentence(one) for one in lines] == [
        "On Office Mac: parcel_send: done, after a yes",
        "On Office Mac: parcel_send: asked you first",
        "On Office Mac: lantern_colour: done",
    ]
    assert "हाँ कहने पर" in log.sentence(lines[0], "hi")
    assert rest.next_cursor is None
    assert (await log.list(ravi.person.id, None, 9)).items == ()
    assert len((await log.list_all(None, 9)).items) == 3


@pytest.mark.parametrize("name", ['steal "secret words"', "x" * 5_000, "Lantern\u202e", ""])
async def test_a_tool_that_a_brain_invents_is_a_line_without_the_words_in_its_name(
    talk: Talk, name: str
) -> None:
    asha = await talk.house.person()
    talk.brain.call(name)
    result = await talk.ask(asha, "Hello")
    assert result.tools == ()
    assert await talk.log(asha) == [("unknown", "refused", "none")]
    names = [one.tool for one in await talk.entries(result.conversation_id) if one.tool]
    assert names == ["unknown", "unknown"]


async def test_a_tool_that_is_not_offered_is_a_line_with_its_name(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha, skills=("lantern",))
    talk.brain.call("kettle_boil")
    await talk.ask(asha, "Boil the water in the kettle")
    assert await talk.log(asha) == [("kettle_boil", "refused", "none")]


async def test_the_name_of_no_tool_carries_nothing_of_a_device_into_the_log(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    mac.contents["lantern_colour"] = {"summary": "the code is vermilion"}
    talk.brain.call("lantern_colour")
    talk.brain.call("code_is_vermilion")
    await talk.ask(asha, "Tell me the colour of the lantern")
    lines = [("lantern_colour", "done", "none"), ("unknown", "refused", "none")]
    assert await talk.log(asha) == lines


async def test_calls_that_their_turn_has_no_room_for_are_lines_too(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    talk.brain.then(call("parcel_send", name="Marigold"), call("kettle_boil"))
    await talk.ask(asha, "Send the parcel to Marigold and boil the water in the kettle")
    assert await talk.log(asha) == [
        ("parcel_send", "proposed", "none"),
        ("kettle_boil", "refused", "none"),
    ]
    ravi = await talk.house.person()
    await talk.gadget(ravi)
    talk.brain.then(*(call("lantern_colour") for _ in range(CALLS_A_TURN + 2)))
    await talk.ask(ravi, "Tell me the colour of the lantern")
    outcomes = [outcome for _tool, outcome, _confirmed in await talk.log(ravi)]
    assert outcomes == ["done"] * CALLS_A_TURN + ["refused"] * 2
    assert not mac.calls


async def test_a_label_stands_escaped_where_no_wrapper_is_around_it(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha, label="Study <b>")
    await talk.gadget(asha, label="Attic")
    talk.brain.call("lantern_colour")
    await talk.ask(asha, "Tell me the colour of the lantern")
    told = talk.brain.views[-1].steps[-1].text
    assert "Study &lt;b>, Attic" in told
