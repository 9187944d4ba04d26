"""Days, times and amounts that the person's own words say in words: "tomorrow at 11", "do hazaar"."""

from datetime import datetime
from typing import Any

from ira_home.domain.language.dates import as_datetime, find_moments
from ira_home.domain.language.quantities import quantities_of
from ira_home.domain.language.tense import Lean

_LEANS: tuple[Lean, ...] = ("future", "past")
_MINUTES = "minutes"


def says_figure(own_words: str, value: Any, now: datetime) -> bool:
    """Whether a day, a time or an amount is what the house itself reads in the words.

    `now` is when they were said, in the zone of the house. A time of which they say the day alone,
    or the clock alone where the day is not the next or the last with that time, is not said.
    """
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return any(one.is_sure and one.value == value for one in quantities_of(own_words))
    return isinstance(value, str) and _form(value, now) in _times(own_words, now)


def _form(value: str, now: datetime) -> str | None:
    """The value as `_times` writes it: a day, a clock, or both in the wall time of the house."""
    if len(value) == len("11:00") and value[2] == ":":
        return value
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    if moment.second or moment.microsecond:
        return None
    if len(value) == len("2026-12-01"):
        return value
    local = moment if moment.tzinfo is None else moment.astimezone(now.tzinfo)
    return local.replace(tzinfo=None).isoformat(timespec=_MINUTES)


def _times(own_words: str, now: datetime) -> set[str]:
    found: set[str] = set()
    for lean in _LEANS:
        for one in find_moments(own_words, now, lean=lean):
            days = [day.isoformat() for day in (one.day, one.until) if day is not None]
            found.update(days)
            if one.at is not None:
                clock = one.at.isoformat(timespec=_MINUTES)
                found.add(clock)
                said = as_datetime(one, now, lean=lean)
                found.update(() if said is None else (said,))
    return found
