"""Kinds of phrases that are understood over whatever tool they are said of, in all three languages."""

from dataclasses import replace
from typing import Any

import pytest

from ira_home.base.jsontext import dump
from ira_home.domain.conversations import EntryKind
from ira_home.domain.language.lexicon import concepts_of
from ira_home.domain.language.words import fold
from ira_home.domain.tools import OfferedTool
from tests.providers.nokey.offered import BELL, SAIL, WINDMILL
from tests.providers.nokey.talk import Answer, step
from tests.support.views import arguments, device_tool, entry, view

CLOCK = {
    "type": "string",
    "description": "24-hour time HH:MM",
    "pattern": "^[0-2][0-9]:[0-5][0-9]$",
}
DAY = {"type": "string", "description": "YYYY-MM-DD", "format": "date"}
COUNT = {"type": "integer", "minimum": 1}


def choice(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


GONG = device_tool("gong_set", "Set the gong to sound", arguments("time", time=CLOCK, date=DAY))
LAMPS = device_tool(
    "lantern_set", "Turn the lantern on or off", arguments("state", state=choice("on", "off"))
)
ANVIL = device_tool(
    "anvil_heat",
    "Change how hot the anvil is",
    arguments("action", action=choice("set", "up", "down"), level={"type": "integer"}),
)
SCROLL = device_tool("scroll_read", "Read a scroll", arguments("page", page=COUNT))
HERBS = device_tool(
    "herb_schedule",
    "Save when in the day somebody takes an herb",
    arguments(
        "herb", "parts", herb="name of the herb",
        parts={"type": "array", "items": choice("morning", "afternoon", "night")},
    ),
)  # fmt: skip
GUESTS = device_tool(
    "guest_list", "Show which guests are booked on a day", arguments("date", date=DAY)
)
GUEST_ADD = device_tool(
    "guest_book",
    "Book a guest for a day",
    arguments("guest", "date", guest="guest's name", date=DAY),
)
FERRY = device_tool("ferry_pause", "Pause the ferry", arguments("from", **{"from": DAY, "to": DAY}))
PEARLS = device_tool(
    "pearl_count", "Tell how many pearls are left", arguments("kind", kind="kind of pearl")
)
PEARL_ADD = device_tool(
    "pearl_add", "Enter pearls that have arrived", arguments("kind", "quantity", kind="kind of pearl", quantity=COUNT)
)  # fmt: skip


async def called(text: str, *tools: OfferedTool) -> dict[str, Any]:
    answer: Answer = await step(view(text, *tools, WINDMILL, BELL))
    assert answer.tool == tools[0].name, answer
    return answer.arguments


@pytest.mark.parametrize("name", ["pearl_count", "pearlCount", "pearl-count", "PearlCount"])
@pytest.mark.parametrize("argument", ["min_size", "minSize", "min-size"])
async def test_names_are_read_however_programs_join_their_words(name: str, argument: str) -> None:
    schema = arguments(
        "size", **{argument: {"type": "integer"}, "size": choice("big_one", "bigTwo")}
    )
    tool = replace(PEARLS, name=name, parameters=schema)
    assert (await called("count the pearls, big two", tool))["size"] == "bigTwo"


@pytest.mark.parametrize(
    ("text", "time", "date"),
    [
        ("set the gong for half past six tomorrow morning", "06:30", "2026-12-02"),
        ("parson shaam saadhe paanch baje gong set karo", "17:30", "2026-12-03"),
        ("शुक्रवार को रात पौने दस बजे gong सेट करो", "21:45", "2026-12-04"),
        ("set the gong at 7:15 pm", "19:15", None),
    ],
)
async def test_a_day_and_an_hour_are_told_apart(text: str, time: str, date: str | None) -> None:
    given = await called(text, GONG)
    assert (given["time"], given.get("date")) == (time, date)


async def test_another_hour_stays_in_the_half_of_the_day_that_was_spoken_of() -> None:
    for before, after in (("06:30", "07:15"), ("18:30", "19:15")):
        made = entry(EntryKind.CALL, dump({"time": before}))
        call, result = replace(made, tool=GONG.name), replace(entry(EntryKind.RESULT, "set"), tool=GONG.name)  # fmt: skip
        said = entry(EntryKind.PERSON, "set the gong")
        answer = await step(view("no, make it seven fifteen", GONG, history=(said, call, result)))
        assert answer.arguments == {"time": after}


@pytest.mark.parametrize(
    "text",
    ["read page number 12 of the scroll", "scroll ka page number 12 padho", "scroll का पेज नंबर बारह पढ़ो", "read the scroll, page twelve"],
)  # fmt: skip
async def test_a_number_belongs_to_the_word_that_it_numbers(text: str) -> None:
    assert await called(text, SCROLL) == {"page": 12}


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("lantern band karo", "off"),
        ("lantern rok do", "off"),
        ("switch the lantern off", "off"),
        ("turn that old lantern on", "on"),
        ("लालटेन lantern चालू करो", "on"),
    ],
)
async def test_what_stops_or_starts_is_off_or_on(text: str, state: str) -> None:
    assert (await called(text, LAMPS))["state"] == state


@pytest.mark.parametrize("text", ["anvil ki garmi pachaas kar do", "put the anvil at 50", "anvil 50 pe set karo"])  # fmt: skip
async def test_a_level_without_a_direction_is_set(text: str) -> None:
    assert await called(text, ANVIL) == {"action": "set", "level": 50}


async def test_every_value_that_was_said_is_in_a_list() -> None:
    given = await called("save herb Tulsi for the morning and the night", HERBS)
    assert given == {"herb": "Tulsi", "parts": ["morning", "night"]}


@pytest.mark.parametrize("text", ["pause the ferry from tomorrow till Sunday", "ferry kal se itvaar tak rok do"])  # fmt: skip
async def test_days_have_a_first_and_a_last(text: str) -> None:
    assert await called(text, FERRY) == {"from": "2026-12-02", "to": "2026-12-06"}


@pytest.mark.parametrize(
    "text",
    [
        "how many black pearls do we have",
        "black pearls kitne bache hain",
        "are any black pearls left?",
    ],
)
async def test_a_question_is_never_an_order(text: str) -> None:
    assert (await called(text, PEARLS, PEARL_ADD))["kind"].startswith("black")


@pytest.mark.parametrize("text", ["guests on Friday", "shukravar ke guests", "Friday guests?"])
async def test_a_thing_without_a_verb_is_asked_to_be_shown(text: str) -> None:
    assert await called(text, GUESTS, GUEST_ADD) == {"date": "2026-12-04"}


@pytest.mark.parametrize("text", ["are there pearls that day", "us din pearls kitne hain", "how many pearls are left then"])  # fmt: skip
async def test_that_day_is_the_one_that_was_spoken_of(text: str) -> None:
    tool = replace(PEARLS, parameters=arguments("day", day=DAY))
    call = replace(entry(EntryKind.CALL, dump({"date": "2026-12-09"})), tool=GUESTS.name)
    history = (
        entry(EntryKind.PERSON, "guests of the ninth"), call, replace(entry(EntryKind.RESULT, "none"), tool=GUESTS.name),
    )  # fmt: skip
    answer = await step(view(text, GUESTS, tool, SAIL, history=history))
    assert (answer.tool, answer.arguments) == (tool.name, {"day": "2026-12-09"})


@pytest.mark.parametrize("address", ["pearls.co.in", "shop.pearls.org/new", "pearls.com"])
async def test_a_bare_address_is_no_file(address: str) -> None:
    web = device_tool("gallery_open", "Open a web address", arguments("url", url="address"))
    for text in (f"open {address}", f"{address} kholo", f"ज़रा {address} खोलो"):
        assert await called(text, web, SCROLL) == {"url": address}


@pytest.mark.parametrize(
    ("text", "phone"),
    [("guest Meena, 98765 43210", "9876543210"), ("guest Meena, 12345", None)],
)
async def test_what_an_argument_cannot_be_is_left_out(text: str, phone: str | None) -> None:
    schema = arguments(
        "guest", guest="guest's name", phone={"type": "string", "pattern": "^[0-9]{10}$"}
    )
    given = await called(f"book a {text}", replace(GUEST_ADD, parameters=schema))
    assert given.get("phone") == phone
    assert given["guest"] == "Meena"


async def test_a_title_is_dropped_where_the_argument_says_so() -> None:
    for told, wanted in (("doctor's surname without Dr", "Rao"), ("doctor", "Dr Rao")):
        tool = replace(GUESTS, parameters=arguments("doctor", doctor=told))
        assert await called("show the guests of Dr Rao", tool) == {"doctor": wanted}


@pytest.mark.parametrize(
    "text", ["book Meena for 500 rupees", "Meena ko 500 rupaye mein book karo"]
)
async def test_the_word_for_money_is_no_way_to_pay(text: str) -> None:
    schema = arguments("guest", "fee", guest="guest's name", fee={"type": "number"}, paid_by=choice("cash", "card"))  # fmt: skip
    given = await called(text, replace(GUEST_ADD, parameters=schema))
    assert (given["fee"], given.get("paid_by")) == (500, None)


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("विज़िट", "visit"), ("विजिट", "visit"), ("कोटेशन", "quotation"), ("बैलेंस", "balance"), ("इनवॉइस", "invoice"),
        ("सर्टिफिकेट", "certificate"), ("कैलेंडर", "calendar"),
    ],
)  # fmt: skip
def test_an_english_word_in_devanagari_means_what_it_means(word: str, english: str) -> None:
    meant = concepts_of(english, "en").keys()
    assert meant & concepts_of(fold(word), "hi").keys()


def test_words_that_sound_alike_are_told_apart() -> None:
    assert "lost" not in concepts_of("khao")
    assert "off" not in concepts_of("roko")
    assert "reject" not in concepts_of("deni")


@pytest.mark.parametrize("text", ["", " ", "?", "ko", "chahiye", "kar do", "wants"])
async def test_next_to_nothing_is_answered_with_words(text: str) -> None:
    assert (await step(view(text, GONG, PEARLS, GUESTS))).tool is None
