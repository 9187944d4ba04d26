"""Which of the known names somebody means, in whatever script and spelling they said it."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from ira_home.domain.language.phonetic import key
from ira_home.domain.language.words import fold, is_stop_word, split

_TITLES = frozenset("mr mrs ms dr ji shri smt patient जी श्री मरीज".split())
_MOST_WORDS = 12  # no name is longer; the rest of a longer text is not looked at
_NEAR = 0.75  # of 1: "Sunitha" is near to "Sunita", "Sana" is not


def meant(said: str, names: Iterable[str]) -> list[str]:
    """The names that have every word said: as written, or else by their sound ("आशा", "Aasha").

    Titles and small words count for nothing; nothing said means nobody.
    """
    words, known = _words(said), list(names)
    for form in (str, key):
        found = [name for name in known if words and _has_all(name, words, form)]
        if found:
            return found
    return []


def near(said: str, names: Iterable[str]) -> list[str]:
    """The names that begin like a word said, or are spelled almost so, to ask whether one is meant."""
    words = _words(said)
    return [name for name in names if any(_is_near(word, name) for word in words)]


def _words(text: str) -> list[str]:
    folded = [fold(one.raw).removesuffix("'s") for one in split(text)][:_MOST_WORDS]
    return [one for one in folded if one not in _TITLES and not is_stop_word(one)]


def _has_all(name: str, words: list[str], form: Callable[[str], str]) -> bool:
    own = {form(one.folded) for one in split(name)}
    return all(form(word) in own for word in words)


def _is_near(word: str, name: str) -> bool:
    own = [one.folded for one in split(name)]
    begins = len(word) > 2 and any(one.startswith(word) for one in own)
    return begins or bool(get_close_matches(word, own, n=1, cutoff=_NEAR))
