"""Arguments that take a number: which of the amounts in a request is meant for which of them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ira_home.domain.language.lexicon import GENERIC, concepts_of
from ira_home.domain.language.ordinals import ordinal_word
from ira_home.domain.language.places import Form
from ira_home.domain.language.quantities import Quantity
from ira_home.domain.language.words import is_stop_word, spaced, split, stem
from ira_home.providers.llm.nokey.roles import Slot
from ira_home.providers.llm.nokey.spoken import Spoken


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(one) for one in words.split())


def _units(table: tuple[tuple[str, float], ...]) -> dict[str, float]:
    return {stem(word): worth for words, worth in table for word in words.split()}


# Units of one kind, each by what it is worth in the smallest of them.
_TIME = _units((
    ("second seconds sec secs sekand sekend सेकंड सेकेंड", 1),
    ("minute minutes min mins minat mint मिनट मिनिट", 60),
    ("hour hours hr hrs ghanta ghante ghanton ghnte घंटा घंटे घंटों", 3_600),
    ("day days din dino दिन दिनों", 86_400),
    ("week weeks hafta hafte hafton हफ्ता हफ्ते सप्ताह", 604_800),
    ("month months mahina mahine mahino महीना महीने महीनों", 2_592_000),
    ("year years saal sal साल वर्ष", 31_536_000),
))  # fmt: skip
_WEIGHT = _units((
    ("gram grams gm gms g ग्राम", 1),
    ("kilo kilos kg kgs kilogram kilograms किलो", 1_000),
    ("quintal quintals क्विंटल", 100_000),
    ("ton tons tonne tonnes टन", 1_000_000),
))  # fmt: skip
_VOLUME = _units((
    ("ml millilitre millilitres मिलीलीटर", 1),
    ("litre litres liter liters ltr ltrs l लीटर", 1_000),
))  # fmt: skip
_LENGTH = _units((
    ("cm centimetre centimetres centimeter सेमी", 1),
    ("inch inches इंच", 2.54),
    ("foot feet ft फुट फीट", 30.48),
    ("metre metres meter meters m मीटर", 100),
    ("km kms kilometre kilometres kilometer kilometers किलोमीटर", 100_000),
))  # fmt: skip
_CALENDAR = _stems("month months year years")  # of uneven length: 12 months are a year
_UNEVEN = 0.02
_KINDS = (_TIME, _WEIGHT, _VOLUME, _LENGTH)
_MONEY = _stems(
    "amount price fee fees rate cost rupee rupees rs inr salary budget paid money pay payment total balance dakshina donation "
    "wage wages bill fare deposit charge premium rent"
)
_PERCENT = _stems("percent percentage brightness volume level pratishat") | {"%", "प्रतिशत"}
_COUNTED = _stems(
    "quantity qty count number units people persons guests passengers copies pieces items tickets seats nights kilos litres "
    "packets servings"
)
_PLACES = _stems("position index place rank serial sequence number nth row item")
_UNTELLING = _stems("number no id of the")
_REFUSED = -10.0
_OPTIONAL_LEAST = 0.5  # an argument that need not be given takes a number only for a reason


def numbers_for(slots: Sequence[Slot], words: Spoken) -> dict[str, Any]:
    """The numbers that the request gives for these arguments, the best fitting pair first."""
    if not slots:
        return {}
    pairs = [
        (_fit(slot, said, words), slot.required, -number, -said.start, slot, said)
        for number, slot in enumerate(slots)
        for said in _amounts(words)
    ]
    given: dict[str, Any] = {}
    for fit, required, _, _, slot, said in sorted(pairs, key=lambda one: one[:4], reverse=True):
        places = words.at(said.start, said.end)
        least = 0.0 if required else _OPTIONAL_LEAST
        if slot.name not in given and fit >= least and words.is_free(places):
            given[slot.name] = _value(slot, said, in_dozens=words.in_dozens)
            words.used.update(places)
            words.measured.update(places)
            _use_unit(slot, said, words)
            words.use_label(slot.stems - _UNTELLING, said.start, said.end)
    for slot in slots:
        place = None if slot.name in given else _ordinal(slot, words)
        if place is not None:
            given[slot.name] = place
    return given


def _amounts(words: Spoken) -> list[Quantity]:
    """The amounts that nothing has yet: no telephone number, no code, no time of day."""
    forms = [one for one in words.request.pieces if one.form in (Form.PHONE, Form.CODE)]
    amounts = [
        one
        for one in words.request.quantities
        if words.is_free(words.at(one.start, one.end))
        and not any(form.start <= one.start < form.end for form in forms)
    ]
    spans = [
        (moment.spans[0], moment.duration)
        for moment in words.request.moments("future")
        if moment.kind == "duration" and moment.duration is not None
    ]
    timed = [
        Quantity(
            duration.total_seconds() / 60,
            _first_telling(words, start, end),
            end,
            stem("minute"),
            money=False,
        )
        for (start, end), duration in spans
        if words.is_free(words.at(start, end))
    ]
    inside = [(start, end) for (start, end), _duration in spans]
    return timed + [
        one for one in amounts if not any(start <= one.start < end for start, end in inside)
    ]


def _first_telling(words: Spoken, start: int, end: int) -> int:
    """Where a duration begins without the small words before it: "on for | 45 minutes"."""
    telling = (
        words.words[n] for n in words.at(start, end) if not is_stop_word(words.words[n].folded)
    )
    return next((one.start for one in telling), start)


def _ordinal(slot: Slot, words: Spoken) -> int | None:
    """A place said for a number: "the third shed", "chautha wala" for a position in a list."""
    for place, word in enumerate(words.words):
        number = ordinal_word(word.folded)
        if number is None or number < 1 or place in words.used:
            continue
        near = any(words.beside(slot.stems, word.start, word.end))
        if (near or slot.told_stems & _PLACES) and _in_bounds(slot, number):
            words.used.add(place)
            return number
    return None


def _use_unit(slot: Slot, said: Quantity, words: Spoken) -> None:
    """The unit belongs to the number, unless it is the thing itself: "5 charger"."""
    behind = words.at(said.start, said.end).stop
    measured = said.money or said.unit in _PERCENT or any(said.unit in kind for kind in _KINDS)
    told = said.unit in slot.told_stems or _means(said.unit, slot.told_stems)
    stands = behind < len(words.words) and stem(words.words[behind].folded) == said.unit
    if stands and (measured or told):
        words.used.add(behind)
        words.measured.add(behind)


def _fit(slot: Slot, said: Quantity, words: Spoken) -> float:
    """How well an amount fits an argument: by unit, money, the argument's own name beside it, bounds."""
    value = _value(slot, said)
    before, behind = words.beside(slot.stems - _UNTELLING, said.start, said.end)
    beside = before or behind
    if value is None or not _in_bounds(slot, value) or not (said.is_sure or beside):
        return _REFUSED
    kind = _kind_of(slot)
    said_kind = next((one for one in _KINDS if said.unit in one), None)
    if kind is not None:
        if said_kind is kind:
            return 3.0
        return _REFUSED if said.money or said_kind else 2.0 if before else 0.0
    told = slot.told_stems
    if said_kind is _TIME and said.unit not in told:
        return _REFUSED
    fit = _money_fit(said, wants_money=bool(told & _MONEY))
    if said.unit and (said.unit in told or _means(said.unit, told)):
        fit += 2.5
    if told & _PERCENT:
        fit += 2.0 if said.unit in _PERCENT else 0.6
    fit += 2.0 if before else 1.2 if behind else 0.0
    if told & _COUNTED and not said.money and not told & _MONEY:
        fit += 0.7
    if _has_bounds(slot) and not said.unit and not said.money:
        fit += 0.6
    return fit


def _money_fit(said: Quantity, *, wants_money: bool) -> float:
    if said.money:
        return 2.0 if wants_money else -3.0
    return 0.6 if wants_money else 0.0


def _means(unit: str, told: frozenset[str]) -> bool:
    meant = concepts_of(unit, "hinglish").keys() - GENERIC
    return bool(meant) and any(meant & concepts_of(one, "en").keys() for one in told)


@lru_cache(maxsize=1_024)
def _unit_of(name: str, told: str) -> str | None:
    for text in (name, told):
        before = ""
        for word in split(spaced(text) if text is name else text):
            unit = stem(word.folded)
            if unit == "min" and " " in spaced(name):  # "minAmount" is no time
                before = word.folded
                continue
            known = (len(unit) > 1 or text is name) and any(unit in kind for kind in _KINDS)
            if known and before != "per":  # "beats per minute" counts beats
                return unit
            before = word.folded
    return None


def _own_unit(slot: Slot) -> str | None:
    """The unit that the argument is counted in, where its name or description has one."""
    return _unit_of(slot.name, "" if slot.told_stems & _MONEY else slot.told)


def _kind_of(slot: Slot) -> dict[str, float] | None:
    unit = _own_unit(slot)
    return next((kind for kind in _KINDS if unit in kind), None)


def _value(slot: Slot, said: Quantity, *, in_dozens: bool = False) -> int | float | None:
    value = said.dozens if in_dozens and said.dozens is not None else said.value
    kind, unit = _kind_of(slot), _own_unit(slot)
    if kind is not None and unit is not None and said.unit in kind:
        value = round(value * kind[said.unit] / kind[unit], 6)
        if kind is _TIME and said.unit != unit and unit in _CALENDAR:
            value = round(value) if abs(value - round(value)) <= _UNEVEN * value else value
    if float(value).is_integer():
        return int(value)
    return value if slot.schema.get("type") == "number" else None


def _has_bounds(slot: Slot) -> bool:
    return "maximum" in slot.schema


def _in_bounds(slot: Slot, value: float) -> bool:
    least, most = slot.schema.get("minimum"), slot.schema.get("maximum")
    return (not isinstance(least, int | float) or value >= least) and (
        not isinstance(most, int | float) or value <= most
    )
