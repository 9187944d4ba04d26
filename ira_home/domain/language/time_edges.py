"""The small words that stand at the edges of a phrase and belong to it."""

import re

from ira_home.domain.language.time_doubts import Token

_RIGHT = re.compile("(?:ev|[se][<>]|[kecuswvm])*")
_LEFT = frozenset("aqifhguly")
# "tak" ends what is before it; "me" and "main" are people as often as "in".
_BEHIND_ONLY = frozenset({"tak", "tk", "तक"})
_NO_MEIN = frozenset({"me", "main", "mai"})


def left_of(first: int, free: int, tokens: list[Token], shape: str) -> int:
    """Where the run begins with the small words before it: "at 7"; not before the place that is `free`."""
    while first > free and shape[first - 1] in _LEFT:
        if tokens[first - 1].folded in _BEHIND_ONLY:
            break
        first -= 1
    return first


def right_of(last: int, limit: int, tokens: list[Token], shape: str) -> int:
    """Where the run ends with the small words behind it: "kal ki", "30 minute ke liye"; not behind the `limit`."""
    found = _RIGHT.match(shape, last, limit)
    end = last if found is None else found.end()
    while last < end and (shape[last] not in "mu" or _is_behind(tokens[last])):
        last += 1
    return last


def _is_behind(token: Token) -> bool:
    return (token.sort == "m" and token.folded not in _NO_MEIN) or token.folded in _BEHIND_ONLY
