"""What came of a call is said plainly, and long content in pages."""

from typing import Any

import pytest

from ira_home.base.jsontext import dump
from ira_home.domain.tools import OfferedTool, Outcome
from ira_home.domain.trust import TrustLabel
from tests.providers.nokey.offered import BELL, READ, WINDMILL
from tests.providers.nokey.talk import step
from tests.support.views import (
    call_and_result,
    ira,
    person,
    view,
)


async def said(
    tool: OfferedTool, text: str, words: str = "Tell me the speed of the windmill", **more: Any
) -> str:
    steps = call_and_result(tool.name, text, **more)
    answer = await step(view(words, tool, steps=steps))
    assert answer.tool is None
    return answer.text


async def test_the_summary_is_said_first_and_then_the_content() -> None:
    text = await said(WINDMILL, "The mill turns fast.\n\nAt noon it made nine turns a minute.")
    assert text == "The mill turns fast.\n\nAt noon it made nine turns a minute."


async def test_objects_and_lists_are_said_as_lines_and_never_as_json() -> None:
    content = dump(
        {
            "turns": 9,
            "is_turning": True,
            "none": None,
            "days": [{"day": "Monday", "turns": 4}, "Tuesday"],
            "more": {"a_b": 1},
        }
    )
    text = await said(WINDMILL, f"Nine turns.\n\n{content}")
    assert text.splitlines() == [
        "Nine turns.", "", "turns: 9", "is turning: yes", "days:", "  1. Monday, turns: 4", "  2. Tuesday", "more:", "  a b: 1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "content",
    ["plain words", "[1, 2, {\"a\": null}]", "42", "true", "{}", "(nothing)", "", "null", '{"summary": 5}', '{"summary": ""}', "[]",
     '{"text": "' + "x" * 200_000 + '"}', '{"text": "cut', "{", "[[[[[[[[1]]]]]]]]"],
)  # fmt: skip
@pytest.mark.parametrize("tool", [WINDMILL, BELL])
async def test_any_content_gives_an_answer(tool: OfferedTool, content: str) -> None:
    assert await said(tool, content)


async def test_after_a_small_action_without_words_it_says_what_was_done() -> None:
    assert await said(BELL, "(nothing)", "Strike the bell") == "Done: Strike the bell."


async def test_an_error_is_said_in_the_devices_own_words() -> None:
    text = await said(WINDMILL, "the axle is broken", outcome=Outcome.FAILED)
    assert text == "That did not work. Office Mac says: the axle is broken"


@pytest.mark.parametrize(
    ("outcome", "word"),
    [(Outcome.BUSY, "busy"), (Outcome.TIMEOUT, "did not answer"), (Outcome.AWAY, "away"), (Outcome.UNKNOWN, "do not know"),
     (Outcome.CANCELLED, "did not do it"), (Outcome.EXPIRED, "Time ran out")],
)  # fmt: skip
async def test_every_other_end_of_a_call_has_its_sentence(outcome: Outcome, word: str) -> None:
    assert word in await said(WINDMILL, "x", outcome=outcome)


async def test_a_refusal_is_said_in_the_servers_words() -> None:
    text = await said(
        WINDMILL, "The skill is off.", outcome=Outcome.REFUSED, source="", label=TrustLabel.HOUSE
    )
    assert text == "The skill is off."


async def test_invisible_characters_of_a_device_are_not_passed_on() -> None:
    assert await said(WINDMILL, "nine\u202e turns\u200b\x07") == "nine turns"


def pages(count: int) -> str:
    return "\n".join(f"line {number} of a long report that goes on" for number in range(count))


async def test_a_long_content_is_said_in_pages_until_its_end() -> None:
    long = pages(100)
    result = call_and_result("file_read", f"Read report.txt.\n\n{long}")
    first = await step(view("read report.txt", READ, steps=result))
    assert len(first.text) < 1_700
    assert "next page" in first.text
    seen, history = first.text, [person("read report.txt"), *result, ira(first.text)]
    for _ in range(10):
        answer = await step(view("next page", READ, history=tuple(history)))
        assert answer.tool is None
        seen += answer.text
        history += [person("next page"), ira(answer.text)]
        if "next page" not in answer.text:
            break
    for number in range(100):
        assert f"line {number} of" in seen
    assert (
        await step(view("next page", READ, history=tuple(history)))
    ).text == "That was all of it."


async def test_next_page_without_anything_read_says_so() -> None:
    assert (await step(view("next page", READ))).text == "That was all of it."


async def test_a_single_list_is_told_without_its_name() -> None:
    listed = dump({"appointments": ["09:30 Asha", "10:00 Ravi"], "page": None})
    assert (
        await said(WINDMILL, f"2 today.\n\n{listed}") == "2 today.\n\n1. 09:30 Asha\n2. 10:00 Ravi"
    )
    whole = dump({"appointments": [{"at": "09:30"}], "summary": "1 today."})
    assert await said(WINDMILL, whole) == "1 today.\n1. 09:30"


async def test_one_list_of_several_keeps_its_name() -> None:
    text = await said(WINDMILL, "Two.\n\n" + dump({"won": ["Asha"], "lost": ["Ravi"]}))
    assert text == "Two.\n\nwon:\n  1. Asha\nlost:\n  1. Ravi"
