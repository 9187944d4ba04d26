"""Several requests in one message: "read the report and then send the parcel"."""

from collections.abc import Callable
import re

# A word that says "after that" splits wherever a request follows; a plain "and" only between two requests.
_THEN = re.compile(
    r"(?:[,;.]\s*|\s+)(?:and then|after that|then|aur phir|aur fir|phir|fir|uske baad|और फिर|फिर|उसके बाद)\s+|;\s+",
    re.IGNORECASE,
)
_AND = re.compile(
    r",?\s+(?:and also|and|aur|और|तथा|एवं)\s+(?!(?:a\s+)?(?:half|quarter)\b)|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\brs)(?<!\bno)(?<!\bst)(?<!\b\w)[.]\s+|[!\u0964]\s+",
    re.IGNORECASE,
)
_COMMA = re.compile(r",\s+(?!(?:and|aur|और)\s)", re.IGNORECASE)  # only between two orders
_QUOTED = re.compile('["\u201c\u00ab][^"\u201d\u00bb]*["\u201d\u00bb]')
_CLAUSES = 6  # more requests than this in one message are not told apart


def clauses_of(
    text: str, is_request: Callable[[str], bool], says_to_do: Callable[[str], bool]
) -> list[str]:
    """The requests in order; the whole text is one where it cannot be split safely.

    `is_request` tells whether a part surely asks for a tool, `says_to_do` whether it has a verb of
    its own: what follows a comma without one says more of the same request.
    """
    quoted = [(one.start(), one.end()) for one in _QUOTED.finditer(text)]
    left, found = 0, []
    commas = _cuts(_COMMA, text)
    for cut in sorted({*_cuts(_THEN, text), *_cuts(_AND, text), *commas}):
        start, end = cut
        if start < left or any(a < end and start < b for a, b in quoted):
            continue
        rest = text[end:].strip()
        following = _first_clause(rest)
        if cut in commas and not (says_to_do(text[left:start]) and says_to_do(following)):
            continue
        if rest and is_request(text[left:start]) and is_request(following):
            found.append(text[left:start].strip())
            left = end
        if len(found) == _CLAUSES - 1:
            break
    return [*found, text[left:].strip()]


def _cuts(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [(one.start(), one.end()) for one in pattern.finditer(text)]


def _first_clause(rest: str) -> str:
    """The rest up to where it could be split again."""
    cuts = [*_cuts(_THEN, rest), *_cuts(_AND, rest), *_cuts(_COMMA, rest)]
    return rest[: min(start for start, _end in cuts)] if cuts else rest
