"""Values that are a unit said behind an amount, or letters with a sign as blood groups have."""

from collections.abc import Sequence
import re
from typing import Any

from ira_home.domain.language.words import fold, stem
from ira_home.providers.llm.nokey.spoken import Spoken

_UNIT_WORDS = {
    stem(fold(word)): unit
    for unit, words in {
        "kg": "kg kgs kilo kilos kilogram kilograms किलो किलोग्राम",
        "g": "g gm gms gram grams ग्राम",
        "litre": "litre litres liter liters ltr l लीटर",
        "ml": "ml millilitre मिलीलीटर",
        "packet": "packet packets pack packs pkt pouch पैकेट पैकेटों",
        "dozen": "dozen dozens darjan दर्जन",
        "piece": "piece pieces pcs pc nag पीस नग",
        "box": "box boxes dibba dibbe डिब्बा डिब्बे",
        "bottle": "bottle bottles botal बोतल बोतलें",
        "quintal": "quintal quintals क्विंटल",
        "ton": "ton tons tonne tonnes टन",
        "strip": "strip strips patta patte पत्ता पत्ते",
    }.items()
    for word in words.split()
}


def unit(options: Sequence[Any], words: Spoken) -> Any:
    """A value that is a unit, said behind an amount: "250 grams" is "g"."""
    known = {_UNIT_WORDS.get(stem(one.lower())): one for one in options if isinstance(one, str)}
    known.pop(None, None)
    if not known:
        return None
    for said in words.request.quantities:
        places = words.at(said.start, said.end)
        in_dozens = said.dozens is not None and "dozen" in known
        found = "dozen" if in_dozens else _UNIT_WORDS.get(said.unit)
        if found in known and words.is_free(places):
            if in_dozens:
                words.in_dozens = True
            elif (
                places.stop < len(words.words)
                and stem(words.words[places.stop].folded) == said.unit
            ):
                words.used.add(places.stop)
                words.measured.add(places.stop)
            return known[found]
    return None


# The names of single letters in Devanagari, as in blood groups.
_LETTER_NAMES = {fold(name): letter for name, letter in (("ए", "a"), ("बी", "b"), ("एबी", "ab"), ("ओ", "o"), ("सी", "c"), ("डी", "d"))}  # fmt: skip
_SIGN_NAMES = {
    fold(word): sign
    for sign, words in {
        "+": "positive pos plus पॉजिटिव पॉज़िटिव प्लस",
        "-": "negative neg minus नेगेटिव निगेटिव माइनस",
    }.items()
    for word in words.split()
}


def signed(options: Sequence[Any], words: Spoken) -> Any:
    """A value of letters with a sign, as blood groups have: "O negative", "B+", "एबी पॉज़िटिव"."""
    known = {
        one.upper(): one
        for one in options
        if isinstance(one, str) and re.fullmatch(r"[A-Za-z]{1,2}[+-]", one)
    }
    for place, word in enumerate(words.words) if known else ():
        letters = _LETTER_NAMES.get(word.folded, word.folded).upper()
        behind = words.text[word.end : word.end + 1]
        following = words.words[place + 1].folded if place + 1 < len(words.words) else ""
        sign = behind if behind in ("+", "-") and behind else _SIGN_NAMES.get(following, "")
        if sign and letters + sign in known:
            words.used.update({place} if behind == sign else {place, place + 1})
            return known[letters + sign]
    return None
