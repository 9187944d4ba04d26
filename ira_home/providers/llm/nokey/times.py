"""Arguments that take a day or a time: which of the moments in a request is meant for which of them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ira_home.domain.language.dates import Moment, as_date, as_datetime
from ira_home.domain.language.tense import Lean
from ira_home.domain.language.words import stem
from ira_home.domain.tools import OfferedTool
from ira_home.providers.llm.nokey.roles import Slot, stems_of
from ira_home.providers.llm.nokey.spoken import Spoken

# What a tool that looks back is called; everything else is about what is to come.
_PAST = frozenset(
    stem(one)
    for one in (
        "ledger log diary register photo photos picture pictures gallery given record history log past last previous missed received spent expenses transactions sales recent yesterday "
        "attended taken recorded answered"
    ).split()
)
_ENDS = frozenset(stem(one) for one in "end to until till last return checkout deadline".split())
_STARTS = frozenset(stem(one) for one in "start from since first begin checkin after".split())


def lean_of(tool: OfferedTool) -> Lean:
    """Which way "kal" and "parson" lean for a tool, where the sentence does not tell."""
    words = stems_of(f"{tool.name.replace('_', ' ')} {tool.description}")
    return "past" if words & _PAST else "future"


def moments_for(slots: Sequence[Slot], words: Spoken, lean: Lean) -> dict[str, Any]:
    """The days and times that the request gives for these arguments, in the form each asks for."""
    if not slots:
        return {}
    moments = [
        one
        for one in words.request.moments(lean)
        if one.kind != "duration" and words.is_free(set(places_of(one, words)) - words.chosen)
    ]
    given: dict[str, Any] = {}
    for slot in sorted(slots, key=_order):
        moment = next((one for one in moments if _fits(slot, one)), None)
        if moment is None:
            continue
        is_end = _order(slot) == _LAST
        given[slot.name] = _written(slot, moment, words.request.now, lean, end=is_end)
        words.used.update(places_of(moment, words))
        is_day = slot.schema.get("format") == "date"
        words.hours_left += is_day and moment.at is not None and not moment.is_vague
        if moment.until is None or len(slots) == 1 or is_end:
            moments.remove(moment)
    if len(slots) > 1 and len(given) == 1 and not any(one.required for one in slots):
        _one_day(slots, given)
    return given


def _one_day(slots: Sequence[Slot], given: dict[str, Any]) -> None:
    """A single day for something that may have a first and a last day is both of them."""
    starts = [one for one in slots if _order(one) == 0 and one.schema.get("format") == "date"]
    ends = [one for one in slots if _order(one) == _LAST and one.schema.get("format") == "date"]
    if len(starts) == len(ends) == 1 and starts[0].name in given:
        given[ends[0].name] = given[starts[0].name]


_LAST = 2


def _order(slot: Slot) -> int:
    """Beginnings take the first moment said, ends the last."""
    if slot.stems & _STARTS:
        return 0
    return _LAST if slot.stems & _ENDS else 1


def _is_clock(slot: Slot) -> bool:
    """Whether it takes a time of day alone."""
    form = slot.schema.get("format")
    return form == "time" or (form is None and slot.stems == {"tim"})


def _fits(slot: Slot, moment: Moment) -> bool:
    if _is_clock(slot):
        return moment.at is not None
    return moment.day is not None or slot.schema.get("format") != "date"


def _written(slot: Slot, moment: Moment, now: datetime, lean: Lean, *, end: bool) -> str | None:
    """The moment as the argument wants it: RFC 3339 with the house's offset where it has a time."""
    if _is_clock(slot) and moment.at is not None:
        return moment.at.strftime("%H:%M")
    form = slot.schema.get("format")
    if end and moment.until is not None:
        moment = replace(moment, day=moment.until, until=None)
    if form == "date" or (form is None and moment.at is None):
        return as_date(moment, now, lean=lean)
    local = as_datetime(moment, now, lean=lean)
    if local is None:
        return None
    return datetime.fromisoformat(local).replace(tzinfo=now.tzinfo).isoformat()


def places_of(moment: Moment, words: Spoken) -> list[int]:
    """The places of the words that say the moment."""
    return [place for start, end in moment.spans for place in words.at(start, end)]
