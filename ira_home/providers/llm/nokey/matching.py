"""Which tool a request asks for: weighted overlap of its words with the words of each tool."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, lru_cache
import math
from typing import Any

from ira_home.domain.language.detect import language_of
from ira_home.domain.language.lexicon import GENERIC, phrases_of, words_known
from ira_home.domain.language.typos import Vocabulary
from ira_home.domain.language.words import content_stems, fold, is_stop_word, spaced, split, stem
from ira_home.domain.tools import OfferedTool, Tier
from ira_home.providers.llm.nokey.roles import Slot, slots_of
from ira_home.providers.llm.nokey.terms import Term, features_of, is_generic

# How much a word counts by where the tool has it. The name is what its maker chose with most care.
NAME, TITLE, EXAMPLE, DESCRIPTION, ENUM, PROPERTY, SCHEMA_TEXT = 2.0, 1.9, 1.0, 1.3, 1.2, 0.7, 0.4
_GENERIC_SHARE = 0.3  # of a word that nearly every request or description has
_FIRST_WORDS = 5  # of a name and description, among which the verb stands
_EXAMPLE_BONUS = 2.0  # for a request that is one of the tool's own examples


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
    slots: tuple[Slot, ...] = ()

    def add(self, text: str, weight: float) -> None:
        """Take in the words of one text of the tool; the weight says which text it is."""
        language = language_of(text)
        words = split(spaced(text) if weight in (NAME, PROPERTY, ENUM) else text.replace("_", " "))
        for first, last, concept in phrases_of([one.folded for one in words], language):
            small = any(is_stop_word(one.folded) for one in words[first:last])
            has = f"c:{concept}" in self.by_feature
            if last - first > 1 and not small and not has:  # "air conditioner", not "how many"
                self.groups.append(_Group(weight, {weight}, concept in GENERIC, frozenset({f"c:{concept}"})))  # fmt: skip
                self.by_feature[f"c:{concept}"] = [len(self.groups) - 1]
        for word in words:
            if weight != ENUM and (is_stop_word(word.folded) or word.folded.isdigit()):
                continue
            features = features_of(word.folded, language, as_tool=True)
            known = self.by_feature.get(f"w:{stem(word.folded)}")
            if known:
                group = self.groups[known[0]]
                group.weight = max(group.weight, weight)
                group.sources.add(weight)
                continue
            generic = is_generic(word.folded, features)
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
    meant: frozenset[int] = frozenset()  # those of the claimed that are no word of the tool itself
    likeness: float = 0.0  # to the likest of its examples


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
_SEEN: OrderedDict[tuple[object, ...], tuple[Mapping[str, Any], ToolWords]] = OrderedDict()
_SEEN_MAX = 1_024


def tool_words(tool: OfferedTool) -> ToolWords:
    """The words of a tool; kept for as long as the tool stays as it is."""
    key = (tool.name, tool.title, tool.description, tool.examples, tool.device_argument)
    parameters, words = _SEEN.pop(key, (None, None))
    if words is None or (parameters is not tool.parameters and parameters != tool.parameters):
        words = _words_of(tool, _own_parameters(tool))
    _SEEN[key] = (tool.parameters, words)
    if len(_SEEN) > _SEEN_MAX:
        _SEEN.popitem(last=False)
    return words


def _own_parameters(tool: OfferedTool) -> dict[str, Any]:
    """The parameters without the labels of devices, which are no words of the tool."""
    parameters = dict(tool.parameters)
    properties = parameters.get("properties")
    if tool.device_argument and isinstance(properties, Mapping):
        own = {name: one for name, one in properties.items() if name != tool.device_argument}
        parameters["properties"] = own
    return parameters


def _words_of(tool: OfferedTool, parameters: Mapping[str, Any]) -> ToolWords:
    words = ToolWords()
    words.add(tool.name, NAME)
    words.add(tool.title, TITLE)
    words.add(tool.description, DESCRIPTION)
    for example in tool.examples:
        words.add(example, EXAMPLE)
        words.examples.append(content_stems(example))
    _schema_words(words, parameters)
    words.slots = tuple(slots_of(tool))
    return words


class _Together:
    """The words of several tools: in how many of them each stands, and what may be mistyped for them."""

    def __init__(self, words: Sequence[ToolWords]) -> None:
        self.words = tuple(words)  # kept, so that no other words take their place in memory
        self._vocabulary: Vocabulary | None = None
        counts = Counter(feature for one in words for feature in one.by_feature)
        total = max(1, len(words))
        self.rarity = {
            feature: math.log(1 + total / count) / math.log(1 + total)
            for feature, count in counts.items()
        }

    def meant(self, folded: str) -> str | None:
        """The word, of these tools or of the lexicon, that a mistyped one was likely meant as."""
        if self._vocabulary is None:
            self._vocabulary = Vocabulary(one[2:] for one in self.rarity if one.startswith("w:"))
        return self._vocabulary.nearest(folded) or _lexicon_word(folded)


# The same tools are offered turn after turn; working them out again would cost more than the turn.
_TOGETHER: OrderedDict[tuple[int, ...], _Together] = OrderedDict()
_TOGETHER_MAX = 64


def _together(words: Sequence[ToolWords]) -> _Together:
    key = tuple(id(one) for one in words)
    found = _TOGETHER.pop(key, None) or _Together(words)
    _TOGETHER[key] = found
    if len(_TOGETHER) > _TOGETHER_MAX:
        _TOGETHER.popitem(last=False)
    return found


class Matcher:
    """The tools of one person in one turn, ready to be matched: rare words tell most."""

    def __init__(self, tools: Sequence[OfferedTool]) -> None:
        """Know the words of the tools."""
        self._tools = [(tool, tool_words(tool)) for tool in tools]
        self._together = _together([words for _tool, words in self._tools])
        self.meant = self._together.meant

    def matches(self, terms: Sequence[Term]) -> list[Match]:
        """Every tool that shares a word with the request, best first."""
        found = [self._match(tool, words, terms) for tool, words in self._tools]
        return sorted((one for one in found if one.score > 0), key=lambda one: -one.score)

    def _match(self, tool: OfferedTool, words: ToolWords, terms: Sequence[Term]) -> Match:
        best: dict[int, float] = {}
        said: set[str] = set()
        matched: set[int] = set()
        claimed: set[int] = set()
        meant: set[int] = set()
        for place, term in enumerate(terms):
            hit = self._hit(words, term)
            if hit is not None:
                group, value, feature = hit
                matched.add(place)
                inside = feature[0] == "w" and _is_partly(term, words)
                if (
                    words.groups[group].is_core and not inside
                ):  # "drawing room" is not the tool's "room"
                    claimed.add(place)
                    if feature[0] != "w":
                        meant.add(place)
                said.add(feature)
                best[group] = max(best.get(group, 0.0), value * term.stress)
        if not best:
            return Match(tool, 0.0, 0.0, frozenset())
        likeness = _likeness(words, terms)
        score = sum(best.values()) + _EXAMPLE_BONUS * likeness
        share = max(_share(words, said, NAME), _share(words, said, TITLE))
        return Match(
            tool, score, share, frozenset(matched), frozenset(claimed), frozenset(meant), likeness
        )

    def _hit(self, words: ToolWords, term: Term) -> tuple[int, float, str] | None:
        hits = [
            (group, self._value(words.groups[group], feature, sure, generic=term.generic), feature)
            for feature, sure in term.features.items()
            for group in words.by_feature.get(feature, ())
        ]
        return max(hits, key=lambda one: one[1], default=None)

    def _value(self, group: _Group, feature: str, sure: float, *, generic: bool) -> float:
        share = _GENERIC_SHARE if generic or group.generic else 1.0
        return sure * group.weight * share * self._together.rarity[feature]


def _is_partly(term: Term, words: ToolWords) -> bool:
    """Whether the term is a phrase with a meaning of which the tool has only some of the words."""
    if " " not in term.raw or all(one[0] != "c" for one in term.features):
        return False
    return any(one[0] == "w" and one not in words.by_feature for one in term.features)


@cache
def _lexicon() -> Vocabulary:
    return Vocabulary(words_known())


@lru_cache(maxsize=4_096)
def _lexicon_word(folded: str) -> str | None:
    return _lexicon().nearest(folded)


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


_LOOKING = frozenset(
    stem(one)
    for one in (
        "list show get read check find search look report status tell view fetch see count display lookup query summary "
        "history forecast read out play open"
    ).split()
)


@lru_cache(maxsize=4_096)
def _looks(name: str, description: str) -> bool:
    words = [stem(one.folded) for one in split(f"{spaced(name)} . {description}")]
    return bool(_LOOKING & set(words[:_FIRST_WORDS]))


def looks_only(tool: OfferedTool) -> bool:
    """Whether a tool only tells something, by the verb of its name or at the start of its description."""
    return tool.tier is Tier.LOOK and _looks(tool.name, tool.description)


_ACTING = frozenset(
    stem(one)
    for one in (
        "add enter create make book cancel send set turn switch start stop order record register write log close lock unlock delete "
        "remove pay call ring move change update mark save schedule remind post put raise lower"
    ).split()
)


@lru_cache(maxsize=4_096)
def _acts(name: str, description: str) -> bool:
    first = split(description)[:1]
    in_name = {stem(one.folded) for one in split(spaced(name))}
    return bool(_ACTING & in_name) or bool(first and stem(first[0].folded) in _ACTING)


def begins_acting(raw: str) -> bool:
    """Whether the word is a verb of doing something."""
    return stem(fold(raw)) in _ACTING


def acts(tool: OfferedTool) -> bool:
    """Whether a tool does something, by the verb of its name or at the start of its description."""
    return _acts(tool.name, tool.description) and not _looks(tool.name, tool.description)


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
