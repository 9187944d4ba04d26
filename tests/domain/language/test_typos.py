"""The word that was likely meant by a mistyped one."""

from hypothesis import given, settings, strategies as st
import pytest

from ira_home.domain.language.lexicon import words_known
from ira_home.domain.language.typos import Vocabulary, distance

_VOCABULARY = Vocabulary(words_known())


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("mesage", "message"), ("messgae", "message"), ("apointment", "appointment"), ("appointmnt", "appointment"), ("medcine", "medicine"),
     ("temprature", "temperature"), ("elctricity", "electricity"), ("calandar", "calendar"), ("reciept", "receipt"), ("umberella", "umbrella"),
     ("presciption", "prescription"), ("cylnder", "cylinder"), ("rcehargge", "recharge"), ("attendence", "attendance")],
)  # fmt: skip
def test_a_slip_is_forgiven(typed: str, meant: str) -> None:
    assert _VOCABULARY.nearest(typed) == meant


@pytest.mark.parametrize(
    "word",
    ["message", "messages", "nahi", "chahiye", "teh", "fone", "", "a", "12345", "medicin3", "xxxxxxx", "rashmika", "eessage", "messagesxyz"],
)  # fmt: skip
def test_real_short_and_unlike_words_and_digits_stay(word: str) -> None:
    assert _VOCABULARY.nearest(word) is None


def test_two_slips_are_forgiven_in_long_words_only() -> None:
    words = Vocabulary(["lantern", "drawbridges"])
    assert words.nearest("lanten") == "lantern"
    assert words.nearest("lntenr") is None
    assert words.nearest("drawbrigde") == "drawbridges"


def test_the_first_letter_stands_fixed_unless_it_was_swapped() -> None:
    words = Vocabulary(["lantern"])
    assert words.nearest("alntern") == "lantern"
    assert words.nearest("mantern") is None


def test_words_as_near_as_each_other_vie_unless_they_mean_the_same() -> None:
    assert Vocabulary(["lanterns", "lanternt"]).nearest("lanternx") is None
    assert Vocabulary(["kirana", "kiraya"]).nearest("kiraha") is None
    assert Vocabulary(["gaana", "gaane"]).nearest("gaani") == "gaana"
    assert Vocabulary(["gaana", "gaane", "gaang"]).nearest("gaani") == "gaana"


@given(
    st.sampled_from(sorted(one for one in words_known() if len(one) > 8 and one.isascii())),
    st.data(),
)
@settings(max_examples=200)
def test_a_long_word_with_a_letter_left_out_is_found_or_vies(
    word: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(word) - 1))
    typed = word[:at] + word[at + 1 :]
    found = _VOCABULARY.nearest(typed)
    assert found is None or distance(typed, found, 2) == 1
    assert Vocabulary([word]).nearest(typed) in (word, None)


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_distance_is_that_of_the_plain_table(one: str, other: str) -> None:
    assert distance(one, other, 20) == _plain_distance(one, other)
    assert distance(one, other, 1) == min(2, _plain_distance(one, other))


def _plain_distance(one: str, other: str) -> int:
    table = {(at, -1): at + 1 for at in range(-1, len(one))}
    table |= {(-1, at): at + 1 for at in range(-1, len(other))}
    for at, sign in enumerate(one):
        for place, wanted in enumerate(other):
            ways = [table[at - 1, place] + 1, table[at, place - 1] + 1]
            ways.append(table[at - 1, place - 1] + (sign != wanted))
            if at and place and sign == other[place - 1] and one[at - 1] == wanted:
                ways.append(table[at - 2, place - 2] + 1)
            table[at, place] = min(ways)
    return table[len(one) - 1, len(other) - 1]


@given(st.text(max_size=12))
def test_any_text_can_be_asked_for(text: str) -> None:
    found = _VOCABULARY.nearest(text)
    assert found is None or found in words_known()
