"""What people say to an assistant besides requests: greetings, thanks, "what can you do", "next page"."""

from enum import StrEnum
import re

from ira_home.domain.language.words import fold, is_stop_word, split


class Talk(StrEnum):
    """A message that asks for no tool."""

    PIN = "pin"
    NEXT_PAGE = "next_page"
    CAN_DO = "can_do"
    WHO = "who"
    HOW = "how"
    THANKS = "thanks"
    BYE = "bye"
    GREETING = "greeting"
    PRAISE = "praise"


_PHRASES: dict[Talk, str] = {
    Talk.NEXT_PAGE: (
        "next page|the next page|show more|read more|more please|read on|keep reading|continue reading|continue|more|"
        "aage padho|aage parho|age padho|aage dikhao|aage batao|aage|agla page|agla panna|aur dikhao|aur padho|aur batao|"
        "आगे पढो|आगे दिखाओ|आगे बताओ|आगे|अगला पेज|अगला पन्ना|और दिखाओ|और पढो|और बताओ"
    ),
    Talk.CAN_DO: (
        "what (?:all )?can you do(?: for me)?|what do you do|how can you help(?: me)?|what can i (?:ask|say)(?: you)?|help|"
        "(?:tum |aap )?(?:mere liye )?kya kya kar sak(?:te|ti) (?:ho|hain|hai)|(?:tum |aap )?kya kar sak(?:te|ti) (?:ho|hain|hai)|"
        "madad|meri madad karo|"
        "(?:तुम |आप )?क्या (?:क्या )?कर सक(?:ते|ती) (?:हो|हैं)|मदद|मेरी मदद करो"
    ),
    Talk.WHO: (
        "who are you|what are you|whats your name|what is your name|who is this|"
        "(?:tum|aap|tu) kaun (?:ho|hain|hai)|kaun ho(?: tum)?|(?:tumhara|aapka|tera) naam(?: kya hai)?|"
        "(?:तुम|आप) कौन (?:हो|हैं)|कौन हो(?: तुम)?|(?:तुम्हारा|आपका) नाम(?: क्या है)?"
    ),
    Talk.HOW: (
        "how are you(?: doing)?(?: today)?|hows it going|how do you do|whats up|"
        "(?:tum |aap )?kais[ei] (?:ho|hain)(?: tum| aap)?|kya haal (?:hai|hain|chaal)|kya chal raha(?: hai)?|"
        "(?:तुम |आप )?कैस[ेी] (?:हो|हैं)(?: तुम| आप)?|क्या हाल (?:है|हैं)"
    ),
    Talk.THANKS: (
        "thank you(?: so much| very much)?|thanks(?: a lot)?|thankyou|shukriya|shukria|dhanyavad|dhanyawad|dhanyavaad|"
        "धन्यवाद|शुक्रिया|थैंक यू|थैंक्यू"
    ),
    Talk.BYE: (
        "good ?bye|bye(?: bye)?|see you(?: later)?|good night|alvida|phir milenge|fir milenge|shubh ratri|"
        "अलविदा|फिर मिलेंगे|शुभ रात्रि|बाय"
    ),
    Talk.GREETING: (
        "hello|hallo|hi|hey|hii|good (?:morning|evening|afternoon|day)|namaste|namaskar|namaskaar|salaam|salam|pranam|"
        "नमस्ते|नमस्कार|हेलो|हैलो|हाय|सलाम|प्रणाम|सुप्रभात"
    ),
    Talk.PRAISE: (
        "well done|very good|good job|good|nice|great|cool|perfect|excellent|wonderful|awesome|super|lovely|"
        "bahut badhiya|badhiya|bahut accha|bahut acha|shabash|accha|acha|achha|"
        "बहुत बढिया|बढिया|बहुत अच्छा|शाबाश|अच्छा"
    ),
}  # fmt: skip
_PATTERNS = {
    kind: re.compile(rf"(?<!\S)(?:{_alternatives})(?!\S)")
    for kind, _alternatives in _PHRASES.items()
}
_PIN = re.compile(r"\[pin hidden\]|\b(?:my|mera|meri) pin\b|मेरा पिन|\bpin (?:is|hai)\b|पिन है")
_FILLERS = frozenset(
    "there again so much very really today dear friend bhai bhaiya didi yaar ji sir madam bahut aaj ira "
    "भाई दीदी जी बहुत आज that works job work help answer".split()
)


def _left_over(text: str, name: str) -> bool:
    """Whether a word with a topic is left when phrases, courtesy and the assistant's name are taken out."""
    own_name = {one.folded for one in split(name)}
    for pattern in _PATTERNS.values():
        text = pattern.sub(" ", text)
    return any(
        not is_stop_word(word) and word not in _FILLERS and word not in own_name
        for word in text.split()
    )


def talk_of(text: str, assistant_name: str = "") -> Talk | None:
    """What kind of talk the whole message is; None when it holds anything else as well."""
    folded = fold(text)
    if _PIN.search(folded):
        return Talk.PIN
    plain = " ".join(one.folded for one in split(text))
    kind = next((kind for kind, pattern in _PATTERNS.items() if pattern.search(plain)), None)
    return None if kind is None or _left_over(plain, assistant_name) else kind
