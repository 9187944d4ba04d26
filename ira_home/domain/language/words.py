"""Words of a text in English, Hindi and Hinglish: folding, splitting, stems, stop words."""

from dataclasses import dataclass
from functools import lru_cache
import re
from typing import Literal
import unicodedata

_QUOTES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc\u0060\u00b4", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"')
)
_JOINERS = re.compile("[\u200c\u200d]")
# A nasal consonant with virama before another consonant is spelled as anusvara just as often.
_NASAL = re.compile("[ङञणनम]\u094d(?=[कखगघचछजझटठडढतथदधपफबभ])")
# One word: letters and digits of any script with Devanagari signs; an apostrophe only inside.
_WORD = re.compile(r"[^\W_\u0964\u0965][\w\u0900-\u0963\u0966-\u097f]*(?:'[^\W_]+)*")
_DEVANAGARI = re.compile("[\u0900-\u097f]")

Language = Literal["en", "hi", "hinglish"]

STOP_WORDS = frozenset(
    (
        "a an the this that these those it its is are was were be been am do does did done has have had "
        "i im ive id me my mine we us our you your yours he she they them his her their "
        "of in on at to for from with by as into onto about and or then also so if but than "
        "not can could will would shall should may might must please kindly just now here there "
        "what which who whom whose when why how any some all one ones up out over "
        "want wants need needs like let lets get got give go going make ok okay "
        "whats hows wheres whos thats theres heres isnt arent dont cant didnt wont couldnt wouldnt doesnt hasnt havent "
        "am there im youre were theyre actually really very too "
        "anything something nothing whether able yet already still anyone anybody someone somebody wanna gonna gotta lemme gimme because while until though however myself yourself itself "
        # Hinglish
        "kab saath sath ka ki ke ko se me mein mai main par pe pr ne hai hain he h ho hu hun hoon tha thi the tum aap ap "
        "mera meri mere mujhe muje mujhko humko hame hamara hamari hamare apna apni apne iska uska iski uski "
        "kya kyu kyun kaun kon kaunsa kaunsi kaunse si sa kis kise kisko jo ye yeh yah wo woh wah is us in un isko usko ise use inka "
        "aur or ya phir fir bhi hi to toh na nahi nahin mat zara jara plz pls "
        "do de dena deni dene leni lene dete deti lete leti dedo dijiye kar karo kardo karna karke kariye kijiye karte karta lo le lena "
        "raha rahi rahe gaya gayi gaye gai jao jaye wala wali wale wali koi kuch sab abhi ab ek "
        "baare bare chahiye chaiye chahie chahta chahti chahte chahunga chahungi chahoonga sakta sakti sakte sakoge sakti sake sakun sakein "
        "yaar yar arre arey are suno zarra liye lie mere meri hame humein hamen hum ham tumhe tumhara "
        "tumhari aapka aapki aapke unka unki unke unko unhe unhone usne isne inke jis jiska jab tak agar magar lekin kyunki "
        "hoga hogi honge hota hoti hote hui hua huye hue padega padegi krna krdo kr kro krke kardijiye kijiyega dijiyega "
        "karni karne karwani karwa karwao karwana karvana karvao karva karwado diya diye di dunga dungi doge denge lunga lungi loge lenge karunga "
        "karungi karenge karega karegi jaega jaegi jayega jayegi jayenge jaunga jaungi wahi yahi aisa aise waisa jaisa "
        "bas sirf bilkul ji jee haan acha accha achha theek thik please kripya thoda thodi bahut bohot"
    ).split()
) | frozenset(
    # Hindi, as `fold` spells it: no nukta, anusvara for every nasal sign.
    (
        "कब साथ का की के को से में पर ने है हैं हो हूं था थी थे तुम आप मैं मेरा मेरी मेरे मुझे मुझको हमें हमारा हमारी हमारे "
        "अपना अपनी अपने इसका उसका इसकी उसकी क्या क्यों कौन कौनसा कौनसी कौनसे सी सा किस किसे किसको जो ये यह वो वह इस उस इन उन इसको उसको इसे उसे "
        "और या फिर भी ही तो ना न नहीं मत जरा कृपया दो दे देना देनी देने लेनी लेने दीजिए दीजिये कर करो करना करके करिए कीजिए कीजिये लो ले लेना "
        "रहा रही रहे गया गई गए गयी गये जाओ जाए वाला वाली वाले बारे कोई कुछ सब अभी अब एक चाहिए सकता सकती सकते पडी पडा "
        "प्लीज यार अरे जी हां लिए तक हम आप तुम्हें तुम्हारा आपका आपकी आपके उनका उनकी उनके उनको इनका उसने इसने जिस जब तब "
        "अगर लेकिन मगर क्योंकि होगा होगी होंगे होता होती होते हुआ हुई हुए करता करती करते करवा करवाओ करवाना करवानी करनी करने करूं करूंगा करेगा "
        "दिया दी दिए दूंगा लूंगा जाएगा जाएगी चाहता चाहती चाहते चाहूंगा चाहूंगी सकूं सकें सकूंगा पाऊं सिर्फ बिल्कुल ठीक अच्छा थोडा बहुत ऐसा वैसा जैसा"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written and as `fold` spells it, with its place in the text."""

    raw: str
    folded: str
    start: int
    end: int


@lru_cache(maxsize=8_192)
def fold(text: str) -> str:
    """One spelling for what looks or sounds the same: case, width, quotes, joiners, nukta, nasal signs."""
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    text = _JOINERS.sub("", text).casefold()
    if _DEVANAGARI.search(text):
        text = text.replace("\u093c", "").replace("\u0901", "\u0902")
        text = _NASAL.sub("\u0902", text)
    return text


def split(text: str) -> list[Word]:
    """The words of the text in order; an apostrophe inside a word is folded away ("don't", "dont")."""
    return list(_split(text))


@lru_cache(maxsize=512)  # the same few texts are read many times in one step
def _split(text: str) -> tuple[Word, ...]:
    text = text.translate(_QUOTES)
    return tuple(
        Word(found[0], fold(found[0]).replace("'", ""), found.start(), found.end())
        for found in _WORD.finditer(text)
    )


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")


def spaced(name: str) -> str:
    """A name that programs use as separate words: "oil_change", "oilChange", "oil-change"."""
    return _CAMEL.sub(" ", name)


def is_devanagari(text: str) -> bool:
    """Whether any Devanagari sign is in the text."""
    return _DEVANAGARI.search(text) is not None


def is_stop_word(folded: str) -> bool:
    """Whether the word carries no topic in any of the three languages."""
    return folded in STOP_WORDS


# They end like plurals and are none.
_NO_PLURALS = frozenset({"news", "lens", "always", "perhaps", "yes"})


def _has_vowel(text: str) -> bool:
    return any(c in "aeiouy" for c in text)


def _undouble(text: str) -> str:
    if len(text) > 3 and text[-1] == text[-2] and text[-1] not in "lsz":
        return text[:-1]
    return text


def _without_ending(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and _has_vowel(root):
            return _undouble(root)
    return word


@lru_cache(maxsize=8_192)
def stem(folded: str) -> str:
    """A folded word without its English endings ("calls", "calling", "called": "call"); others unchanged."""
    if not folded.isascii() or len(folded) < 4 or folded.isdigit() or folded in _NO_PLURALS:
        return folded
    whole = folded.removesuffix("'s")
    root = _without_ending(whole)
    if len(root) > 3 and root.endswith("e"):
        root = root[:-1]
    if len(root) > 3 and root.endswith("i") and root != whole:  # "carried"; "deni" is no "deny"
        root = root[:-1] + "y"
    return root


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words that carry a topic."""
    return frozenset(stem(one.folded) for one in split(text) if not is_stop_word(one.folded))
