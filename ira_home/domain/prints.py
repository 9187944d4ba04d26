"""Prints of a text: keyed hashes of its stretches, by which it is known again inside another text.

Nothing of the text can be read from them, so they may outlive it.
"""

from hashlib import blake2b
import unicodedata

STRETCH = 16  # letters and digits of one stretch
STEP = 8  # how far apart the stretches are that are kept: a run of STRETCH + STEP is always found
TEXT_CHARS = 20_000  # of a text; more than any tool takes or gives
_BYTES = 8


def kept_prints(text: str, key: bytes) -> frozenset[int]:
    """The prints by which a text is to be known again: every STEP-th stretch, and the last."""
    plain = _plain(text)
    last = len(plain) - STRETCH
    places = {*range(0, last + 1, STEP), last} if last >= 0 else set()
    return frozenset(_print(plain[place : place + STRETCH], key) for place in places)


def all_prints(text: str, key: bytes) -> frozenset[int]:
    """The prints of every stretch of a text, to look for kept ones among them."""
    plain = _plain(text)
    return frozenset(
        _print(plain[place : place + STRETCH], key) for place in range(len(plain) - STRETCH + 1)
    )


def _plain(text: str) -> str:
    """Letters and digits alone: spaces, signs, case and width are changed most easily."""
    folded = unicodedata.normalize("NFKC", text[:TEXT_CHARS]).casefold()
    return "".join(sign for sign in folded if sign.isalnum())


def _print(stretch: str, key: bytes) -> int:
    digest = blake2b(stretch.encode(), digest_size=_BYTES, key=key).digest()
    return int.from_bytes(digest, "big", signed=True)
