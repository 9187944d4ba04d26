"""Days as people say them: "kal", "agle somvar", "15 aug", "5/12", "25 tarikh ko", "end of next month", "this week"."""

from datetime import date
import re

from ira_home.domain.language.counted import is_amount, is_label
from ira_home.domain.language.time_doubts import Token
from ira_home.domain.language.time_said import Rule, Said
from ira_home.domain.language.time_words import NIGHT
from ira_home.domain.language.words import is_stop_word

_ARTICLES = frozenset({"a", "an"})
_YEARS = range(1950, 2101)
# Written like these it is as often a share ("1/2") or a saying.
_SHARES = frozenset({"1/2", "1/3", "2/3", "1/4", "3/4", "24/7"})
_THOSE = "KDWXINO"
_ENDS_DAY = frozenset({"", "|", "k", "u", "s"})


def _whole(token: Token) -> int:
    return token.value if isinstance(token.value, int) else -1


def _day(tokens: list[Token], found: re.Match[str], name: str = "day") -> int | None:
    """The day of the month that a group of the pattern says."""
    if not found[name]:
        return None
    token = tokens[found.start(name)]
    value = _whole(token)
    return value if 1 <= value <= 31 and token.folded not in _ARTICLES else None


def _year(tokens: list[Token], found: re.Match[str]) -> int | None:
    """The year of a group of the pattern: four digits, near now."""
    if not found["year"]:
        return None
    token = tokens[found.start("year")]
    is_year = len(token.raw) == 4 and token.raw.isdecimal() and _whole(token) in _YEARS
    return _whole(token) if is_year else None


def _day_of_month(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "15 aug", "5th of december 2026", "5 to 10 december", "aug 15", "december ki 5 tarikh"."""
    month = _whole(tokens[found.start("month")])
    day, last, year = _day(tokens, found), _day(tokens, found, "last"), _year(tokens, found)
    if day is None or (found["last"] and (last is None or last < day)):
        return None
    end = found.end() if year is not None or not found["year"] else found.start("year")
    return Said(found.start(), end, day=day, month=month, year=year, day_last=last)


def _month(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "december", "next march", "dec 2026"."""
    year = _year(tokens, found)
    end = found.end() if year is not None else found.end("month")
    turn = _whole(tokens[found.start()]) if found["turn"] else None
    return Said(found.start(), end, month=_whole(tokens[found.start("month")]), year=year, turn=turn)  # fmt: skip


def _date_day(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "25 tarikh", "5 se 10 tarikh", "tarikh 25"."""
    day, last = _day(tokens, found), _day(tokens, found, "last")
    if day is None or (found["last"] and (last is None or last < day)):
        return None
    return Said(*found.span(), day=day, day_last=last)


def _ordinal(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    """As in "on the 25th", "25th ko"; "5th floor" is none."""
    day = _day(tokens, found)
    first, last = found.span("day")
    if day is None or is_amount(tokens, first, last):
        return None
    is_spelled = not tokens[first].raw[0].isdecimal()  # "on the first screen"
    if is_spelled and shape[last : last + 1] not in _ENDS_DAY:
        return None
    return Said(*found.span(), day=day)


def _of_period(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "5th of next month", "agle mahine ki 5", "mahine ki 5 tarikh"."""
    day = _day(tokens, found)
    if day is None or tokens[found.start("period")].value != "month":
        return None
    said = Said(*found.span(), day=day)
    if found["turn"]:
        said.period, said.turn = "month", _whole(tokens[found.start("turn")])
    return said


def _day_ko(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "25 ko"; a small number only where nothing before it can own the number ("light 4 ko")."""
    day, first = _day(tokens, found), found.start()
    if day is None or is_label(tokens, first):
        return None
    before = tokens[first - 1] if first else None
    is_free = before is None or before.sort in "|XVMDKW" or is_stop_word(before.folded)
    return Said(*found.span(), day=day) if day > 12 or is_free else None


def _written(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    token = tokens[found.start()]
    span = found.span()
    if not isinstance(token.value, tuple):
        when = token.value
        return Said(*span, day=when.day, month=when.month, year=when.year) if isinstance(when, date) else None  # fmt: skip
    near = shape[max(0, span[0] - 1) : span[0]] + shape[span[1] : span[1] + 1]
    is_share = token.raw in _SHARES and not set(near) & set("qfalukDKW")
    if is_share or is_label(tokens, span[0]):
        return None
    return Said(*span, day=token.value[1], month=token.value[0])


def _near(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said:
    token = tokens[found.start()]
    said = Said(*found.span())
    if token.sort == "K":
        said.sway = _whole(token)
    else:
        said.days = int(str(token.value))
    if token.sort == "J":
        said.part = NIGHT
    return said


def _not_that(_tokens: list[Token], _shape: str, _found: re.Match[str]) -> list[Said]:
    """Nothing: in "kal nahi, parson" the first is taken back."""
    return []


def _day_beyond(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "day after tomorrow", "day before yesterday"."""
    if tokens[found.start("day")].value != "day":
        return None
    if found["alone"] is not None:
        return Said(found.start(), found.end(), days=2)
    base = int(str(tokens[found.end() - 1].value))
    sign = 1 if found["after"] else -1
    return Said(*found.span(), days=base + sign) if base == sign else None


def _turned(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "next monday", "pichle hafte", "this evening", "last night", "agle din", "weekend"."""
    first, what = tokens[found.start()], tokens[found.end() - 1]
    turn = None if first is what else -1 if first.sort == "p" else int(str(first.value))
    said = Said(*found.span(), turn=turn)
    if what.sort == "W":
        said.weekday = _whole(what)
    elif what.sort == "P":
        said.days, said.part, said.turn = turn, str(what.value), None
    elif what.sort == "E":
        said.period = "weekend"
    elif what.value == "day":
        said.days, said.turn = turn or None, None
        return said if said.days else None
    else:
        said.period = str(what.value)
    return said


def _edge(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    """As in "end of next month", "mahine ke aakhir mein", "december ke end mein", "aakhri tarikh"."""
    edge = str(tokens[found.start("edge")].value)
    if edge == "start" and not set(shape[found.start() : found.end()]) & set("eg"):
        return None  # "month start" is as often a thing to do
    said = Said(*found.span(), edge=edge)
    turn = int(str(tokens[found.start("turn")].value)) if found["turn"] else None
    if found["month"]:
        said.month = _whole(tokens[found.start("month")])
        return said
    period = str(tokens[found.start("period")].value) if found["period"] else "month"
    if period == "day":
        return Said(*found.span(), days=turn or 0)
    said.period, said.turn = period, turn or 0
    return said


def _last_day(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "last day of the month", "first day of next month"."""
    which, unit = tokens[found.start()], tokens[found.start() + 1]
    if unit.value != "day" or which.value not in (1, -1) or (which.sort, which.value) == ("X", 1):
        return None
    said = Said(*found.span(), edge="end" if which.value == -1 else "start")
    if found["month"]:
        said.month = _whole(tokens[found.start("month")])
    else:
        said.period = str(tokens[found.start("period")].value)
        said.turn = int(str(tokens[found.start("turn")].value)) if found["turn"] else 0
    return None if said.period == "day" else said


def _a_year(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    year = _year(tokens, found)
    if year is None or is_amount(tokens, found.start("year"), found.end("year")):
        return None
    first = tokens[found.start()]
    return None if first.sort == "V" and first.value != "year" else Said(*found.span(), year=year)


def _part(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said:
    return Said(*found.span(), part=str(tokens[found.start()].value))


def _now(_tokens: list[Token], _shape: str, found: re.Match[str]) -> Said:
    return Said(*found.span(), use="now")


# `(?P<x>(?!))?` gives a pattern an empty group that its meaning asks for.
_MONTH_DAY = "(?P<month>M)(?:h|e)?(?P<day>[NO])(?:[z-](?P<last>[NO]))?t?(?![BAUVp])"
_THE_YEAR = "(?:-?(?P<year>N)(?![BAUV]))?"
RULES = (
    Rule("nNO", f"(?P<day>[nNO])(?:[zs-](?P<last>[NO]))?-?[eg]?h?-?(?P<month>M){_THE_YEAR}", _day_of_month),
    Rule("M", f"{_MONTH_DAY}{_THE_YEAR}", _day_of_month),
    Rule("I", "I", _written),
    Rule("nNO", "(?P<day>[nNO])(?:[zs-](?P<last>[NO]))?e?t", _date_day),
    Rule("t", "t(?P<day>[NO])(?P<last>(?!))?(?![BAUVM])", _date_day),
    Rule("O", "(?P<day>O)gh?(?P<turn>X)?(?P<period>V)", _of_period),
    Rule("X", "(?P<turn>X)(?P<period>V)e(?P<day>[NO])t?(?![BAUVM])", _of_period),
    Rule("V", "(?P<turn>(?!))?(?P<period>V)e(?P<day>[NnO])t", _of_period),
    Rule("qaulf", "[qaulf]h?(?P<day>O)", _ordinal),
    Rule("O", "(?P<day>O)(?=[kus]|(?:(?<=hO)|(?<=^O))(?:[|]|$))", _ordinal),
    Rule("N", "(?P<day>N)(?=k)", _day_ko),
    Rule("KD", f"[KD]k?!(?=[{_THOSE}])", _not_that),
    Rule("V", "(?P<day>V)(?:(?P<after>y)D|lD|(?P<alone>y)(?=[|Pa]|$))", _day_beyond),
    Rule("XO", "[XO]Vgh?(?P<turn>X)?(?:(?P<period>V)|(?P<month>M))", _last_day),
    Rule("r", "(?P<edge>r)gh?(?P<turn>X)?(?:(?P<period>V)|(?P<month>M))", _edge),
    Rule("XV", "(?P<month>(?!))?(?P<turn>X)?(?P<period>V)e?(?P<edge>r)t?", _edge),
    Rule("M", "(?P<turn>(?!))?(?P<period>(?!))?(?P<month>M)e?(?P<edge>r)t?", _edge),
    Rule("r", "(?P<month>(?!))?(?P<turn>(?!))?(?P<period>(?!))?(?P<edge>r)t", _edge),
    Rule("KDJ", "[KDJ]", _near),
    Rule("XpWE", "(?:X[WVEP]|pV|W|E)", _turned),
    Rule("XM", f"(?P<turn>X)?(?P<month>M){_THE_YEAR}", _month),
    Rule("iaV", "(?:i|a|V)(?P<year>N)", _a_year),
    Rule("N", "(?P<year>N)m", _a_year),
    Rule("P", "P", _part),
    Rule("S", "S", _now),
)  # fmt: skip
