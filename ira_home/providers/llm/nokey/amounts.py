"""Arguments that take a number: which of the amounts in a request is meant for which of them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ira_home.domain.language.lexicon import GENERIC, concepts_of
from ira_home.domain.language.quantities import Quantity
from ira_home.domain.language.words import split, stem
from ira_home.providers.llm.nokey.roles import Slot
from ira_home.providers.llm.nokey.spoken import Spoken


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(one) for one in words.split())


_SECONDS = {
    stem(word): seconds
    for words, seconds in (
        ("second seconds sec secs sekand sekend सेकंड सेकेंड", 1),
        ("minute minutes min mins minat mint मिनट मिनिट", 60),
        ("hour hours hr hrs ghanta ghante ghanton ghnte घंटा घंटे घंटों", 3_600),
        ("day days din dino दिन दिनों", 86_400),
        ("week weeks hafta hafte hafton हफ्ता हफ्ते सप्ताह", 604_800),
        ("month months mahina mahine mahino महीना महीने महीनों", 2_592_000),
        ("year years saal sal साल वर्ष", 31_536_000),
    )
    for word in words.split()
}
_MONEY = _stems(
    "amount price fee fees rate cost rupee rupees rs inr salary budget paid money pay payment total balance dakshina donation "
    "wage wages bill fare deposit charge premium rent"
)
_PERCENT = _stems("percent percentage brightness volume level pratishat") | {"%", "प्रतिशत"}
_COUNTED = _stems(
    "quantity qty count number units people persons guests passengers copies pieces items tickets seats nights kilos litres "
    "packets servings"
)
_REFUSED = -10.0
_OPTIONAL_LEAST = 0.5  # an argument that need not be given takes a number only for a reason


def numbers_for(slots: Sequence[Slot], words: Spoken) -> dict[str, Any]:
    """The numbers that the request gives for these arguments, the best fitting pair first."""
    pairs = [
        (_fit(slot, said, words), slot.required, -said.start, slot, said)
        for slot in slots
        for said in words.quantities
        if words.is_free(words.at(said.start, said.end))
    ]
    given: dict[str, Any] = {}
    for fit, required, _start, slot, said in sorted(pairs, key=lambda one: one[:3], reverse=True):
        places = words.at(said.start, said.end)
        least = 0.0 if required else _OPTIONAL_LEAST
        if slot.name not in given and fit >= least and words.is_free(places):
            given[slot.name] = _value(slot, said)
            words.used.update(places)
            _use_unit(slot, said, words)
    return given


def _use_unit(slot: Slot, said: Quantity, words: Spoken) -> None:
    """The unit belongs to the number, unless it is the thing itself: "5 charger"."""
    behind = words.at(said.start, said.end).stop
    measured = said.money or said.unit in _SECONDS or said.unit in _PERCENT
    told = said.unit in slot.told_stems or _means(said.unit, slot.told_stems)
    stands = behind < len(words.words) and stem(words.words[behind].folded) == said.unit
    if stands and (measured or told):
        words.used.add(behind)


def _fit(slot: Slot, said: Quantity, words: Spoken) -> float:
    """How well an amount fits an argument: by unit, money, the argument's own name beside it, bounds."""
    value = _value(slot, said)
    if value is None or not _in_bounds(slot, value):
        return _REFUSED
    if _seconds_of(slot) is not None:
        return 3.0 if said.unit in _SECONDS else _REFUSED if said.money else 0.0
    told = slot.told_stems
    if said.unit in _SECONDS and said.unit not in told:
        return _REFUSED
    fit = _money_fit(said, wants_money=bool(told & _MONEY))
    if said.unit and (said.unit in told or _means(said.unit, told)):
        fit += 2.5
    if told & _PERCENT:
        fit += 2.0 if said.unit in _PERCENT else 0.6
    if words.beside(slot.stems, said.start, said.end):
        fit += 2.0
    if told & _COUNTED and not said.money and not told & _MONEY:
        fit += 0.7
    return fit


def _money_fit(said: Quantity, *, wants_money: bool) -> float:
    if said.money:
        return 2.0 if wants_money else -3.0
    return 0.6 if wants_money else 0.0


def _means(unit: str, told: frozenset[str]) -> bool:
    meant = concepts_of(unit, "hinglish").keys() - GENERIC
    return bool(meant) and any(meant & concepts_of(one, "en").keys() for one in told)


@lru_cache(maxsize=1_024)
def _unit_of(name: str, told: str) -> int | None:
    for text in (name, told):
        for word in split(text.replace("_", " ")):
            if (seconds := _SECONDS.get(stem(word.folded))) is not None:
                return seconds
    return None


def _seconds_of(slot: Slot) -> int | None:
    """How many seconds one unit of the argument is, when it counts time."""
    return _unit_of(slot.name, "" if slot.told_stems & _MONEY else slot.told)


def _value(slot: Slot, said: Quantity) -> int | float | None:
    value = said.value
    seconds = _seconds_of(slot)
    if seconds is not None and said.unit in _SECONDS:
        value = value * _SECONDS[said.unit] / seconds
    if float(value).is_integer():
        return int(value)
    return value if slot.schema.get("type") == "number" else None


def _in_bounds(slot: Slot, value: float) -> bool:
    least, most = slot.schema.get("minimum"), slot.schema.get("maximum")
    return (not isinstance(least, int | float) or value >= least) and (
        not isinstance(most, int | float) or value <= most
    )
