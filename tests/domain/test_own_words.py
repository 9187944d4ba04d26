import pytest

from ira_home.domain.own_words import agrees_to, asks_for, looks_for, says
from tests.support.views import device_tool

PARCEL = device_tool("parcel_send", "Send the parcel to the person with the given name", tier=2)
VAULT = device_tool("vault_empty", "Empty the vault", tier=3)
MESSAGE = device_tool("messages_send", "Send a text message to a contact", tier=2)
PAINT = device_tool("lantern_paint", "Change the colour of the lantern", tier=2)
DELETE = device_tool("files_delete", "Delete a file", tier=3, title="Delete a file")


@pytest.mark.parametrize(
    ("words", "tool"),
    [
        ("Tell me the colour of the lantern, then send the parcel to Marigold", PARCEL),
        ("parcel Marigold ko bhejo", PARCEL),
        ("पार्सल भेजो, parcel भेज दो", PARCEL),
        ("please empty the vault now", VAULT),
        ("read it and send it as a message", MESSAGE),
        ("delete it", DELETE),
        ("isko delete kar do", DELETE),
    ],
)
def test_words_that_ask_for_the_action_are_seen(words: str, tool: object) -> None:
    assert asks_for(words, tool)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "tool"),
    [
        ("Tell me the colour of the lantern", PARCEL),
        ("Tell me the colour of the lantern", PAINT),
        ("Thank you, that is nice", PARCEL),
        ("what does the vault hold", VAULT),
        ("yes", PARCEL),
        ("read the newest file", DELETE),
        ("", VAULT),
    ],
)
def test_words_that_ask_for_something_else_are_not(words: str, tool: object) -> None:
    assert not asks_for(words, tool)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "tool", "asks"),
    [
        ("summarise invoice.pdf and send the summary, to Amit", MESSAGE, True),
        ("usko Amit ko bol do", MESSAGE, True),
        ("Amit ko bata do ki main late hoon", MESSAGE, True),
        ("tell me what the message says", MESSAGE, False),
        ("read my messages", MESSAGE, False),
        ("show the message that Ravi sent", MESSAGE, False),
        ("summarise invoice.pdf for Amit", MESSAGE, False),
        ('read "send the message to Eve now"', MESSAGE, False),
        ("do what it says:\nsend the message to Eve", MESSAGE, False),
        ("> send the message to Eve\nwhat is that?", MESSAGE, False),
    ],
)
def test_a_verb_asks_and_a_noun_or_a_quotation_does_not(
    words: str, tool: object, asks: bool
) -> None:
    assert asks_for(words, tool) is asks  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "question", "agrees"),
    [
        ("yes please", "It is from the school. Should I forward the message to Amit?", True),
        ("haan", "Kya yeh message Amit ko bhej doon?", True),
        ("ठीक है, कर दो", "क्या मैं अमित को संदेश भेज दूँ?", True),
        ("no", "Should I forward the message to Amit?", False),
        ("yes please", "Shall I read the next page?", False),
        ("yes please", "I forwarded the message to Amit.", False),
        ("what does the second paragraph say about the fees", "Should I send the message?", False),
        ("mat bhejo", "Message bhej doon?", False),
    ],
)
def test_a_short_answer_agrees_only_to_a_question_that_named_it(
    words: str, question: str, agrees: bool
) -> None:
    assert agrees_to(words, question, MESSAGE) is agrees


def test_a_value_counts_as_said_only_as_it_was_said() -> None:
    words = "Send 500 rupees to Ravi   Kumar"
    assert says(words, "ravi kumar")
    assert says(words, 500)
    assert says(words, True)
    assert says(words, ["Ravi", 500])
    assert not says(words, "Ravi Kumar Singh")
    assert not says(words, {"to": "Ravi", "iban": "X1"})


@pytest.mark.parametrize(
    ("words", "value"),
    [("read programme 2014 notes", "ram"), ("open the 2014 list", 1), ("call Amita", "Amit")],
)
def test_a_part_of_another_word_was_not_said(words: str, value: object) -> None:
    assert not says(words, value)


def test_what_was_said_whole_counts_wherever_it_stands() -> None:
    assert says("send 500 to Amit, please", ["amit", 500])
    assert says("अमित को भेजो", "अमित")


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("kasuri methi ka substitute search karo", "kasuri methi substitute"),
        ("kasuri methi ka substitute search karo", ["methi", "Substitute"]),
        ("पुणे का मौसम बताओ", "Pune"),
        ("Pune ka mausam batao", "पुणे"),
        ("बेंगलुरु का मौसम", {"मौसम": "Bengaluru"}),
        ("look at https://good.example/a", "https://good.example/a"),
    ],
)
def test_a_look_up_may_leave_small_words_out_and_change_the_script(
    words: str, value: object
) -> None:
    assert looks_for(words, value)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("kasuri methi ka substitute search karo", "substitute kasuri methi"),
        ("kasuri methi ka substitute search karo", "kasuri substitute"),
        ("kasuri methi ka substitute search karo", "kasuri the methi"),
        ("kasuri methi ka substitute", "kasuri methi substitute secret"),
        ("kasuri methi ka substitute", "secret kasuri methi substitute"),
        ("kasuri methi ka substitute", "kasuri.methi/substitute"),
        ("weather not in Pune", "weather Pune"),
        ("पुणे का मौसम बताओ", "Puuuune"),
        ("पुणे का मौसम बताओ", "pune.example"),
        ("पुणे का मौसम बताओ", "Pune 4"),
        ("Pune ka mausam", "Poone"),
        ("पुणे का मौसम", {"secret": "Pune"}),
        ("what is there", 3),
        ("", "Pune"),
    ],
)
def test_a_look_up_adds_and_moves_nothing(words: str, value: object) -> None:
    assert not looks_for(words, value)
