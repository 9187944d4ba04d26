"""A conversation as its person reads it: answers with their sources, questions and how they ended."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from ira_home.base.ids import (
    CallId,
    ConversationId,
    DeviceId,
    MessageId,
    PersonId,
    ProposalId,
    TurnId,
)
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.proposals import Foreign, Proposal, ProposalState
from ira_home.domain.tools import Outcome, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.web.pages.transcript import Ended, Question, Reply, Said, title_of, transcript

AT = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
READ_BACK = "On Office Mac: Send a message to Ravi\nto: Ravi\nShould I do it? Say yes or no."
_number = iter(range(1, 1000))


def entry(kind: EntryKind, text: str, **more: Any) -> Entry:
    made = Entry(
        id=MessageId(next(_number)), conversation_id=ConversationId(1), turn_id=TurnId("t1"),
        kind=kind, text=text, label=TrustLabel.HOUSE, source="", private=False, at=AT,
    )  # fmt: skip
    return replace(made, **more)


def call(outcome: Outcome | None = None) -> list[Entry]:
    of = {"tool": "message_send", "device_id": DeviceId(1)}
    found = [
        entry(EntryKind.CALL, "{}", call_id=CallId("c1"), **of),
        entry(EntryKind.NOTE, READ_BACK, **of),
    ]
    if outcome is not None:
        said = {"label": TrustLabel.DEVICE, "source": "Office Mac", "outcome": outcome}
        found.append(entry(EntryKind.RESULT, "sent", call_id=CallId("c1"), **of, **said))
    return found


def proposal(**more: Any) -> Proposal:
    made = Proposal(
        id=ProposalId(4), person_id=PersonId(1), conversation_id=ConversationId(1),
        turn_id=TurnId("t1"), call_id=CallId("c1"), tool="message_send", device_id=DeviceId(1),
        device="Office Mac", skills=("messages",), tier=Tier.YES, payload=b"{}", digest="d",
        text=READ_BACK, arguments={"to": "Ravi", "copies": 2, "files": ["a", "b"]},
        from_untrusted=(Foreign("to", "Office Mac"),), created_at=AT,
        expires_at=AT + timedelta(seconds=120), state=ProposalState.WAITING,
    )  # fmt: skip
    return replace(made, **more)


def test_an_answer_gathers_what_was_read_for_it() -> None:
    read = {"label": TrustLabel.DEVICE, "source": "Office Mac", "outcome": Outcome.DONE}
    found = transcript(
        [
            entry(EntryKind.PERSON, "Read it"),
            entry(EntryKind.CALL, "{}", tool="files_read", call_id=CallId("c")),
            entry(EntryKind.RESULT, "Total 5", tool="files_read", call_id=CallId("c"), **read),
            entry(EntryKind.IRA, "It is 5."),
            entry(EntryKind.IRA, "Anything else?", complete=False),
        ],
        None,
    )
    assert isinstance(found[0], Said)
    reply = found[1]
    assert isinstance(reply, Reply)
    assert reply.texts == ["It is 5.", "Anything else?"]
    assert [(source.name, source.text) for source in reply.sources] == [("Office Mac", "Total 5")]
    assert not reply.is_complete


def test_what_the_house_said_or_what_failed_is_no_source() -> None:
    found = transcript(
        [
            entry(EntryKind.RESULT, "10:42", tool="clock", outcome=Outcome.DONE),
            entry(
                EntryKind.RESULT, "no", label=TrustLabel.DEVICE, source="M", outcome=Outcome.FAILED
            ),
            entry(EntryKind.IRA, "It is 10:42."),
        ],
        None,
    )
    assert [item.sources for item in found if isinstance(item, Reply)] == [[]]


def test_a_question_that_waits_is_a_card_with_every_argument_whole() -> None:
    found = transcript([entry(EntryKind.PERSON, "Send it"), *call()], proposal())
    card = found[-1]
    assert isinstance(card, Question)
    assert (card.title, card.verb, card.needs_pin) == ("Send a message to Ravi", "send", False)
    assert [(a.name, a.values, a.source) for a in card.arguments] == [
        ("to", ("Ravi",), "Office Mac"),
        ("copies", ("2",), None),
        ("files", ("a", "b"), None),
    ]
    assert card.foreign == ("Office Mac",)


def test_what_hides_in_an_argument_is_shown_by_its_code() -> None:
    found = transcript(call(), proposal(arguments={"to": "Ra\u202evi"}))
    card = found[0]
    assert isinstance(card, Question)
    assert card.arguments[0].values == ("Ra\\u{202e}vi",)


def test_an_answered_question_is_one_line_without_a_source() -> None:
    found = transcript([*call(Outcome.DONE), entry(EntryKind.IRA, "Sent.")], None)
    line, reply = found
    assert isinstance(line, Ended)
    assert (line.outcome, line.said, line.symbol, line.look) == (
        Outcome.DONE,
        "done",
        "check",
        " ok",
    )
    assert line.title == "On Office Mac: Send a message to Ravi"
    assert isinstance(reply, Reply)
    assert reply.sources == []


def test_the_servers_own_word_on_an_ending_stands_on_its_line() -> None:
    note = entry(EntryKind.NOTE, "Time ran out, so nothing was done.", tool="message_send")
    said = entry(EntryKind.PERSON, "Send it to Ravi")
    found = transcript([said, *call(Outcome.EXPIRED), note], None)
    assert len(found) == 2
    assert isinstance(found[1], Ended)
    assert found[1].note == "Time ran out, so nothing was done."
    assert found[1].again == "Send it to Ravi"


def test_a_question_that_runs_has_no_ending_yet() -> None:
    found = transcript(call(), None)
    assert isinstance(found[0], Ended)
    assert (found[0].said, found[0].look) == ("running", "")


def test_a_note_about_nothing_asked_is_an_answer() -> None:
    found = transcript([entry(EntryKind.NOTE, "Office Mac is connected again.")], None)
    assert isinstance(found[0], Reply)
    assert found[0].texts == ["Office Mac is connected again."]


def test_a_title_has_neither_device_nor_tool_name() -> None:
    read_back = "Office Mac पर: Raise the drawbridge (drawbridge_raise)\n…"
    assert title_of(read_back, "drawbridge_raise", "Office Mac") == "Raise the drawbridge"


def test_answers_of_two_turns_are_two_also_when_they_stand_together() -> None:
    entries = [
        entry(EntryKind.PERSON, "One?"),
        entry(EntryKind.PERSON, "Two?", turn_id=TurnId("t2")),
        entry(EntryKind.IRA, "One."),
        entry(EntryKind.IRA, "Two.", turn_id=TurnId("t2")),
    ]
    items = transcript(entries, None)
    assert [one.texts for one in items if isinstance(one, Reply)] == [["One."], ["Two."]]
