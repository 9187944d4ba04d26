"""Devices by name: which of them a request speaks of, and how they are said."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
import re

from ira_home.base.text import one_line
from ira_home.domain.language.lexicon import concepts_of
from ira_home.domain.language.words import Language, fold, is_stop_word, split, stem
from ira_home.domain.tools import OfferedTool
from ira_home.domain.turn_view import TurnView

_HERE = re.compile(
    r"\b(?:here|this (?:device|phone|mobile|computer|laptop|mac|pc)|(?:is|isi) (?:device|phone|mobile|computer|laptop)|yahan|yahin)\b"
    "|यहाँ|यहां|यहीं|इस (?:डिवाइस|फोन|कंप्यूटर|लैपटॉप)"
)  # fmt: skip
# Words that a label shares with many requests; they name no device by themselves.
_KINDS = frozenset({"phone", "computer", "tablet", "tv"})


@dataclass(frozen=True, slots=True)
class Named:
    """A device named in a request, and where."""

    label: str
    start: int
    end: int


def labels_of(view: TurnView) -> list[str]:
    """Every device that the view tells of, each once."""
    online = (target.label for tool in view.tools for target in tool.targets)
    off = (one.device for one in view.skills_off)
    away = (one.device for one in view.devices_away)
    return list(dict.fromkeys([*online, *off, *away]))


def named_in(text: str, labels: Iterable[str]) -> list[Named]:
    """The whole labels that stand in the text, whatever their case; the longest where they overlap."""
    found: list[Named] = []
    for label in sorted(set(labels), key=len, reverse=True):
        wanted = one_line(label)
        if not wanted:
            continue
        pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)"
        for hit in re.finditer(pattern, text, re.IGNORECASE):
            if all(hit.end() <= one.start or one.end <= hit.start() for one in found):
                found.append(Named(label, hit.start(), hit.end()))
    return sorted(found, key=lambda one: one.start)


def target_label(
    text: str, tool: OfferedTool, language: Language, *, here: str | None
) -> str | None:
    """The one target that the words mean: by its label, "here", or words only its label has."""
    labels = [target.label for target in tool.targets]
    named = {one.label for one in named_in(text, labels)}
    if not named and here in labels and _HERE.search(fold(text)):
        return here
    return meant_label(text, labels, language)


def meant_label(text: str, labels: Sequence[str], language: Language) -> str | None:
    """The one of the labels that the words mean, whole or by a word that no other has."""
    named = {one.label for one in named_in(text, labels)}
    fitting = named or {one for one in labels if _shares_a_word(text, one, labels, language)}
    return fitting.pop() if len(fitting) == 1 else None


def _meanings(text: str, language: Language) -> frozenset[str]:
    """Stems and device kinds of the words: "mobile" is a phone, "laptop" a computer."""
    found: set[str] = set()
    for word in split(text):
        if is_stop_word(word.folded):
            continue
        found.add(stem(word.folded))
        found |= {f"kind {one}" for one in concepts_of(word.folded, language) if one in _KINDS}
    return frozenset(found)


def _shares_a_word(text: str, label: str, labels: Sequence[str], language: Language) -> bool:
    own = _meanings(label, "hinglish")
    others = frozenset().union(*(_meanings(one, "hinglish") for one in labels if one != label))
    return bool((own - others) & _meanings(text, language))


def without(text: str, named: Iterable[Named]) -> str:
    """The text with the named devices blanked out, so that every other word keeps its place."""
    for one in named:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text
