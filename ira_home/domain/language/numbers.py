"""Numbers as people say them: digits of either script, and the words up to a hundred that are in daily use."""

import re

from ira_home.domain.language.words import fold

_WORDS = {
    fold(word): value
    for value, words in {
        0: "zero shunya शून्य",
        1: "one ek एक",
        2: "two do दो",
        3: "three teen तीन",
        4: "four char chaar चार",
        5: "five paanch panch पांच पाँच",
        6: "six chhah chhe chah छह छः छे",
        7: "seven saat सात",
        8: "eight aath आठ",
        9: "nine nau नौ",
        10: "ten das dus दस",
        11: "eleven gyarah ग्यारह",
        12: "twelve barah baarah बारह",
        13: "thirteen terah तेरह",
        14: "fourteen chaudah चौदह",
        15: "fifteen pandrah पंद्रह पन्द्रह",
        16: "sixteen solah सोलह",
        17: "seventeen satrah सत्रह",
        18: "eighteen atharah अठारह",
        19: "nineteen unnis उन्नीस",
        20: "twenty bees बीस",
        25: "pachees pachis पच्चीस",
        30: "thirty tees तीस",
        40: "forty chalis चालीस",
        45: "paintalis पैंतालीस",
        50: "fifty pachaas pachas पचास",
        60: "sixty साठ",
        70: "seventy sattar सत्तर",
        80: "eighty assi अस्सी",
        90: "ninety nabbe नब्बे",
        100: "hundred sau सौ",
    }.items()
    for word in words.split()
}
# "do" is "give" and "ek file" is "a file": such words count only right before a unit.
_SMALL = frozenset(fold(word) for word in "one ek एक do दो two char das saat".split()) - {"two"}
_UNITS = frozenset(
    fold(word)
    for word in (
        "minute minutes min mins second seconds sec hour hours day days week weeks month months percent times "
        "ghanta ghante din hafte mahine baje baar goli goliyan kilo litre liter degree rupees rupaye number "
        "मिनट सेकंड घंटा घंटे दिन हफ्ते महीने बजे बार गोली गोलियां किलो लीटर डिग्री रुपये प्रतिशत"
    ).split()
)
_DIGITS = re.compile(r"\d+")
_DIGITS_MAX = 15  # longer ones are identities, not amounts


def number_at(folded: str, after: str) -> str | None:
    """The number that a folded word says, as digits; `after` is the word behind it."""
    if _DIGITS.fullmatch(folded):
        return None if len(folded) > _DIGITS_MAX else str(int(folded))
    value = _WORDS.get(folded)
    if value is None or (folded in _SMALL and after not in _UNITS):
        return None
    return str(value)
