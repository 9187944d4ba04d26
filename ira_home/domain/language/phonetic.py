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

# A ("ge" ends an English "message" with the sound of j; Hindi futures and "aage" keep theirs.)
_ENGLISH_G = re.compile(r"dge?\b|(?<=[^\W_]{3})(?<!en)(?<!un)(?<!on)(?<!aa)ge\b")
_CH = re.compile("(?:c?chh?)+")
_SOFT_C = re.compile("c(?=[eiy])")
_ASPIRATE = re.compile("([kgjtdbvw])h")
_O = re.compile("[ao]w(?![aeiou])")
_CHAHIYE = re.compile("ah(?=i[ye])")
_GLIDE = re.compile("(?<=i)y(?=[aeo])")
_VOWEL_Y = re.compile("(?<=[b-df-hj-np-tv-zC])y(?![aeiouy])")  # "gym", "cylinder"
_DOUBLE = re.compile(r"(.)\1+")


def latin(folded: str) -> str:
    """A folded Devanagari word in plain Latin letters; other letters stay."""
    made: list[str] = []
    if folded.isascii():
        return folded
    folded = folded.replace("ज्ञ", "ग्य")
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


def sound_of(folded: str) -> str:
    """What `key` gives, computed anew: for tables that would only push other words out of its cache."""
    text = latin(folded)
    if "g" in text:
        text = _ENGLISH_G.sub("j", text)
    if "c" in text:
        # C is kept apart from c, which sounds as k or s, until all of those are known.
        text = _CH.sub("C", text.replace("ck", "k"))
        text = _SOFT_C.sub("s", text).replace("c", "k")
    text = text.replace("tion", "sn").replace("sh", "s").replace("ph", "f").replace("aa", "a")
    if "h" in text:
        text = text.replace("ight", "ait").replace("ehe", "aha").replace("eh", "ah")
        text = _CHAHIYE.sub("a", _ASPIRATE.sub(r"\1", text))
    text = text.replace("qu", "kv").replace("q", "k").replace("x", "ks").replace("z", "j")
    text = text.replace("au", "o").replace("ou", "o")
    if "w" in text:
        text = _O.sub("o", text).replace("w", "v")
    text = text.replace("ee", "i").replace("ii", "i").replace("ea", "i")
    text = text.replace("oo", "u").replace("uu", "u")
    if "y" in text:
        text = _VOWEL_Y.sub("i", _GLIDE.sub("", text.replace("ayi", "ai")))
    for two in ("ai", "ay", "ei", "ey"):
        text = text.replace(two, "e")
    if text.endswith("y"):
        text = text[:-1] + "i"
    text = text[:1] + text[1:].removesuffix("h").replace("a", "")
    return _DOUBLE.sub(r"\1", text.replace("mp", "np").replace("mb", "nb")).replace("C", "c")


@lru_cache(maxsize=8_192)
def key(folded: str) -> str:
    """The sound of a folded word, without "a" and aspiration: "dhoondo", "dhundho", "ढूँढो" are one."""
    return sound_of(folded)


@lru_cache(maxsize=8_192)
def skeleton(folded: str) -> str:
    """Only the consonants of the key: for English words written in Devanagari ("लैंटर्न", "lantern")."""
    sound = key(folded)
    return sound[:1] + re.sub("[aeiou]", "", sound[1:])
