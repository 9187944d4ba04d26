"""Arguments that take a day or a time: which of the moments in a request is meant for which of them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
import re
from typing import Any

from ira_home.domain.language.dates import Moment, as_date, as_datetime
from ira_home.domain.language.tense import Lean
from ira_home.domain.language.words import spaced, stem
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
    words = stems_of(f"{spaced(tool.name)} {tool.description}")
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
    halves: dict[int, Slot] = {}  # moments of which a slot took the day alone, or the hour alone
    for slot in sorted(slots, key=_order):
        moment = next((one for one in moments if _fits(slot, one) and _is_left(slot, halves.get(id(one)))), None)  # fmt: skip
        if moment is None:
            continue
        is_end = _order(slot) == _LAST
        given[slot.name] = _written(slot, moment, words.request.now, lean, end=is_end)
        words.used.update(places_of(moment, words))
        words.use_label(slot.stems, *moment.spans[0])
        if id(moment) not in halves and moment.day is not None and moment.at is not None and (_is_day(slot) or is_clock(slot)):  # fmt: skip
            halves[id(moment)] = slot
            continue
        halves.pop(id(moment), None)
        if moment.until is None or len(slots) == 1 or is_end:
            moments.remove(moment)
    words.hours_left += sum(_is_day(halves[id(one)]) and not one.is_vague for one in moments if id(one) in halves)  # fmt: skip
    if len(slots) > 1 and len(given) == 1 and not any(one.required for one in slots):
        _one_day(slots, given)
    return given


def _one_day(slots: Sequence[Slot], given: dict[str, Any]) -> None:
    """A single day for something that may have a first and a last day is both of them."""
    starts = [one for one in slots if _order(one) == 0 and _is_day(one)]
    ends = [one for one in slots if _order(one) == _LAST and _is_day(one)]
    if len(starts) == len(ends) == 1 and starts[0].name in given:
        given[ends[0].name] = given[starts[0].name]


_LAST = 2


def _order(slot: Slot) -> int:
    """Beginnings take the first moment said, ends the last."""
    if slot.stems & _STARTS:
        return 0
    return _LAST if slot.stems & _ENDS else 1


def _is_left(slot: Slot, taker: Slot | None) -> bool:
    """Whether the other half of a moment, of which the taker has the day or the hour, is for this argument."""
    if taker is None:
        return True
    return is_clock(slot) if _is_day(taker) else _is_day(slot)


def is_clock(slot: Slot) -> bool:
    """Whether it takes a time of day alone."""
    form, told = slot.schema.get("format"), f"{slot.told} {slot.schema.get('pattern', '')}"
    if form is not None:
        return bool(form == "time")
    shows_hours = "HH:MM" in told.upper() or ("]:[" in told or r"\d:\d" in told or "2}:" in told)
    is_dated = _DATED.search(told) is not None
    return not is_dated and (shows_hours or (slot.words.split()[-1:] == ["time"]))


_FOUR_DIGITS = re.compile(r"(?:\[0-9\]|\\D)\{4\}-(?:\[0-9\]|\\D)\{2\}")
_DATED = re.compile(r"\b(?:date|YYYY)\b|\{4\}", re.IGNORECASE)


def _is_day(slot: Slot) -> bool:
    """Whether it takes a day alone."""
    form, told = slot.schema.get("format"), f"{slot.told} {slot.schema.get('pattern', '')}".upper()
    if form is not None:
        return bool(form == "date")
    told = _FOUR_DIGITS.sub("YYYY-MM", told)
    return "YYYY-MM" in told and "HH" not in told


def _is_month(slot: Slot) -> bool:
    """Whether it takes a month of a year."""
    told = f"{slot.told} {slot.schema.get('pattern', '')}".upper()
    return slot.schema.get("format") is None and _is_day(slot) and "YYYY-MM-DD" not in told


def _fits(slot: Slot, moment: Moment) -> bool:
    if is_clock(slot):
        return moment.at is not None and (slot.required or not moment.is_vague)
    return moment.day is not None or not _is_day(slot)


def _written(slot: Slot, moment: Moment, now: datetime, lean: Lean, *, end: bool) -> str | None:
    """The moment as the argument wants it: RFC 3339 with the house's offset where it has a time."""
    if is_clock(slot) and moment.at is not None:
        return moment.at.strftime("%H:%M")
    form = slot.schema.get("format")
    if end and moment.until is not None:
        moment = replace(moment, day=moment.until, until=None)
    if _is_month(slot):
        return (as_date(moment, now, lean=lean) or "")[:7] or None
    if _is_day(slot) or (form is None and moment.at is None):
        return as_date(moment, now, lean=lean)
    local = as_datetime(moment, now, lean=lean)
    if local is None:
        return None
    return datetime.fromisoformat(local).replace(tzinfo=now.tzinfo).isoformat()


def places_of(moment: Moment, words: Spoken) -> list[int]:
    """The places of the words that say the moment."""
    return [place for start, end in moment.spans for place in words.at(start, end)]
