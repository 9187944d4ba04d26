"""What the person's own words of this turn say: whether they ask for an action, and its arguments."""

from collections.abc import Iterator, Mapping
import re
from typing import Any
import unicodedata

from ira_home.domain.language.detect import language_of
from ira_home.domain.language.lexicon import concepts_of
from ira_home.domain.language.words import Language, is_stop_word, split, stem
from ira_home.domain.tools import OfferedTool

# A person who points at what was just spoken of names the action and nothing else ("delete it").
_POINTING = frozenset(
    "it this that them these those him her isko ise usko use yeh ye yah woh wo wahi yahi "
    "इसे इसको उसे उसको यह ये वह वो वही यही".split()
)


def asks_for(own_words: str, tool: OfferedTool, arguments: Mapping[str, Any] | None = None) -> bool:
    """Whether the words ask for what the tool does; sees nothing that is untrusted but the call itself.

    They do when they hold the tool's verb and something more that belongs to it: another of its
    words, an argument as the person said it, or a word that points at what was spoken of.
    """
    own = _concepts(own_words, language_of(own_words))
    verbs, others = _words_of(tool)
    if not verbs & own:
        return False
    return (
        bool((others - verbs) & own)
        or not others - verbs
        or _points(own_words)
        or any(says(own_words, value) for value in (arguments or {}).values() if _is_telling(value))
    )


def says(own_words: str, value: Any) -> bool:
    """Whether the person said the value themselves: every text and number in it, as written."""
    said = _plain(own_words)
    return all(_stands_in(said, _plain(leaf)) for leaf in _leaves(value))


def _stands_in(said: str, wanted: str) -> bool:
    """Whether the words hold it whole: "ram" is not said by "programme", nor 1 by "2014"."""
    before = r"(?<!\w)" if wanted[:1].isalnum() else ""
    after = r"(?!\w)" if wanted[-1:].isalnum() else ""
    return re.search(before + re.escape(wanted) + after, said) is not None


def _words_of(tool: OfferedTool) -> tuple[frozenset[str], frozenset[str]]:
    """The concepts of the verb, and of all words of name and title (or description)."""
    name = " ".join(tool.name.split("_"))
    told = tool.title or tool.description.partition(".")[0]
    first = next((one.raw for one in split(told) if not is_stop_word(one.folded)), "")
    last = name.rpartition(" ")[2]
    in_name = _concepts(name)
    verbs = _concepts(first) & in_name or _concepts(first) | _concepts(last)
    return verbs, in_name | _concepts(told)


def _concepts(text: str, language: Language = "en") -> frozenset[str]:
    """The topic words of a text: their stems, and what they mean in any of the languages."""
    words = [one.folded for one in split(text) if not is_stop_word(one.folded)]
    meant = (concept for word in words for concept in concepts_of(word, language))
    return frozenset(map(stem, words)) | frozenset(f"={concept}" for concept in meant)


def _points(own_words: str) -> bool:
    return any(one.folded in _POINTING for one in split(own_words))


def _is_telling(value: Any) -> bool:
    """Whether the value could only have been said on purpose."""
    return any(len(_plain(leaf)) > 1 for leaf in _leaves(value))


def _plain(value: Any) -> str:
    return " ".join(unicodedata.normalize("NFKC", str(value)).casefold().split())


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield key
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif value is not None and not isinstance(value, bool):
        yield value
