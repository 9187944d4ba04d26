"""What a phrase says about a moment, before it is known which day and hour that is."""

from collections.abc import Callable
from dataclasses import dataclass, fields
import re

from ira_home.domain.language.time_doubts import Token


@dataclass(frozen=True, slots=True)
class Length:
    """How long: months and days as the calendar has them, and seconds."""

    months: int = 0
    days: int = 0
    seconds: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Said:
    """Parts of a moment; None where nothing was said. `first` and `last` are places of tokens, the last excluded."""

    first: int
    last: int
    days: int | None = None  # from today
    months: int | None = None  # from this month
    sway: int | None = None  # days from today, ahead or back: "kal", "parson"
    weekday: int | None = None
    turn: int | None = None  # 1 next, 0 this, -1 last: said of a weekday, a month or a period
    day: int | None = None
    month: int | None = None
    year: int | None = None
    period: str | None = None  # week, month, year or weekend
    edge: str | None = None  # start or end of the period or month
    part: str | None = None
    hour: int | None = None
    minute: int = 0
    is_sure: bool = False  # the hour is one of 24, not of 12
    length: Length | None = None
    use: str | None = (
        None  # what the length is: "ahead" or "back" from now, "window", "span"; or "now"
    )
    day_last: int | None = None  # "5 to 10 December"

    @property
    def has_day(self) -> bool:
        """Whether it says a day or days."""
        days = (
            self.days,
            self.months,
            self.sway,
            self.weekday,
            self.day,
            self.month,
            self.year,
            self.period,
        )
        return any(one is not None for one in days)  # fmt: skip

    @property
    def has_time(self) -> bool:
        """Whether it says an hour or a part of the day."""
        return self.hour is not None or self.part is not None

    @property
    def is_whole(self) -> bool:
        """Whether nothing can be added to it."""
        return self.use is not None


_FREE = frozenset({"first", "last", "minute", "is_sure"})
_NAMES = tuple(one.name for one in fields(Said) if one.name not in _FREE)
# These say the same day in two ways, and the first of a pair is meant: "Saturday, 5 December", "kal somvar ko".
_DAY_NAMES = ("days", "months", "sway", "day", "month", "year")


def joined(one: Said, two: Said) -> Said | None:
    """Both together as one moment; None when they contradict each other."""
    if one.is_whole or two.is_whole or (one.hour is not None and two.hour is not None):
        return None
    made = Said(min(one.first, two.first), max(one.last, two.last))
    for name in _NAMES:
        first, second = getattr(one, name), getattr(two, name)
        if first is not None and second is not None and first != second:
            return None
        setattr(made, name, second if first is None else first)
    timed = two if one.hour is None else one
    made.minute, made.is_sure = timed.minute, timed.is_sure
    return made if _fits(made) else None


def _fits(said: Said) -> bool:
    ways = (
        said.days is not None or said.months is not None,
        said.sway is not None,
        said.day is not None or said.month is not None,
    )
    if said.period is not None:
        return not (ways[0] or ways[1]) and (said.period != "weekend" or not ways[2])
    is_dated = said.day is not None and said.month is not None  # "tomorrow, 4 December"
    return is_dated or sum(ways) < 2


Maker = Callable[[list[Token], str, re.Match[str]], "Said | list[Said] | None"]


class Rule:
    """A pattern over the sorts of tokens, the sorts it can begin with, and what makes its meaning."""

    __slots__ = ("_pattern", "make", "starts", "text")

    def __init__(self, starts: str, text: str, make: Maker) -> None:
        self.starts, self.text, self.make = starts, text, make
        self._pattern: re.Pattern[str] | None = None

    def match(self, shape: str, place: int) -> re.Match[str] | None:
        """The pattern's match at the place. It is compiled when first tried: all at once would slow the start."""
        if self._pattern is None:
            self._pattern = re.compile(self.text)
        return self._pattern.match(shape, place)
