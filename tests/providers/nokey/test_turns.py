"""Several requests in one message, and the language of the answers."""

import pytest

from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.tools import Outcome
from ira_home.domain.turn_view import SkillOff
from ira_home.providers.llm.nokey.sentences import SENTENCES, say
from tests.providers.nokey.offered import AWAY, BELL, LETTER, SAIL, TELL, WINDMILL
from tests.providers.nokey.talk import step
from tests.support.views import (
    call_and_result,
    device_tool,
    entry,
    ira,
    person,
    view,
)


async def test_the_next_request_of_the_message_follows_the_result() -> None:
    words = "Tell me the speed of the windmill, then post a letter to Amit saying it turns"
    first = await step(view(words, WINDMILL, LETTER))
    assert first.tool == "windmill_speed"
    steps = call_and_result("windmill_speed", "Nine turns.")
    second = await step(view(words, WINDMILL, LETTER, steps=steps))
    assert second.text == "Nine turns."
    assert (second.tool, second.arguments) == ("letter_post", {"to": "Amit", "body": "it turns"})


async def test_results_that_were_said_are_not_said_again() -> None:
    words = "Strike the bell and hoist the sail"
    steps = (
        *call_and_result("bell_strike", "Ding."),
        ira("Ding."),
        *call_and_result("sail_hoist", "It is up.", call="call_2"),
    )
    answer = await step(view(words, BELL, SAIL, steps=steps))
    assert (answer.text, answer.tool) == ("It is up.", None)


@pytest.mark.parametrize(
    "words", ["Strike the bell and hoist the sail", "bell strike karo aur phir sail hoist karo"]
)
async def test_two_requests_are_called_one_after_the_other(words: str) -> None:
    assert (await step(view(words, BELL, SAIL))).tool == "bell_strike"
    steps = call_and_result("bell_strike", "Ding.")
    assert (await step(view(words, BELL, SAIL, steps=steps))).tool == "sail_hoist"


async def test_after_a_failure_the_rest_is_left_and_that_is_said() -> None:
    steps = call_and_result("bell_strike", "no clapper", outcome=Outcome.FAILED)
    answer = await step(view("Strike the bell and hoist the sail", BELL, SAIL, steps=steps))
    assert answer.tool is None
    assert "no clapper" in answer.text
    assert "rest" in answer.text


async def test_words_to_be_sent_are_not_taken_for_a_second_request() -> None:
    answer = await step(
        view('Post a letter to Amit: "Strike the bell and hoist the sail"', LETTER, BELL, SAIL)
    )
    assert answer.tool == "letter_post"
    assert answer.arguments == {"to": "Amit", "body": "Strike the bell and hoist the sail"}


@pytest.mark.parametrize(
    ("words", "language"),
    [("Hello", "en"), ("namaste bhaiya", "hinglish"), ("नमस्ते", "hi"), ("Paint it", "en"), ("ise neela kar do", "hinglish"), ("इसे नीला करो", "hi")],
)  # fmt: skip
async def test_the_answer_is_in_the_language_spoken(words: str, language: str) -> None:
    key = {"Hello": "greeting", "namaste bhaiya": "greeting", "नमस्ते": "greeting"}.get(words)
    answer = await step(view(words))
    expected = say(key, language, name="Asha") if key else say("cannot", language)  # type: ignore[arg-type]
    assert answer.text.startswith(expected)


@pytest.mark.parametrize("language", ["en", "hi", "hinglish"])
async def test_a_chosen_language_holds_whatever_was_spoken(language: str) -> None:
    answer = await step(view("thank you", reply_language=language))
    assert answer.text == say("thanks", language)  # type: ignore[arg-type]


async def test_a_text_too_short_to_tell_keeps_the_language_of_the_talk() -> None:
    history: tuple[Entry, ...] = (person("इसे नीला करो"), ira("…"), person("ok"), ira("…"))
    assert (await step(view("thanks", history=history))).text == say("thanks", "hi")


def test_every_sentence_has_three_languages_with_the_same_blanks() -> None:
    for key, columns in SENTENCES.items():
        assert all(columns), key
        blanks = [{part.split("}")[0] for part in one.split("{")[1:]} for one in columns]
        assert blanks[0] == blanks[1] == blanks[2], key


async def test_what_it_can_do_lists_tools_skills_that_are_off_and_devices_away() -> None:
    answer = await step(
        view(
            "what can you do?",
            WINDMILL,
            TELL,
            skills_off=(SkillOff("Pocket phone", "android", "calls"),),
            devices_away=(AWAY,),
        )
    )
    for word in ("windmill", "Office Mac", "calls", "10:42"):
        assert word in answer.text


async def test_a_note_after_the_question_does_not_close_it() -> None:
    history = (
        person("Post a letter"),
        ira("For whom, or to whom?"),
        entry(EntryKind.NOTE, "Office Mac is connected again."),
    )
    assert (await step(view("Amit", LETTER, history=history))).text == "What should it say?"


@pytest.mark.parametrize(("tools", "lines", "last"), [(12, 13, "turn 11"), (13, 14, "turn 12"), (20, 14, "8")])  # fmt: skip
async def test_a_long_list_of_what_can_be_done_ends_with_how_many_more(
    tools: int, lines: int, last: str
) -> None:
    offered = [device_tool(f"wheel_turn_{n}", f"Turn wheel turn {n}") for n in range(tools)]
    told = (await step(view("what can you do?", *offered))).text.splitlines()
    assert len(told) == lines
    assert last in told[-1]
