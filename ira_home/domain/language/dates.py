"""Days, times and durations in what people say, in English, Hindi and Hinglish: "kal subah 7 baje", "in half an hour"."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from ira_home.domain.language.tense import Lean, tense_near
from ira_home.domain.language.time_doubts import Token
from ira_home.domain.language.time_hours import hour_of, part_hour
from ira_home.domain.language.time_phrases import Phrase, phrases_of
from ira_home.domain.language.time_said import Length, Said
from ira_home.domain.language.time_sense import as_timedelta, days_of, moved
from ira_home.domain.language.time_tokens import read

Kind = Literal["date", "time", "datetime", "range", "duration"]
_DAY = timedelta(days=1)
_TEXT_MAX = 2_000  # more than a person says at once; what stands behind was pasted
_NINE = time(9)


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment, several days, or a duration that a text speaks of, in the wall time of the house.

    `spans` are the places of its words in the text, small words like "at" and "ko" with them. `until` is the last
    day of a range, itself included. `is_vague` marks an `at` that only stands for a part of the day ("shaam ko").
    """

    spans: tuple[tuple[int, int], ...]
    kind: Kind
    day: date | None = None
    at: time | None = None
    until: date | None = None
    duration: timedelta | None = None
    is_vague: bool = False


def find_moments(text: str, now: datetime, *, lean: Lean) -> list[Moment]:
    """The moments of the text in order; `now` is aware and in the zone of the house.

    "kal" and "parson" are past or to come as the verbs tell, else as `lean` says; so are weekdays and dates without a
    year, but by `lean` alone. A day that no calendar has is left out. Nothing is raised, whatever the text.
    """
    tokens, shape = read(text[:_TEXT_MAX])
    if shape.count("o") + shape.count("|") == len(shape):
        return []
    return _Reader(tokens, now, lean).moments(phrases_of(tokens, shape))


def as_datetime(
    moment: Moment, now: datetime, *, lean: Lean = "future", default: time = _NINE
) -> str | None:
    """The moment as "2026-12-02T07:00" in the house's wall time; None for a duration.

    A time without a day is the next one when the lean is to the future, else the last one. A day without a time is
    given the `default` one, a range at its start. A wall time that the clock skips is moved on by what it skips.
    """
    found = _local(moment, now, lean, default)
    return None if found is None else found.replace(tzinfo=None).isoformat(timespec="minutes")


def as_date(moment: Moment, now: datetime, *, lean: Lean = "future") -> str | None:
    """The day of the moment as "2026-12-02", of a range the first; None for a duration."""
    if moment.day is not None:
        return moment.day.isoformat()
    found = _local(moment, now, lean, _NINE)
    return None if found is None else found.date().isoformat()


def _local(moment: Moment, now: datetime, lean: Lean, default: time) -> datetime | None:
    if moment.kind == "duration":
        return None
    if moment.day is not None:
        return _wall(moment.day, moment.at or default, now)
    clock = moment.at or default
    found = _wall(now.date(), clock, now)
    is_past = found.astimezone(UTC) <= now.astimezone(UTC)
    if lean == "future":
        return _wall(now.date() + _DAY, clock, now) if is_past else found
    return found if is_past else _wall(now.date() - _DAY, clock, now)


def _wall(day: date, clock: time, now: datetime) -> datetime:
    """That wall time in now's zone, as the clock really shows it."""
    return datetime.combine(day, clock, now.tzinfo).astimezone(UTC).astimezone(now.tzinfo)


class _Reader:
    """Resolves the phrases of one text, from now."""

    def __init__(self, tokens: list[Token], now: datetime, lean: Lean) -> None:
        self._tokens = tokens
        self._now = now
        self._lean = lean
        self._times: dict[int, time] = {}

    def moments(self, phrases: list[Phrase]) -> list[Moment]:
        """Those of the phrases that the calendar has."""
        found = []
        for phrase in phrases:
            try:
                moment = self._shifted(self._resolved(phrase), phrase)
            except (ValueError, OverflowError):
                continue
            spans = tuple((self._tokens[first].start, self._tokens[last - 1].end) for first, last in phrase.runs)  # fmt: skip
            found.append(replace(moment, spans=spans))
        return found

    def _resolved(self, phrase: Phrase) -> Moment:
        said = phrase.said
        if said.use == "window":
            return self._window(said)
        if said.use == "span":
            return Moment((), "duration", duration=as_timedelta(said.length or Length()))
        if said.use is not None:
            return self._point(said)
        lean = self._lean
        if said.sway is not None:
            lean = tense_near(self._tokens, said.last) or lean
        days = days_of(said, self._now.date(), lean)
        if days is None:
            return self._timed(phrase, None, self._lean)
        day, until = days
        if phrase.until is not None:
            last = days_of(phrase.until, self._now.date(), lean)
            if last is None or last[0] < day:
                last = days_of(phrase.until, day, "future")
            until = None if last is None else last[0]
        moment = Moment((), "date", day) if not said.has_time else self._timed(phrase, day, lean)
        return moment if until is None else replace(moment, kind="range", until=until)

    def _timed(self, phrase: Phrase, day: date | None, lean: Lean) -> Moment:
        said, now = phrase.said, self._now
        clock, nights = self._clock(phrase, day, lean)
        if (
            day == now.date()
            and said.weekday is not None
            and said.turn is None
            and said.period is None
        ):
            at = _wall(day, clock, now).astimezone(UTC)
            is_past = at <= now.astimezone(UTC)
            if is_past == (lean == "future"):  # today's hour is over, or not yet there
                day += 7 * _DAY if is_past else -7 * _DAY
                clock, nights = self._clock(phrase, day, lean)
        if day is not None and nights:
            later = _wall(day + _DAY, clock, now).astimezone(UTC)
            day = day if lean == "past" and later > now.astimezone(UTC) else day + _DAY
        kind: Kind = "time" if day is None else "datetime"
        return Moment((), kind, day, clock, is_vague=said.hour is None)

    def _clock(self, phrase: Phrase, day: date | None, lean: Lean) -> tuple[time, bool]:
        """The time of day, and whether it is in the night that follows the day."""
        said = phrase.said
        is_near = day is None or day == self._now.date()
        if said.hour is None:
            return part_hour(said.part or "", self._now if day == self._now.date() and lean == "future" else None), False  # fmt: skip
        follows = None if phrase.after is None else self._times.get(id(phrase.after))
        ahead = None if phrase.before is None else phrase.before.said
        clock = hour_of(said, self._now if is_near else None, lean, self._tokens, follows, ahead)
        self._times[id(phrase)] = clock
        return clock, said.part == "night" and clock.hour < 4

    def _shifted(self, moment: Moment, phrase: Phrase) -> Moment:
        """As "10 minutes before 5" says, on the day that it then is."""
        if phrase.shift is None or moment.at is None:
            return moment
        sign, length = phrase.shift
        day = moment.day or self._now.date()
        at = moved(_wall(day, moment.at, self._now), length, sign)
        is_timed = moment.day is None
        return replace(moment, at=at.time(), day=None if is_timed else at.date())

    def _point(self, said: Said) -> Moment:
        now = self._now
        if said.length is not None:
            now = moved(now, said.length, 1 if said.use == "ahead" else -1)
        return Moment((), "datetime", now.date(), now.time())

    def _window(self, said: Said) -> Moment:
        """The range of "the last 7 days", "agle 2 ghante": until now or from now."""
        length = said.length or Length()
        now, sign = self._now, 1 if said.turn == 1 else -1
        edge = moved(now, length, sign)
        first, last = (now, edge) if sign > 0 else (edge, now)
        duration = as_timedelta(length)
        is_of_hours = bool(length.seconds)
        return Moment((), "range", first.date(), first.time() if is_of_hours else None, last.date(), duration)  # fmt: skip
