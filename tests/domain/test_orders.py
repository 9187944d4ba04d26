"""How an order is told from other talk: word for word, in English, Hindi and Hinglish."""

import pytest

from ira_home.domain.own_words import agrees_to, asks_for, own_speech, says
from ira_home.domain.tools import OfferedTool
from tests.support.views import device_tool

MESSAGE = device_tool("messages_send", "Send a text message to a contact")
PAINT = device_tool("lantern_paint", "Change the colour of the lantern")
DELETE = device_tool("files_delete", "Delete a file", title="Delete a file")
EVENT = device_tool("calendar_create", "Create an event")
PAY = device_tool("bills_pay", "Pay a bill")
CAB = device_tool("cab_book", "Book a cab")
INVITE = device_tool("channel_invite", "Invite a user to the channel")
PAGE = device_tool("page_open", "Open a page on the web")
LIGHT = device_tool("light_dim", "Dim the light")
BOIL = device_tool("kettle_boil", "Boil the water in the kettle")


@pytest.mark.parametrize(
    ("words", "tool"),
    [
        ("paint the lantern", PAINT),
        ("paint it", PAINT),
        ("can you paint it red", PAINT),
        ("Read this. Paint the lantern", PAINT),
        ("read this, paint the lantern", PAINT),
        ("read and dim it", LIGHT),
        ("light ko dim karo", LIGHT),
        ("usko dim karo", LIGHT),
        ("make an event", EVENT),
        ("set up an event", EVENT),
        ("put it in the calendar", EVENT),
        ("please pay", PAY),
        ("bill bhar do", PAY),
        ("take a cab", CAB),
        ("order a cab", CAB),
        ("join Ravi to the channel", INVITE),
        ("invite Ravi", INVITE),
        ("open it on the web", PAGE),
        ("look at the website", PAGE),
        ("quickly delete the file", DELETE),
        ("file delete kar do", DELETE),
        ("फ़ाइल हटा दो", DELETE),
        ("file hata do", DELETE),
        ("kettle boil karo", BOIL),
        ("boil the water", BOIL),
        ("Amit ko likh do", MESSAGE),
        ("अमित को बता दो", MESSAGE),
        ("inform Amit", MESSAGE),
    ],
)
def test_an_order_is_heard(words: str, tool: OfferedTool) -> None:
    assert asks_for(words, tool)


@pytest.mark.parametrize(
    ("words", "tool"),
    [
        ("lantern", PAINT),
        ("paint the fence", PAINT),
        ("he paints the lantern", PAINT),
        ("Amit paint the lantern", PAINT),
        ("what did she paint on the lantern", PAINT),
        ("I paint lanterns", PAINT),
        ("dim", LIGHT),
        ("is the light dim", LIGHT),
        ("create", EVENT),
        ("which event is it", EVENT),
        ("the file is big", DELETE),
        ("a deletion of the file", DELETE),
        ("my file deletes", DELETE),
        ("the file deleted", DELETE),
        ("file deleting", DELETE),
        ("Amit delete", DELETE),
        ("it is time for payment", PAY),
        ("bill pay", PAY),
        ("kettle kahan hai", BOIL),
        ("file padho", DELETE),
        ("tell you the time", MESSAGE),
        ("mujhko bata do", MESSAGE),
        ("humko bata do", MESSAGE),
        ("मुझको बता दो", MESSAGE),
        ("look at the light", PAGE),
        ("join the wires", LIGHT),
    ],
)
def test_talk_that_is_no_order_is_none(words: str, tool: OfferedTool) -> None:
    assert not asks_for(words, tool)


@pytest.mark.parametrize(
    ("text", "speech"),
    [
        ('send "x" now', "send   now"),
        ("do ```send it``` x", "do   x"),
        ("read it:", "read it:"),
        ("say:\nread it", "say:"),
        ("note\nfoo", "note\nfoo"),
        ("head\n" + "y" * 200, "head\n" + "y" * 200),
        ("head\n" + "y" * 201, "head"),
        ("h: " + "y" * 600, "h: " + "y" * 600),
        ("h: " + "y" * 601, "h"),
    ],
)
def test_what_is_quoted_or_pasted_is_left_out(text: str, speech: str) -> None:
    assert own_speech(text) == speech


@pytest.mark.parametrize(
    "words", ["yes", "Amit", "the first one", "Amit and Ravi both", "haan ji", "ok, do that please"]
)
def test_a_pick_of_few_words_answers_a_question(words: str) -> None:
    assert agrees_to(words, "Send the message to Amit or to Ravi?", MESSAGE)


@pytest.mark.parametrize(
    "words",
    ["", "...", "to Amit and to Ravi please", "not Amit", "no", "Amit ko nahi", '"Amit"', "ना"],
)
def test_nothing_a_no_and_a_speech_answer_none(words: str) -> None:
    assert not agrees_to(words, "Send the message to Amit or to Ravi?", MESSAGE)


@pytest.mark.parametrize(
    "question",
    [
        "Send the message?",
        "It says hello. Shall I tell Amit?",
        "Amit ko bata doon?",
        "अमित को बता दूँ?",
        "Should I reply?",
        "x" * 400 + " Send the message?",
    ],
)
def test_a_question_may_name_the_action_in_any_way(question: str) -> None:
    assert agrees_to("yes", question, MESSAGE)


@pytest.mark.parametrize(
    "question",
    [
        "Send the message.",
        "Do you want to hear it?",
        "Shall I tell you the time?",
        "Aapko bata doon?",
        "आपको बता दूँ?",
        "Shall I read the next page?",
        "Send the message? " + "x" * 300,
    ],
)
def test_a_question_that_names_something_else_gives_no_leave(question: str) -> None:
    assert not agrees_to("yes", question, MESSAGE)


@pytest.mark.parametrize(
    ("words", "value", "said"),
    [
        ("it is 1.5 kg", 1.5, True),
        ("it is 5%", "5%", True),
        ("it is 15%", "5%", False),
        ("write to a@b.in", "a@b.in", True),
        ("write to xa@b.in", "a@b.in", False),
        ("write to a@b.info", "a@b.in", False),
        ("a note", "no", False),
        ("it is (ram)", "(ram)", True),
        ("no(ram)no", "(ram)", True),
        ("to Ravi", ["ravi", "amit"], False),
        ("to Ravi", [["ravi"], None, False], True),
    ],
)
def test_a_value_stands_whole_in_what_was_said(words: str, value: object, said: bool) -> None:
    assert says(words, value) is said


@pytest.mark.parametrize(
    ("words", "tool"),
    [("लिंक खोलो तो", PAGE), ("page kholo", PAGE), ("अमित को बोलो", MESSAGE), ("wahan ki light dim karo", LIGHT)],
)  # fmt: skip
def test_an_order_may_sound_like_two_other_words(words: str, tool: OfferedTool) -> None:
    assert asks_for(words, tool)


def test_there_points_at_what_was_spoken_of() -> None:
    route = device_tool("maps_route", "Get a route", title="Directions")
    assert asks_for("wahan ka rasta dikhao", route)
    assert asks_for("वहाँ का रास्ता दिखाओ", route)
    assert not asks_for("rasta dikhao", route)
