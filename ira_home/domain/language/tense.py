"""Whether a sentence speaks of what was or of what is to come, by its verbs."""

from collections.abc import Sequence
from functools import lru_cache
import re
from typing import Literal

from ira_home.domain.language.time_doubts import Token
from ira_home.domain.language.words import fold

Lean = Literal["future", "past"]


def _set(words: str) -> frozenset[str]:
    return frozenset(fold(word) for word in words.split())


_PAST = _set(
    "did was were had went came happened said told called "
    "tha thi thin thaa thee gaya gayi gaye gya gyi gye gayaa hua hui hue huye huya aaya aayi aaye aya ayi kiya kiye diya diye liya liye dekha dekhi "
    "bola boli kaha mila mili khaya bheja bheji likha khincha khinchi kheenchi khichi lagaya banaya kharida khareeda chuka chuki chuke "
    "था थी थे थीं गया गयी गई गए गये हुआ हुई हुए आया आयी आई आए आये किया किए दिया दी लिया ली देखा देखी बोला बोली कहा मिला मिली मिले "
    "खाया भेजा भेजी लिखा खींचा खींची लगाया बनाया खरीदा चुका चुकी चुके"
)
_FUTURE = _set(
    "will shall gonna remind schedule hoga hogi honge dilana dilaana dila dilao dilado dilade jana jaana aana uthana jagana milna milenge "
    "होगा होगी होंगे दिलाना दिला दिलाओ जाना आना उठाना जगाना मिलना रिमाइंड"
)
_FUTURE_ENDING = re.compile(
    "(?:[uo]+ng[ai]|enge|engi|ega|egi|ogey?|ogi|ूंगा|ूंगी|उंगा|उंगी|ऊंगा|ऊंगी|ेंगे|ेंगी|एंगे|एंगी|येगा|येगी|एगा|एगी|ेगा|ेगी|ोगे|ोगी|ओगे|ओगी)$"
)
_NO_FUTURE = frozenset({"mega", "vega", "omega", "doge", "unga", "yogi"})
# "jana hai" is to come; "kitna hai" and "gana hai" are no verbs.
_TO_DO = re.compile("(?:na|ni|ne|ना|नी|ने)$")
_NO_VERBS = _set(
    "kitna kitni kitne itna itni itne utna jitna jitne apna apni apne gana gaana purana purani kaun kaunsa kitna कितना कितनी कितने इतना इतनी अपना अपनी अपने गाना पुराना पुरानी ne ने"
)
_IS = _set("hai h he hain padega chahiye hoga है हैं पड़ेगा चाहिए")
# A verb's form before one of these is a person: "Diya ko", "Mila ke".
_OF_NOUN = frozenset("kes")


@lru_cache(maxsize=4_096)
def _of_word(folded: str) -> Lean | None:
    if folded in _PAST:
        return "past"
    ends = len(folded) > 3 and folded not in _NO_FUTURE and _FUTURE_ENDING.search(folded)
    return "future" if folded in _FUTURE or ends else None


@lru_cache(maxsize=4_096)
def _is_to_do(folded: str) -> bool:
    return len(folded) > 3 and folded not in _NO_VERBS and _TO_DO.search(folded) is not None


def tense_near(tokens: Sequence[Token], place: int) -> Lean | None:
    """The tense of the first verb behind the token, else of the last one before it; None when no verb tells."""
    for at in range(place, len(tokens)):
        if (tense := _tense_at(tokens, at)) is not None:
            return tense
    for at in range(min(place, len(tokens)) - 1, -1, -1):
        if (tense := _tense_at(tokens, at)) is not None:
            return tense
    return None


_DOER = _set("wala wali wale vala vali vale वाला वाली वाले")


def tense_of(words: Sequence[str]) -> Lean | None:
    """The tense of the last of these folded words that tells one: "aane wale hain" is to come."""
    for at in range(len(words) - 1, -1, -1):
        word, before = words[at], words[at - 1] if at else ""
        if (word in _DOER or word in _IS) and _is_to_do(before):
            return "future"
        if (tense := _of_word(word)) is not None:
            return tense
    return None


def _tense_at(tokens: Sequence[Token], at: int) -> Lean | None:
    token = tokens[at]
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if token.folded == "the" and after is None:  # "kahan gaye the"; English never ends with it
        return "past"
    if token.sort != "o" or not token.folded:
        return None
    tense = _of_word(token.folded)
    if tense == "past" and after is not None and after.sort in _OF_NOUN:
        return None
    if tense is None and after is not None and after.folded in _IS and _is_to_do(token.folded):
        return "future"
    return tense
