"""A phonetic key: one spelling for a word in Devanagari and for its many romanised spellings."""

from functools import lru_cache
import re

_CONSONANTS = dict(zip(
    "कखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसह",
    "k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh m y r l l v sh sh s h".split(),
    strict=True,
))  # fmt: skip
_VOWELS = dict(zip("अआइईउऊऋएऐओऔऑऍ", "a aa i ii u uu ri e ai o au o e".split(), strict=True))
_SIGNS = dict(zip("ािीुूृेैोौॉॅ", "aa i ii u uu ri e ai o au o e".split(), strict=True))
_DIGITS = dict(zip("०१२३४५६७८९", "0123456789", strict=True))
_VIRAMA, _ANUSVARA, _VISARGA = "\u094d", "\u0902", "\u0903"

_FOLDS = (
    (re.compile(r"dge?\b|ge\b"), "j"),
    (re.compile("tion"), "sn"),
    (re.compile("chh|ch"), "C"),  # kept apart from c, which sounds as k or s
    (re.compile("ck|c(?=[eiy])"), lambda found: "k" if found[0] == "ck" else "s"),
    (re.compile("c"), "k"),
    (re.compile("sh"), "s"),
    (re.compile("ph"), "f"),
    (re.compile("([kgjtdb])h"), r"\1"),
    (re.compile("au|aw|ou|ow"), "o"),
    (re.compile("[qx]"), "k"),
    (re.compile("z"), "j"),
    (re.compile("w"), "v"),
    (re.compile("ee|ii|ea"), "i"),
    (re.compile("oo|uu"), "u"),
    (re.compile("ai|ay|ei|ey"), "e"),
    (re.compile("m(?=[pbtdkgCjs])"), "n"),
    (re.compile("y$"), "i"),
    (re.compile("h$"), ""),
    (re.compile("(?<=.)a+"), ""),
    (re.compile(r"(.)\1+"), r"\1"),
    (re.compile("C"), "c"),
)


def latin(folded: str) -> str:
    """A folded Devanagari word in plain Latin letters; other letters stay."""
    made: list[str] = []
    for place, sign in enumerate(folded):
        if sign in _CONSONANTS:
            after = folded[place + 1 : place + 2]
            inherent = after not in _SIGNS and after not in (_VIRAMA, "")
            made.append(_CONSONANTS[sign] + ("a" if inherent else ""))
        elif sign == _ANUSVARA:
            made.append("n")
        elif sign not in (_VIRAMA, _VISARGA):
            made.append(_VOWELS.get(sign) or _SIGNS.get(sign) or _DIGITS.get(sign) or sign)
    return "".join(made)


@lru_cache(maxsize=8_192)
def key(folded: str) -> str:
    """The sound of a folded word, without "a" and aspiration: "dhoondo", "dhundho", "ढूँढो" are one."""
    text = latin(folded)
    for pattern, into in _FOLDS:
        text = pattern.sub(into, text)
    return text


@lru_cache(maxsize=8_192)
def skeleton(folded: str) -> str:
    """Only the consonants of the key: for English words written in Devanagari ("लैंटर्न", "lantern")."""
    sound = key(folded)
    return sound[:1] + re.sub("[aeiou]", "", sound[1:])
