"""How long and how far from now: "for 30 minutes", "20 min baad", "do din pehle", "pichle 7 din"."""

from collections.abc import Sequence
from fractions import Fraction
import re

from ira_home.domain.language.time_doubts import Token
from ira_home.domain.language.time_said import Length, Rule, Said

_LENGTH = (
    "(?:n?Hn?U|n?Qg?n?U|n?NQg?n?U|[NnF]&n?H[UV]|[NnF][UV](?:&n?H(?![UV]))?)(?:&?[NnF][UV](?:&n?H(?![UV]))?)*"
)  # fmt: skip
_ARTICLES = frozenset({"a", "an"})
_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 7 * 86_400}
_MONTHS = {"month": 1, "year": 12}
_MONTHS_MAX = 12 * 200
_SECONDS_MAX = 200 * 366 * 86_400  # longer is no plan of anybody, and leaves the calendar


def length_of(tokens: Sequence[Token]) -> Length | None:
    """The length that the tokens say; None when it is longer than a life."""
    seconds = months = Fraction(0)
    value: Fraction | None = None
    is_half = is_more = False
    unit = ""
    for token in tokens:
        if token.folded in _ARTICLES:
            continue
        if token.sort in "NnF":
            value = Fraction(str(token.value)) if not is_half else value
        elif token.sort in "HQ":
            share = Fraction(1, 2 if token.sort == "H" else 4)
            value = (value or 0) + share if is_more else (value or 1) * share
            is_half = True
        elif token.sort == "&":
            is_more = True
        elif token.sort in "UV":
            unit = str(token.value)
            seconds, months = _added(seconds, months, Fraction(1) if value is None else value, unit)
            value, is_half, is_more = None, False, False
    if is_half and value is not None:  # "an hour and a half"
        seconds, months = _added(seconds, months, value, unit)
    return _measured(seconds, months)


def _added(
    seconds: Fraction, months: Fraction, value: Fraction, unit: str
) -> tuple[Fraction, Fraction]:
    if unit in _MONTHS:
        return seconds, months + value * _MONTHS[unit]
    exact = value * _SECONDS[unit]
    if unit == "week":  # half a week is whole days
        exact = Fraction(-(-exact // 86_400) * 86_400)
    return seconds + exact, months


def _measured(seconds: Fraction, months: Fraction) -> Length | None:
    if months > _MONTHS_MAX or seconds > _SECONDS_MAX:
        return None
    whole = int(months)
    days, rest = divmod(int(seconds), 86_400)
    return Length(whole, days + int((months - whole) * 30), rest)


def _length(tokens: list[Token], found: re.Match[str]) -> Length | None:
    return length_of(tokens[found.start("long") : found.end("long")])


def _away(sign: int, tokens: list[Token], found: re.Match[str], base: int = 0) -> Said | None:
    """A point so far from now; whole days and months are a day, to which a time can be said."""
    length = _length(tokens, found)
    if length is None or (length.seconds and base):
        return None
    said = Said(found.start(), found.end())
    if length.seconds:
        said.length, said.use = length, "ahead" if sign > 0 else "back"
    else:
        said.days = base + sign * length.days if length.days or base or not length.months else None
        said.months = sign * length.months or None
    return said


def _ahead(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    if _of_an_event(shape, found.start()):
        return _span(tokens, shape, found)
    base = tokens[found.end() - 1]  # "a week from tomorrow"
    return _away(1, tokens, found, base=int(str(base.value)) if base.sort == "D" else 0)


def _back(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    if _of_an_event(shape, found.start()):
        return _span(tokens, shape, found)
    return _away(-1, tokens, found)


def _of_an_event(shape: str, start: int) -> bool:
    """Whether it counts from something else: "flight se 2 ghante pehle"."""
    return start > 0 and shape[start - 1] == "s"


def _from_day(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "aaj se do din baad"; "kal" here is tomorrow."""
    base = tokens[found.start()]
    sign = 1 if found["after"] else -1
    if base.sort == "S":
        return _away(sign, tokens, found)
    return _away(sign, tokens, found, base=int(str(base.value)))


def _bare_away(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    """As in "ghante baad": one of them."""
    if _of_an_event(shape, found.start()) or _is_vague(tokens[found.start()]):
        return None
    return _away(1 if found["after"] else -1, tokens, found)


def _is_vague(unit: Token) -> bool:
    """Whether it does not say how many: "days later", "din baad"."""
    return unit.value in ("day", "second") or (unit.folded.isascii() and unit.folded.endswith("s"))


def _within(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    """As in "20 minute mein"; "ek din mein 3 baar" is how often."""
    if shape[found.end() : found.end() + 1] in ("N", "n"):
        return _span(tokens, shape, found)
    return _away(1, tokens, found)


def _window(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    length = _length(tokens, found)
    turn = tokens[found.start("turn")].value if found["turn"] != "p" else -1
    if length is None or turn == 0:
        return None
    return Said(found.start(), found.end(), length=length, use="window", turn=int(str(turn)))


def _span(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    length = _length(tokens, found)
    start, end = found.span("long")
    if length is None or _is_idle(tokens[start:end]):
        return None
    return Said(start, end, length=length, use="span")


def _is_idle(tokens: list[Token]) -> bool:
    """Whether it is a manner of speaking: "a day", "a minute" alone."""
    return len(tokens) == 2 and tokens[0].folded in _ARTICLES


def _for_one(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    length = _length(tokens, found)
    start, end = found.span("long")
    return None if length is None else Said(start, end, length=length, use="span")


RULES = (
    Rule("iy", f"[iy]h?(?P<turn>X)(?P<long>{_LENGTH})", _window),
    Rule("i", f"ih?n?(?P<long>{_LENGTH})(?![<])", _ahead),
    Rule("y", f"y(?P<long>{_LENGTH})(?![<>])", _ahead),
    Rule("Xp", f"(?P<turn>[Xp])(?:[Nn]-?)??(?P<long>{_LENGTH})", _window),
    Rule("DKS", f"[DKS]s(?P<long>{_LENGTH})e?(?:(?P<after>>)|<)", _from_day),
    Rule("nNFHQ", f"(?P<long>{_LENGTH})(?:e?>|a[SD]|y(?=[|]|$))", _ahead),
    Rule("nNFHQ", f"(?P<long>{_LENGTH})(?:e?<|l(?=[|]|$))", _back),
    Rule("nNFHQ", f"(?P<long>{_LENGTH})e?m", _within),
    Rule("UV", "(?<![NnFHQ])(?P<long>[UV])(?:(?P<after>>)|<)", _bare_away),
    Rule("f", f"f(?P<long>{_LENGTH})", _for_one),
    Rule("nNFHQ", f"(?P<long>{_LENGTH})", _span),
)
