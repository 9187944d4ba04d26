"""Yes and no in English, Hindi and Hinglish, decided by code: whatever is not plainly one of them is neither."""

from collections.abc import Iterable
from enum import Enum
import re

from ira_home.domain.language.words import fold, split, stem


class Consent(Enum):
    """What a person's message says to an open question."""

    YES = "yes"
    NO = "no"
    NEITHER = "neither"


_WORDS_MAX = 8  # a plain answer is short; a longer text only happens to hold a yes
_CHARS_MAX = 80
# An apostrophe stands inside a word only; anything that could quote, ask or count is refused.
# No sign fits two of the ways: else a refusal of a few dozen Hindi letters would take for ever.
_ALLOWED = re.compile(r"(?:[\w\u0900-\u0965\s.,!;-]|(?<=[^\W\d])['\u2019](?=[^\W\d]))*")
_DIGIT = re.compile(r"\d")

# Each word is one letter of a small grammar:
# Y yes, W a yes that a later no outweighs, N no, M no before a verb, B "na" (a no before a verb,
# courtesy after it), C let it be, K a verb that ends things, E English verb, D "do" (English verb
# and Hindi "give"), S Hindi verb stem, H its helper, G "give" (helper or imperative),
# I Hindi imperative, T infinitive, O object, A thanks, F courtesy, X a word of the action itself.
_CLASSES = {
    "Y": "yes yeah yep yup sure confirm confirmed approve approved definitely absolutely haan han haa ha haanji hanji हां हा हांजी",
    "W": "ok okay okey alright fine ji jee theek thik sahi bilkul zaroor jaroor chalega agreed जी ठीक सही बिल्कुल बिलकुल जरूर चलेगा ओके",
    "N": "no nope nah never nahi nahin nahee nhi नहीं नही",
    "M": "dont mat मत",
    "B": "na naa ना न",
    "C": "leave ruko chhodo chodo choro rehne rahne rehna रुको छोड़ो छोडो रहने",
    "K": "cancel cancelled stop abort skip forget कैंसल कैंसिल रद्द",
    "E": (
        "send run delete remove book open close play share forward print save create add start call ring set "
        "post reply move copy order pay"
    ),
    "D": "do",
    "S": (
        "bhej kar hata bana laga chala khol bula likh mita chhap jod daal dikha suna bata baja "
        "भेज कर हटा बना लगा चला खोल बुला लिख मिटा छाप जोड़ डाल दिखा सुना बता बजा"
    ),
    "H": "dijiye dijiyega dein dena दीजिए दीजिये दें देना",
    "G": "de dedo दो दे",
    "I": (
        "karo kardo bhejo bhejdo hatao banao lagao chalao kholo bulao likho mitao chhapo jodo daalo "
        "karein kariye kijiye kijiyega bhejiye "
        "करो भेजो हटाओ बनाओ लगाओ चलाओ खोलो बुलाओ लिखो मिटाओ छापो जोड़ो डालो कीजिए कीजिये करें करिए भेजिए"
    ),
    "T": "karna bhejna hatana karne bhejne करना भेजना हटाना करने भेजने",
    "O": (
        "it that this them him her isko ise isse usko use yeh ye yah woh wo wahi yahi "
        "इसे इसको उसे उसको यह ये वो वह वही यही"
    ),
    "A": "thanks thank shukriya dhanyavad dhanyawad धन्यवाद शुक्रिया",
    "F": (
        "please pls plz kindly you the now ira bhai bhaiya didi yaar sir madam abhi zara jara just then to "
        "accha acha achha कृपया अभी जरा भाई दीदी तो अच्छा"
    ),
}  # fmt: skip
_CLASS = {fold(word): letter for letter, words in _CLASSES.items() for word in words.split()}
# Several words that are one answer, folded in before the words are classed.
_PHRASES = (
    (re.compile(r"\bdo not\b"), "dont"),
    (re.compile(r"\b(?:go ahead|of course|for sure|please do$|ho jaye|ho jaaye|kar lo)\b"), "yes"),
    (
        re.compile(r"\b(?:never mind|nevermind|forget it|leave it|let it be|jaane do|jane do)\b"),
        "ruko",
    ),
    (re.compile(r"\b(?:not now|abhi nahin?)\b"), "no"),
    (re.compile(r"\b(theek|thik|sahi|fine)\s+(?:hai|h|he)\b"), r"\1"),
    (re.compile("(ठीक|सही) है"), r"\1"),
    (re.compile("हो जाए|हो जाये|कर लो"), "yes"),
    (re.compile("जाने दो"), "ruko"),
)
_ACTION = "(?:O*(?:E?S[HDG]|E?I|E?[DGH]|EO*|DO+)O*)"
# "na" is courtesy at the very end only: "kar do na", but not "haan na karo".
_YES = re.compile(f"(?:[YW]+{_ACTION}*|{_ACTION}+[YW]*)B?")
# One of these alone is half a sentence in either language.
_HALF = re.compile("[DGH]")
# "don't cancel", "cancel mat karo": a no to a no is no answer.
_TWISTED = re.compile("[MB].*K|K.*[MBN]")


def _folded(text: str) -> str:
    folded = fold(text).replace("'", "")
    for pattern, into in _PHRASES:
        folded = pattern.sub(into, folded)
    return folded


def _letters(text: str, action: frozenset[str]) -> str | None:
    """One letter a word, courtesy left out; None when a word is no part of a plain answer."""
    letters: list[str] = []
    for word in split(text):
        letter = _CLASS.get(word.folded)
        if letter in (None, "K") and stem(word.folded) in action:
            letter = "X"
        if letter is None:
            return None
        letters.append(letter)
    return "".join(letters).replace("F", "")


def _forbids(letters: str, text: str) -> Consent:
    """NO, unless it says yes or the contrary as well."""
    if "Y" in letters or _TWISTED.search(letters):
        return Consent.NEITHER
    for part in re.split("[,;.!\u0964]", text):
        said = _letters(part, frozenset())
        # "no, send it" says two things; "no send it" and "nahi bhejo" forbid.
        if said and _YES.fullmatch(said) and set(said) & set("EISD"):
            return Consent.NEITHER
    return Consent.NO


def _allows(letters: str) -> Consent:
    if "A" in letters and not set(letters) & set("YEISDG"):
        return Consent.NEITHER  # "ok, thanks" ends a talk as often as it agrees
    if "X" in letters and not set(letters) & set("YW"):
        return Consent.NEITHER  # the request again, not an answer
    letters = letters.replace("A", "").replace("X", "E")
    if _HALF.fullmatch(letters) or _YES.fullmatch(letters) is None:
        return Consent.NEITHER
    return Consent.YES


def read_consent(text: str, also: Iterable[str] = ()) -> Consent:
    """Whether the whole message is a yes or a no.

    Questions, conditions, quotes, doubts, both at once and texts that merely hold a yes are
    NEITHER. `also` are words of the action that was asked about ("parcel", "drawbridge"): they
    may stand in the answer ("yes, raise the drawbridge").
    """
    if len(text) > _CHARS_MAX or _DIGIT.search(text) or not _ALLOWED.fullmatch(text):
        return Consent.NEITHER
    folded = _folded(text)
    words = [one.folded for one in split(folded)]
    if not words or len(words) > _WORDS_MAX or words.count("ha") > 1:
        return Consent.NEITHER
    action = frozenset(stem(fold(word)) for word in also)
    letters = _letters(folded, action)
    if not letters:
        return Consent.NEITHER
    if "X" in letters and not set(letters) & set("YW"):
        letters = _letters(folded, frozenset()) or letters  # "cancel" alone stays a no
    if set(letters) & set("NMCK") or letters.startswith("B"):
        return _forbids(letters, folded)
    return _allows(letters)
