"""What a brain is shown of a conversation: the newest of it, in order, every call with its result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ira_home.base.ids import TurnId
from ira_home.base.limits import HISTORY_CHARS, HISTORY_ENTRIES
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.tools import Outcome
from ira_home.domain.trust import TrustLabel

WAITING = "This waits for the person's answer. It has not been done."
CUT_OFF = "This call was cut off. Whether it was done is not known."
READ_ENTRIES = 4 * HISTORY_ENTRIES  # read from the conversation, before whole turns are chosen


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a conversation that a brain is shown in a turn."""

    own_words: str
    history: tuple[Entry, ...]
    steps: tuple[Entry, ...]

    @property
    def shown(self) -> tuple[Entry, ...]:
        """Everything but the person's own words of this turn."""
        return self.history + self.steps


def window_of(
    turn_id: TurnId, entries: Iterable[Entry], *, waiting: frozenset[str] = frozenset()
) -> Window:
    """The window of the turn, from the newest entries of its conversation, oldest first.

    Turns that were asked later are left out, although they may have entries already. `waiting`
    are the calls that still wait for their person.
    """
    turns: dict[TurnId, list[Entry]] = {}
    for entry in entries:
        turns.setdefault(entry.turn_id, []).append(entry)
    own = turns.pop(turn_id, [])
    first = own[0].id if own else 0
    earlier = [_told(turn, waiting) for turn in turns.values() if not own or turn[0].id < first]
    return Window(
        own_words=next((one.text for one in own if one.kind is EntryKind.PERSON), ""),
        history=_fit(earlier),
        steps=tuple(one for one in _told(own, waiting) if one.kind is not EntryKind.PERSON),
    )


def _told(turn: Sequence[Entry], waiting: frozenset[str]) -> list[Entry]:
    """The entries of one turn as a brain sees them.

    Notes about a call are for the person only: its result says the same. Each call is followed
    by its result, whenever that came.
    """
    results = {one.call_id: one for one in turn if one.kind is EntryKind.RESULT}
    told: list[Entry] = []
    for entry in turn:
        if entry.kind is EntryKind.CALL:
            told += [entry, results.get(entry.call_id) or _stand_in(entry, waiting)]
        elif entry.kind is not EntryKind.RESULT and not _is_about_a_call(entry):
            told.append(entry)
    return told


def _is_about_a_call(entry: Entry) -> bool:
    return entry.kind is EntryKind.NOTE and entry.tool is not None


def _stand_in(call: Entry, waiting: frozenset[str]) -> Entry:
    waits = call.call_id in waiting
    return replace(
        call,
        kind=EntryKind.RESULT,
        text=WAITING if waits else CUT_OFF,
        label=TrustLabel.HOUSE,
        source="",
        outcome=Outcome.PROPOSED if waits else Outcome.UNKNOWN,
    )


def _fit(turns: Sequence[list[Entry]]) -> tuple[Entry, ...]:
    """Whole turns, the newest first chosen; the newest always, so that one can ask on about it."""
    chosen: list[list[Entry]] = []
    entries = chars = 0
    for turn in reversed(turns):
        entries += len(turn)
        chars += sum(len(one.text) for one in turn)
        if chosen and (entries > HISTORY_ENTRIES or chars > HISTORY_CHARS):
            break
        chosen.append(turn)
    return tuple(entry for turn in reversed(chosen) for entry in turn)
