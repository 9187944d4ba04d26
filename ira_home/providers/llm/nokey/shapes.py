"""What an argument's own pattern and description ask of the words that were said for it."""

from functools import lru_cache
import re

from ira_home.domain.language.persons import BEFORE_NAME
from ira_home.domain.language.words import split
from ira_home.providers.llm.nokey.roles import Role, Slot

_PATTERN_CHARS = 100
_VALUE_CHARS = 200
# Patterns of classes and signs that each stand a bounded number of times: none of them takes long.
_ATOM = r"(?:\[(?:[^\[\]\\]|\\[dw.+-])+\]|\\[dws.+-]|[\w :/,@#-])"
_BOUNDED = re.compile(rf"\^?(?:{_ATOM}(?:\{{\d{{1,2}}(?:,\d{{1,2}})?\}}|\?)?)+\$?")
_WITHOUT_TITLE = re.compile(r"\bwithout (?:the |a |any )?(?:title|honorific|dr|doctor|mr)\b|\bsurname\b|\blast name\b", re.IGNORECASE)  # fmt: skip
_SEPARATORS = re.compile(r"[\s().-]+")


def shaped(slot: Slot, said: str) -> str | None:
    """The words as the argument wants them; None when they cannot be what it takes."""
    if slot.role is Role.PERSON and _WITHOUT_TITLE.search(slot.told):
        said = _without_title(said)
    pattern = slot.schema.get("pattern")
    found = _compiled(pattern) if isinstance(pattern, str) else None
    if found is None or found.search(said):
        return said
    tight = _SEPARATORS.sub("", said[:_VALUE_CHARS])  # "98765 43210" for ten digits
    return next((one for one in (tight, tight.upper(), said.upper()) if found.search(one)), None)


def _without_title(said: str) -> str:
    words = split(said)
    first = next((one for one in words if one.folded not in BEFORE_NAME), None)
    return said if first is None else said[first.start :]


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """The pattern where it is plain enough to be tried here; the gate checks all of them."""
    if len(pattern) > _PATTERN_CHARS or _BOUNDED.fullmatch(pattern) is None:
        return None
    try:
        return re.compile(pattern)
    except re.error:
        return None
