"""English words written in Devanagari: which English word one sounds like ("बैलेंस", "विज़िट", "इनवॉइस")."""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
import re

from ira_home.domain.language.phonetic import key, skeleton, sound_of

_SURE = 4  # consonants from which they alone tell a word; of shorter words the vowels count too
_LEAST = 3
_FRONT, _BACK = re.compile("[eiy]"), re.compile("[ou]")


def _loose(sound: str) -> str:
    """A sound whose vowels are only front or back: English spells either in many ways."""
    return _BACK.sub("o", _FRONT.sub("i", sound.rstrip("eiou")))


def _ways(folded: str) -> list[str]:
    """The word, and with each "ज" as the voiced "s" of an English one: "विजिट" is "visit"."""
    return [folded, folded[:1] + folded[1:].replace("ज", "स")] if "ज" in folded[1:] else [folded]


class Loans:
    """English words by how they sound in Devanagari."""

    def __init__(self, words: Iterable[str]) -> None:
        """Take in English words in their own spelling."""
        self._by_sound: dict[str, list[str]] = defaultdict(list)
        for word in words:
            self._take(word, sound_of(word))
            if "qu" in word:  # "कोटेशन" for "quotation"
                self._take(word, sound_of(word.replace("qu", "k")))

    def _take(self, word: str, sound: str) -> None:
        bones = sound[:1] + re.sub("[aeiou]", "", sound[1:])
        if len(bones) >= _SURE:
            self._by_sound[bones].append(word)
        if len(bones) >= _LEAST:
            self._by_sound["~" + _loose(sound)].append(word)

    def english(self, folded: str) -> list[str]:
        """The English words that a folded Devanagari word may be."""
        found: list[str] = []
        for way in _ways(folded):
            bones = skeleton(way)
            if len(bones) >= _LEAST:
                found += self._by_sound.get("~" + _loose(key(way)), ())
            if len(bones) >= _SURE and not found:
                found += self._by_sound.get(bones, ())
        return found


@lru_cache(maxsize=4_096)
def loan_skeletons(folded: str) -> tuple[str, ...]:
    """The consonants of a Devanagari word as an English one may have them."""
    return tuple(dict.fromkeys(map(skeleton, _ways(folded))))
