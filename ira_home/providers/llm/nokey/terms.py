"""The telling words of a text: what each may match, and how sure each match would be."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ira_home.domain.language.lexicon import (
    GENERIC,
    PAIRS,
    SECONDARY,
    concepts_of,
    is_known,
    parted_verbs,
    phrases_of,
)
from ira_home.domain.language.loans import loan_skeletons
from ira_home.domain.language.markers import HELPERS
from ira_home.domain.language.numbers import is_number_word
from ira_home.domain.language.phonetic import key, skeleton
from ira_home.domain.language.words import Language, Word, is_devanagari, is_stop_word, split, stem

# How sure a match is: the same word, a word of the same meaning, a word of the same sound.
SAME_WORD, SAME_CONCEPT, SAME_SOUND = 1.0, 0.9, 0.8
_VERB_STRESS = 1.3  # English requests begin with their verb, Hindi ones end with it
_MISTYPED = 0.85  # what a word counts that was guessed from a mistyped one
_SOUND_MIN = 3  # consonants below which a sound tells nothing
_GENERIC_WORDS = frozenset(
    stem(word)
    for word in (
        "given user tool such value string name person thing item use using return returns current latest turn set "
        "put many one first new level number id data content list show get tell give check device"
    ).split()
)

_UNPAID = frozenset(
    "not hasnt havent didnt hadnt yet still nahi nahin nai baaki baki नहीं बाकी".split()
)
_NUMBER_WORDS = frozenset("number nambar nambr नंबर".split())
_TELEPHONE = {"c:phone": SAME_CONCEPT, "c:contact": SAME_CONCEPT}


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a request: what it may match, and how sure each match would be."""

    raw: str
    start: int
    end: int
    features: Mapping[str, float]
    generic: bool
    stress: float = 1.0  # more for the word that is likely the verb


def is_generic(folded: str, features: Mapping[str, float]) -> bool:
    """Whether nearly every request or description has such a word."""
    concepts = {one[2:] for one in features if one.startswith("c:")}
    return stem(folded) in _GENERIC_WORDS or bool(concepts and concepts <= GENERIC)


def features_of(folded: str, language: Language, *, as_tool: bool) -> dict[str, float]:
    """What a folded word may match: itself (w:), its concepts (c:), its sound (k:, y:)."""
    features = {f"w:{stem(folded)}": SAME_WORD}
    for concept, weight in concepts_of(folded, language).items():
        features[f"c:{concept}"] = SAME_CONCEPT * weight
    # The sound is for English words in Devanagari: tools have it for all words, requests for those alone.
    if as_tool or is_devanagari(folded):
        if len(skeleton(folded)) >= _SOUND_MIN:
            features |= dict.fromkeys((f"k:{one}" for one in loan_skeletons(folded)), SAME_SOUND)
        elif len(whole := key(folded)) >= _SOUND_MIN:
            features[f"y:{whole}"] = SAME_SOUND
    return features


def terms_of(
    text: str, language: Language, meant: Callable[[str], str | None] = lambda _folded: None
) -> list[Term]:
    """The words and phrases of a request that carry a topic, with pairs of meanings worked out.

    `meant` gives the word that a mistyped one was likely meant as.
    """
    words = split(text)
    phrases = _phrases(words, language)
    found: list[Term] = []
    place = 0
    while place < len(words):
        last, concepts = phrases.get(place, (place + 1, {}))
        is_owner = place == 0 and _opens_with_name(words)
        term = _term(words[place:last], concepts, language, meant, is_owner=is_owner)
        if term is not None:
            found.append(term)
        place = last
    found = _with_numbers(_with_stress(found, language), words) + list(_unspoken(words, language))
    return _with_pairs(_with_debts(_with_holdings(found, words), words))


def _phrases(words: Sequence[Word], language: Language) -> dict[int, tuple[int, dict[str, float]]]:
    """The phrases of the lexicon by their first word: the place behind the last, and the concepts."""
    found: dict[int, tuple[int, dict[str, float]]] = {}
    for first, last, concept in phrases_of([one.folded for one in words], language):
        found.setdefault(first, (last, {}))[1][concept] = SAME_CONCEPT
    for place, concepts in parted_verbs([one.folded for one in words]):
        found.setdefault(place, (place + 1, {}))[1].update(dict.fromkeys(concepts, SAME_CONCEPT))
    return found


def _term(
    words: Sequence[Word],
    concepts: Mapping[str, float],
    language: Language,
    meant: Callable[[str], str | None],
    *,
    is_owner: bool,
) -> Term | None:
    features: dict[str, float] = {f"c:{one}": sure for one, sure in concepts.items()}
    for word in words:
        if is_stop_word(word.folded):
            continue
        if not concepts and word.folded in HELPERS and not concepts_of(word.folded, language):
            continue
        if (_is_name(word) or is_owner) and not concepts:
            features[f"w:{stem(word.folded)}"] = SAME_WORD
            continue
        own = features_of(word.folded, language, as_tool=False)
        if not concepts and len(own) == 1 and (other := meant(word.folded)) is not None:
            own |= {
                one: sure * _MISTYPED
                for one, sure in features_of(other, language, as_tool=False).items()
            }
        # Within a phrase a word means what the phrase means.
        features |= {one: sure for one, sure in own.items() if not (concepts and one[0] == "c")}
    if not features:
        return None
    raw = " ".join(one.raw for one in words)
    if concepts and any(is_stop_word(one.folded) for one in words):
        features = {
            one: sure for one, sure in features.items() if one[0] == "c"
        }  # "my day" is no day
    generic = set(concepts) <= GENERIC if concepts else is_generic(words[0].folded, features)
    return Term(raw, words[0].start, words[-1].end, features, generic)


def _is_name(word: Word) -> bool:
    """A word with a capital within a text that no dictionary has: its sound says nothing."""
    return word.start > 0 and word.raw[:1].isupper() and not is_known(word.folded)


_BEHIND_NAME = frozenset("ko ka ki ke ne se".split())


def _opens_with_name(words: Sequence[Word]) -> bool:
    """Whether the first word, whose capital tells nothing, is a name by the small word behind it: "Priya ko"."""
    first, following = words[0], words[1] if len(words) > 1 else None
    shows = first.raw[:1].isupper() and following is not None and following.folded in _BEHIND_NAME
    return shows and not is_known(first.folded)


def _with_stress(found: list[Term], language: Language) -> list[Term]:
    telling = [place for place, term in enumerate(found) if not term.generic]
    if telling:
        place = telling[0] if language == "en" else telling[-1]
        found[place] = replace(found[place], stress=_VERB_STRESS)
    return found


def _with_debts(found: list[Term], words: Sequence[Word]) -> list[Term]:
    """What is not paid, or still to be paid, is owed: "kaun se bill nahi bhare", "who has yet to pay"."""
    if _UNPAID.isdisjoint(one.folded for one in words):
        return found
    return [
        replace(one, features=_swapped(one.features, "c:pay", "c:due"))
        if "c:pay" in one.features
        else one
        for one in found
    ]


def _with_holdings(found: list[Term], words: Sequence[Word]) -> list[Term]:
    """What one asks to have is what is left of it: "how many strips of it do we have"."""
    said = [one.folded for one in words]
    if said[:1] != ["how"] or said[1:2] not in (["many"], ["much"]) or said[-1] != "have":
        return found
    return [
        replace(
            one, features={**one.features, "c:remaining": SAME_CONCEPT, "c:stock": SAME_CONCEPT}
        )
        if one.start == words[0].start
        else one
        for one in found
    ]


_SETS = frozenset("kar kr karo kardo krdo karna rakho rakh कर करो करना रखो रख".split())
_ON_TO = frozenset("pe par tak ka ki पे पर तक".split())
_WANTS = frozenset("wants needs chahiye chaiye chahie चाहिए".split())
_OWN_WISH = frozenset("mujhe muje mujhko hame hamein humein humko hamko मुझे मुझको हमें हमको".split())


def _unspoken(words: Sequence[Word], language: Language) -> Iterator[Term]:
    """What small words mean together: "rate 165 kar do" changes it, "Asha ko do kursi chahiye" orders it."""
    said = [one.folded for one in words]
    for place, word in enumerate(said):
        if word in _SETS and language != "en" and _is_amount_before(place, words):
            yield _meaning(words[place], "change", "set")
            return
    place = next((n for n, one in enumerate(said) if one in _WANTS), 0)
    if not place:
        return
    owned = said[place] in ("wants", "needs") or bool({"ko", "को"} & set(said[:place]))
    if owned and not _OWN_WISH & set(said) and any(map(_is_amount, words)):
        yield _meaning(words[place], "order", "book")


def _meaning(word: Word, *concepts: str) -> Term:
    features = {f"c:{one}": SAME_CONCEPT * SECONDARY for one in concepts}
    return Term(word.raw, word.start, word.end, features, generic=False)


def _is_amount(word: Word) -> bool:
    return word.raw.isdecimal() or is_number_word(word.folded)


def _is_amount_before(place: int, words: Sequence[Word]) -> bool:
    """Whether an amount, with its unit or without, stands right before the word."""
    before = [one for one in words[max(0, place - 3) : place] if one.folded not in _ON_TO]
    return any(map(_is_amount, before[-2:]))


def _swapped(features: Mapping[str, float], old: str, new: str) -> dict[str, float]:
    """The features with another meaning, which now is the only one."""
    kept = {one: sure for one, sure in features.items() if one[0] != "c"}
    return kept | {new: SAME_CONCEPT} if old in features else dict(features)


def _with_numbers(found: list[Term], words: Sequence[Word]) -> list[Term]:
    """Somebody's number is the one to ring: "the number of Asha Rao", "मीरा का नंबर"."""
    telephones = {word.start for place, word in enumerate(words) if _is_somebodys(place, words)}
    return [
        replace(one, features={**one.features, **_TELEPHONE}, generic=False)
        if one.start in telephones
        else one
        for one in found
    ]


def _is_somebodys(place: int, words: Sequence[Word]) -> bool:
    if words[place].folded not in _NUMBER_WORDS:
        return False
    before, after = words[max(0, place - 2) : place], words[place + 1 : place + 3]
    if len(after) == 2 and after[0].folded == "of":
        return _is_name(after[1])
    if before and before[-1].raw.endswith(("'s", "\u2019s")):
        return before[-1].raw[:1].isupper() and not is_known(before[-1].folded[:-1])
    return (
        len(before) == 2 and before[1].folded in ("ka", "का") and not concepts_of(before[0].folded)
    )


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
