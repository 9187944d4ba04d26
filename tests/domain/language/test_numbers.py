"""Amounts that people say in digits and words."""

from fractions import Fraction

from hypothesis import given, strategies as st
import pytest

from ira_home.domain.language.numbers import Amount, amount_at, is_number_word
from ira_home.domain.language.words import split


def amount(text: str) -> Amount | None:
    words = split(text)
    return amount_at(text, words, 0) if words else None


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("25", 25, 1), ("007", 7, 1), ("२५", 25, 1), ("1,50,000 rupees", 150_000, 3), ("1,500", 1_500, 2), ("१,५०,०००", 150_000, 3), ("5,6", 5, 1),
        ("2.5 lakh", 250_000, 3), ("12.5", Fraction(25, 2), 2), ("5.", 5, 1), ("5 lakh", 500_000, 2), ("3 crore", 30_000_000, 2),
        ("twenty five", 25, 2), ("two hundred and fifty", 250, 4), ("five thousand", 5_000, 2), ("pachees", 25, 1), ("पैंतालीस", 45, 1), ("inkaar", None, 0),
        ("do sau pachaas", 250, 3), ("paanch hazaar do sau", 5_200, 4), ("ek lakh do hazaar", 102_000, 4), ("paanch sau crore", 5_000_000_000, 3),
        ("saadhe teen", Fraction(7, 2), 2), ("saadhe 5", Fraction(11, 2), 2), ("saadhe teen lakh", 350_000, 3), ("sava lakh", 125_000, 2),
        ("sava do sau", 225, 3), ("sava ghanta", Fraction(5, 4), 1), ("paune nau", Fraction(35, 4), 2), ("dedh sau", 150, 2), ("dhai hazaar", 2_500, 2),
        ("डेढ़", Fraction(3, 2), 1), ("साढ़े पांच", Fraction(11, 2), 2), ("ek hazaar do", 1_000, 2), ("hazaar rupaye", 1_000, 1), ("saadhe", None, 0),
        ("9" * 16, None, 0), ("²", None, 0),
    ],
)  # fmt: skip
def test_an_amount_is_what_its_words_say_together(
    text: str, value: int | Fraction | None, words: int
) -> None:
    found = amount(text)
    assert (None if found is None else found.value) == value
    assert (0 if found is None else found.words) == words


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [("do", False), ("ek", False), ("sava", False), ("hazaar", False), ("do sau", True), ("two", True), ("5", True), ("dedh", True)],
)  # fmt: skip
def test_a_word_of_two_meanings_is_not_sure_to_be_a_number(text: str, is_sure: bool) -> None:
    found = amount(text)
    assert found is not None
    assert found.is_sure is is_sure


def test_a_broken_number_is_marked() -> None:
    assert amount("paune nau") == Amount(Fraction(35, 4), 2, is_sure=True, is_broken=True)
    assert amount("dedh") == Amount(Fraction(3, 2), 1, is_sure=True)


@given(st.integers(0, 10**9))
def test_indian_and_other_grouping_is_read(number: int) -> None:
    digits = str(number)
    head, tail = digits[:-3], digits[-3:]
    pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)][::-1]
    for text in (digits, f"{number:,}", ",".join([*pairs, tail])):
        found = amount(text)
        assert found is not None
        assert found.value == number


@given(
    st.lists(
        st.sampled_from(
            "ek do sau hazaar lakh crore saadhe sava paune dedh and twenty five 5 1,50,000 2.5 . , x".split()
        )
    ).map(" ".join)
)
def test_any_words_can_be_read(text: str) -> None:
    words = split(text)
    for place in range(len(words)):
        found = amount_at(text, words, place)
        assert found is None or (found.value >= 0 and 0 < found.words <= len(words) - place)


def test_words_that_begin_an_amount_are_known() -> None:
    assert all(is_number_word(one) for one in ("paanch", "saadhe", "dedh", "lakh", "नौ"))
    assert not is_number_word("chai")
