"""The server's own sentences to a person, in the three languages; no brain writes these."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ira_home.base.jsontext import dump, texts_in
from ira_home.base.text import clean, cut, hides, one_line
from ira_home.domain.audit import LogEntry
from ira_home.domain.language.detect import language_of
from ira_home.domain.language.writing import moment_words
from ira_home.domain.proposals import Foreign
from ira_home.domain.settings import LANGUAGES
from ira_home.domain.tools import Confirmed, OfferedTool, Outcome, Tier

_WHAT_CHARS = 300  # of a description, where a tool has no title

_SENTENCES: dict[str, tuple[str, str, str]] = {
    # key: English, Hindi, Hinglish
    "on": ("On {device}: {what}", "{device} पर: {what}", "{device} par: {what}"),
    "foreign": (
        " (not your words: from {source})",
        " (आपके शब्द नहीं: {source} से)",
        " (aapke shabd nahi: {source} se)",
    ),
    "something_read": ("something that was read", "कुछ पढ़े हुए", "kuch padhe hue"),
    "ask_yes": (
        "Should I do it? Say yes or no.",
        "करूँ? हाँ या नहीं कहिए।",
        "Karoon? Haan ya nahi boliye.",
    ),
    "ask_pin": (
        "This needs your PIN. Enter it on the card, never in the chat.",
        "इसके लिए आपका PIN चाहिए। कार्ड पर डालिए, चैट में कभी नहीं।",
        "Iske liye aapka PIN chahiye. Card par daaliye, chat mein kabhi nahi.",
    ),
    "pin_on_card": (
        "A PIN is taken on the card only, never in the chat. Enter it there to go on.",
        "PIN सिर्फ़ कार्ड पर लिया जाता है, चैट में कभी नहीं। आगे बढ़ने के लिए वहाँ डालिए।",
        "PIN sirf card par liya jaata hai, chat mein kabhi nahi. Aage badhne ke liye wahan daaliye.",
    ),
    "pin_hidden": (
        "I hid the digits you wrote: a PIN is never taken in the chat.",
        "आपके लिखे अंक मैंने छिपा दिए: PIN चैट में कभी नहीं लिया जाता।",
        "Aapke likhe number maine chhupa diye: PIN chat mein kabhi nahi liya jaata.",
    ),
    "not_your_words": (
        (
            "I did not do this: {what}. What I read may have asked for it, but you did not."
            " If you want it, say so in your own words."
        ),
        (
            "मैंने यह नहीं किया: {what}। शायद पढ़े हुए में यह कहा गया हो, पर आपने नहीं कहा।"
            " अगर आप चाहते हैं तो अपने शब्दों में कहिए।"
        ),
        (
            "Maine yeh nahi kiya: {what}. Shayad padhe hue mein yeh kaha gaya ho, par aapne nahi kaha."
            " Agar aap chahte hain to apne shabdon mein boliye."
        ),
    ),
    "running": ("That is already being done.", "वह हो रहा है।", "Woh ho raha hai."),
    "expired": (
        "Time ran out, so nothing was done: {what}. Ask again if you still want it.",
        "समय निकल गया, इसलिए कुछ नहीं किया गया: {what}। अब भी चाहिए तो फिर से कहिए।",
        "Time nikal gaya, isliye kuch nahi kiya: {what}. Ab bhi chahiye to phir se boliye.",
    ),
    "too_late": (
        "It is too late for that: nothing was done. Ask again if you still want it.",
        "उसके लिए देर हो गई: कुछ नहीं किया गया। अब भी चाहिए तो फिर से कहिए।",
        "Uske liye der ho gayi: kuch nahi kiya. Ab bhi chahiye to phir se boliye.",
    ),
    "skill_off": (
        "Nothing was done: the skill for it was switched off meanwhile. ({what})",
        "कुछ नहीं किया गया: इसका हुनर इस बीच बंद कर दिया गया। ({what})",
        "Kuch nahi kiya: iska skill is beech band kar diya gaya. ({what})",
    ),
    "device_gone": (
        "Nothing was done: the device was removed meanwhile. ({what})",
        "कुछ नहीं किया गया: डिवाइस इस बीच हटा दिया गया। ({what})",
        "Kuch nahi kiya: device is beech hata diya gaya. ({what})",
    ),
    "changed": (
        "Nothing was done: what this would do has changed meanwhile. Ask again. ({what})",
        "कुछ नहीं किया गया: यह क्या करेगा, इस बीच बदल गया। फिर से कहिए। ({what})",
        "Kuch nahi kiya: yeh kya karega, is beech badal gaya. Phir se boliye. ({what})",
    ),
    "away": (
        "Nothing was done: {device} is not connected, and nothing is kept for later. ({what})",
        "कुछ नहीं किया गया: {device} जुड़ा नहीं है, और बाद के लिए कुछ नहीं रखा जाता। ({what})",
        "Kuch nahi kiya: {device} juda nahi hai, aur baad ke liye kuch nahi rakha jaata. ({what})",
    ),
    "account_changed": (
        "Nothing was done: your account was changed meanwhile. ({what})",
        "कुछ नहीं किया गया: इस बीच आपका खाता बदला गया। ({what})",
        "Kuch nahi kiya: is beech aapka account badla gaya. ({what})",
    ),
    "no_say": (
        "I stopped here: your sign-in or account was ended or changed meanwhile. Ask again.",
        "मैं यहाँ रुक गई: इस बीच आपका साइन-इन या खाता बंद किया या बदला गया। फिर से पूछिए।",
        "Main yahan ruk gayi: is beech aapka sign-in ya account band kiya ya badla gaya. Phir se poochiye.",
    ),
    "unknown": (
        "I was stopped while this was being done, and do not know whether it happened: {what}.",
        "यह करते समय मुझे रोक दिया गया। हुआ या नहीं, मुझे पता नहीं: {what}।",
        "Yeh karte waqt mujhe rok diya gaya. Hua ya nahi, mujhe pata nahi: {what}.",
    ),
    "stopped": (
        "I was stopped before I could finish. Ask again.",
        "पूरा करने से पहले मुझे रोक दिया गया। फिर से पूछिए।",
        "Poora karne se pehle mujhe rok diya gaya. Phir se poochiye.",
    ),
    "no_calls_left": (
        "I stopped here: this took more steps than one question may.",
        "मैं यहाँ रुक गई: एक सवाल में इतने कदम नहीं हो सकते।",
        "Main yahan ruk gayi: ek sawaal mein itne kadam nahi ho sakte.",
    ),
    "no_time_left": (
        "I stopped here: this took too long.",
        "मैं यहाँ रुक गई: इसमें बहुत समय लग गया।",
        "Main yahan ruk gayi: ismein bahut samay lag gaya.",
    ),
    "nothing_said": (
        "I have nothing to say to that.",
        "इस पर मुझे कुछ नहीं कहना।",
        "Is par mujhe kuch nahi kehna.",
    ),
    "back": (
        "{device} is connected again.",
        "{device} फिर से जुड़ गया है।",
        "{device} phir se jud gaya hai.",
    ),
}
_OUTCOMES: dict[str, tuple[str, str, str]] = {
    "done": ("done", "हो गया", "ho gaya"),
    "failed": ("did not work", "नहीं हो पाया", "nahi ho paaya"),
    "refused": ("refused", "मना किया गया", "mana kiya gaya"),
    "proposed": ("asked you first", "पहले आपसे पूछा", "pehle aapse poocha"),
    "cancelled": ("not done", "नहीं किया", "nahi kiya"),
    "expired": ("time ran out", "समय निकल गया", "time nikal gaya"),
    "busy": ("the device was busy", "डिवाइस व्यस्त था", "device busy tha"),
    "away": ("the device was not connected", "डिवाइस जुड़ा नहीं था", "device juda nahi tha"),
    "timeout": ("no answer came", "जवाब नहीं आया", "jawab nahi aaya"),
    "unknown": ("not known", "पता नहीं", "pata nahi"),
}
_BY = {
    Confirmed.NONE: ("", "", ""),
    Confirmed.YES: (", after a yes", ", हाँ कहने पर", ", haan kehne par"),
    Confirmed.PIN: (", with the PIN", ", PIN से", ", PIN se"),
}


def language_for(own_words: str, reply_language: str) -> str:
    """The language to answer in: the one the person chose, or the one they spoke."""
    return language_of(own_words) if reply_language == "auto" else reply_language


def say(key: str, language: str, **values: str) -> str:
    """One of the sentences above, filled in."""
    return _SENTENCES[key][_column(language)].format(**values)


def what_of(tool: OfferedTool) -> str:
    """What a tool does in its own words; its name stands in only where it has no title."""
    if title := one_line(tool.title):
        return title
    return f"{cut(one_line(tool.description), _WHAT_CHARS).rstrip('.')} ({tool.name})"


def read_back(
    tool: OfferedTool,
    device: str | None,
    arguments: Mapping[str, Any],
    *,
    tier: Tier,
    foreign: Sequence[Foreign],
    language: str,
    now: datetime,
) -> str:
    """A proposal in words: what, on which device, and every argument whole, times as people say them too.

    `now` is in the zone of the house.
    """
    what = what_of(tool)
    lines = [what if device is None else say("on", language, device=one_line(device), what=what)]
    sources = {one.argument: one.source for one in foreign}
    for name, value in arguments.items():
        line = f"{visible(name)}{_count(value)}: {_indented(visible(value))}"
        if words := moment_words(value, now, language):
            line += f" ({words})"
        if name in sources:
            source = one_line(sources[name]) or say("something_read", language)
            line += say("foreign", language, source=source)
        lines.append(line)
    lines.append(say("ask_pin" if tier is Tier.PIN else "ask_yes", language))
    return "\n".join(lines)


def can_be_read_back(arguments: Mapping[str, Any]) -> bool:
    """Whether no text in the arguments hides something from who is to say yes to it."""
    return not any(hides(text) for text in texts_in(arguments))


def outcome_words(outcome: Outcome, language: str) -> str:
    """How a call ended, as a short sentence."""
    words = _OUTCOMES[outcome][_column(language)]
    return words[:1].upper() + words[1:] + "."


def headline(text: str) -> str:
    """The first line of a read-back: what the proposal was about."""
    return text.partition("\n")[0].rstrip(".")


def visible(value: Any) -> str:
    """A value with nothing in it that cannot be seen: what hides is written as its code."""
    shown = value if isinstance(value, str) else dump(value)
    return shown if clean(shown) == shown else "".join(_shown(symbol) for symbol in shown)


def _count(value: Any) -> str:
    return f" ({len(value)})" if isinstance(value, list) else ""


def _indented(value: str) -> str:
    """With every further line set in, so that none of them looks like another argument."""
    return value.replace("\n", "\n    ")


def _shown(symbol: str) -> str:
    return symbol if clean(symbol) == symbol else f"\\u{{{ord(symbol):x}}}"


def log_sentence(entry: LogEntry, language: str = "en") -> str:
    """A line of "What Ira did" in words; without contents, as the line itself."""
    column = _column(language)
    what = entry.tool
    if entry.device is not None:
        what = say("on", language, device=one_line(entry.device), what=entry.tool)
    return f"{what}: {_OUTCOMES[entry.outcome][column]}{_BY[entry.confirmed][column]}"


def _column(language: str) -> int:
    return LANGUAGES.index(language) if language in LANGUAGES else 0
