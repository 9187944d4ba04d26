"""Times of day as people say them: "7:30am", "paune nau baje", "half past 5", "shaam ko 6", "noon", "0730"."""

import re

from ira_home.domain.language.counted import is_amount, is_label
from ira_home.domain.language.time_doubts import Token
from ira_home.domain.language.time_hours import PLAUSIBLE, clock_of
from ira_home.domain.language.time_said import Rule, Said
from ira_home.domain.language.time_words import NIGHT
from ira_home.domain.language.words import is_stop_word

_ARTICLES = frozenset({"a", "an"})
_GIVE = frozenset({"do", "दो"})
_BEHIND = frozenset({"tak", "tk", "तक"})  # these stand behind their time


def _said(
    tokens: list[Token], at: int, span: tuple[int, int], half: int | None = None
) -> Said | None:
    clock = clock_of(tokens[at])
    if clock is None or (half is not None and clock[0] == 0 and half == 12):
        return None
    hour, minute = clock
    token = tokens[at]
    is_sure = half is not None or hour > 12 or hour == 0 or token.sort == "L" or (token.sort == "T" and not int(token.raw[0]))  # fmt: skip
    if half is not None and hour <= 12:
        hour = hour % 12 + half
    return Said(*span, hour=hour, minute=minute, is_sure=is_sure)


def _marked(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """A time with "am", "pm" or "baje" behind it, or written with a colon."""
    if tokens[found.start("at")].folded in _ARTICLES:
        return None
    return _said(tokens, found.start("at"), found.span(), _half(tokens, found))


def _half(tokens: list[Token], found: re.Match[str]) -> int | None:
    return int(str(tokens[found.start("half")].value)) if found["half"] else None


def _minutes_of(token: Token) -> int | None:
    """The minutes behind an hour: two digits, or a word."""
    if not isinstance(token.value, int) or not 0 <= token.value < 60:
        return None
    return token.value if not token.raw.isdecimal() or len(token.raw) == 2 else None


def _pair(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """Hour and minutes as two numbers: "7 30 pm", "5 bajkar 10 minute"."""
    said = _said(tokens, found.start("at"), found.span(), _half(tokens, found))
    minute = _minutes_of(tokens[found.start("minute")])
    if said is None or minute is None or tokens[found.start("at")].folded in _GIVE:
        return None
    said.minute = minute
    return said


def _spelled(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    """As in "six thirty": both are words, the minutes round."""
    at, minute = tokens[found.start("at")], tokens[found.start("minute")]
    are_words = not at.raw.isdecimal() and not minute.raw.isdecimal()
    said = _pair(tokens, shape, found) if are_words else None
    if said is None or said.minute < 10 or said.minute % 5 or not 0 < (said.hour or 0) <= 12:
        return None
    return None if is_amount(tokens, found.start(), found.end()) else said


def _beside(sign: int, tokens: list[Token], found: re.Match[str]) -> Said | None:
    """So many minutes past or to an hour."""
    minutes = tokens[found.start("more")]
    count = {"H": 30, "Q": 15}.get(minutes.sort, minutes.value)
    said = _said(tokens, found.start("at"), found.span(), _half(tokens, found))
    if said is None or said.hour is None or not isinstance(count, int) or not 0 < count < 60:
        return None
    said.minute = count
    if sign < 0:
        hour = (said.hour - 1) % 24
        said.hour, said.minute = hour if said.is_sure or hour else 12, 60 - count
    return said


def _past(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    return _beside(1, tokens, found)


def _to(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "quarter to six", "10 minutes to 6"; "9 to 5" and "10 to 6" are from and until."""
    more = tokens[found.start("more")]
    is_word = more.sort == "Q" or found["unit"] or (not more.raw.isdecimal() and more.value in (5, 10, 20, 25))  # fmt: skip
    return _beside(-1, tokens, found) if is_word or more.value in (20, 25) else None


def _round(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """Noon and midnight; the latter ends its day."""
    if found.end() - found.start() == 2 and tokens[found.start()].value != 12:
        return None
    hour = int(str(tokens[found.end() - 1].value))
    return Said(*found.span(), hour=hour, is_sure=True, part=None if hour else NIGHT)


def _before_hour(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "6 bajne mein 10 minute"."""
    return _beside(-1, tokens, found)


def _with_minute(said: Said | None, tokens: list[Token], found: re.Match[str]) -> Said | None:
    """The hour with the minutes that the pattern found behind it, if any."""
    if said is None or not found["minute"]:
        return said
    minute = _minutes_of(tokens[found.start("minute")])
    if minute is None:
        return None
    said.minute = minute
    return said


def _is_part_hour(token: Token, part: Token) -> bool:
    clock = clock_of(token)
    name = NIGHT if part.sort == "J" else str(part.value)
    return clock is not None and clock[0] in PLAUSIBLE[name]


def _before_part(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "7 in the evening", "8 tonight"."""
    first, last = found.span()
    part = tokens[found.end("part") - 1]
    if not _is_part_hour(tokens[first], part) or is_label(tokens, first):
        return None
    return _with_minute(_said(tokens, first, (first, last)), tokens, found)


def _behind_part(tokens: list[Token], _shape: str, found: re.Match[str]) -> list[Said] | None:
    """As in "shaam ko 6", "subah 7 30", "shaam 5 se 7"."""
    at = found.start("at")
    part = tokens[found.start()]
    if not _is_part_hour(tokens[at], part) or is_amount(tokens, at, found.end()):
        return None
    said = _with_minute(_said(tokens, at, (at, found.end())), tokens, found)
    if said is None:
        return None
    made = [Said(found.start(), found.start() + 1, part=str(part.value)), said]
    if found["to"]:
        to = found.start("to")
        until = _said(tokens, to, (to, to + 1))
        if until is None or until.is_sure:
            return None
        said.last = at + 1
        made.append(until)
    return made


def _at(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    """As in "at 7", "by sadhe paanch", "alarm for 6"."""
    mark, token = tokens[found.start()], tokens[found.start("at")]
    if mark.folded in _BEHIND or token.folded in _ARTICLES or token.folded in _GIVE:
        return None
    if token.sort == "n" and mark.folded != "at":  # "by one", "after that one"
        return None
    if is_amount(tokens, found.start(), found.end()):
        return None
    said = _said(tokens, found.start("at"), found.span())
    is_long = mark.folded == "at" and (len(token.raw) == 4 or token.raw[-3:-2] == ".")
    if said is None or (not is_long and (said.is_sure or "C" in shape)):
        return None  # nobody says "at 22", but of an air conditioner
    return _with_minute(said, tokens, found)


def _from_to(tokens: list[Token], _shape: str, found: re.Match[str]) -> list[Said] | None:
    """As in "from 9 to 5", "between 5 and 7"."""
    first = _said(tokens, found.start("at"), (found.start(), found.end("at")))
    until = _said(tokens, found.start("to"), (found.start("to"), found.end()))
    if first is None or until is None or is_amount(tokens, found.start(), found.end()):
        return None
    bare = [said for said, name in ((first, "at"), (until, "to")) if tokens[found.start(name)].sort == "N"]  # fmt: skip
    return None if any(one.is_sure for one in bare) else [first, until]


def _bare(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """A bare hour of twelve: the first of "5 to 7 pm" and "5 se 7 baje"."""
    said = _said(tokens, found.start(), found.span())
    return None if said is None or (said.is_sure and tokens[found.start()].sort == "N") else said


def _alone(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    """As in "sadhe paanch", "0730", "tomorrow 8": nothing beside it makes it an amount or a code."""
    first = found.start()
    if is_amount(tokens, first, found.end()) or is_label(tokens, first, reach=3):
        return None
    said = _bare(tokens, shape, found)
    return _with_minute(said, tokens, found) if "minute" in found.re.groupindex else said


def _by_place(tokens: list[Token], shape: str, found: re.Match[str]) -> Said | None:
    """As in "7 pe", at the start of what is said; behind a noun it is a place: "channel 5 pe"."""
    before = tokens[found.start() - 1] if found.start() else None
    is_free = before is None or before.sort == "|" or is_stop_word(before.folded)
    return _alone(tokens, shape, found) if is_free else None


def _hours(tokens: list[Token], _shape: str, found: re.Match[str]) -> Said | None:
    """As in "1930 hrs"."""
    token, unit = tokens[found.start()], tokens[found.end() - 1]
    is_clock = len(token.raw) == 4 and token.raw.isdecimal() and unit.folded in ("hrs", "hours")
    return _said(tokens, found.start(), found.span()) if is_clock and int(token.raw) % 5 == 0 else None  # fmt: skip


# `(?P<x>(?!))?` gives a pattern an empty group that its meaning asks for.
_CLOCK = "(?P<at>[NnFTL])"
_MARK = "(?:B?(?P<half>A)|B)"
RULES = (
    Rule("NQn", "(?P<more>[NnQ])(?P<unit>U)?z(?P<at>[Nn])(?P<half>A)?B?", _to),
    Rule("NHQn", "(?P<more>[NnHQ])U?p(?P<at>[Nn])(?P<half>A)?B?", _past),
    Rule("NnF", "(?P<at>[NnF])(?P<half>A)?b[em]*(?P<minute>[Nn])U?", _pair),
    Rule("Nn", "(?P<at>[Nn])(?P<half>A)?j[ms]?(?P<more>[Nn])U<?", _before_hour),
    Rule("Nn", f"(?P<at>[Nn])(?P<minute>N){_MARK}", _pair),
    Rule("NnFTL", f"{_CLOCK}(?:B?(?P<half>A)|[Bb])", _marked),
    Rule("L", "(?P<at>L)(?P<half>A)?U", _marked),
    Rule("NnFTL", f"{_CLOCK}(?=[zs-][NnFTL][BA])", _bare),
    Rule("T", "(?P<at>T)(?P<half>A)?", _marked),
    Rule("N", "(?P<at>N)(?P<unit>U)", _hours),
    Rule("NZ", "N?Z", _round),
    Rule("N", "N(?P<minute>N)?(?=(?P<part>(?:[ia]h?|[heXDK])*[PJ]))", _before_part),
    Rule("P", "P[kemc]?a?h?(?P<at>N)(?:(?P<minute>N)|[zs-](?P<to>N))?", _behind_part),
    Rule("a", "ah?(?P<at>[NT])[zs&-](?P<to>[NT])", _from_to),
    Rule("aluy", "[aluy]h?(?P<at>[NnF])(?P<minute>N)?(?![zs-][NnFTO])", _at),
    Rule("G", "G[fae]*(?P<at>[NF])(?P<minute>N)?", _at),
    Rule("N", "(?P<at>N)(?=eG)", _alone),
    Rule("FL", "(?P<at>[FL])", _alone),
    Rule("N", "(?:(?<=[DKWJ])|(?<=[DKW]k))(?P<at>N)(?P<minute>N)?(?=[|c]|$)", _alone),
    Rule("N", "(?P<at>N)(?P<minute>N)?(?=c)", _by_place),
    Rule("N", "(?<=[DKWJP])(?P<at>N)(?P<minute>N)", _alone),
    Rule("Nn", "(?P<at>[Nn])(?P<minute>N)(?P<half>(?!))?", _spelled),
)  # fmt: skip
