"""Numbers as people say them: digits of either script, words, "saadhe" and "sava", lakh and crore."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
import re

from ira_home.domain.language.phonetic import key
from ira_home.domain.language.words import Word, fold, is_stop_word

# From 1; the spellings of one number stand together. 60 has no "saath" and 13 no "tera": they are "with" and "your".
_HINDI = """
एक/ek/ik दो/do तीन/teen/tin चार/char/chaar पांच/paanch/panch/pach छह/छः/छे/छै/chhah/chhe/chah/che/chhai सात/saat/sat आठ/aath/ath नौ/nau दस/das/dus
ग्यारह/gyarah/gyaarah/gyara बारह/barah/baarah/bara तेरह/terah चौदह/chaudah/chauda पंद्रह/pandrah/pandra/pandhra सोलह/solah/sola सत्रह/satrah/satra अठारह/atharah/athara उन्नीस/unnis/unnees बीस/bees/bis
इक्कीस/ikkis/ikkees बाईस/बाइस/bais/baees/baais तेईस/तेइस/teis/teyis/teeis चौबीस/chaubis/chaubees पच्चीस/pachees/pachis/pacchis छब्बीस/chhabbis/chabbis सत्ताईस/सत्ताइस/sattais अट्ठाईस/अठ्ठाईस/अठाइस/atthais/athais उनतीस/untis/untees तीस/tees/tis
इकतीस/ikattis/iktis/ikatees बत्तीस/battis/battees तैंतीस/taintis/tentis चौंतीस/chauntis पैंतीस/paintis/pentis/paintees छत्तीस/chhattis/chattis सैंतीस/saintis अड़तीस/adtis उनतालीस/untalis चालीस/chalis/chaalis/chalees
इकतालीस/iktalis बयालीस/bayalis तैंतालीस/taintalis चवालीस/chavalis पैंतालीस/paintalis/pentalis छियालीस/chhiyalis सैंतालीस/saintalis अड़तालीस/adtalis उनचास/unchas पचास/pachaas/pachas
इक्यावन/ikyavan बावन/bavan तिरपन/tirpan चौवन/chauvan पचपन/pachpan छप्पन/chhappan सत्तावन/sattavan अट्ठावन/atthavan उनसठ/unsath साठ
इकसठ/iksath बासठ/basath तिरसठ/tirsath चौंसठ/chaunsath पैंसठ/painsath छियासठ/chhiyasath सड़सठ/sadsath अड़सठ/adsath उनहत्तर/unhattar सत्तर/sattar
इकहत्तर/ikhattar बहत्तर/bahattar तिहत्तर/tihattar चौहत्तर/chauhattar पचहत्तर/pachhattar छिहत्तर/chhihattar सतहत्तर/satattar अठहत्तर/athattar उन्यासी/unyasi अस्सी/assi
इक्यासी/ikyasi बयासी/bayasi तिरासी/tirasi चौरासी/chaurasi पचासी/pachasi छियासी/chhiyasi सत्तासी/sattasi अट्ठासी/atthasi नवासी/navasi नब्बे/nabbe
इक्यानवे/ikyanve बानवे/banve तिरानवे/tiranve चौरानवे/chauranve पंचानवे/pachanve छियानवे/chhiyanve सत्तानवे/sattanve अट्ठानवे/atthanve निन्यानवे/ninyanve सौ/sau
"""
_ENGLISH = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * tens
    for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety hundred".split(), 2)
}  # fmt: skip
_WORDS = (
    {fold(word): value for value, words in enumerate(_HINDI.split(), 1) for word in words.split("/")}
    | {"shunya": 0, "शून्य": 0}
    | _ENGLISH
)  # fmt: skip
_TENS = frozenset(word for word, value in _ENGLISH.items() if 20 <= value <= 90)
# "do" is "give" and "ek file" is "a file": such words count only right before a unit.
_SMALL = frozenset(
    "one ek ik एक do दो char das saat sat tin bara che chah ath bis tis pach bais sola satra".split()
)
_SCALES = {
    fold(word): value
    for value, words in {
        100: "hundred sau सौ",
        1_000: "thousand hazaar hazar hajar hajaar हज़ार हजार",
        100_000: "lakh lakhs lac lacs laakh लाख",
        10_000_000: "crore crores karod karor cr करोड़",
    }.items()
    for word in words.split()
}
# What the word adds to the number behind it, and what it is worth alone ("sava ghanta").
_QUARTERS: dict[str, tuple[Fraction, Fraction | None]] = {
    fold(word): worth
    for words, worth in (
        ("saadhe sadhe sade saade sarhe saarhe साढ़े साढे", (Fraction(1, 2), None)),
        ("sava sawa savaa sawaa सवा", (Fraction(1, 4), Fraction(5, 4))),
        ("paune pone paunay paun paunaa पौने पौन", (Fraction(-1, 4), Fraction(3, 4))),
    )
    for word in words.split()
}
_MIXED = {
    fold(word): value
    for words, value in (
        ("dedh derh ded dedhh डेढ़ डेढ", Fraction(3, 2)),
        ("dhai dhaai adhai ढाई ढ़ाई अढ़ाई", Fraction(5, 2)),
    )
    for word in words.split()
}
_COUNTED = frozenset(
    fold(word)
    for word in "rupee rupees rupaye rupay rs percent kilo litre minute people log रुपये रुपए रुपया किलो लीटर लोग".split()
)
_DIGITS_MAX = 15  # longer ones are identities, not amounts
_WRITTEN = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)|\d+(?:\.\d+(?![\d.]*\.\d))?")


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that one or more words say together."""

    value: int | Fraction
    words: int  # how many words it takes
    is_sure: bool  # False for a word that is a number only beside a unit: "ek", "do", "sava" alone
    is_broken: bool = (
        False  # said with "saadhe", "sava" or "paune"; these tell the time without "baje"
    )


# Hindi numbers by their sound, which romanised spellings share ("chhabbees", "chabbis"); short sounds tell nothing.
_BY_SOUND = {
    sound: value
    for word, value in _WORDS.items()
    if word.isascii() and word not in _ENGLISH and len(sound := key(word)) >= 4
}


def _value_of(folded: str) -> int | None:
    value = _WORDS.get(folded)
    if value is None and folded.isascii() and len(folded) > 4 and not is_stop_word(folded):
        return _BY_SOUND.get(key(folded))
    return value


def is_number_word(folded: str) -> bool:
    """Whether the word can begin an amount; digits do too, but are no word."""
    return folded in _WORDS or folded in _QUARTERS or folded in _MIXED or folded in _SCALES


def amount_at(text: str, words: Sequence[Word], place: int) -> Amount | None:
    """The amount that begins at a word: "1,50,000", "2.5 lakh", "saadhe teen", "do sau pachaas", "twenty five"."""
    small = _small_at(text, words, place)
    if small is None:
        return Amount(_SCALES[words[place].folded], 1, is_sure=False) if words[place].folded in _SCALES else None  # fmt: skip
    total: int | Fraction = 0
    value, last, place_now = small.value, 0, place + small.words
    while place_now < len(words) and (scale := _SCALES.get(words[place_now].folded)):
        total = (total + value) * scale if scale > last > 0 else total + value * scale
        value, last, place_now = 0, scale, place_now + 1
        more = _rest_at(text, words, place_now, scale)
        if more is not None:
            value, place_now = more.value, place_now + more.words
    if not last:
        return small
    return Amount(_plain(total + value), place_now - place, is_sure=True)


def _plain(value: int | Fraction) -> int | Fraction:
    return int(value) if value == int(value) else value


def _rest_at(text: str, words: Sequence[Word], place: int, scale: int) -> Amount | None:
    """What follows a scale: "do sau | pachaas", "two hundred | and fifty"; digits never do."""
    skip = 1 if place < len(words) and words[place].folded == "and" else 0
    if place + skip >= len(words) or words[place + skip].folded not in _WORDS:
        return None
    more = _small_at(text, words, place + skip)
    if more is None or more.value >= scale or words[place + skip].folded in _SCALES:
        return None
    after = place + skip + more.words
    counted = after < len(words) and (
        words[after].folded in _SCALES or words[after].folded in _COUNTED
    )
    if not (more.is_sure or skip or counted):
        return None
    return Amount(more.value, skip + more.words, more.is_sure)


def _small_at(text: str, words: Sequence[Word], place: int) -> Amount | None:
    folded = words[place].folded
    if (mixed := _MIXED.get(folded)) is not None:
        return Amount(mixed, 1, is_sure=True)
    if (quarter := _QUARTERS.get(folded)) is None:
        return _whole_at(text, words, place)
    whole = _whole_at(text, words, place + 1) if place + 1 < len(words) else None
    if whole is not None and whole.value == int(whole.value):
        return Amount(whole.value + quarter[0], whole.words + 1, is_sure=True, is_broken=True)
    return None if quarter[1] is None else Amount(quarter[1], 1, is_sure=False)


def _whole_at(text: str, words: Sequence[Word], place: int) -> Amount | None:
    word = words[place]
    if word.raw.isdecimal():
        return _written_at(text, words, place)
    value = _value_of(word.folded)
    if value is None:
        return None
    if word.folded in _TENS and place + 1 < len(words):
        ones = _ENGLISH.get(words[place + 1].folded, 0)
        if 0 < ones < 10:
            return Amount(value + ones, 2, is_sure=True)
    return Amount(value, 1, is_sure=word.folded not in _SMALL)


def _written_at(text: str, words: Sequence[Word], place: int) -> Amount | None:
    found = _WRITTEN.match(text, words[place].start)
    if found is None or len(found[0]) > _DIGITS_MAX:
        return None
    last = place
    while last + 1 < len(words) and words[last + 1].end <= found.end():
        last += 1
    if words[last].end != found.end():
        return Amount(int(words[place].raw), 1, is_sure=True)
    value = found[0].replace(",", "")
    return Amount(_plain(Fraction(value)) if "." in value else int(value), last - place + 1, is_sure=True)  # fmt: skip
