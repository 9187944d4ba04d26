"""A lexicon of shared concepts: words of English, Hinglish and Hindi that mean the same in a request."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources

from ira_home.domain.language.loans import Loans
from ira_home.domain.language.markers import TIME_WORDS
from ira_home.domain.language.meanings import ACTIONS, GENERIC, OPPOSITES, PAIRS
from ira_home.domain.language.phonetic import latin, sound_of
from ira_home.domain.language.words import Language, fold, is_devanagari, is_stop_word, stem

__all__ = ["ACTIONS", "GENERIC", "OPPOSITES", "PAIRS", "SECONDARY", "concepts_of", "is_deed", "is_english", "is_hinglish", "is_known", "parted_verbs", "phrases_of", "words_known"]  # fmt: skip

SECONDARY = 0.7  # a word with several meanings counts this much for each

# English words that are other words in a Hinglish sentence ("sun" is "listen", "log" people).
_FALSE_FRIENDS = frozenset(
    "sun log pet dam bat ban band hat jag lag mil bin pit tap son door pal pan tar nap rat sub mat main man mar par "
    "den chat are hum kin lit bad bus gum jam khan more note".split()
)  # fmt: skip
_VERB_ENDINGS = (
    "a o na ne ni i e en ein ya yi ye yan iyan on iyon iye iyega iyo ie kar ke ta te ti unga ungi enge ega egi oge oon un "
    "do dedo de dena dijiye dijie dijiyega lo lena le lijiye wa wao wana wane wado wayo waiye wadijiye kr ga ge gi"
)
_NOUN_ENDINGS = "e o en ein on i yan yon iyan iyon s n"
_SURE = 3  # letters from which a sound alone tells a word
_DEEDS = "doing things"  # the section of the lexicon whose words are verbs
# The verbs of asking; the other words beside them are numbers, orders and the like.
_ASKING = frozenset(
    "read find show check explain ask answer tell compare choose suggest calculate convert measure".split()
)
_PHRASE_MAX = 5  # words of the longest phrase


@dataclass(slots=True)
class _Table:
    deeds: set[str] = field(default_factory=set)  # concepts of doing and asking
    english: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    forms: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    spelled: set[str] = field(default_factory=set)
    exact: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    # Verb stems and other words until their sounds are taken.
    stems: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    whole: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    verbs: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(dict))
    nouns: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(dict))
    # The words of a phrase behind its first one, by the first one; English ones by their stems.
    said: dict[str, list[tuple[tuple[str, ...], str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    english_said: dict[str, list[tuple[tuple[str, ...], str]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def take(self, line: str) -> None:
        """Take in "concept: English | Hinglish | Hindi"; a verb stem ends in "-", a phrase has "_"."""
        concept, _, columns = line.partition(": ")
        latin_words, hinglish, hindi = columns.split("|")
        for word in latin_words.split():
            first, *rest = map(stem, word.split("_"))
            if rest:
                self.english_said[first].append((tuple(rest), concept))
                continue
            self.spelled.add(word.rstrip("="))
            if word.endswith("="):
                self.forms[word[:-1]].add(concept)
            else:
                self.english[first].add(concept)
        for word in f"{hinglish} {hindi}".split():
            self._take_hindi(concept, word)

    def _take_hindi(self, concept: str, word: str) -> None:
        folded = word.removesuffix("-")
        if "_" in folded:
            first, *rest = map(sound_of, folded.split("_"))
            self.said[first].append((tuple(rest), concept))
            return
        self.exact[folded].add(concept)
        (self.stems if folded != word else self.whole)[folded].add(concept)

    def take_sounds(self) -> None:
        """Put every word taken in under its sound; once, since many stand under several concepts."""
        for by_word, by_sound, to_sound in (
            (self.stems, self.verbs, sound_of),
            (self.whole, self.nouns, _noun_sound),
        ):
            for folded, concepts in by_word.items():
                spoken = latin(folded)
                by_sound[to_sound(spoken)].setdefault(_close(spoken), set()).update(concepts)
            by_word.clear()


def _noun_sound(spoken: str) -> str:
    """The sound, with the last "a" marked: "gita" is no "geet"."""
    return sound_of(spoken) + ("'" if spoken.endswith("a") else "")


def _close(spoken: str) -> str:
    """The letters without "a": tells words apart that share a sound ("kat" cut, "khat" letter)."""
    return spoken.replace("a", "").replace("chh", "ch").replace("w", "v")


def _by_length(endings: str) -> list[str]:
    sounds = {sound_of("b" + one)[1:] for one in endings.split()} - {""}
    return sorted(sounds, key=len, reverse=True)


_VERB_SOUNDS, _NOUN_SOUNDS = _by_length(_VERB_ENDINGS), _by_length(_NOUN_ENDINGS)


@cache
def _table() -> _Table:
    table = _Table()
    text = resources.files("ira_home.domain.language").joinpath("lexicon.txt").read_text("utf-8")
    is_deed = False
    for line in fold.__wrapped__(text).splitlines():
        if line.startswith("# ---"):
            is_deed = line.endswith(_DEEDS)
        elif line and not line.startswith("#"):
            table.take(line)
            concept = line.partition(":")[0]
            if is_deed or concept in _ASKING:
                table.deeds.add(concept)
    return table


def is_deed(folded: str, language: Language = "hinglish") -> bool:
    """Whether the word is a verb or the like: all that it means stands under what is done or asked."""
    meant = concepts_of(folded, language)
    return bool(meant) and meant.keys() <= _table().deeds


@cache
def _spoken_table() -> _Table:
    """The table with its sounds, which English texts never need."""
    table = _table()
    table.take_sounds()
    return table


def _by_sound(folded: str) -> set[str]:
    table, spoken = _spoken_table(), latin(folded)
    sound, close = sound_of(spoken), _close(spoken)
    if found := _near(table.verbs, sound, close) | _near(table.nouns, _noun_sound(spoken), close):
        return found
    return _inflected(table.verbs, sound, close) or _declined(table.nouns, sound, close)


def _near(by_sound: Mapping[str, dict[str, set[str]]], sound: str, close: str) -> set[str]:
    """The concepts of a sound, of words with the same letters if any; a short sound needs them."""
    words = by_sound.get(sound, {})
    same = [concepts for written, concepts in words.items() if close.startswith(written)]
    if not same and len(sound.rstrip("'")) >= _SURE:
        same = list(words.values())
    return set().union(*same)


def _inflected(verbs: Mapping[str, dict[str, set[str]]], sound: str, close: str) -> set[str]:
    for ending in _VERB_SOUNDS:
        root = sound.removesuffix(ending)
        if root != sound and len(root) > 1 and (found := _near(verbs, root, close)):
            return found
    return set()


def _declined(nouns: Mapping[str, dict[str, set[str]]], sound: str, close: str) -> set[str]:
    for ending in _NOUN_SOUNDS:
        root = sound.removesuffix(ending)
        if root == sound or len(root) < 2 or (ending == "n" and not root.endswith("i")):
            continue
        found = _near(nouns, root + "'", close)
        if len(root) > 2 and ending != "i":
            found |= _near(nouns, root, close)
        if found:
            return found
    return set()


@cache
def _loans() -> Loans:
    return Loans(one for one in _table().spelled if one.isascii())


def _english(folded: str) -> set[str]:
    table = _table()
    return table.forms.get(folded) or table.english.get(stem(folded), set())


@lru_cache(maxsize=8_192)
def concepts_of(folded: str, language: Language = "hinglish") -> Mapping[str, float]:
    """The concepts of a folded word and how much it counts for each (1, or less with several meanings).

    In an English text only English words are looked up: "sun" there is no "सुन".
    """
    table = _table()
    hindi = language != "en" or is_devanagari(folded)
    found = set() if hindi and folded in _FALSE_FRIENDS else set(_english(folded))
    if hindi:
        found |= table.exact.get(folded, set())
        if not found and len(folded) > 2 and folded not in TIME_WORDS:
            found = _by_sound(folded)
            if not found and is_devanagari(folded):
                found = set().union(*map(_english, _loans().english(folded)))
    weight = 1.0 if len(found) < 2 else SECONDARY
    return dict.fromkeys(sorted(found), weight)


def is_hinglish(folded: str) -> bool:
    """Whether the word, in Latin letters, is a Hindi one of the lexicon and no English one."""
    table = _table()
    return (
        folded in table.exact
        and folded.isascii()
        and folded not in _FALSE_FRIENDS
        and not _english(folded)
        and len(folded) > 2
    )


def is_english(folded: str) -> bool:
    """Whether the word is an English one of the lexicon and no Hindi one."""
    return bool(_english(folded)) and folded.isascii() and folded not in _table().exact


def is_known(folded: str) -> bool:
    """Whether the word stands in the lexicon as it is written, or as an English form of one that does."""
    table = _table()
    return folded in table.exact or folded in table.forms or stem(folded) in table.english


def words_known() -> frozenset[str]:
    """Every single word of the lexicon as it is written there, folded; Hindi verbs as stems."""
    table = _table()
    return frozenset(table.spelled) | frozenset(table.exact)


def phrases_of(words: Sequence[str], language: Language) -> list[tuple[int, int, str]]:
    """The phrases of the lexicon among folded words, as (first word, word behind the last, concept).

    The longest are found first and none overlap; one with several meanings is given once for
    each. Hinglish ones are looked up in Hinglish and Hindi texts alone.
    """
    spans = [(place, end) for place in range(len(words)) for end in _ends(words, place, language)]
    spans.sort(key=lambda span: (span[0] - span[1], span[0]))
    taken: dict[tuple[int, int], set[str]] = {}
    for start, end in spans:
        if all(end <= first or last <= start for first, last in taken):
            taken[start, end] = _ends(words, start, language)[end]
    return [(*span, concept) for span in sorted(taken) for concept in sorted(taken[span])]


_PARTICLES = frozenset({"up", "down", "off", "on", "in", "out", "back", "forward", "away", "from"})
_PARTED = 5  # words that may stand between a verb and its particle


def parted_verbs(words: Sequence[str]) -> list[tuple[int, frozenset[str]]]:
    """English verbs whose particle stands apart, with their meanings: "put Asha | down", "turn the fan | off"."""
    table, found = _table(), []
    for place, word in enumerate(words):
        particles = _PARTICLES.intersection(words[place + 2 : place + 2 + _PARTED])
        if not particles or not word.isascii() or (is_stop_word(word) and word != "got"):
            continue
        meant = {
            concept
            for rest, concept in table.english_said.get(stem(word), ())
            if len(rest) == 1 and rest[0] in particles
        }
        if meant:
            found.append((place, frozenset(meant)))
    return found


def _ends(words: Sequence[str], place: int, language: Language) -> dict[int, set[str]]:
    """Where the phrases that begin at the place end, and what they mean."""
    table, behind = _table(), words[place + 1 : place + _PHRASE_MAX]
    found: dict[int, set[str]] = {}
    for rest, concept in table.english_said.get(stem(words[place]), ()):
        if len(rest) <= len(behind) and all(map(_is_english, behind, rest)):
            found.setdefault(place + 1 + len(rest), set()).add(concept)
    if language != "en" or is_devanagari(words[place]):
        for first in _sounds(words[place]):
            for rest, concept in table.said.get(first, ()):
                if len(rest) <= len(behind) and all(map(_is_said, behind, rest)):
                    found.setdefault(place + 1 + len(rest), set()).add(concept)
    return found


def _is_english(folded: str, wanted: str) -> bool:
    return stem(folded) == wanted


def _is_said(folded: str, wanted: str) -> bool:
    return wanted in _sounds(folded)


@lru_cache(maxsize=4_096)
def _sounds(folded: str) -> tuple[str, ...]:
    """The sound of a word and what is left of it without each Hindi ending."""
    sound = sound_of(folded)
    if len(folded) < 3:  # "raat ko khana" is not "raat ka khana"
        return (sound,)
    roots: Iterable[str] = (sound.removesuffix(one) for one in (*_VERB_SOUNDS, *_NOUN_SOUNDS))
    return tuple(dict.fromkeys([sound, *(one for one in roots if one)]))
