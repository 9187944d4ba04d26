"""The lexicon: words of three languages and many trades that mean the same, phrases, and what is said of concepts."""

from importlib import resources

from hypothesis import given, strategies as st
import pytest

from ira_home.domain.language.lexicon import (
    ACTIONS,
    GENERIC,
    OPPOSITES,
    PAIRS,
    SECONDARY,
    concepts_of,
    is_known,
    phrases_of,
    words_known,
)
from ira_home.domain.language.words import STOP_WORDS, Language, fold, is_stop_word, split


def _lines() -> list[str]:
    text = resources.files("ira_home.domain.language").joinpath("lexicon.txt").read_text("utf-8")
    return [one for one in text.splitlines() if one and not one.startswith("#")]


def test_every_line_is_a_concept_with_three_columns() -> None:
    lines = _lines()
    names = [one.partition(": ")[0] for one in lines]
    assert len(lines) >= 600
    assert len(set(names)) == len(names)
    for line in lines:
        assert line.partition(": ")[2].count("|") == 2, line


def test_english_and_hinglish_columns_are_latin_and_the_third_is_devanagari() -> None:
    for line in _lines():
        english, hinglish, hindi = line.partition(": ")[2].split("|")
        assert (english + hinglish).isascii(), line
        assert not any("a" <= sign <= "z" for sign in hindi), line


def test_what_is_said_of_concepts_names_concepts() -> None:
    names = {one.partition(": ")[0] for one in _lines()}
    assert names >= GENERIC
    assert names >= ACTIONS
    assert names >= {one for pair in PAIRS for one in pair} | set(PAIRS.values())
    assert names >= set(OPPOSITES) | {one for found in OPPOSITES.values() for one in found}


def test_opposites_hold_both_ways() -> None:
    assert all(one in OPPOSITES[other] for one, found in OPPOSITES.items() for other in found)
    assert "off" in OPPOSITES["on"]
    assert "cancel" in OPPOSITES["book"]


@pytest.mark.parametrize(
    ("concept", "words"),
    [("medicine", "medicine tablet dawai dawaai goli दवाई दवाइयां गोलियां"), ("salary", "salary wages tankhwah vetan pagaar तनख्वाह वेतन सैलरी"),
     ("attendance", "attendance haziri hajri haajiri हाजिरी अटेंडेंस"), ("grocery", "grocery groceries kirana rashan किराना राशन"),
     ("temple", "temple mandir मंदिर"), ("tailor", "tailor stitching darzi silai सिलाई दर्जी"), ("fare", "fare kiraya bhada किराया"),
     ("alarm", "alarm wake jagao jagana jagaiyega उठाना"), ("weather", "weather umbrella rain barish chhata मौसम छाता"),
     ("recharge", "recharge topup रिचार्ज"), ("crop", "crop fasal fasalon फसल"), ("tank", "tank tanki टंकी"), ("blood_pressure", "bp बीपी"),
     ("train", "train रेलगाड़ी ट्रेन"), ("parcel", "parcel package पार्सल"), ("maid", "maid kaamwali bai कामवाली"), ("wedding", "wedding shaadi shadi शादी"),
     ("deposit", "deposit jama जमा"), ("expense", "expense kharcha kharche खर्चा"), ("visitor", "visitor guest mehmaan मेहमान"),
     ("complain", "complaint shikayat शिकायत"), ("repair", "repair mistri marammat मरम्मत"), ("fan", "fan pankha pankhe पंखे"),
     ("send", "send bhejo bhejdo bhejiye bhijwana भिजवाओ"), ("homework", "homework होमवर्क गृहकार्य"), ("appointment", "appointment अपॉइंटमेंट mulakat")],
)  # fmt: skip
def test_words_of_every_trade_share_their_meaning(concept: str, words: str) -> None:
    for word in words.split():
        assert concept in concepts_of(fold(word), "hinglish"), word


@pytest.mark.parametrize(
    ("word", "concept"),
    [("khate", "cut"), ("gita", "music"), ("karni", "reason"), ("dono", "wash"), ("aage", "today"), ("jawab", "job"), ("sunita", "play"), ("missed", "lost"), ("missing", "missed")],
)  # fmt: skip
def test_words_that_only_resemble_another_do_not_mean_it(word: str, concept: str) -> None:
    assert concept not in concepts_of(word, "hinglish")


@pytest.mark.parametrize("word", ["sun", "log", "pet", "bin", "hat", "door", "band"])
def test_an_english_word_is_another_in_a_hinglish_sentence(word: str) -> None:
    assert concepts_of(word, "en") != concepts_of(word, "hinglish")


def test_hindi_words_do_not_count_in_an_english_text() -> None:
    for word in ("padh", "dawai", "baja", "kitne", "bhav", "bijli"):
        assert not concepts_of(word, "en"), word


def test_a_word_with_several_meanings_counts_less_for_each() -> None:
    assert dict(concepts_of("temple", "en")) == {"temple": 1.0}
    assert set(concepts_of("cab", "en").values()) == {1.0}
    assert len(concepts_of("rate", "en")) > 1
    assert set(concepts_of("rate", "en").values()) == {SECONDARY}


def test_few_words_have_many_meanings() -> None:
    many = [one for one in words_known() if len(concepts_of(one)) > 6]
    assert many == []


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [("who called and I didn't answer", "en", "missed"), ("please look up the bus", "en", "find"), ("turn off the fan", "en", "off"), ("turning on everything", "en", "on"), ("pick up the parcel", "en", "pickup"),
     ("note down the reading", "en", "write"), ("gas khatam ho gaya", "hinglish", "finished"), ("mera phone mil nahi raha", "hinglish", "lost"),
     ("kis kis ka paisa baki hai", "hinglish", "which"), ("papa ne phone nahi uthaya", "hinglish", "missed"), ("मेरा फ़ोन नहीं मिल रहा", "hi", "lost"),
     ("गैस खत्म हो गई", "hi", "finished"), ("kitne baje khulta hai", "hinglish", "timing"), ("roz subah yaad dilana", "hinglish", "remind"),
     ("fan chalu kar do", "hinglish", "on"), ("raju nahi aaya", "hinglish", "absent")],
)  # fmt: skip
def test_phrases_are_found_in_their_forms(text: str, language: Language, wanted: str) -> None:
    words = [one.folded for one in split(text)]
    found = phrases_of(words, language)
    assert wanted in {concept for _start, _end, concept in found}


def test_phrases_stay_out_of_other_sentences() -> None:
    assert phrases_of("the son will turn ten on monday".split(), "en") == []
    assert phrases_of("khatam ho gaya".split(), "en") == []
    assert phrases_of([], "en") == []


def test_the_longest_phrase_wins_and_none_overlap() -> None:
    found = phrases_of("phone mil nahi raha hai".split(), "hinglish")
    assert {(start, end) for start, end, _concept in found} == {(1, 4)}


@given(
    st.lists(
        st.sampled_from(
            "mil nahi raha turn off on look up khatam ho gaya phone nahi uthaya".split()
        ),
        max_size=12,
    )
)
def test_phrases_lie_in_order_within_the_words(words: list[str]) -> None:
    ends = 0
    for start, end in sorted(
        {(start, end) for start, end, _concept in phrases_of(words, "hinglish")}
    ):
        assert ends <= start < end <= len(words)
        ends = end


def test_every_spelled_word_is_known_and_has_a_meaning() -> None:
    for word in words_known():
        assert is_known(word)
        assert concepts_of(word, "en") or concepts_of(word, "hinglish"), word
    assert not is_known("rashmika")


def test_small_words_are_folded_and_keep_their_topics_out() -> None:
    assert {fold(one) for one in STOP_WORDS} == STOP_WORDS
    for word in "yaar zara mere aap chahunga chahta karunga प्लीज लिए हूं nahi नहीं".split():
        assert is_stop_word(fold(word)), word
    for word in "bhaiya jaldi phone bus sick sale बस दवा".split():
        assert not is_stop_word(fold(word)), word
