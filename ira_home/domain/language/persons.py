"""Names of people in a text: by honorific, by kinship, by capital letters."""

from collections.abc import Sequence
from dataclasses import dataclass

from ira_home.domain.language.lexicon import is_deed, is_known
from ira_home.domain.language.words import Word, fold, is_devanagari, is_stop_word


def _set(words: str) -> frozenset[str]:
    return frozenset(fold(word) for word in words.split())


BEFORE_NAME = _set(
    "mr mrs ms miss dr doctor prof professor shri smt shrimati sri sir madam डॉ डॉक्टर श्री श्रीमती"
)
DOCTORS = _set("dr doctor डॉ डॉक्टर")
_NO_NAMES = _set("rs inr am pm sms pdf ac tv bp")
BEHIND_NAME = _set(
    "ji jee jis singh devi kumari kaur begum sir madam sahab saheb sahib bhai bhaiya bhaiyya bhaisahab didi uncle aunty auntie aunti chacha chachi mama mami "
    "mausi bua dada dadi nana nani kaka kaki tai जी सिंह देवी कुमारी कौर बेगम साहब भाई भैया दीदी अंकल आंटी चाचा चाची मामा मामी मौसी बुआ दादा दादी नाना नानी काका"
)
KIN = _set(
    "mom mum mummy mommy mama maa ma amma ammi mother dad daddy papa father pitaji appa abbu brother sister bro sis bhai bhaiya "
    "bhaiyya didi behan beta beti son daughter wife husband grandma grandpa grandfather grandmother granny dada dadi dadaji dadiji "
    "nana nani nanaji naniji uncle aunty auntie chacha chachi mama mami mausi bua taau tai boss neighbour "
    "मम्मी मां माँ अम्मा अम्मी पापा पिताजी भाई भैया दीदी बहन बेटा बेटी पत्नी पति दादा दादी दादाजी दादीजी नाना नानी नानाजी चाचा चाची मामा मामी मौसी बुआ "
    "बाबूजी बॉस"
)
_REMINDING = _set("remind wake alert notify warn inform")  # "remind nani" names nani alone
_LONGEST = 4
_SHORT_CAPITALS = 4  # "SMS", "PAN": not a name


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name: words[first:last], and whether a doctor's title is part of it."""

    first: int
    last: int
    doctor: bool


def names_of(words: Sequence[Word]) -> list[NameSpan]:
    """The names that show as such, in order; a capital at the very start of the text tells nothing."""
    found: list[NameSpan] = []
    place = 0
    while place < len(words):
        last = _name_at(words, place)
        if last > place:
            titled = any(one.folded in DOCTORS for one in words[place:last])
            found.append(NameSpan(place, last, titled))
        place = max(last, place + 1)
    return found


def _name_at(words: Sequence[Word], place: int) -> int:
    """The place behind the name that begins here; the same place where none does."""
    word = words[place]
    following = words[place + 1] if place + 1 < len(words) else None
    if word.folded in BEFORE_NAME and following is not None and _may_name(following):
        return _behind(words, place + 1)
    if word.folded in KIN:
        return _behind(words, place)
    if word.folded in BEHIND_NAME or not _may_name(word):
        return place
    courtesy = following is not None and following.folded in BEHIND_NAME and not is_deed(word.folded, "en")  # fmt: skip
    courtesy = courtesy and word.folded not in _REMINDING
    if courtesy or (word.raw[:1].isupper() and (place > 0 or _begins(word, following))):
        return _behind(words, place)
    return place


def _begins(word: Word, following: Word | None) -> bool:
    """Whether the first word of a text is a name: a capital tells nothing there."""
    if following is not None and following.raw[:1].isupper() and not is_known(following.folded):
        return not is_known(word.folded)
    return not is_known(word.folded) and len(word.raw) > 2


def _may_name(word: Word) -> bool:
    capitals = word.raw.isascii() and word.raw.isupper() and 1 < len(word.raw) < _SHORT_CAPITALS
    small = is_stop_word(word.folded) or word.folded in _NO_NAMES
    return not small and not word.folded.isdigit() and not capitals


def _behind(words: Sequence[Word], place: int) -> int:
    """The end of the name: further words with a capital, then a courtesy behind it."""
    last = place + 1
    while last < len(words) and last - place < _LONGEST and _goes_on(words, place, last):
        last += 1
    if last < len(words) and words[last].folded in BEHIND_NAME:
        last += 1
    return last


def _goes_on(words: Sequence[Word], place: int, last: int) -> bool:
    word, first = words[last], words[place]
    if is_stop_word(word.folded) or word.start - words[last - 1].end > 1 or is_devanagari(word.raw):
        return False
    return word.raw[:1].isupper() and first.raw[:1].isupper() and not word.raw.isupper()
