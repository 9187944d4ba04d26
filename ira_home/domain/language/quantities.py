"""Amounts in a text with what they count: money, percent, or the word beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
import re

from ira_home.domain.language.markers import MEASURES, STEMS
from ira_home.domain.language.numbers import amount_at
from ira_home.domain.language.words import Word, fold, is_stop_word, split, stem


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount and its place; `unit` is the stem of the word behind it, `money` whether it is rupees."""

    value: float
    start: int
    end: int
    unit: str
    money: bool
    is_sure: bool = (
        True  # False for "ek", "do" and such alone: a number only beside what is numbered
    )
    dozens: float | None = None  # how many dozens were said, where they were


_GLUED = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)([^\W\d]{1,8})")
_GLUED_SCALES = {"k": 1_000, "cr": 10_000_000, "lakh": 100_000}
_CURRENCY = re.compile(r"(?:₹|\b(?:rs|inr|rupees?)\b\.?)\s*$", re.IGNORECASE)
_CURRENCY_CHARS = 16  # before an amount, within which its sign stands
_RUPEES = frozenset(
    stem(fold(one))
    for one in "rupee rupees rupaye rupay rupye rupya rupaiya rs inr bucks रुपये रुपए रुपया रुपयों रूपये ₹".split()
)
_HALVES = frozenset(fold(one) for one in "half aadha aadhe adha adhe आधा आधे".split())
_DOZENS = frozenset(fold(one) for one in "dozen darjan दर्जन".split())
_GIVE = frozenset({"do", fold("दो")})  # two, or "give" behind a verb
_MEASURES = frozenset(map(stem, MEASURES))
_NO_UNITS = frozenset(
    fold(one)
    for one in (
        "ka ki ke ko se me mein par hai do de dena karo kar please and aur or to for in on at of the a an my ho "
        "का की के को से में पर है दो दे देना करो कर और हो"
    ).split()
)


def quantities_of(text: str, words: Sequence[Word] | None = None) -> list[Quantity]:
    """The amounts in order, none within another; `words` are those of the text where it is split already."""
    words = split(text) if words is None else words
    found: list[Quantity] = []
    place = 0
    while place < len(words):
        glued = _GLUED.fullmatch(words[place].folded)
        if glued is not None:
            found.append(_of_glued(text, words[place], glued))
            place += 1
            continue
        read = _read(text, words, place)
        if read is not None:
            value, after, is_sure = read
            unit = _unit_behind(text, words, after)
            if _is_give(words, place) and unit not in _MEASURES:
                place += 1
                continue
            start, end = words[place].start, words[after - 1].end
            sure = is_sure or (bool(unit) and not _is_give(words, place))
            dozens = value / 12 if words[after - 1].folded in _DOZENS else None
            money = _is_money(text, start, unit)
            found.append(Quantity(value, start, end, unit, money, sure, dozens))
            place = after
            continue
        place += 1
    return found


def _read(text: str, words: Sequence[Word], place: int) -> tuple[float, int, bool] | None:
    """The amount that begins at this word, the place behind it, and whether it is surely one."""
    if words[place].folded in _HALVES:
        value, after, is_sure = 0.5, place + 1, False
        if after < len(words) and words[after].folded in ("a", "an"):
            after += 1  # "half an hour"
    elif words[place].folded in _DOZENS:
        return 12.0, place + 1, True
    else:
        amount = amount_at(text, words, place)
        if amount is None:
            return None
        value, after, is_sure = float(amount.value), place + amount.words, amount.is_sure
    if after < len(words) and words[after].folded in _DOZENS:
        return value * 12, after + 1, True
    hundreds = _spoken_hundreds(text, words, place, after, value)
    if hundreds is not None:
        return hundreds
    if [one.folded for one in words[after : after + 3]] == ["and", "a", "half"]:
        return value + 0.5, after + 3, True
    return value, after, is_sure


_ONES = {word: value for value, word in enumerate("one two three four five six seven eight nine".split(), 1)}  # fmt: skip


def _spoken_hundreds(
    text: str, words: Sequence[Word], place: int, after: int, value: float
) -> tuple[float, int, bool] | None:
    """A number said by its halves: "one forty five" is 145."""
    if after != place + 1 or words[place].folded not in _ONES or after >= len(words):
        return None
    rest = amount_at(text, words, after)
    if rest is None or words[after].folded.isdigit() or not 10 <= rest.value < 100:
        return None
    return value * 100 + float(rest.value), after + rest.words, True


def _is_give(words: Sequence[Word], place: int) -> bool:
    return words[place].folded in _GIVE and place > 0 and words[place - 1].folded in STEMS


def _of_glued(text: str, word: Word, glued: re.Match[str]) -> Quantity:
    """A number with its unit or scale behind it in one word: "5kg", "40k"."""
    scale = _GLUED_SCALES.get(glued[2])
    if scale is not None:
        value = float(glued[1]) * scale
        return Quantity(value, word.start, word.end, "", _is_money(text, word.start, ""))
    return Quantity(
        float(glued[1]), word.start, word.end, stem(glued[2]), stem(glued[2]) in _RUPEES
    )


def _is_money(text: str, start: int, unit: str) -> bool:
    return (
        unit in _RUPEES
        or _CURRENCY.search(text[max(0, start - _CURRENCY_CHARS) : start]) is not None
    )


def _unit_behind(text: str, words: Sequence[Word], after: int) -> str:
    end = words[after - 1].end
    following = words[after] if after < len(words) else None
    between = text[end : len(text) if following is None else following.start].strip()
    if between:
        return "%" if between.startswith("%") else ""
    if following is None or following.folded in _NO_UNITS or following.folded.isdigit():
        return ""
    if is_stop_word(following.folded):  # "128 over 82"
        return ""
    return stem(following.folded)
