"""Which day and which hour is meant: what was said, seen from now and from whether it is past or to come."""

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta

from ira_home.domain.language.tense import Lean
from ira_home.domain.language.time_said import Length, Said

Days = tuple[date, date | None]
_DAY = timedelta(days=1)
_YEARS_TRIED = 9  # 29 February comes at least every eighth year


def shifted(day: date, months: int) -> date:
    """The same day so many months on, or the last of that month."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def as_timedelta(length: Length) -> timedelta:
    """The length with months of 30 and years of 365 days."""
    years, months = divmod(length.months, 12)
    return timedelta(days=years * 365 + months * 30 + length.days, seconds=length.seconds)


def moved(now: datetime, length: Length, sign: int) -> datetime:
    """The moment so far from now, in now's zone; seconds are counted in UTC, where no hour is skipped."""
    day = shifted(now.date(), sign * length.months) + sign * timedelta(days=length.days)
    start = datetime.combine(day, now.timetz()) if day != now.date() else now
    return (start.astimezone(UTC) + sign * timedelta(seconds=length.seconds)).astimezone(now.tzinfo)


def days_of(said: Said, today: date, lean: Lean) -> Days | None:
    """The day said, or the first and the last of several; None when no day was said.

    Raises ValueError or OverflowError for a day that no calendar has.
    """
    if said.day is not None:
        return _dated(said, said.day, today, lean)
    if said.month is not None:
        return _edged(said, _month(said, said.month, today, lean))
    if said.period is not None:
        return _in_period(said, said.period, today, lean)
    if said.year is not None:
        return date(said.year, 1, 1), date(said.year, 12, 31)
    day = _near(said, today, lean)
    return None if day is None else (day, None)


def _near(said: Said, today: date, lean: Lean) -> date | None:
    """A day counted from today."""
    if said.days is not None or said.months is not None:
        found = shifted(today, said.months or 0) + timedelta(days=said.days or 0)
        if (
            said.weekday is not None and said.days and said.days % 7 == 0
        ):  # "do hafte baad somvar ko"
            found += timedelta(days=said.weekday - found.weekday())
        return found
    if said.sway is not None:
        return today + timedelta(days=said.sway if lean == "future" else -said.sway)
    return None if said.weekday is None else _weekday(said.weekday, said.turn, today, lean)


def _weekday(weekday: int, turn: int | None, today: date, lean: Lean) -> date:
    """The nearest such day; "next" and "last" leave today out."""
    ahead = (weekday - today.weekday()) % 7
    if turn == 1:
        return today + timedelta(days=ahead or 7)
    if turn == -1:
        return today - timedelta(days=(7 - ahead) % 7 or 7)
    return today + timedelta(days=ahead if lean == "future" or not ahead else ahead - 7)


def _dated(said: Said, day: int, today: date, lean: Lean) -> Days:
    if said.period == "month" and said.month is None:
        base = shifted(today.replace(day=1), said.turn or 0)
        first = base.replace(day=min(day, monthrange(base.year, base.month)[1]))
    elif said.month is not None:
        first = _day_and_month(said, day, said.month, today, lean)
    else:
        first = _nth(day, today, lean)
    last = None if said.day_last is None else first.replace(day=said.day_last)
    return first, last


def _year(said: Said, today: date) -> int | None:
    """The year said, or meant by "next year"."""
    if said.year is None and said.period == "year":
        return today.year + (said.turn or 0)
    return said.year


def _day_and_month(said: Said, day: int, month: int, today: date, lean: Lean) -> date:
    year = _year(said, today)
    if year is not None:
        return date(year, month, day)
    step = 1 if lean == "future" else -1
    for tried in range(_YEARS_TRIED):
        try:
            found = date(today.year + step * tried, month, day)
        except ValueError:
            continue
        if (found - today).days * step >= 0:
            return found
    msg = "no such day"
    raise ValueError(msg)


def _nth(day: int, today: date, lean: Lean) -> date:
    """The nearest day of the month with that number."""
    step = 1 if lean == "future" else -1
    for months in range(12):
        base = shifted(today.replace(day=1), step * months)
        if day <= monthrange(base.year, base.month)[1]:
            found = base.replace(day=day)
            if (found - today).days * step >= 0:
                return found
    msg = "no such day"
    raise ValueError(msg)


def _month(said: Said, month: int, today: date, lean: Lean) -> Days:
    year = _year(said, today)
    if year is None:
        ahead = (month - today.month) % 12
        if said.turn == 1:
            ahead = ahead or 12
        elif said.turn == -1 or (said.turn is None and lean == "past"):
            ahead = ahead - 12 if ahead or said.turn == -1 else 0
        first = shifted(today.replace(day=1), ahead)
    else:
        first = date(year, month, 1)
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def _edged(said: Said, days: Days) -> Days:
    """The first or the last day alone, when the start or the end was said."""
    if said.edge is None:
        return days
    return (days[0] if said.edge == "start" else days[1] or days[0]), None


def _in_period(said: Said, period: str, today: date, lean: Lean) -> Days:
    turn = said.turn or 0
    monday = today - timedelta(days=today.weekday())
    if period == "weekend":
        return _weekend(said.turn, today, lean)
    if period == "week":
        first = monday + timedelta(days=7 * turn)
        if said.weekday is not None:
            return first + timedelta(days=said.weekday), None
        return _edged(said, (first, first + timedelta(days=6)))
    if period == "month":
        first = shifted(today.replace(day=1), turn)
        return _edged(said, (first, first.replace(day=monthrange(first.year, first.month)[1])))
    year = today.year + turn
    return _edged(said, (date(year, 1, 1), date(year, 12, 31)))


def _weekend(turn: int | None, today: date, lean: Lean) -> Days:
    """Saturday and Sunday: of this week, or the one before it or after it."""
    saturday = today + timedelta(days=5 - today.weekday())
    if turn is None and lean == "past" and today < saturday:
        turn = -1
    saturday += timedelta(days=7 * (turn or 0))
    return saturday, saturday + _DAY
