"""Words, sounds, meanings, forms and the language of a text."""

from hypothesis import given, strategies as st
import pytest

from ira_home.domain.language.detect import is_telling, language_of
from ira_home.domain.language.lexicon import concepts_of
from ira_home.domain.language.phonetic import key, skeleton
from ira_home.domain.language.phrases import Talk, talk_of
from ira_home.domain.language.places import Form, path_of, pieces_of
from ira_home.domain.language.quantities import quantities_of
from ira_home.domain.language.words import content_stems, fold, split, stem


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Tell me the colour of the lantern", "en"), ("read rent.pdf in Downloads", "en"), ("Hello", "en"), ("", "en"), ("12", "en"),
        ("the key is under the mat", "en"), ("call my son", "en"), ("is the main door shut", "en"), ("what hue is it, mere white?", "en"),
        ("rent.pdf padho", "hinglish"), ("mera phone kahan hai", "hinglish"), ("Amit ko letter bhejo", "hinglish"), ("light band karo", "hinglish"),
        ("aaj ki khabar", "hinglish"), ("kitne baje hain", "hinglish"),
        ("rent.pdf पढ़ो", "hi"), ("मेरा फ़ोन कहाँ है", "hi"), ("राहुल को message भेजो", "hi"), ("Send a message to राहुल please now", "en"), ("।", "hi"),
    ],
)  # fmt: skip
def test_the_language_of_a_text_is_known_by_script_and_words(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "telling"),
    [("ok", False), ("next page", False), ("haan", True), ("हाँ", True), ("read the report", True)],
)
def test_a_short_text_does_not_tell_its_language(text: str, telling: bool) -> None:
    assert is_telling(text) is telling


@pytest.mark.parametrize(
    "spellings",
    ["dhundo dhoondo dhundho ढूँढो ढूंढो", "bhejo bejo भेजो", "khabar खबर ख़बर", "yaad yad याद", "chalu chaloo चालू", "photo foto फोटो", "bedroom बेडरूम",
     "passport पासपोर्ट", "suno सुनो"],
)  # fmt: skip
def test_spellings_of_one_sound_have_one_key(spellings: str) -> None:
    assert len({key(fold(one)) for one in spellings.split()}) == 1


@pytest.mark.parametrize(
    "pair",
    [
        "lantern लैंटर्न",
        "kettle केटल",
        "parcel पार्सल",
        "drawbridge ड्रॉब्रिज",
        "download डाउनलोड",
        "message मैसेज",
    ],
)
def test_english_words_in_devanagari_have_the_same_skeleton(pair: str) -> None:
    assert len({skeleton(fold(one)) for one in pair.split()}) == 1


def test_endings_of_english_words_are_taken_off() -> None:
    assert {stem(one) for one in ("call", "calls", "calling", "called")} == {"call"}
    assert {stem(one) for one in ("move", "moves", "moving", "moved")} == {"mov"}
    assert stem("ring") == "ring"
    assert stem("news") == "news"
    assert stem("batteries") == stem("battery")


def test_words_keep_their_place_and_lose_their_dress() -> None:
    words = split("Don\u2019t read  फ़ाइल, OK?")
    assert [(one.raw, one.folded) for one in words] == [
        ("Don't", "dont"),
        ("read", "read"),
        ("फ़ाइल", "फाइल"),
        ("OK", "ok"),
    ]
    text = "Tell me: a.b  ढूँढो!"
    assert all(text[one.start : one.end] == one.raw for one in split(text))


def test_content_is_what_is_left_without_small_words() -> None:
    assert content_stems("Please read me the files of my phone") == {"read", "fil", "phon"}


@pytest.mark.parametrize(
    ("words", "concept"),
    [("read padho padhna padhkar padhiye पढ़ो पढ़ना पढ़कर summarise", "read"), ("find search dhundo khojo ढूँढो खोजना", "find"),
     ("send bhejo bhej bhejna भेजो भेजना forward", "send"), ("file files dastavez फ़ाइल फाइलें document", "file"), ("phone mobile फोन मोबाइल", "phone"),
     ("missed मिस्ड", "missed"), ("photo tasveer तस्वीर फ़ोटो", "photo"), ("message sandesh मैसेज sms", "message"), ("off band बंद", "off"), ("on chalu चालू", "on")],
)  # fmt: skip
def test_words_of_three_languages_share_their_meaning(words: str, concept: str) -> None:
    for word in words.split():
        assert concept in concepts_of(fold(word), "hinglish"), word


def test_in_an_english_text_only_english_words_are_looked_up() -> None:
    assert "play" not in concepts_of("sun", "en")
    assert "off" not in concepts_of("band", "en")


def test_pieces_are_known_by_their_form() -> None:
    def forms(text: str) -> list[tuple[Form, str]]:
        return [(one.form, one.value) for one in pieces_of(text)]

    assert forms("read rent.pdf in Downloads") == [
        (Form.FILE, "rent.pdf"),
        (Form.FOLDER, "Downloads"),
    ]
    assert forms("डाउनलोड में रिपोर्ट.pdf है") == [
        (Form.FOLDER, "Downloads"),
        (Form.FILE, "रिपोर्ट.pdf"),
    ]
    assert forms('say "a.b c" to a.b@c.example') == [
        (Form.QUOTE, "a.b c"),
        (Form.EMAIL, "a.b@c.example"),
    ]
    assert forms("look at https://a.example/x?y=1.") == [(Form.URL, "https://a.example/x?y=1")]
    assert forms("call +91 98765 43210") == [(Form.PHONE, "+91 98765 43210")]
    assert forms("at 2026-12-01 10:00") == []  # a day is no telephone number
    assert forms("the car KA05MN7788") == [(Form.CODE, "KA05MN7788")]
    assert forms("MH 12 QR 4521 is here") == [(Form.CODE, "MH 12 QR 4521")]
    assert forms("the Bills folder") == [(Form.FOLDER, "Bills")]
    assert forms("play music and download it") == []
    assert forms("don't open my mother's letter") == []


def test_known_folders_lie_in_the_home_folder_and_others_stay_as_said() -> None:
    assert path_of("Downloads", "a.pdf") == "~/Downloads/a.pdf"
    assert path_of(None, "a.pdf") == "a.pdf"
    assert path_of("Bills", "a.pdf") == "Bills/a.pdf"
    assert path_of("", "a.pdf") == "~/a.pdf"
    assert path_of("Desktop", None) == "~/Desktop"


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("do minute", [(2, "minut", False)]),
        ("likh do aaj", []),  # "give", not two
        ("दस", [(10, "", False)]),
        ("007", [(7, "", False)]),
        ("1" * 400, []),
        ("do hazaar paanch sau rupaye", [(2_500, "rupay", True)]),
        ("₹1,50,000", [(150_000, "", True)]),
        ("1.5 lakh", [(150_000, "", False)]),
        ("sadhe teen sau", [(350, "", False)]),
        ("do darjan pen", [(24, "pen", False)]),
        ("half an hour", [(0.5, "hour", False)]),
        ("5kg chawal", [(5, "kg", False)]),
        ("40%", [(40, "%", False)]),
        ("25 bulbs at 80 rupees", [(25, "bulb", False), (80, "rupe", True)]),
    ],
)
def test_amounts_are_read_with_what_they_count(
    text: str, amounts: list[tuple[float, str, bool]]
) -> None:
    found = [one for one in quantities_of(text) if one.is_sure]
    assert [(one.value, one.unit, one.money) for one in found] == amounts


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Hello Ira!", Talk.GREETING), ("good morning", Talk.GREETING), ("Thank you, that is nice", Talk.THANKS), ("shukriya Ira", Talk.THANKS),
     ("how are you?", Talk.HOW), ("तुम कौन हो", Talk.WHO), ("what can you do?", Talk.CAN_DO), ("next page", Talk.NEXT_PAGE), ("aage padho", Talk.NEXT_PAGE),
     ("my PIN is [PIN hidden]", Talk.PIN), ("Hello, read rent.pdf", None), ("thank Amit for the letter", None), ("read more about cats", None),
     ("help Amit", None), ("good books", None), ("", None)],
)  # fmt: skip
def test_small_talk_is_only_what_holds_nothing_else(text: str, kind: Talk | None) -> None:
    assert talk_of(text, "Ira") is kind


@given(st.text(max_size=200))
def test_any_text_can_be_taken_apart(text: str) -> None:
    language_of(text)
    talk_of(text)
    for one in pieces_of(text):
        assert 0 <= one.start < one.end <= len(text)
    for word in split(text):
        concepts_of(word.folded)
        skeleton(word.folded)
