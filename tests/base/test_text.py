"""Text from outside made safe to keep and to show."""

import unicodedata

from hypothesis import given, strategies as st
import pytest

from ira_home.base.text import clean, cut, one_line


@given(st.text())
def test_cleaned_text_has_no_hidden_character(text: str) -> None:
    for c in clean(text):
        assert c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cs", "Co", "Cn"}
    assert not set(clean(text)) & set("\u200b\u200e\u200f\u202e\u2066\u2069\ufeff\u2028\u00ad")


@given(st.text())
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize("text", ["मिस्ड कॉल", "क्‍ष", "👩‍👩‍👧", "naïve — “quoted”", "a\tb\nc"])
def test_what_people_write_stays(text: str) -> None:
    assert clean(text) == text


@given(st.text(), st.integers(1, 50))
def test_cut_text_fits(text: str, chars: int) -> None:
    assert len(cut(text, chars)) <= chars
    if len(text) <= chars:
        assert cut(text, chars) == text


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
