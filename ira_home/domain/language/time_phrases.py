"""The phrases of a text that speak of one moment each, though its day and its hour may stand apart."""

from collections.abc import Iterable
from dataclasses import dataclass
import re

from ira_home.domain.language import days, durations, times
from ira_home.domain.language.time_doubts import Token
from ira_home.domain.language.time_edges import left_of, right_of
from ira_home.domain.language.time_said import Length, Rule, Said, joined

_RULES = (*times.RULES, *durations.RULES, *days.RULES)
_BY_START: dict[str, tuple[Rule, ...]] = {
    sort: tuple(one for one in _RULES if sort in one.starts)
    for sort in {sort for one in _RULES for sort in one.starts}
}
# More are a list of times, and finding what belongs together takes the square of them.
_PHRASES_MAX = 20
# Between the day and the hour of one moment may stand only these.
_BETWEEN = re.compile("[keamicqfhgwvuly]*-?")
# Between the first and the last day, or hour, of several.
_UNTIL = re.compile("[ke]*(?:[zs-]|u)h?")
_AND = re.compile("&")
# What is moved from one day to another has two of them, and no range.
_MOVES = frozenset(
    "move shift reschedule postpone prepone change badal badlo badalna khiska khiskao बदल बदलो".split()
)
# Behind a second day these make it the new one: "kal se parson kar do".
_MAKES = frozenset("kar karo kardo krdo karna karwa rakh rakho le lo कर करो करना रख रखो".split())


@dataclass(slots=True, eq=False, repr=False)
class Phrase:
    """What is said of one moment, and the runs of tokens that say it."""

    said: Said
    runs: list[tuple[int, int]]
    is_range: bool = False  # `until` is its last day
    until: Said | None = None
    after: "Phrase | None" = None  # in "5 to 7 pm", for 7 the phrase of 5
    before: "Phrase | None" = None  # and for 5 that of 7
    shift: tuple[int, Length] | None = None  # "10 minutes before 5": back or ahead by so much


def phrases_of(tokens: list[Token], shape: str) -> list[Phrase]:
    """The phrases in the order of their first words, none sharing a token with another."""
    found = _adjacent(_said_in(tokens, shape), shape)[:_PHRASES_MAX]
    if len(found) > 1:
        found = _ranged(_shifted(found, shape), tokens, shape)
        _unite(found)
        _inherit(found)
        if len(found) > 1:
            found = [one for one in found if one.said.use != "now"] or found[:1]
    _widen(found, tokens, shape)
    return found


def _said_in(tokens: list[Token], shape: str) -> list[Said]:
    found: list[Said] = []
    place = 0
    while place < len(shape):
        place = _next(tokens, shape, place, found)
    return found


def _next(tokens: list[Token], shape: str, place: int, found: list[Said]) -> int:
    """Add what is said at the place; the place behind it."""
    for one in _BY_START.get(shape[place], ()):
        match = one.match(shape, place)
        made = None if match is None else one.make(tokens, shape, match)
        if match is None or made is None:
            continue
        if isinstance(made, Said):
            found.append(made)
            return max(made.last, place + 1)
        found += made
        return made[-1].last if made else match.end()
    return place + 1


def _adjacent(said: Iterable[Said], shape: str) -> list[Phrase]:
    found: list[Phrase] = []
    for one in said:
        last = found[-1] if found else None
        between = "" if last is None else shape[last.said.last : one.first]
        of_days = "u" in between and last is not None and last.said.has_day and one.has_day
        if (
            last is not None and not of_days and _BETWEEN.fullmatch(between)
        ):  # "tomorrow till Sunday"
            both = joined(last.said, one)
            if both is not None:
                last.said, last.runs = both, [(both.first, both.last)]
                continue
        found.append(Phrase(one, [(one.first, one.last)]))
    return found


def _shifted(found: list[Phrase], shape: str) -> list[Phrase]:
    """Join "10 minutes before | 5" and "5 baje | se 10 minute pehle" to one moment."""
    kept: list[Phrase] = []
    for one in found:
        last = kept[-1] if kept else None
        if last is not None and last.runs[0][1] <= one.said.first:
            between = shape[last.said.last : one.said.first]
            behind = shape[one.said.last : one.said.last + 1]
            if last.said.use == "span" and one.said.hour is not None and between in ("l", "y"):
                _shift(one, last, -1 if between == "l" else 1)
                kept[-1] = one
                continue
            if one.said.use == "span" and last.said.hour is not None and between in ("s", "es", "e") and behind in ("<", ">"):  # fmt: skip
                one.said.last += 1
                _shift(last, one, -1 if behind == "<" else 1)
                continue
        kept.append(one)
    return kept


def _shift(clock: Phrase, length: Phrase, sign: int) -> None:
    clock.shift = sign, length.said.length or Length()
    clock.said.first = min(clock.said.first, length.said.first)
    clock.said.last = max(clock.said.last, length.said.last)
    clock.runs = [(clock.said.first, clock.said.last)]


def _ranged(found: list[Phrase], tokens: list[Token], shape: str) -> list[Phrase]:
    """Link "5 to 7 pm", and make one phrase of "monday to friday"."""
    is_moved = any(one.folded in _MOVES for one in tokens)
    kept: list[Phrase] = []
    for one in found:
        last = kept[-1] if kept else None
        if last is not None and _is_until(last.said, one.said, tokens, shape):
            if last.said.hour is not None and one.said.hour is not None:
                one.after, last.before = last, one
            elif (
                _is_one_day(last.said)
                and _is_one_day(one.said)
                and not (is_moved or last.is_range or _is_made(tokens, one.said.last))
            ):
                last.is_range, last.until = True, one.said
                last.runs = [(last.runs[0][0], one.said.last)]
                continue
        kept.append(one)
    return kept


def _is_made(tokens: list[Token], place: int) -> bool:
    """Whether it is changed to that day: "kal se parson kar do"."""
    return place < len(tokens) and tokens[place].folded in _MAKES


def _is_until(first: Said, last: Said, tokens: list[Token], shape: str) -> bool:
    if first.is_whole or last.is_whole:
        return False
    if _UNTIL.fullmatch(shape, first.last, last.first):
        return True
    between = tokens[max(0, first.first - 1) : first.first + 1]
    return _AND.fullmatch(shape, first.last, last.first) is not None and any(
        one.folded == "between" for one in between
    )


def _is_one_day(said: Said) -> bool:
    """Whether it says one day and no hour."""
    if said.is_whole or said.has_time or not said.has_day or said.day_last is not None:
        return False
    if said.period is not None:
        return said.edge is not None or said.weekday is not None or said.day is not None
    return said.day is not None or said.edge is not None or (said.month is None and said.year is None)  # fmt: skip


def _unite(found: list[Phrase]) -> None:
    """Join an hour with the day or the part of the day that stands apart from it."""
    for clock in [one for one in found if one.said.hour is not None and not one.said.has_day]:
        place = found.index(clock)
        for other in [*reversed(found[:place]), *found[place + 1 :]]:
            if other.is_range or not _may_join(other.said, clock.said):
                continue
            both = joined(other.said, clock.said)
            if both is not None:
                clock.said, clock.runs = both, clock.runs + other.runs
                found.remove(other)
    found.sort(key=lambda one: min(one.runs))


def _may_join(other: Said, clock: Said) -> bool:
    """A day, or a part of the day for an hour that has neither part nor half."""
    if other.hour is not None or other.is_whole:
        return False
    if other.part is not None and (clock.part is not None or clock.is_sure):
        return False
    is_day = _is_one_day(other) or (other.has_day and other.part is not None)
    return is_day or (other.part is not None and not other.has_day)


_DAY_FIELDS = ("days", "months", "sway", "weekday", "turn", "day", "month", "year", "period", "edge")  # fmt: skip


def _on_the_day_of(source: Said, clock: Said) -> Said:
    day = Said(clock.first, clock.last)
    for name in _DAY_FIELDS:
        setattr(day, name, getattr(source, name))
    return joined(day, clock) or clock


def _inherit(found: list[Phrase]) -> None:
    """Put "5 to 7 pm tomorrow" on the day of its end, and "kal 5 baje gym aur 7 baje doctor" on the one day said first."""
    for one in found:
        if one.before is not None and not one.said.has_day and one.before.said.has_day:
            one.said = _on_the_day_of(one.before.said, one.said)
            return
    with_day = [one for one in found if one.said.has_day]
    if len(with_day) != 1 or with_day[0].is_range or with_day[0].said.hour is None:
        return
    source = with_day[0]
    for one in found[found.index(source) + 1 :]:
        if one.said.hour is not None and not one.said.is_whole:
            one.said = _on_the_day_of(source.said, one.said)
            one.after = one.after or source


def _widen(found: list[Phrase], tokens: list[Token], shape: str) -> None:
    """Give the runs the small words that belong to them: "at 7", "kal ki", "30 minute ke liye"."""
    runs = sorted(((run, one) for one in found for run in one.runs), key=lambda pair: pair[0])
    for one in found:
        one.runs = []
    free = 0
    for place, (run, one) in enumerate(runs):
        limit = runs[place + 1][0][0] if place + 1 < len(runs) else len(tokens)
        first, last = left_of(run[0], free, tokens, shape), right_of(run[1], limit, tokens, shape)
        one.runs.append((first, last))
        free = last
