"""Which hour of the day an hour of twelve is: by the part of the day, by what is done then, by what is likely."""

from collections.abc import Sequence
from datetime import datetime, time
from fractions import Fraction

from ira_home.domain.language.tense import Lean
from ira_home.domain.language.time_doubts import Token
from ira_home.domain.language.time_said import Said
from ira_home.domain.language.time_words import (
    AFTERNOON,
    EARLY,
    EVENING,
    HINTS,
    LATE,
    MORNING,
    NIGHT,
)

# The hour that a part of the day stands for, and the one at which it is over.
_PARTS = {EARLY: (6, 8), MORNING: (8, 12), AFTERNOON: (14, 17), EVENING: (18, 21), NIGHT: (20, 24), LATE: (23, 24)}  # fmt: skip
# The bare hours that a meal or a waking puts into its part of the day.
_HINTED = {MORNING: range(4, 12), AFTERNOON: range(1, 5), EVENING: range(6, 12)}
# The hours that are said with each part of the day.
PLAUSIBLE: dict[str, frozenset[int]] = {
    EARLY: frozenset(range(2, 8)),
    MORNING: frozenset(range(3, 13)),
    AFTERNOON: frozenset({11, 12, 1, 2, 3, 4, 5}),
    EVENING: frozenset(range(3, 12)),
    NIGHT: frozenset({*range(1, 6), *range(6, 13)}),
    LATE: frozenset({*range(9, 13), 1, 2, 3}),
}


def clock_of(token: Token) -> tuple[int, int] | None:
    """Hour and minute of a number, a broken number or a written time; None when there is no such hour."""
    value = token.value
    if isinstance(value, tuple):
        return value
    if not isinstance(value, int | Fraction):
        return None
    whole, broken = int(value), value - int(value)
    if len(token.raw) == 4 and token.raw.isdecimal():
        whole, minute = divmod(whole, 100)
    elif "." in token.raw and len(token.raw.partition(".")[2]) == 2:
        minute = int(token.raw.partition(".")[2])
    else:
        minute = int(broken * 60)
    whole = 0 if whole == 24 and not minute else whole
    return (whole, minute) if whole < 24 and minute < 60 else None


def part_hour(part: str, now: datetime | None) -> time:
    """The time that a part of the day stands for; with `now` a later one while the part is not over."""
    hour, end = _PARTS[part]
    if now is not None and now.time() >= time(hour) and now.hour + 1 < end:
        hour = now.hour + 1
    return time(hour)


def hour_of(
    said: Said,
    now: datetime | None,
    lean: Lean,
    tokens: Sequence[Token],
    follows: time | None,
    ahead: Said | None,
) -> time:
    """The time of day that was said.

    An hour that is not one of 24 is told by the first of these that there is: the hour that it `follows` ("5 pm to 7"), the
    part of the day, what is done then ("dinner at 8", "6 baje uthana"), the hour `ahead` ("5 to 7 pm"), what is likely.
    `now` is there when the day is today or was not said; see `_likely`.
    """
    hour, minute = said.hour or 0, said.minute
    if not said.is_sure:
        hint = None if said.part is not None else _hint(said, tokens)
        part = said.part or hint
        if follows is not None and said.part is None:
            hour = _after(hour, minute, follows)
        elif part is not None:
            hour = _hour_in(part, hour)
        elif ahead is not None and (ahead.is_sure or ahead.part is not None):
            hour = _before(hour, minute, hour_of(ahead, now, lean, tokens, None, None))
        else:
            hour = _likely(hour, minute, now, lean)
            if (
                ahead is not None and (ahead.hour or 0) % 12 + 12 <= hour
            ):  # "9 to 5" ends the same day
                hour %= 12
    return time(hour, minute)


def _hint(said: Said, tokens: Sequence[Token]) -> str | None:
    """The part of the day of the nearest word that tells one, where the hour fits it."""
    places = [place for place, one in enumerate(tokens) if one.folded in HINTS]
    if not places:
        return None
    part = HINTS[tokens[min(places, key=lambda place: abs(place - said.first))].folded]
    return part if said.hour in _HINTED[part] else None


def _after(hour: int, minute: int, start: time) -> int:
    early = hour % 12
    return early if time(early, minute) > start else early + 12


def _before(hour: int, minute: int, end: time) -> int:
    late = hour % 12 + 12
    return late if time(late, minute) < end else hour % 12


def _hour_in(part: str, hour: int) -> int:
    """12 at night is 0, 6 in the evening 18."""
    if part in (EARLY, MORNING):
        return hour
    if part == AFTERNOON:
        return hour + 12 if hour < 9 else hour
    if part == EVENING:
        return hour % 12 + 12 if hour != 12 else 0
    return hour % 12 if hour % 12 < 6 else hour % 12 + 12


def _likely(hour: int, minute: int, now: datetime | None, lean: Lean) -> int:
    """The likely one of the two hours of the day: 12 is noon, and 1 to 6 are in the afternoon.

    7 to 11 are in the morning; but on a day that `now` is in, in the evening when only that is still ahead, or looking
    back, when that was last.
    """
    if hour == 12:
        return 12
    if hour < 7:
        return hour + 12
    if now is None:
        return hour
    morning, evening, clock = time(hour, minute), time(hour + 12, minute), now.time()
    if lean == "future":
        return hour + 12 if morning <= clock < evening else hour
    return hour + 12 if evening <= clock or clock < morning else hour
