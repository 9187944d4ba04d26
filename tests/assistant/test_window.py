from dataclasses import replace

from hypothesis import given, strategies as st

from ira_home.assistant.window import window_of
from ira_home.base.ids import CallId, MessageId, TurnId
from ira_home.base.limits import HISTORY_CHARS, HISTORY_ENTRIES
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.tools import Outcome
from tests.support.views import entry

KIND = EntryKind


def at(number: int, turn: str, kind: EntryKind, text: str = "", **more: object) -> Entry:
    return replace(entry(kind, text), id=MessageId(number), turn_id=TurnId(turn), **more)  # type: ignore[arg-type]


def test_results_stand_behind_their_calls_whenever_they_came() -> None:
    entries = [
        at(1, "a", KIND.PERSON, "both"),
        at(2, "a", KIND.CALL, "1", call_id=CallId("1")),
        at(3, "a", KIND.CALL, "2", call_id=CallId("2")),
        at(4, "a", KIND.RESULT, "two", call_id=CallId("2")),
        at(5, "b", KIND.PERSON, "meanwhile"),
        at(6, "b", KIND.IRA, "yes?"),
        at(7, "a", KIND.RESULT, "one", call_id=CallId("1")),
    ]
    shown = window_of(TurnId("a"), entries)
    assert shown.own_words == "both"
    assert [one.text for one in shown.steps] == ["1", "one", "2", "two"]
    assert shown.history == ()
    assert [one.text for one in window_of(TurnId("b"), entries).history] == ["both", "1", "one", "2", "two"]  # fmt: skip


def test_a_call_without_a_result_is_told_to_wait_or_to_be_unknown() -> None:
    entries = [at(1, "a", KIND.CALL, "1", call_id=CallId("1")), at(2, "b", KIND.PERSON, "x")]
    unknown = window_of(TurnId("b"), entries).history[1]
    waits = window_of(TurnId("b"), entries, waiting=frozenset({"1"})).history[1]
    assert (unknown.outcome, waits.outcome) == (Outcome.UNKNOWN, Outcome.PROPOSED)


def test_a_yes_in_the_middle_is_no_step_and_a_note_on_a_call_is_for_the_person_only() -> None:
    entries = [
        at(1, "a", KIND.PERSON, "send it"),
        at(2, "a", KIND.CALL, "1", call_id=CallId("1")),
        at(3, "a", KIND.NOTE, "Shall I?", tool="parcel_send"),
        at(4, "a", KIND.PERSON, "yes"),
        at(5, "a", KIND.RESULT, "sent", call_id=CallId("1")),
        at(6, "a", KIND.NOTE, "I stopped here."),
    ]
    shown = window_of(TurnId("a"), entries)
    assert shown.own_words == "send it"
    assert [one.text for one in shown.steps] == ["1", "sent", "I stopped here."]


_SIZES = st.lists(st.tuples(st.integers(1, 12), st.integers(0, 20_000)), min_size=1, max_size=20)


@given(_SIZES)
def test_the_history_is_whole_turns_the_newest_always_and_within_its_bounds(
    sizes: list[tuple[int, int]],
) -> None:
    entries, number = [], 0
    for turn, (count, chars) in enumerate(sizes):
        for _ in range(count):
            number += 1
            entries.append(at(number, f"t{turn}", KIND.IRA, "x" * chars))
    entries.append(at(number + 1, "now", KIND.PERSON, "now"))
    history = window_of(TurnId("now"), entries).history
    turns = [one.turn_id for one in history]
    assert turns[-1] == f"t{len(sizes) - 1}"
    first = int(turns[0][1:])
    assert len(history) == sum(count for count, _chars in sizes[first:])
    if len(set(turns)) > 1:
        assert len(history) <= HISTORY_ENTRIES
        assert sum(len(one.text) for one in history) <= HISTORY_CHARS
