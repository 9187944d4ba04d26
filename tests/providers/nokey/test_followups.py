"""Requests that lean on the one before."""

from typing import Any

import pytest

from ira_home.base.jsontext import dump
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.tools import Outcome
from tests.providers.nokey.talk import step
from tests.support.views import arguments, device_tool, entry, ira, person, view

FIND = device_tool(
    "files_find",
    "Find files by a word in their name",
    arguments("query", query="word to look for", folder="folder"),
    title="Find files",
)
READ = device_tool(
    "files_read",
    "Read the text of one file",
    arguments("path", path="path of the file", page={"type": "integer", "minimum": 1}),
    title="Read a file",
)
SEND = device_tool(
    "messages_send",
    "Send a text message to a contact",
    arguments("to", "text", to="contact name", text="what to say"),
    tier=2,
)
LAMP = device_tool(
    "lamp_set",
    "Switch the lamp of a room on or off",
    arguments(
        "room",
        "state",
        room={"type": "string", "enum": ["kitchen", "bedroom", "hall"]},
        state={"type": "string", "enum": ["on", "off"]},
    ),
    tier=1,
)
WEATHER = device_tool(
    "weather_get",
    "Get the weather forecast",
    arguments(place="city", date={"type": "string", "format": "date"}),
)
TOOLS = (FIND, READ, SEND, LAMP, WEATHER)
FOUND = {
    "summary": "Three files.",
    "files": [
        {"name": "invoice.pdf", "path": "Downloads/invoice.pdf", "size": "12 kB"},
        {"name": "bill.txt", "path": "Documents/bill.txt", "size": "1 kB"},
        {"name": "gas.pdf", "path": "Desktop/gas.pdf", "size": "3 kB"},
    ],
}
ONE = {"summary": "One file.", "files": FOUND["files"][1:2]}


def before(said: str, tool: str, given: dict[str, Any], result: Any = None) -> tuple[Entry, ...]:
    """An earlier turn in which the tool was called."""
    call = entry(EntryKind.CALL, dump(given), tool=tool)
    came = entry(EntryKind.RESULT, dump(result or {"summary": "Done."}), tool=tool, outcome=Outcome.DONE)  # fmt: skip
    return (person(said), call, came, ira("Here it is."))


FOUND_BEFORE = before("find invoice", "files_find", {"query": "invoice"}, FOUND)
ONE_BEFORE = before("find bill", "files_find", {"query": "bill"}, ONE)
LAMP_BEFORE = before("kitchen ki light band karo", "lamp_set", {"room": "kitchen", "state": "off"})
WEATHER_BEFORE = before("weather in Pune", "weather_get", {"place": "Pune"})
SENT_BEFORE = before("Amit ko message karo ki main late hoon", "messages_send", {"to": "Amit", "text": "main late hoon"})  # fmt: skip


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("the second one", "Documents/bill.txt"),
        ("doosra wala", "Documents/bill.txt"),
        ("दूसरा वाला पढ़ो", "Documents/bill.txt"),
        ("read the third one", "Desktop/gas.pdf"),
        ("pehla padho", "Downloads/invoice.pdf"),
        ("last one", "Desktop/gas.pdf"),
        ("number 3", "Desktop/gas.pdf"),
    ],
)
async def test_a_place_in_the_list_means_its_item(said: str, path: str) -> None:
    answer = await step(view(said, *TOOLS, history=FOUND_BEFORE))
    assert (answer.tool, answer.arguments.get("path")) == ("files_read", path)


async def test_a_place_that_is_not_there_is_said() -> None:
    answer = await step(view("the fifth one", *TOOLS, history=FOUND_BEFORE))
    assert answer.tool is None
    assert "3" in answer.text


async def test_an_item_that_no_tool_reads_is_shown_itself() -> None:
    answer = await step(view("the second one", FIND, LAMP, history=FOUND_BEFORE))
    assert answer.tool is None
    assert "Documents/bill.txt" in answer.text


@pytest.mark.parametrize("said", ["read it", "usko padho", "उसे पढ़ो", "isko padh do"])
async def test_it_means_the_only_thing_listed(said: str) -> None:
    answer = await step(view(said, *TOOLS, history=ONE_BEFORE))
    assert (answer.tool, answer.arguments.get("path")) == ("files_read", "Documents/bill.txt")


@pytest.mark.parametrize(
    ("said", "room"),
    [("bedroom ki bhi", "bedroom"), ("and the hall", "hall"), ("हॉल की भी", "hall"), ("aur bedroom", "bedroom")],
)  # fmt: skip
async def test_also_changes_what_it_names_and_keeps_the_rest(said: str, room: str) -> None:
    answer = await step(view(said, *TOOLS, history=LAMP_BEFORE))
    assert answer.tool == "lamp_set"
    assert answer.arguments == {"room": room, "state": "off"}


@pytest.mark.parametrize(
    "said", ["what about tomorrow?", "aur kal ka?", "and tomorrow", "kal ka?", "और कल?"]
)
async def test_another_day_keeps_the_place(said: str) -> None:
    answer = await step(view(said, *TOOLS, history=WEATHER_BEFORE))
    assert answer.tool == "weather_get"
    assert answer.arguments == {"place": "Pune", "date": "2026-12-02"}


async def test_another_place_keeps_the_tool() -> None:
    answer = await step(view("and in Nashik?", *TOOLS, history=WEATHER_BEFORE))
    assert answer.arguments == {"place": "Nashik"}


@pytest.mark.parametrize("said", ["Ravi ko bhi", "same for Ravi", "रवि को भी"])
async def test_the_same_for_somebody_else(said: str) -> None:
    answer = await step(view(said, *TOOLS, history=SENT_BEFORE))
    assert answer.tool == "messages_send"
    assert answer.arguments["to"] in ("Ravi", "रवि")
    assert answer.arguments["text"] == "main late hoon"


async def test_a_correction_takes_the_place_of_what_was_said() -> None:
    answer = await step(view("no, bedroom", *TOOLS, history=LAMP_BEFORE))
    assert answer.arguments == {"room": "bedroom", "state": "off"}


@pytest.mark.parametrize("said", ["again", "phir se", "दोबारा करो"])
async def test_again_makes_the_same_call(said: str) -> None:
    answer = await step(view(said, *TOOLS, history=LAMP_BEFORE))
    assert answer.arguments == {"room": "kitchen", "state": "off"}


async def test_a_request_of_its_own_is_no_follow_up() -> None:
    answer = await step(view("find files about passport", *TOOLS, history=LAMP_BEFORE))
    assert answer.tool == "files_find"
    assert answer.arguments["query"] == "passport"


async def test_small_talk_is_no_follow_up() -> None:
    answer = await step(view("thank you", *TOOLS, history=LAMP_BEFORE))
    assert answer.tool is None


def _pages(page: int, pages: int) -> dict[str, Any]:
    return {"summary": "Read report.pdf.", "text": f"part {page}", "page": page, "pages": pages, "path": "Downloads/report.pdf"}  # fmt: skip


async def test_next_page_fetches_the_next_part_of_a_long_file() -> None:
    history = before("read report.pdf", "files_read", {"path": "report.pdf"}, _pages(1, 3))
    answer = await step(view("next page", *TOOLS, history=history))
    assert answer.tool == "files_read"
    assert answer.arguments == {"path": "report.pdf", "page": 2}


async def test_after_the_last_part_there_is_no_more() -> None:
    history = before(
        "read report.pdf", "files_read", {"path": "report.pdf", "page": 3}, _pages(3, 3)
    )
    answer = await step(view("aage padho", *TOOLS, history=history))
    assert answer.tool is None
    assert answer.text == "Bas itna hi tha."


async def test_a_long_part_is_read_out_before_the_next_is_fetched() -> None:
    long = _pages(1, 2) | {"text": "word " * 800}
    history = before("read report.pdf", "files_read", {"path": "report.pdf"}, long)
    answer = await step(view("next page", *TOOLS, history=history))
    assert answer.tool is None
    assert "word" in answer.text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("weather in Pune, answer in Hindi", "ठीक है, मैंने नहीं किया।"),
        ("Pune ka mausam English mein batao", "All right, I did not do it."),
    ],
)
async def test_it_answers_in_the_language_it_is_asked_for(said: str, told: str) -> None:
    answer = await step(view(said, *TOOLS))
    assert answer.tool == "weather_get"
    assert "Hindi" not in str(answer.arguments)
    refused = entry(EntryKind.RESULT, "", tool="weather_get", outcome=Outcome.CANCELLED)
    call = entry(EntryKind.CALL, dump(answer.arguments), tool="weather_get")
    after = await step(view(said, *TOOLS, steps=(call, refused)))
    assert after.text == told


VISIT = device_tool(
    "visit_book",
    "Book a visit of a patient within the opening hours",
    arguments("patient", "when", patient="name of the patient",
              when={"type": "string", "format": "date-time"}),
    tier=2,
)  # fmt: skip
CANCEL = device_tool(
    "visit_cancel", "Cancel the visit of a patient", arguments("patient", patient="name of the patient"), tier=2
)  # fmt: skip
CARD = device_tool(
    "patient_find", "Find a patient by name", arguments("name", name="name of the patient")
)
MEERA = before("मीरा का नंबर बताओ", "patient_find", {"name": "मीरा"}, {"patients": ["Meera Joshi, phone 16"]})  # fmt: skip


async def test_an_item_goes_to_a_tool_that_can_take_it() -> None:
    listed = {"files": [{"path": "~/Downloads/hours.txt"}, {"path": "~/Downloads/invoice.pdf"}]}
    history = before("list the files", "files_find", {"folder": "Downloads"}, listed)
    answer = await step(view("open the first one", *TOOLS, VISIT, history=history))
    assert (answer.tool, answer.arguments) == ("files_read", {"path": "~/Downloads/hours.txt"})


@pytest.mark.parametrize(
    "said", ["उसकी मुलाक़ात रद्द कर दो", "uska visit cancel karo", "cancel her visit", "cancel his visit"]
)  # fmt: skip
async def test_whose_means_the_person_last_spoken_of(said: str) -> None:
    answer = await step(view(said, VISIT, CANCEL, CARD, history=MEERA))
    assert (answer.tool, answer.arguments) == ("visit_cancel", {"patient": "Meera Joshi"})


async def test_without_anybody_spoken_of_it_is_asked_who() -> None:
    answer = await step(view("uska visit cancel karo", VISIT, CANCEL, CARD))
    assert (answer.tool, answer.text) == (None, "Kiske liye, ya kisko?")


@pytest.mark.parametrize("said", ["price-list.csv भी", "aur price-list.csv", "price-list.csv too"])
async def test_a_file_s_name_stays_whole(said: str) -> None:
    history = before("read hours.txt", "files_read", {"path": "hours.txt"})
    answer = await step(view(said, *TOOLS, history=history))
    assert (answer.tool, answer.arguments) == ("files_read", {"path": "price-list.csv"})


@pytest.mark.parametrize("said", ["show everything", "sab kuch dikhao", "सब दिखाओ", "all of them"])
async def test_everything_is_the_last_list_without_what_narrowed_it(said: str) -> None:
    stock = device_tool("stock_show", "Show what is in stock", arguments(item="item in stock"))
    history = before("cotton kitna hai", "stock_show", {"item": "cotton"})
    answer = await step(view(said, stock, *TOOLS, history=history))
    assert (answer.tool, answer.arguments) == ("stock_show", {})
