"""Which tool a request asks for: weighted overlap of its words with the words of each tool."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
import math
from typing import Any

from ira_home.base.jsontext import canonical
from ira_home.domain.language.detect import Language, language_of
from ira_home.domain.language.lexicon import GENERIC, PAIRS, concepts_of
from ira_home.domain.language.phonetic import skeleton
from ira_home.domain.language.words import content_stems, is_devanagari, is_stop_word, split, stem
from ira_home.domain.tools import OfferedTool

# How much a word counts by where the tool has it. The name is what its maker chose with most care.
NAME, TITLE, EXAMPLE, DESCRIPTION, ENUM, PROPERTY, SCHEMA_TEXT = 2.0, 1.9, 1.2, 1.0, 0.9, 0.6, 0.4
# How sure a match is: the same word, a word of the same meaning, a word of the same sound.
SAME_WORD, SAME_CONCEPT, SAME_SOUND = 1.0, 0.9, 0.8
_GENERIC_SHARE = 0.3  # of a word that nearly every request or description has
_EXAMPLE_BONUS = 2.0  # for a request that is one of the tool's own examples
_VERB_STRESS = 1.3  # English requests begin with their verb, Hindi ones end with it
_SOUND_MIN = 3  # consonants below which a sound tells nothing
_GENERIC_WORDS = frozenset(
    stem(word)
    for word in (
        "given user tool such value string name person thing item use using return returns current latest turn set "
        "put many one first new level number id data content list show get tell give check device"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a request: what it may match, and how sure each match would be."""

    raw: str
    start: int
    end: int
    features: Mapping[str, float]
    generic: bool
    stress: float = 1.0  # more for the word that is likely the verb


@dataclass(slots=True)
class _Group:
    weight: float
    sources: set[float]  # where the tool has the word: NAME, TITLE, …
    generic: bool
    features: frozenset[str]

    @property
    def is_core(self) -> bool:
        """Whether it says what the tool does; words of examples and schemas are often arguments."""
        return bool(self.sources & {NAME, TITLE, DESCRIPTION})


@dataclass(slots=True)
class ToolWords:
    """The words of one tool, as groups that are matched at most once each."""

    groups: list[_Group] = field(default_factory=list)
    by_feature: dict[str, list[int]] = field(default_factory=dict)
    examples: list[frozenset[str]] = field(default_factory=list)

    def add(self, text: str, weight: float) -> None:
        """Take in the words of one text of the tool; the weight says which text it is."""
        language = language_of(text)
        for word in split(text.replace("_", " ")):
            if is_stop_word(word.folded):
                continue
            features = _features(word.folded, language, as_tool=True)
            known = self.by_feature.get(f"w:{stem(word.folded)}")
            if known:
                group = self.groups[known[0]]
                group.weight = max(group.weight, weight)
                group.sources.add(weight)
                continue
            generic = _is_generic(word.folded, features)
            self.groups.append(_Group(weight, {weight}, generic, frozenset(features)))
            for feature in features:
                self.by_feature.setdefault(feature, []).append(len(self.groups) - 1)


@dataclass(frozen=True, slots=True)
class Match:
    """How well a tool fits.

    `score` is to rank by, `name_share` how much of its name or title was said, `matched` the
    places of terms that it has.
    """

    tool: OfferedTool
    score: float
    name_share: float
    matched: frozenset[int]
    claimed: frozenset[int] = frozenset()  # those of them that say what the tool does
    likeness: float = 0.0  # to the likest of its examples


def _is_generic(folded: str, features: Mapping[str, float]) -> bool:
    concepts = {one[2:] for one in features if one.startswith("c:")}
    return stem(folded) in _GENERIC_WORDS or bool(concepts and concepts <= GENERIC)


def _features(folded: str, language: Language, *, as_tool: bool) -> dict[str, float]:
    features = {f"w:{stem(folded)}": SAME_WORD}
    for concept, weight in concepts_of(folded, language).items():
        features[f"c:{concept}"] = SAME_CONCEPT * weight
    # The sound is for English words in Devanagari: tools have it for all words, requests for those alone.
    if (as_tool or is_devanagari(folded)) and len(sound := skeleton(folded)) >= _SOUND_MIN:
        features[f"k:{sound}"] = SAME_SOUND
    return features


def terms_of(text: str, language: Language) -> list[Term]:
    """The words of a request that carry a topic, with pairs of meanings ("find" + "phone") worked out."""
    found = []
    for word in split(text):
        if is_stop_word(word.folded):
            continue
        features = _features(word.folded, language, as_tool=False)
        generic = _is_generic(word.folded, features)
        found.append(Term(word.raw, word.start, word.end, features, generic))
    return _with_pairs(_with_stress(found, language))


def _with_stress(found: list[Term], language: Language) -> list[Term]:
    telling = [place for place, term in enumerate(found) if not term.generic]
    if telling:
        place = telling[0] if language == "en" else telling[-1]
        found[place] = replace(found[place], stress=_VERB_STRESS)
    return found


def _with_pairs(found: list[Term]) -> list[Term]:
    concepts = {one[2:] for term in found for one in term.features if one.startswith("c:")}
    for (verb, noun), meant in PAIRS.items():
        if verb in concepts and noun in concepts:
            found = [
                replace(term, features={f"c:{meant}": SAME_WORD})
                if f"c:{verb}" in term.features
                else term
                for term in found
            ]
    return found


def marked(kind: str, raw: str, start: int, end: int) -> Term:
    """A term for something recognised by its form (a file name, a folder, an address)."""
    return Term(raw, start, end, {f"c:{kind}": SAME_CONCEPT}, generic=False)


def _schema_words(words: ToolWords, schema: Any, depth: int = 0) -> None:
    if not isinstance(schema, Mapping) or depth > 3:
        return
    for value in schema.get("enum", ()) if isinstance(schema.get("enum"), list) else ():
        if isinstance(value, str):
            words.add(value, ENUM)
    for word in ("title", "description"):
        if isinstance(schema.get(word), str):
            words.add(schema[word], SCHEMA_TEXT)
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, Mapping) else ():
        words.add(str(name), PROPERTY)
        _schema_words(words, inner, depth + 1)
    _schema_words(words, schema.get("items"), depth + 1)


# The words of tools as they were last seen: tools seldom change, and every step asks for all.
_SEEN: OrderedDict[bytes, ToolWords] = OrderedDict()
_SEEN_MAX = 1_024


def tool_words(tool: OfferedTool) -> ToolWords:
    """The words of a tool; kept for as long as the tool stays as it is."""
    parameters = dict(tool.parameters)
    properties = parameters.get("properties")
    if tool.device_argument and isinstance(properties, Mapping):
        # The labels of devices are no words of the tool.
        parameters["properties"] = {
            name: one for name, one in properties.items() if name != tool.device_argument
        }
    written = [tool.name, tool.title, tool.description, tool.examples, parameters]
    seen = canonical(written)
    words = _SEEN.pop(seen, None) or _words_of(tool, parameters)
    _SEEN[seen] = words
    if len(_SEEN) > _SEEN_MAX:
        _SEEN.popitem(last=False)
    return words


def _words_of(tool: OfferedTool, parameters: Mapping[str, Any]) -> ToolWords:
    words = ToolWords()
    words.add(tool.name, NAME)
    words.add(tool.title, TITLE)
    words.add(tool.description, DESCRIPTION)
    for example in tool.examples:
        words.add(example, EXAMPLE)
        words.examples.append(content_stems(example))
    _schema_words(words, parameters)
    return words


class Matcher:
    """The tools of one person in one turn, ready to be matched."""

    def __init__(self, tools: Sequence[OfferedTool]) -> None:
        """Count in how many tools each word stands: rare words tell most."""
        self._tools = [(tool, tool_words(tool)) for tool in tools]
        self._counts: dict[str, int] = {}
        for _tool, words in self._tools:
            for feature in words.by_feature:
                self._counts[feature] = self._counts.get(feature, 0) + 1

    def _rarity(self, feature: str) -> float:
        total = len(self._tools)
        return math.log(1 + total / self._counts.get(feature, 1)) / math.log(1 + total)

    def matches(self, terms: Sequence[Term]) -> list[Match]:
        """Every tool that shares a word with the request, best first."""
        found = [self._match(tool, words, terms) for tool, words in self._tools]
        return sorted((one for one in found if one.score > 0), key=lambda one: -one.score)

    def _match(self, tool: OfferedTool, words: ToolWords, terms: Sequence[Term]) -> Match:
        best: dict[int, float] = {}
        said: set[str] = set()
        matched: set[int] = set()
        claimed: set[int] = set()
        for place, term in enumerate(terms):
            hit = self._hit(words, term)
            if hit is not None:
                group, value, feature = hit
                matched.add(place)
                if words.groups[group].is_core:
                    claimed.add(place)
                said.add(feature)
                best[group] = max(best.get(group, 0.0), value * term.stress)
        if not best:
            return Match(tool, 0.0, 0.0, frozenset())
        likeness = _likeness(words, terms)
        score = sum(best.values()) + _EXAMPLE_BONUS * likeness
        share = max(_share(words, said, NAME), _share(words, said, TITLE))
        return Match(tool, score, share, frozenset(matched), frozenset(claimed), likeness)

    def _hit(self, words: ToolWords, term: Term) -> tuple[int, float, str] | None:
        hits = [
            (group, self._value(words.groups[group], feature, sure, generic=term.generic), feature)
            for feature, sure in term.features.items()
            for group in words.by_feature.get(feature, ())
        ]
        return max(hits, key=lambda one: one[1], default=None)

    def _value(self, group: _Group, feature: str, sure: float, *, generic: bool) -> float:
        share = _GENERIC_SHARE if generic or group.generic else 1.0
        return sure * group.weight * share * self._rarity(feature)


def _likeness(words: ToolWords, terms: Sequence[Term]) -> float:
    """How much of the likest example was said, and nothing else; below a half it is none."""
    said = frozenset(one[2:] for term in terms for one in term.features if one.startswith("w:"))
    likest = max((len(said & one) / max(1, len(said | one)) for one in words.examples), default=0.0)
    return likest if likest >= 0.5 else 0.0


def _share(words: ToolWords, said: Set[str], source: float) -> float:
    """How much of the name or title was said, by word or meaning; generic words count only alone."""
    there = [group for group in words.groups if source in group.sources]
    telling = [group for group in there if not group.generic] or there
    return sum(bool(group.features & said) for group in telling) / max(1, len(telling))


def skill_score(skill: str, terms: Iterable[Term]) -> float:
    """How well the name of a skill alone (nothing else is told of one that is off) fits a request."""
    words = ToolWords()
    words.add(skill, NAME)
    best: dict[int, float] = {}
    for term in terms:
        for feature, sure in term.features.items():
            for group in words.by_feature.get(feature, ()):
                share = _GENERIC_SHARE if term.generic else 1.0
                best[group] = max(best.get(group, 0.0), sure * NAME * share)
    return sum(best.values()) / max(1, len(words.groups))
