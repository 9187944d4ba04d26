"""The language of a text: English, Hindi in Devanagari, or Hinglish (Hindi in Latin letters)."""

import re

from ira_home.domain.language.lexicon import is_hinglish
from ira_home.domain.language.words import Language, is_devanagari, split

_FILE_OR_ADDRESS = re.compile(
    r"(?<!\S)\S+@\S+|https?://\S+|[~/\\]\S*|(?<!\S)\S+\.[A-Za-z0-9]{1,5}\b"
)
# A Latin text is short when it shows too little to tell by itself ("ok", "next page", a name).
_SHORT_WORDS = 2
_ROMAN = 0.34  # share of Devanagari words from which the sentence, and not a name in it, is Hindi

# Hindi words that no English sentence has.
_HINGLISH = frozenset(
    (
        "hai hain hoon hun tha thi kya kyu kyun kyon kaun kaunsa kaise kaisa kaisi kab kahan kaha kidhar kitna kitni kitne "
        "mera meri mujhe muje mujhko humara hamara hamari hamare humein hame tum tumhara tera teri aap aapka aapki "
        "apna apni apne iska iski uska uski unka unki isko usko inka "
        "karo kardo karna karke kariye kijiye karte karta karti karega kar diya dijiye dijiyega dedo dena "
        "nahi nahin nhi haan haanji hanji ji accha acha theek thik sahi bilkul zaroor jaroor "
        "aur phir fir lekin magar agar toh bhi sirf abhi aaj kal parso parson subah shaam raat dopahar "
        "mein mai wala wali wale koi kuch sab bahut thoda zara jara "
        "padho parho padh sunao suno bolo batao bata dikhao dikha bhejo bhej dhundo dhoondo dhundho khojo kholo khol "
        "chalao chalu bajao lagao laga hatao banao bana likho likh bulao mangwa mangao dilao dilana yaad rakho rehne rahne "
        "chahiye chaiye raha rahi rahe gaya gayi gaye hua hui huye hoga hogi honge aaya aayi aaye jao aana "
        "khatam bachi bacha bache batti bijli pani paani dawa dawai goli gaana gana mausam khabar samachar "
        "shukriya dhanyavad dhanyawad namaste namaskar alvida bhai bhaiya didi yaar baje ghante "
        "saadhe sadhe sava paune ek chaar paanch panch chhah saat aath nau dus lakh hazaar "
        "kr krdo krna kro krke karwa karwao karwana karwani karva dilwa dila aayega aayegi jayega jayegi bikega bik akhbar haziri udhaar udhar rakhwa lagwa lagwana daal daalo "
        "kis kiski kiska kisne isme usme wahan yahan yaha waha jaldi dobara purana purani naya nayi"
    ).split()
)
# Both English and Hinglish: they count only beside a word of the list above.
_EITHER = frozenset(
    "mat hue mere lana jana teen char sham me to do is us the par main hum ham ho he se ka ki ke ko na ya jo so le lo de ne pe tak".split()
)
# Small words that make a short sentence Hinglish although each alone could be a slip.
_PARTICLES = frozenset("ka ki ke ko se pe ne le lo de jo ya tak ho hum ham hue lana jana".split())
# What one calls one's family in either language.
_KIN = frozenset(
    "papa mummy maa ma amma dadi dada nani nana dadaji dadiji nanaji naniji didi bhai bhaiya chacha chachi mama mami mausi bua beta beti ji".split()
)
# Small words that no Hinglish sentence has; two beside a single Hindi one show that to be a slip ("chek").
_ENGLISH = frozenset(
    "the my your our his her their on in of for from with at by what which who when where how an and are was were please plz it this that a any call show send tell there have has every after before about takes take gave give needs need get into until till him out".split()
)


def _latin(words: list[str]) -> Language:
    sure = sum(word in _HINGLISH or is_hinglish(word) for word in words)
    own = [word for word in words if word in _HINGLISH or word in _PARTICLES]
    slips = sure <= max(1, len(_KIN.intersection(words))) and set(own) <= _KIN
    if sure and not (slips and sum(word in _ENGLISH for word in words) > (not own)):
        near = sum(word in _EITHER for word in words)
        return "hinglish" if (sure + near) / len(words) >= 0.15 else "en"
    return "hinglish" if sum(word in _PARTICLES for word in words) >= 2 else "en"


_ASKED = re.compile(
    r"(?:\b(?:in|into)\s+(hindi|english|hinglish)\b|\b(hindi|english|angrezi|angreji|hinglish)\s+(?:me|mein|mai|m)\b"
    r"|(हिंदी|हिन्दी|अंग्रेजी|अंग्रेज़ी)\s+में)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:answer|reply|tell|say|speak|respond|explain|bata\w*|bolo|boliye|bolna|jawab|samjha\w*|suna\w*|dikha\w*|please|plz)\b|बता|बोल|जवाब|समझा|सुना|दिखा|\W*$",
    re.IGNORECASE,
)
_NAMES: dict[str, Language] = {"hindi": "hi", "हिंदी": "hi", "हिन्दी": "hi", "hinglish": "hinglish"}


def asked_language(text: str) -> Language | None:
    """The language that the text asks to be answered in ("Hindi mein batao"); None when it asks for none."""
    found = _ASKED.search(text)
    if found is None:
        return None
    around = text[: found.start()].rsplit(",", maxsplit=1)[-1] + " " + text[found.end() :]
    name = next(one for one in found.groups() if one).lower()
    return _NAMES.get(name, "en") if _ASKING.search(around) else None


def without_asked_language(text: str) -> str:
    """The text without the words that ask for a language, so that none of them is an argument."""
    if asked_language(text) is None:
        return text
    found = _ASKED.search(text)
    return text if found is None else f"{text[: found.start()].rstrip(', ')} {text[found.end() :].lstrip(', ')}".strip()  # fmt: skip


def language_of(text: str) -> Language:
    """The language a person spoke, by script and word lists; English when nothing tells."""
    found = split(_FILE_OR_ADDRESS.sub(" ", text))
    # A capital within a sentence that has others without is a name: "is any fee pending for Diya".
    names = [one for one in found if one.start and one.raw[:1].isupper() and one.raw[1:].islower()]
    words = [one.folded for one in found if one not in names or len(names) >= len(found) - 1]
    if not words:
        return "hi" if is_devanagari(text) else "en"
    devanagari = sum(is_devanagari(word) for word in words)
    if devanagari and devanagari / len(words) >= _ROMAN:
        return "hi"
    return _latin([word for word in words if not is_devanagari(word)])


def is_telling(text: str) -> bool:
    """Whether the text is enough to know its language by; a short one says too little."""
    if is_devanagari(text):
        return True
    words = [one.folded for one in split(text)]
    return len(words) > _SHORT_WORDS or any(
        word in _HINGLISH or is_hinglish(word) for word in words
    )
