"""The gate's stage that keeps read text from steering: go on, ask the person, or refuse."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ira_home.domain.conversations import EntryKind
from ira_home.domain.own_figures import says_figure
from ira_home.domain.own_words import agrees_to, asks_for, looks_for, own_speech, says
from ira_home.domain.proposals import Foreign
from ira_home.domain.tools import Tier
from ira_home.tools.calls import FoundCall, Refused, TurnContext
from ira_home.tools.wording import say, what_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """`asks`: the person has to be asked. `foreign`: arguments that are not the person's words."""

    asks: bool
    foreign: tuple[Foreign, ...]


def judge(turn: TurnContext, call: FoundCall) -> Verdict:
    """What becomes of a call; raises Refused when only what was read can have asked for it.

    After reading, an action goes on only when the person's own words of this turn ask for it, or
    are a short answer to a question that named it; then it is read back to them. The same holds for
    a small action that carries out of the house what the person did not say. A look that does is
    read back to them.
    """
    needs_consent = call.tier >= Tier.YES
    if not turn.taint.is_tainted:
        return Verdict(needs_consent, ())
    foreign = tuple(_foreign(turn, call))
    if not needs_consent and not (
        call.outward and foreign and not _only_looks(turn, call, foreign)
    ):
        return Verdict(asks=False, foreign=foreign)
    if call.tier is not Tier.LOOK and not _wanted(turn, call):
        sentence = say("not_your_words", turn.language, what=what_of(call.tool))
        raise Refused(sentence, told=True)
    return Verdict(asks=True, foreign=foreign)


def _only_looks(turn: TurnContext, call: FoundCall, foreign: Iterable[Foreign]) -> bool:
    """Whether a call only looks for what the person spoke of."""
    said = own_speech(turn.own_words)
    return call.tier is Tier.LOOK and all(
        looks_for(said, call.arguments[one.argument]) for one in foreign
    )


def _wanted(turn: TurnContext, call: FoundCall) -> bool:
    """Whether the person asks for the action in this turn; sees their words, and what they answered."""
    if asks_for(turn.own_words, call.tool):
        return True
    earlier = (one for one in reversed(turn.shown) if one.turn_id != turn.turn.id)
    last = next((one for one in earlier if one.kind is EntryKind.IRA), None)
    return last is not None and agrees_to(turn.own_words, last.text, call.tool)


def _foreign(turn: TurnContext, call: FoundCall) -> Iterable[Foreign]:
    own = own_speech(turn.own_words)
    for name, value in call.arguments.items():
        if not says(own, value) and not says_figure(own, value, turn.now):
            yield Foreign(name, _origin(turn, value))


def _origin(turn: TurnContext, value: Any) -> str:
    """The newest untrusted source that holds the value, or the one that tainted the turn."""
    wanted = str(value).casefold()
    for entry in reversed(turn.shown):
        if not entry.label.is_trusted and wanted in entry.text.casefold():
            return entry.source
    return turn.taint.source
