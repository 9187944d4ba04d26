"""Plain requests find their tool and its arguments by words alone, in three languages."""

from typing import Any

import pytest

from tests.providers.nokey.talk import step
from tests.support.views import arguments, device_tool, house_tool, view

READ = device_tool(
    "document_read",
    "Read the text of one document or file",
    arguments("path", path="path of the file"),
)
FIND = device_tool(
    "document_find",
    "Search for documents or files by keyword",
    arguments("query", query="keyword", folder="folder"),
)
OPEN = device_tool(
    "note_open",
    "Open a saved note",
    arguments("name", name="file name", folder="folder such as Downloads"),
)
WINDMILL = device_tool("windmill_speed", "Tell the speed of the windmill")
SAIL = device_tool("sail_hoist", "Hoist the sail", tier=2)
LETTER = device_tool(
    "letter_post",
    "Send a letter to a person",
    arguments("to", "body", to="contact name", body="what the letter says"),
    tier=2,
)
OVEN = device_tool(
    "oven_switch", "Turn the oven on or off",
    arguments("state", state={"type": "string", "enum": ["on", "off"]}, room={"type": "string", "enum": ["kitchen", "bedroom"]}),
    tier=1,
)  # fmt: skip
TIMER = device_tool(
    "egg_timer", "Start a countdown timer", arguments("minutes", minutes={"type": "integer"})
)
TAGS = device_tool(
    "garden_water",
    "Water the plants of the garden",
    arguments(plants={"type": "array", "items": {"type": "string"}}),
    tier=1,
)
CLOCK = house_tool("house_time", "Tell the time and the date")
ALL = (READ, FIND, WINDMILL, SAIL, LETTER, OVEN, TIMER, TAGS, CLOCK)

REQUESTS: list[tuple[str, str, dict[str, Any]]] = [
    ("Tell me the speed of the windmill", "windmill_speed", {}),
    ("what's the windmill speed?", "windmill_speed", {}),
    ("windmill ki speed batao", "windmill_speed", {}),
    ("विंडमिल की स्पीड बताओ", "windmill_speed", {}),
    ("Hoist the sail, please.", "sail_hoist", {}),
    ("Can you hoist the sail?", "sail_hoist", {}),
    ("read rent.pdf in Downloads", "document_read", {"path": "~/Downloads/rent.pdf"}),
    ("please read my rent.pdf from the downloads folder", "document_read", {"path": "~/Downloads/rent.pdf"}),
    ("read ~/Bills/rent.pdf", "document_read", {"path": "~/Bills/rent.pdf"}),
    ("Downloads me se rent.pdf padho", "document_read", {"path": "~/Downloads/rent.pdf"}),
    ("rent.pdf padh kar sunao", "document_read", {"path": "rent.pdf"}),
    ("दस्तावेज़ में से rent.pdf पढ़ो", "document_read", {"path": "~/Documents/rent.pdf"}),
    ('read the file "my plan 2026.docx" on the Desktop', "document_read", {"path": "~/Desktop/my plan 2026.docx"}),
    ("open the report from my documents folder and read it", "document_read", {"path": "~/Documents/report"}),
    ("find documents about rent", "document_find", {"query": "rent"}),
    ("search for rent.pdf in Downloads", "document_find", {"query": "rent.pdf", "folder": "Downloads"}),
    ("rent wali file dhundo", "document_find", {"query": "rent"}),
    ("किराया की फाइल ढूँढो", "document_find", {"query": "किराया"}),
    ("Send a letter to Amit saying the key is under the mat", "letter_post", {"to": "Amit", "body": "the key is under the mat"}),
    ("Amit ko letter bhejo ki main kal aaunga", "letter_post", {"to": "Amit", "body": "main kal aaunga"}),
    ("अमित को लेटर भेजो कि मैं कल आऊंगा", "letter_post", {"to": "अमित", "body": "मैं कल आऊंगा"}),
    ('post a letter to Amit Shah: "Happy new year"', "letter_post", {"to": "Amit Shah", "body": "Happy new year"}),
    ("turn off the oven in the kitchen", "oven_switch", {"state": "off", "room": "kitchen"}),
    ("oven band kar do", "oven_switch", {"state": "off"}),
    ("ओवन चालू करो", "oven_switch", {"state": "on"}),
    ("start the egg timer for 12 minutes", "egg_timer", {"minutes": 12}),
    ("twelve minutes ka egg timer lagao", "egg_timer", {"minutes": 12}),
    ("what is the time?", "house_time", {}),
    ("Ira, hoist the sail", "sail_hoist", {}),
    ("Hello, hoist the sail", "sail_hoist", {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tool", "given"), REQUESTS)
async def test_a_plain_request_calls_its_tool(text: str, tool: str, given: dict[str, Any]) -> None:
    answer = await step(view(text, *ALL))
    assert (answer.tool, answer.arguments) == (tool, given)


async def test_name_and_folder_are_told_apart_when_the_tool_takes_both() -> None:
    answer = await step(view("open rent.txt in Downloads", OPEN))
    assert answer.arguments == {"name": "rent.txt", "folder": "Downloads"}


async def test_a_name_is_what_was_named() -> None:
    hive = device_tool("hive_weigh", "Weigh the hive", arguments("name", name="name of the hive"))
    assert (await step(view("Weigh the hive named Clover Hill", hive))).arguments == {
        "name": "Clover Hill"
    }


async def test_examples_make_a_tool_found_by_words_that_its_name_lacks() -> None:
    lift = device_tool(
        "gate_control", "Move the barrier", examples=("let the car in", "gaadi ko andar aane do")
    )
    assert (await step(view("let the car in please", lift, WINDMILL))).tool == "gate_control"


async def test_optional_arguments_are_filled_only_when_they_were_said() -> None:
    answer = await step(view("water the plants of the garden", *ALL))
    assert (answer.tool, answer.arguments) == ("garden_water", {})


@pytest.mark.parametrize(
    "text",
    ["Hello", "hi Ira", "Thank you, that is nice", "good morning", "how are you?", "who are you", "bye", "yes", "no", "ok",
     "namaste", "shukriya Ira", "kaise ho", "तुम कौन हो", "धन्यवाद", "haan", "हाँ", "My PIN is [PIN hidden]", "[PIN hidden]",
     "tell me a joke", "Who won the match?", "asdf qwer", "?", "12", "…"],
)  # fmt: skip
async def test_small_talk_and_strange_text_call_nothing(text: str) -> None:
    answer = await step(view(text, *ALL))
    assert answer.tool is None
    assert answer.text


async def test_what_cannot_be_done_is_said_with_things_that_can() -> None:
    answer = await step(view("Paint the ceiling blue", WINDMILL, SAIL, CLOCK))
    assert answer.tool is None
    assert answer.text.startswith("I cannot do that.")
    assert "windmill" in answer.text
    assert "sail" in answer.text


async def test_without_any_tool_it_says_how_to_get_some() -> None:
    assert "Devices" in (await step(view("Paint the ceiling blue"))).text


async def test_two_close_tools_are_asked_about_when_one_of_them_acts() -> None:
    start = device_tool("mill_start", "Start the mill", tier=2)
    stop = device_tool("mill_grind", "Grind in the mill", tier=2)
    answer = await step(view("use the mill now", start, stop))
    assert answer.tool is None
    assert answer.text == "Did you mean: Start the mill, or: Grind in the mill?"


@pytest.mark.parametrize(
    "text", ["Don't hoist the sail", "do not hoist the sail", "sail hoist mat karo"]
)
async def test_a_request_not_to_act_is_obeyed(text: str) -> None:
    answer = await step(view(text, *ALL))
    assert answer.tool is None


async def test_a_question_about_an_action_is_no_request_for_it() -> None:
    assert (await step(view("Is the sail hoisted?", *ALL))).tool is None


async def test_a_call_over_the_bounds_of_the_turn_is_not_made() -> None:
    answer = await step(view("Hoist the sail", SAIL, may_call=False))
    assert answer.tool is None
    assert "stopped" in answer.text
