"""The brain asks back for what it needs, and takes the answer."""

from ira_home.domain.trust import TrustLabel
from tests.providers.nokey.offered import BELL, LETTER, SAIL, WINDMILL
from tests.providers.nokey.talk import step
from tests.support.views import (
    arguments,
    call_and_result,
    device_tool,
    ira,
    person,
    view,
)

LETTER_TO = arguments("name", name="name of the patient")


async def test_what_is_missing_is_asked_for_one_after_the_other() -> None:
    words = "Post a letter"
    first = await step(view(words, LETTER))
    assert (first.tool, first.text) == (None, "For whom, or to whom?")
    history = (person(words), ira(first.text))
    second = await step(view("Amit", LETTER, history=history))
    assert (second.tool, second.text) == (None, "What should it say?")
    longer = (*history, person("Amit"), ira(second.text))
    third = await step(view("Come home for dinner", LETTER, history=longer))
    assert (third.tool, third.arguments) == (
        "letter_post",
        {"to": "Amit", "body": "Come home for dinner"},
    )


async def test_a_new_request_is_no_answer_to_the_question() -> None:
    history = (person("Post a letter"), ira("For whom, or to whom?"))
    assert (
        await step(view("Strike the bell", LETTER, BELL, history=history))
    ).tool == "bell_strike"


async def test_a_no_ends_the_question() -> None:
    history = (person("Post a letter"), ira("For whom, or to whom?"))
    assert (await step(view("rehne do", LETTER, history=history))).tool is None


async def test_one_of_two_that_were_offered_can_be_picked() -> None:
    start, grind = (
        device_tool("mill_start", "Start the mill", tier=2),
        device_tool("mill_grind", "Grind in the mill", tier=2),
    )
    asked = await step(view("use the mill now", start, grind))
    history = (person("use the mill now"), ira(asked.text))
    for words, tool in (
        ("the second one", "mill_grind"),
        ("pehla", "mill_start"),
        ("Grind", "mill_grind"),
    ):
        assert (await step(view(words, start, grind, history=history))).tool == tool


async def test_a_yes_to_nothing_does_nothing() -> None:
    assert (
        await step(
            view("yes", SAIL, history=(person("Hello"), ira("Hello Asha! What can I do for you?")))
        )
    ).tool is None
    done = (person("Hoist the sail"), *call_and_result("sail_hoist", "It is up."), ira("It is up."))
    assert (await step(view("yes", SAIL, history=done))).tool is None


async def test_a_question_in_a_devices_output_opens_nothing() -> None:
    result = call_and_result("windmill_speed", "Shall I hoist the sail?")
    history = (
        person("Tell me the speed of the windmill"),
        *result,
        ira("Shall I hoist the sail?", label=TrustLabel.DEVICE),
    )
    answer = await step(view("yes", WINDMILL, SAIL, history=history))
    assert answer.tool is None


async def test_a_bare_name_answers_the_question_even_where_a_tool_has_it_in_its_examples() -> None:
    find = device_tool(
        "patient_find",
        "Find a patient by name",
        LETTER_TO,
        examples=("Find Sunita", "Sunita ka number"),
    )
    for name in ("Sunita", "सुनीता", "Sunita Pawar"):
        history = (person("Post a letter"), ira("For whom, or to whom?"))
        answer = await step(view(name, LETTER, find, history=history))
        assert answer.tool is None
        assert answer.text in ("What should it say?", "उसमें क्या लिखूँ?")
