"""Words of two meanings ("may", "sat", "do", "second"): which one holds, by what stands beside them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from ira_home.domain.language.time_words import Value

Worth = Value | Fraction | date


@dataclass(slots=True, eq=False)
class Token:
    """A piece of a text: its sort (see `time_words`), what it is worth, how it is written, where it stands."""

    sort: str
    value: Worth
    raw: str
    folded: str
    start: int
    end: int


class _Beside(NamedTuple):
    """The tokens before, after, and after that one; an end of the text is a sentence end."""

    before: Token
    after: Token
    then: Token


_EDGE = Token("|", None, "", "", 0, 0)
_GIVERS = frozenset(
    "laga bata kar de dikha bhej suna dila chala rakh bana utha jaga bol likh hata band chalu kara karwa "
    "लगा बता कर दे दिखा भेज सुना दिला चला रख बना उठा जगा बोल लिख हटा बंद चालू करा करवा".split()
)
_GREETS = frozenset("good gud shubh शुभ गुड".split())
_NIGHT_THINGS = frozenset("mode lamp light lights bulb shift suit stand लाइट मोड लैंप".split())
_PEOPLE = frozenset("i we you he she they it be".split())


def settle(tokens: list[Token]) -> None:
    """Give every word of two meanings the sort that fits its neighbours."""
    for place, token in enumerate(tokens):
        decide = _DOUBTS.get(token.folded) or _DOUBTS_OF_SORTS.get(token.sort)
        if decide is not None:
            last = len(tokens) - 1
            decide(
                token,
                _Beside(
                    tokens[place - 1] if place else _EDGE,
                    tokens[place + 1] if place < last else _EDGE,
                    tokens[place + 2] if place + 1 < last else _EDGE,
                ),
            )


Decision = Callable[[Token, _Beside], None]


def _month(number: int, *, alone: bool) -> Decision:
    """A month that is also another word: beside a number, or (when `alone`) behind "in" or before "mein"."""

    def decide(token: Token, beside: _Beside) -> None:
        sure = beside.before.sort in "NO-" or beside.after.sort in "NO"
        hinted = beside.before.sort in "iXaufgqz" or beside.after.sort in "mer"
        if (sure or (alone and hinted)) and beside.after.folded not in _PEOPLE:
            token.sort, token.value = "M", number

    return decide


def _mai(token: Token, beside: _Beside) -> None:
    """May, where "mai" is not "in" or "I"."""
    if beside.before.sort in "NO" and beside.after.sort in "kusN":
        token.sort, token.value = "M", 5


def _english_day(weekday: int, befores: str, afters: str) -> Decision:
    """A day whose short name is a word: only beside what says so."""

    def decide(token: Token, beside: _Beside) -> None:
        if token.sort == "n" and beside.after.sort in "BUV":  # "sat baje" is seven
            return
        is_day = beside.before.sort in befores or beside.after.sort in afters
        token.sort, token.value = ("W", weekday) if is_day else ("o", None)

    return decide


def _hindi_day(weekday: int, *, is_name: bool) -> Decision:
    """A day without its "vaar"; some are names of people too."""

    def decide(token: Token, beside: _Beside) -> None:
        before, after = beside.before, beside.after
        chosen = before.sort == "X" and (not is_name or before.folded != "is")
        of_day = after.sort == "e" and beside.then.sort == "V"
        if chosen or of_day or (after.sort == "k" and not is_name):
            token.sort, token.value = "W", weekday

    return decide


def _part(name: str) -> Decision:
    def decide(token: Token, beside: _Beside) -> None:
        if beside.before.sort in "KDXWe" or beside.after.sort in "kemNnFBT":
            token.sort, token.value = "P", name

    return decide


def _any_part(token: Token, beside: _Beside) -> None:
    """No greeting and no "night mode" tells a time."""
    if beside.before.folded in _GREETS or beside.after.folded in _NIGHT_THINGS:
        token.sort = "o"


def _do(token: Token, beside: _Beside) -> None:
    """Two, but not in "laga do"."""
    if beside.before.folded in _GIVERS:
        token.sort = "o"


def _der(token: Token, beside: _Beside) -> None:
    """One and a half, which is often typed "der"; that is also "late"."""
    if beside.after.sort == "B" or beside.after.value == "hour":
        token.sort, token.value = "n", Fraction(3, 2)


def _ordinal(number: int, afters: str) -> Decision:
    def decide(token: Token, beside: _Beside) -> None:
        if beside.after.sort not in afters:
            return
        token.sort, token.value = "O", number
        tens = beside.before
        if tens.sort == "N" and tens.value in (20, 30) and number < 10 and not tens.raw.isdecimal():
            tens.sort = "o"
            token.value, token.start = number + int(str(tens.value)), tens.start

    return decide


_ANY = "".join(chr(c) for c in range(33, 127))
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()  # fmt: skip
_DOUBTS: dict[str, Decision] = (
    {word: _ordinal(number, _ANY) for number, word in enumerate(_ORDINALS, 1)}
    | {"thirtieth": _ordinal(30, _ANY), "second": _ordinal(2, "Mgt")}
    | dict.fromkeys(("pehli", "pahli", "पहली"), _ordinal(1, "t"))
    | dict.fromkeys(("may", "मई"), _month(5, alone=True))
    | {"march": _month(3, alone=True), "april": _month(4, alone=True), "june": _month(6, alone=True)}
    | {"mar": _month(3, alone=False), "jan": _month(1, alone=False), "mai": _mai}
    | {"sat": _english_day(5, "Xqaugf", "PTNk"), "sun": _english_day(6, "Xqau", "PT")}
    | dict.fromkeys(("mangal", "मंगल"), _hindi_day(1, is_name=False))
    | dict.fromkeys(("budh", "बुध"), _hindi_day(2, is_name=False))
    | dict.fromkeys(("guru", "गुरु"), _hindi_day(3, is_name=True))
    | dict.fromkeys(("shukra", "शुक्र"), _hindi_day(4, is_name=False))
    | dict.fromkeys(("shani", "शनि"), _hindi_day(5, is_name=False))
    | dict.fromkeys(("ravi", "रवि"), _hindi_day(6, is_name=True))
    | dict.fromkeys(("som", "सोम"), _hindi_day(0, is_name=True))
    | {"rat": _part("night"), "sham": _part("evening"), "shm": _part("evening"), "subh": _part("morning"), "do": _do, "दो": _do, "der": _der}
)  # fmt: skip
_DOUBTS_OF_SORTS: dict[str, Decision] = {"P": _any_part}
