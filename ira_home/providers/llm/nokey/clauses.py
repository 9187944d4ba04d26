"""Several requests in one message: "read the report and then send the parcel"."""

from collections.abc import Callable
import re

# A word that says "after that" splits wherever a request follows; a plain "and" only between two requests.
_THEN = re.compile(
    r"(?:[,;.]\s*|\s+)(?:and then|after that|then|aur phir|aur fir|phir|fir|uske baad|और फिर|फिर|उसके बाद)\s+|;\s+",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+(?:and also|and|aur|और|तथा|एवं)\s+|,\s+(?:and|aur|और)?\s*|[.!\u0964]\s+", re.IGNORECASE)  # fmt: skip
_QUOTED = re.compile('["\u201c\u00ab][^"\u201d\u00bb]*["\u201d\u00bb]')
_CLAUSES = 6  # more requests than this in one message are not told apart


def clauses_of(text: str, is_request: Callable[[str], bool]) -> list[str]:
    """The requests in order; the whole text is one where it cannot be split safely."""
    quoted = [(one.start(), one.end()) for one in _QUOTED.finditer(text)]
    left, found = 0, []
    for cut in sorted([*_cuts(_THEN, text), *_cuts(_AND, text)]):
        start, end = cut
        if start < left or any(a < end and start < b for a, b in quoted):
            continue
        rest = text[end:].strip()
        if rest and is_request(text[left:start]) and is_request(_first_clause(rest)):
            found.append(text[left:start].strip())
            left = end
        if len(found) == _CLAUSES - 1:
            break
    return [*found, text[left:].strip()]


def _cuts(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [(one.start(), one.end()) for one in pattern.finditer(text)]


def _first_clause(rest: str) -> str:
    """The rest up to where it could be split again."""
    cuts = [*_cuts(_THEN, rest), *_cuts(_AND, rest)]
    return rest[: min(start for start, _end in cuts)] if cuts else rest
