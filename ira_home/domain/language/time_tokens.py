"""A text as a row of tokens for days and times, and as the string of their sorts."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
import re

from ira_home.domain.language.numbers import amount_at, is_number_word
from ira_home.domain.language.time_doubts import Token, settle
from ira_home.domain.language.time_words import PAIRS, Value, sort_of
from ira_home.domain.language.words import Word, fold, split

# Names of files and addresses hold digits that are no times.
_HIDDEN = re.compile(
    r"\S+@\S+|https?://\S+|www\.\S+|(?<!\S)(?:~/|/(?=\w))\S+"
    r"|\S+\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|gif|heic|webp|txt|csv|md|mp[34]|m4a|mov|avi|wav|zip|html?|json|xml|od[ts])\b",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"(?P<y>\d{4})([-/])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?!\d)(?:T(?P<th>\d{1,2}):(?P<tm>[0-5०-५]\d)(?::\d\d)?)?"
    r"|(?P<d2>\d{1,2})(?:(?P<sep>[-/])|\.)(?P<m2>\d{1,2})(?(sep)(?P=sep)|\.)(?P<y2>\d{4}|(?(sep)\d\d|\d{4}))(?!\d)"
    r"|(?P<h>\d{1,2}):(?P<mi>[0-5०-५]\d)(?::\d\d)?(?!\d)"
    r"|(?P<d3>\d{1,2})/(?P<m3>\d{1,2})(?![\d/])"
)
_GLUED = re.compile(r"(\d{1,6}(?:\.\d{1,2}(?![\d.]*\d))?)([^\W\d_]+)")
_YEARS = range(1900, 2201)  # others are no date that anybody plans or remembers
_BREAK = re.compile(r"[.!?;।\n|\u2026]")
_SHORTENED = frozenset("AUMVWB")  # "5 p.m.", "10 min.", "5 dec." end no sentence
_BEFORE_HYPHEN, _AFTER_HYPHEN = frozenset("NTIMWABOnFL"), frozenset("NTIMWOnFL")
_LETTERS: dict[str, tuple[str, Value]] = {"h": ("U", "hour"), "m": ("U", "minute"), "ish": ("B", 0)}
_AFTER_AMOUNT = ("%", "\u00b0")
_BEFORE_AMOUNT = ("\u20b9", "$", "\u20ac", "\u00a3", "#")
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})


def read(text: str) -> tuple[list[Token], str]:
    """The tokens in order and their sorts as one string; sentence ends and hyphens are tokens too."""
    words = split(text)
    hidden = [found.span() for found in _HIDDEN.finditer(text)] if _may_hide(text) else []
    tokens: list[Token] = []
    place = 0
    while place < len(words):
        word = words[place]
        if hidden and any(start <= word.start < end for start, end in hidden):
            made, place = [_other(word)], place + 1
        elif word.raw[0].isdecimal():
            made, place = _numeric(text, words, place)
        else:
            made, place = _spoken(text, words, place)
        if tokens:
            _separate(text, tokens, made[0])
        tokens += made
    settle(tokens)
    return tokens, "".join([one.sort for one in tokens])


def _may_hide(text: str) -> bool:
    return "." in text or "@" in text or "/" in text


def _other(word: Word) -> Token:
    return Token("o", None, word.raw, word.folded, word.start, word.end)


def _separate(text: str, tokens: list[Token], after: Token) -> None:
    """Put a token where a sentence ends or two numbers are joined by a hyphen (of no width), and for "@ 7"."""
    before = tokens[-1]
    gap = text[before.end : after.start]
    if gap in (" ", ""):
        return
    plain = gap.strip()
    sort = ""
    if plain in ("-", "\u2013") and before.sort in _BEFORE_HYPHEN and after.sort in _AFTER_HYPHEN:
        sort = "-"
    elif _BREAK.search(gap) and not (plain == "." and before.sort in _SHORTENED):
        sort = "|"
    if plain == "@" and after.sort in "NTF":
        at = before.end + gap.index("@")
        tokens.append(Token("a", 0, "@", "at", at, at + 1))
    elif sort:
        tokens.append(Token(sort, None, "", "", before.end, before.end))


def _spoken(text: str, words: Sequence[Word], place: int) -> tuple[list[Token], int]:
    word = words[place]
    seconds = PAIRS.get(word.folded)
    if seconds is not None and place + 1 < len(words):
        after = words[place + 1]
        pair = seconds.get(after.folded)
        if pair is not None and not text[word.end : after.start].strip(" .-'"):
            raw = text[word.start : after.end]
            return [Token(*pair, raw, word.folded, word.start, after.end)], place + 2
    found = sort_of(word.folded)
    if found is None and is_number_word(word.folded):
        return _amount(text, words, place)
    sort, value = found or ("o", None)
    return [Token(sort, value, word.raw, word.folded, word.start, word.end)], place + 1


def _amount(text: str, words: Sequence[Word], place: int) -> tuple[list[Token], int]:
    amount = amount_at(text, words, place)
    if amount is None:
        return [_other(words[place])], place + 1
    after = place + amount.words
    start, end = words[place].start, words[after - 1].end
    sort = "F" if amount.is_broken else "N" if amount.is_sure else "n"
    if (
        text[end : end + 2].lstrip()[:1] in _AFTER_AMOUNT
        or text[max(0, start - 1) : start] in _BEFORE_AMOUNT
    ):
        sort = "o"
    token = Token(sort, amount.value, text[start:end], words[place].folded, start, end)
    return [_of_the_clock(token)], after


def _of_the_clock(token: Token) -> Token:
    """A number; one like "0730" is a time."""
    raw = token.raw
    if (
        token.sort == "N"
        and len(raw) == 4
        and raw.isdecimal()
        and not int(raw[0])
        and int(raw[2:]) < 60
    ):
        token.sort, token.value = "L", (int(raw[:2]), int(raw[2:]))
    return token


def _numeric(text: str, words: Sequence[Word], place: int) -> tuple[list[Token], int]:
    word = words[place]
    if sort_of(word.folded) is not None:  # "2moro"
        return _spoken(text, words, place)
    written = _WRITTEN.match(text, word.start)
    if written is not None:
        made, end = _dated(written), written.end()
    else:
        made, end = _glued(text, word)
        if not made:
            return _amount(text, words, place)
    while place < len(words) and words[place].end <= end:
        place += 1
    if place < len(words) and words[place].start < end:  # "7:30am"
        last = words[place].end
        rest = fold(text[end:last])
        sort, value = _LETTERS.get(rest) or sort_of(rest) or ("o", None)
        made.append(Token(sort, value, rest, rest, end, last))
        place += 1
    return made, place


def _dated(found: re.Match[str]) -> list[Token]:
    """A written date, date and time, or time; no time at all when there is none such."""
    start, end = found.span()
    if found["h"]:
        hour = int(found["h"])
        at = (hour, int(found["mi"]))
        return [Token("T" if hour < 24 else "o", at, found[0], found[0], start, end)]
    day: date | tuple[int, int] | None
    if found["y"]:
        day = _day(int(found["y"]), int(found["m"]), int(found["d"]))
    elif found["y2"]:
        year = int(found["y2"])
        day = _day(year if year > 99 else 2000 + year, int(found["m2"]), int(found["d2"]))
    else:
        leap = _day(2000, int(found["m3"]), int(found["d3"]))
        day = None if leap is None else (leap.month, leap.day)
    day_end = found.end("d") if found["th"] else end
    made = [Token("o" if day is None else "I", day, found[0], found[0], start, day_end)]
    if found["th"] and int(found["th"]) < 24:
        at = (int(found["th"]), int(found["tm"]))
        made.append(Token("L", at, found["th"], found["th"], found.start("th"), end))
    return made


def _day(year: int, month: int, day: int) -> date | None:
    """The day; the other way round when it can only be so."""
    if month > 12 >= day:
        month, day = day, month
    try:
        return date(year, month, day) if year in _YEARS else None
    except ValueError:
        return None


def _glued(text: str, word: Word) -> tuple[list[Token], int]:
    """Digits with letters on them: "5th", "7pm", "1h30m", "15aug"; anything else is a code or a name."""
    made: list[Token] = []
    end = word.start
    while found := _GLUED.match(text, end):
        raw, rest = found[1], fold(found[2])
        if rest in _ORDINAL_ENDINGS and raw.isdecimal():
            return [Token("O", int(raw), found[0], rest, word.start, found.end())], found.end()
        known = _LETTERS.get(rest) or sort_of(rest)
        if known is None or known[0] not in "ABUVMDKPeJ":
            return [_other(word)], word.end
        value = Fraction(raw) if "." in raw else int(raw)
        number = Token("N", value, raw, raw, found.start(), found.end(1))
        made += [_of_the_clock(number), Token(*known, rest, rest, found.end(1), found.end())]
        end = found.end()
    if made and text[end : end + 1].isalnum():
        return [_other(word)], word.end
    if made or word.raw.isdecimal():
        return made, end
    return [_other(word)], word.end
