"""What the person's own words of this turn say: whether they ask for an action, and its arguments."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
import re
from typing import Any
import unicodedata

from ira_home.domain.language import markers
from ira_home.domain.language.consent import Consent, read_consent
from ira_home.domain.language.detect import language_of
from ira_home.domain.language.lexicon import concepts_of, is_deed, phrases_of
from ira_home.domain.language.phonetic import key, latin
from ira_home.domain.language.words import Language, Word, is_devanagari, is_stop_word, split, stem
from ira_home.domain.tools import OfferedTool

# A person who points at what was just spoken of names the action and nothing else ("delete it").
_POINTING = frozenset(
    "it this that them these those him her isko ise usko use usey yeh ye yah woh wo wahi yahi inko unko inhe unhe sabko "
    "wahan wahaan vahan yahan yahaan वहां वहाँ यहां यहाँ "
    "इसे इसको उसे उसको यह ये वह वो वही यही इनको उनको इन्हें उन्हें सबको".split()
)
_QUOTED = re.compile("[\"\u201c\u201e\u00ab][^\"\u201d\u00bb]{1,4000}[\"\u201d\u00bb]|```.*?```|^\\s*>.*$", re.DOTALL | re.MULTILINE)  # fmt: skip
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+|\bwww\.\S+")
# Behind these an English word is a verb: "please email", "and send", "you to book".
_BEFORE_VERB = frozenset(
    "please to and then also you kindly just or now lets let must should can could will would first finally next not dont so "
    "afterwards after me ok okay yes yeah yep sure alright right haan n".split()
)
# So much behind a line break, or behind a colon in one line, was hardly typed for this.
_PASTE_CHARS, _LONG_PASTE_CHARS = 200, 600
_QUESTION_CHARS, _SHORT_ANSWER = 300, 4
# Two spellings of one sound may differ by so many letters: with more, spelling could carry a message.
_SPELLING_CHARS = 2
_NOT = frozenset("no not nahi nahin mat na dont नहीं मत ना".split())
_SUBJECTS = frozenset("i he she they we it who which that did does do you".split())
_TELLING = re.compile(
    r"\b(?:tell|inform|notify|ask|wish)\s+(?!me\b|us\b|you\b)\w+"
    r"|(?<!mujh)(?<!hum)(?<!ham)(?<!aap)(?<!tum)ko\s+(?:\w+\s+){0,3}(?:bata|bol|keh|kah|puch|pooch|likh|badhai|suchit)\w*"
    r"|(?<!मुझ)(?<!हम)(?<!आप)(?<!तुम)को\s+(?:\S+\s+){0,3}(?:बता|बोल|कह|पूछ|लिख|बधाई|सूचित)",
    re.IGNORECASE,
)


def _named(words: str) -> frozenset[str]:
    return frozenset(f"={word}" for word in words.split())


# Ways to ask for one kind of action: by what the tool is about, by what it does, and by what people say for it.
# A word of the third column needs another of the tool's words beside it ("make an event"), one of the fourth says it all.
_KINDS: tuple[tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]], ...] = (
    (
        _named("message email chat letter contact notification sms channel"),
        _named("send share answer publish message email write forward courier letter post_office"),
        _named("tell inform_other share write"),
        _named("send answer publish message email deliver thank letter inform_other"),
    ),
    (
        _named("money bank transaction bill salary amount payment rupee"),
        _named("send pay transfer give deposit refund buy"),
        _named("send give return"),
        _named("pay transfer deposit refund settle donate recharge buy"),
    ),
    (
        _named("money bank transaction bill salary amount payment rupee"),
        _named("schedule book change postpone set"),
        _named("schedule book change postpone set make adjust"),
        frozenset(),
    ),
    (
        frozenset(),
        _named("book reserve order schedule"),
        _named("make get give take bring need find_place arrange plan choose select put"),
        _named("book reserve order schedule buy"),
    ),
    (frozenset(), _named("delete remove cancel clear"), _named("clear clean empty"), _named("delete remove cancel")),
    (
        frozenset(),
        _named("change postpone move set rename"),
        _named("set put make move change"),
        _named("change postpone rename reset"),
    ),
    (
        frozenset(),
        _named("make add write save note record create append"),
        _named("make add write save note record put schedule book keep set plan"),
        _named("note"),
    ),
    (frozenset(), _named("invite"), _named("add call_for ask join share send"), _named("invite")),
    (frozenset(), _named("add join"), _named("add invite put join"), _named("invite")),
    (
        _named("web browser internet link page site website"),
        _named("open read visit fetch get show find check"),
        _named("open read visit fetch get show find check go look summary"),
        _named("visit browse"),
    ),
    (frozenset(), _named("call phone ring"), _named("contact"), _named("call ring")),
)  # fmt: skip


# What people call a place on the web, whatever its tool calls it.
_PLACES = _named("internet link page site website web browser")


def own_speech(text: str) -> str:
    """The words that the person said themselves: without what is quoted, and without what was pasted."""
    said = _QUOTED.sub(" ", text)
    head, _gap, rest = said.partition("\n")
    if len(rest) > _PASTE_CHARS or (rest and head.rstrip().endswith(":")):
        said = head
    head, _gap, rest = said.partition(": ")
    return head if len(rest) > _LONG_PASTE_CHARS else said


def asks_for(own_words: str, tool: OfferedTool) -> bool:
    """Whether the words ask for what the tool does. Sees them and the tool, and nothing untrusted.

    They do when they hold a verb for it that says enough by itself, or a plainer one with another
    of the tool's words or a word that points at what was spoken of.
    """
    speech = own_speech(own_words)
    verbs = _verbs(speech)
    sure, plain, others = _words_of(tool)
    if sure & verbs:
        return True
    if not plain & verbs:
        return False
    said = _concepts(speech, language_of(speech))
    beside = others - (plain & verbs)
    return bool(beside & said) or not beside or bool(plain & _verbs(speech, pointing=True))


def agrees_to(own_words: str, question: str, tool: OfferedTool) -> bool:
    """Whether the words are a short answer to a question that named what the tool does.

    `question` is what the person was shown last and answered. It is no reason for anything by
    itself: the person's own act is, and whatever it allows is still read back to them.
    """
    asked = question[-_QUESTION_CHARS:]
    if "?" not in asked:
        return False
    consent = read_consent(own_words)
    words = split(own_speech(own_words))
    picks = 0 < len(words) <= _SHORT_ANSWER and not _NOT & {one.folded for one in words}
    if consent is Consent.NO or not (consent is Consent.YES or picks):
        return False
    sure, plain, _others = _words_of(tool)
    return bool((sure | plain) & _named_in(asked))


def _named_in(question: str) -> frozenset[str]:
    """All that a question speaks of; it asks for leave, so its verbs need not stand where an order has them."""
    language = language_of(question)
    folded = [one.folded for one in split(question)]
    phrases = frozenset(f"={concept}" for _first, _last, concept in phrases_of(folded, language))
    told = {"=inform_other"} if _TELLING.search(question) else set()
    return _concepts(question, language) - {"=tell"} | phrases | told


def says(own_words: str, value: Any) -> bool:
    """Whether the person said the value themselves: every text and number in it, as written."""
    said = _plain(own_words)
    return all(_stands_in(said, _plain(leaf)) for leaf in _leaves(value))


def looks_for(own_words: str, value: Any) -> bool:
    """Whether a look-up is the person's own words, small words left out, or written in the other script.

    "kasuri methi substitute" of "kasuri methi ka substitute search karo", "Pune" of "पुणे का मौसम".
    Nothing may be added and no word moved, and what is more than words counts as `says` has it.
    """
    said = split(own_words)
    return all(says(own_words, leaf) or _is_picked_from(said, str(leaf)) for leaf in _leaves(value))


def _is_picked_from(said: Sequence[Word], text: str) -> bool:
    """Whether the text is words of these alone, in their order, with only small words between them."""
    wanted = split(text)
    bare = "".join(one.raw for one in wanted) == "".join(text.split())
    if not wanted or not bare or any(sign.isdigit() for sign in text):
        return False
    return any(_follow(said[first:], wanted) for first in range(len(said)))


def _follow(said: Sequence[Word], wanted: Sequence[Word]) -> bool:
    place = 0
    for word in said:
        if _is_same(word, wanted[place]):
            place += 1
            if place == len(wanted):
                return True
        elif word.folded in _NOT or not is_stop_word(word.folded):
            return False
    return False


def _is_same(said: Word, wanted: Word) -> bool:
    """Whether it is the word that was said, or what it sounds like in the other script."""
    if said.folded == wanted.folded:
        return True
    if is_devanagari(said.raw) == is_devanagari(wanted.raw):
        return False
    mine, theirs = latin(said.folded), latin(wanted.folded)
    return abs(len(mine) - len(theirs)) <= _SPELLING_CHARS and key(mine) == key(theirs)


def _stands_in(said: str, wanted: str) -> bool:
    """Whether the words hold it whole: "ram" is not said by "programme", nor 1 by "2014"."""
    before = r"(?<!\w)" if wanted[:1].isalnum() else ""
    after = r"(?!\w)" if wanted[-1:].isalnum() else ""
    return re.search(before + re.escape(wanted) + after, said) is not None


def _verbs(speech: str, *, pointing: bool = False) -> frozenset[str]:
    """What the person's verbs mean: "email Sarah", not "my emails"; "tell Amit", not "tell me".

    With `pointing` only those that are said of what was spoken of: "send it", "usko bhejo".
    """
    language = language_of(speech)
    words = split(speech)
    found: set[str] = set()
    for place, word in enumerate(words):
        if _is_verb(speech, words, place, language) and (not pointing or _points(words, place, language)):  # fmt: skip
            found |= {stem(word.folded)} | {f"={one}" for one in concepts_of(word.folded, language)}
    folded = [one.folded for one in words]
    for first, last, concept in phrases_of(folded, language):
        places = [one for one in range(first, last) if _is_verb(speech, words, one, language)]
        if places and (not pointing or _points(words, places[-1], language)):
            found.add(f"={concept}")
    told = {"=inform_other"} if not pointing and _TELLING.search(speech) else set()
    return frozenset(found - {"=tell"} | told)


def _is_verb(speech: str, words: Sequence[Word], place: int, language: Language) -> bool:
    """Whether a word stands where an order has its verb."""
    word = words[place]
    if language == "en":
        if place == 0:
            return True
        before = words[place - 1]
        between = speech[before.end : word.start]
        if before.folded in _BEFORE_VERB or any(sign in between for sign in ".,;:!?()-\n"):
            return True
        subject = before.folded in _SUBJECTS or before.raw[:1].isupper()
        return (
            not subject and is_deed(word.folded, "en") and stem(word.folded) in _bases(word.folded)
        )
    after = words[place + 1].folded if place + 1 < len(words) else ""
    if after in markers.HELPERS or after in markers.GIVING:
        return True
    return is_deed(word.folded, language) or word.folded in markers.ORDERS


def _words_of(tool: OfferedTool) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Words that ask for the tool by themselves, verbs that need another word, and those other words."""
    return _asking(tool.name, tool.title or tool.description.partition(".")[0])


@lru_cache(maxsize=1_024)
def _asking(name: str, told: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    spoken = name.replace("_", " ")
    first = next((one.raw for one in split(told) if not is_stop_word(one.folded)), "")
    last = spoken.rpartition(" ")[2]
    in_name = _concepts(spoken)
    verbs = _concepts(first) & in_name or _concepts(first) | _concepts(last)
    about = in_name | _concepts(told)
    sure: frozenset[str] = frozenset()
    plain, others = verbs, about
    for objects, does, plainer, surer in _KINDS:
        if does & verbs and (not objects or objects & about):
            sure |= surer
            plain |= plainer
            others |= objects & _PLACES
    return sure, plain, others


def _concepts(text: str, language: Language = "en") -> frozenset[str]:
    """The topic words of a text: their stems, and what they mean in any of the languages."""
    words = [one.folded for one in split(_ADDRESS.sub(" ", text)) if not is_stop_word(one.folded)]
    meant = (concept for word in words for concept in concepts_of(word, language))
    return frozenset(map(stem, words)) | frozenset(f"={concept}" for concept in meant)


def _bases(folded: str) -> frozenset[str]:
    """The word itself where it is the bare form of a verb: "send", not "sends" or "sending"."""
    noun = folded.endswith(("ment", "tion", "sion", "ance", "al", "er", "or"))
    inflected = noun or (folded.endswith(("s", "ed", "ing")) and stem(folded) != folded)
    return frozenset() if inflected else frozenset({stem(folded)})


def _points(words: Sequence[Word], place: int, language: Language) -> bool:
    """Whether the verb at this place has what was spoken of as its object."""
    near = words[place + 1 : place + 3] if language == "en" else words
    return any(one.folded in _POINTING for one in near)


def _plain(value: Any) -> str:
    return " ".join(unicodedata.normalize("NFKC", str(value)).casefold().split())


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield key
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif value is not None and not isinstance(value, bool):
        yield value
