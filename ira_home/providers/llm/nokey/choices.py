"""Arguments that take one of a few values: which of them was said, in whatever language."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
import re
from typing import Any

from ira_home.domain.language import markers
from ira_home.domain.language.dates import Moment
from ira_home.domain.language.lexicon import phrases_of
from ira_home.domain.language.quantities import Quantity
from ira_home.domain.language.tense import Lean
from ira_home.domain.language.time_said import Said
from ira_home.domain.language.time_sense import days_of
from ira_home.domain.language.words import fold, is_stop_word, spaced, split, stem
from ira_home.providers.llm.nokey.roles import Slot
from ira_home.providers.llm.nokey.spoken import Spoken
from ira_home.providers.llm.nokey.terms import (
    SAME_CONCEPT,
    SAME_SOUND,
    SAME_WORD,
    Term,
    features_of,
)
from ira_home.providers.llm.nokey.times import places_of
from ira_home.providers.llm.nokey.units import signed, unit

_LEAST = 0.55  # share of a value's telling words that must have been said
_HEAD = 0.56  # what the last word of a value is worth alone
_EXPLAINED = 0.8  # a word of the value's explanation counts less than the value itself
_TIE = 0.01
_BY_KIND = {"w": SAME_WORD, "c": SAME_CONCEPT, "k": SAME_SOUND, "y": SAME_SOUND}
_MONTHS = {
    "daily": 1 / 30, "weekly": 7 / 30, "fortnightly": 0.5, "monthly": 1, "quarterly": 3, "half_yearly": 6,
    "yearly": 12, "annual": 12, "annually": 12,
}  # fmt: skip
_UNIT_MONTHS = {
    stem(word): months
    for words, months in (
        ("month months mahina mahine mahino महीना महीने महीनों", 1),
        ("year years saal sal साल वर्ष", 12),
        ("week weeks hafta hafte हफ्ता हफ्ते", 7 / 30),
        ("day days din दिन", 1 / 30),
    )
    for word in words.split()
}
_DAYS = {"today": 0, "tomorrow": 1, "yesterday": -1, "day_after_tomorrow": 2}
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH_NAMES = (
    "january february march april may june july august september october november december".split()
)
_DATED = frozenset({*_DAYS, *_WEEK, *_MONTH_NAMES, *(one[:3] for one in (*_WEEK, *_MONTH_NAMES))})
_SWITCHING = frozenset({"turn", "switch", "put", "turned", "switched", "go", "goes", "coming"})


@dataclass(frozen=True, slots=True)
class _Option:
    value: Any
    words: tuple[Mapping[str, float], ...]  # features of each telling word
    whole: frozenset[str]  # what all its words mean together: "x_ray"
    explained: tuple[Mapping[str, float], ...]  # of the words that the description gives it


def choice(slot: Slot, words: Spoken, lean: Lean) -> Any:
    """The allowed value that was said; None when none was, or two as plainly."""
    options = slot.schema.get("enum", [])
    for special in (
        _timed(options, words, lean),
        _period(options, words),
        unit(options, words),
        signed(options, words),
    ):
        if special is not None:
            return special
    scored = []
    for option in _options(tuple(one for one in options if isinstance(one, str)), slot.told):
        score, places = _score(option, words)
        if score >= _LEAST:
            scored.append((score, option.value, places))
    best = max(scored, key=lambda one: one[0], default=None)
    if best is None:
        return (
            _numbered(options, words)
            or _own(options, words)
            or _state(options, words)
            or _set_to(slot, options, words)
        )
    alike = [one for one in scored if one[0] >= best[0] - _TIE]
    if len(alike) > 1 and not slot.is_list:
        return None
    if slot.is_list:  # several may be said: "subah aur raat"
        best = min(alike, key=lambda one: min(one[2], default=0))
    words.used.update(best[2])
    words.chosen.update(best[2])
    return best[1]


def _score(option: _Option, words: Spoken) -> tuple[float, frozenset[int]]:
    """How much of the value was said, longer values first, and by which words."""
    places: frozenset[int] = frozenset()
    hits: list[float] = []
    for wanted in option.words:
        hit, found = _hit(wanted, words)
        hits.append(hit)
        places |= found
    total = sum(hits)
    share = total / max(1, len(option.words))
    if len(option.words) > 1 and hits[-1] >= SAME_CONCEPT - _TIE * 2:
        share = max(
            share, _HEAD
        )  # "motor" is enough for "water_pump", where nothing else is a pump
    for term in words.request.terms if option.whole else ():
        said = frozenset(words.at(term.start, term.end))
        if share < SAME_CONCEPT and option.whole & term.features.keys() and words.is_free(said):
            share, places = SAME_CONCEPT, said
    for wanted in option.explained:
        hit, found = _hit(wanted, words)
        if hit * _EXPLAINED > share:
            share, places = hit * _EXPLAINED, found
    return share + 2 * _TIE * min(len(option.words), 3) * (share > 0), places


def _hit(wanted: Mapping[str, float], words: Spoken) -> tuple[float, frozenset[int]]:
    best: tuple[float, frozenset[int]] = (0.0, frozenset())
    for term in words.request.terms:
        places = frozenset(words.at(term.start, term.end))
        if places <= words.request.rupees:
            continue
        # "AC" names the tool; that it means cool as well says nothing of what is to be done.
        features = [one for one in term.features if one[0] == "w" or not places <= words.own]
        value = max((_alike(one, term, wanted) for one in features), default=0.0)
        if value > best[0] and words.is_free(places):
            best = (value, places)
    for place, word in enumerate(words.words):
        is_small = is_stop_word(word.folded) and place not in words.used
        if is_small and f"w:{stem(word.folded)}" in wanted and _is_state(place, words):
            return 1.0, frozenset({place})
    return best


def _alike(feature: str, term: Term, wanted: Mapping[str, float]) -> float:
    """How alike a word of the request and one of a value are; a word with other meanings too is hardly less so."""
    if feature not in wanted:
        return 0.0
    return _BY_KIND[feature[0]] - _TIE * (2 - term.features[feature] - wanted[feature])


def _is_state(place: int, words: Spoken) -> bool:
    """An "on", "in" or "up" that says a state: behind its verb or at the end, not "on my laptop"."""
    after = words.words[place + 1].folded if place + 1 < len(words.words) else ""
    before = words.words[place - 1].folded if place else ""
    if before in _SWITCHING or not after:
        return True
    return words.language != "en" and after in markers.HELPERS


@lru_cache(maxsize=512)
def _options(values: tuple[str, ...], told: str) -> tuple[_Option, ...]:
    spelled = [[one.folded for one in split(spaced(value))] for value in values]
    shared = set.intersection(*(set(one) for one in spelled)) if len(values) > 1 else set()
    made = [
        [features_of(one, "en", as_tool=True) for one in names if one not in shared]
        for names in spelled
    ]
    # What two values share tells them apart no more: "bride" and "groom" are both of a wedding.
    counts = Counter(one for words in made for one in {name for word in words for name in word})
    return tuple(
        _Option(
            value,
            tuple({one: sure for one, sure in word.items() if counts[one] < 2} for word in words),
            _whole(spelled[place]),
            tuple(features_of(one, "en", as_tool=True) for one in _explained(value, told, values)),
        )
        for place, (value, words) in enumerate(zip(values, made, strict=True))
    )


def _whole(words: list[str]) -> frozenset[str]:
    found = phrases_of(words, "en") if len(words) > 1 else ()
    return frozenset(f"c:{concept}" for first, last, concept in found if last - first == len(words))


def _explained(value: str, told: str, values: Sequence[str]) -> list[str]:
    """The words that a description gives a value: "credit = goods taken, payment = money paid"."""
    given = rf"\b{re.escape(value)}\s*(?:=|:|means|\()\s*([^,;.)]+)"
    found = re.search(given, told, re.IGNORECASE)
    if found is None:
        return []
    others = {one.folded for other in values if other != value for one in split(spaced(other))}
    telling = (one.folded for one in split(found[1]) if not is_stop_word(one.folded))
    return [one for one in telling if one not in others]


def _numbered(options: Sequence[Any], words: Spoken) -> Any:
    """A value that is a number, or a number with its unit ("6kg")."""
    return _of_quantity(words, options, lambda option, said: _is_number(option, said.value))


_OWN = frozenset({"me", "my", "self", "mine", "myself", "own"})
_OWN_SAID = frozenset(fold(one) for one in "my mine mera meri mere apna apni apne मेरा मेरी मेरे अपना अपनी अपने".split())  # fmt: skip


def _own(options: Sequence[Any], words: Spoken) -> Any:
    """A value that stands for the person who speaks: "my phone", "mera phone"."""
    own = next((one for one in options if isinstance(one, str) and one.lower() in _OWN), None)
    said = any(one.folded in _OWN_SAID for one in words.words)
    return own if said else None


# What stops or starts something does so to what can only be on or off.
_STATES = {
    "off": frozenset({"stop", "close", "pause"}),
    "on": frozenset({"start", "open", "resume"}),
}


def _state(options: Sequence[Any], words: Spoken) -> Any:
    """On or off, said by a word for stopping or starting: "pump rok do"."""
    known = {one.lower(): one for one in options if isinstance(one, str) and one.lower() in _STATES}
    for term in reversed(words.request.terms) if known else ():
        meant = {one[2:] for one in term.features if one[0] == "c"}
        found = [value for name, value in known.items() if meant & _STATES[name]]
        if len(found) == 1 and words.is_free(words.at(term.start, term.end)):
            words.used.update(words.at(term.start, term.end))
            return found[0]
    return None


_SETTING = frozenset({"set", "set_to", "set_level", "change", "exact"})


def _set_to(slot: Slot, options: Sequence[Any], words: Spoken) -> Any:
    """The value that sets a level, where an amount was said and none of up, down and the like."""
    sets = next((one for one in options if isinstance(one, str) and one.lower() in _SETTING), None)
    if sets is None or not slot.required:
        return None
    amounts = (one for one in words.request.quantities if one.is_sure)
    return sets if any(words.is_free(words.at(one.start, one.end)) for one in amounts) else None


def _period(options: Sequence[Any], words: Spoken) -> Any:
    """A value that is a period, said as a span of time ("quarterly" for "teen mahine")."""
    return _of_quantity(words, options, lambda option, said: _is_period(option, said.value, said.unit))  # fmt: skip


def _of_quantity(
    words: Spoken, options: Sequence[Any], fits: Callable[[Any, Quantity], bool]
) -> Any:
    for said in words.request.quantities:
        places = words.at(said.start, said.end)
        for option in options:
            if fits(option, said) and words.is_free(places):
                words.used.update(places)
                return option
    return None


def _is_number(option: Any, value: float) -> bool:
    if isinstance(option, int | float) and not isinstance(option, bool):
        return float(option) == value
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[^\W\d]*\s*", option) if isinstance(option, str) else None  # fmt: skip
    return found is not None and float(found[1]) == value


def _is_period(option: Any, value: float, unit: str) -> bool:
    months = _MONTHS.get(option.lower().replace("-", "_")) if isinstance(option, str) else None
    said = _UNIT_MONTHS.get(unit)
    return months is not None and said is not None and abs(months - value * said) < _TIE


def _timed(options: Sequence[Any], words: Spoken, lean: Lean) -> Any:
    """A value that is a day, a weekday or a month."""
    named = {one.lower(): one for one in options if isinstance(one, str)}
    spans = {name: span for name in named if (span := _span(name, words.request.now.date()))}
    if not named.keys() & _DATED and not spans:
        return None
    for moment in words.request.moments(lean):
        places = places_of(moment, words)
        if not words.is_free(places):
            continue
        said = (moment.day, moment.until or moment.day)
        found = next((named[name] for name, span in spans.items() if span == said), None)
        if found is None and (moment.until is None or moment.day is None):
            found = _named_day(named, moment, words.request.now)
        if found is None and moment.until is not None:
            found = _named_month(named, moment)
        if found is not None:
            words.used.update(places)
            words.chosen.update(places)  # the time of day beside it is for another argument
            return found
    return None


_SPAN = re.compile(r"(this|current|last|previous|past|next|coming)[ _-]?(week|month|year)")
_TURNS = {"this": 0, "current": 0, "last": -1, "previous": -1, "past": -1, "next": 1, "coming": 1}


def _span(name: str, today: date) -> tuple[date, date] | None:
    """The first and the last day of a value like "last_month", as a text of the same meaning is read."""
    found = _SPAN.fullmatch(name)
    if found is None:
        return None
    said = Said(0, 0, period=found[2], turn=_TURNS[found[1]])
    days = days_of(said, today, "future")
    return None if days is None or days[1] is None else (days[0], days[1])


def _named_month(named: Mapping[str, Any], moment: Moment) -> Any:
    """A month said as such: "november mein"."""
    day, until = moment.day, moment.until
    if day is None or until is None or day.day != 1 or (until - day).days < 27:
        return None
    month = _MONTH_NAMES[day.month - 1]
    return named.get(month) or named.get(month[:3])


def _named_day(named: Mapping[str, Any], moment: Moment, now: datetime) -> Any:
    day = moment.day
    if day is None:
        return None
    for name, days in _DAYS.items():
        if name in named and day == now.date() + timedelta(days=days):
            return named[name]
    weekday = _WEEK[day.weekday()]
    month = _MONTH_NAMES[day.month - 1]
    return named.get(weekday) or named.get(weekday[:3]) or named.get(month) or named.get(month[:3])
