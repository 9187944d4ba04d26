"""Names that people choose hide nothing, whatever was pasted into them."""

import unicodedata

from hypothesis import given, strategies as st
import pytest

from ira_home.base.errors import Invalid
from ira_home.domain.labels import good_label


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Office\n\tMac ", "Office Mac"),
        ("Office\u202ecaM\u202c", "OfficecaM"),
        ("\u2066Office\u2069 \x07Mac\x1b[2J", "Office Mac[2J"),
        ("Off\u200bice\u180e \U0001d173Mac\U000e0041", "Office Mac"),
        ("\u200dAs\u200c\u200dha", "Asha"),
        ("डॉ. आशा", "डॉ. आशा"),
        ("क्‍ष", "क्‍ष"),
        ("രാജന്\u200d", "രാജന്\u200d"),
        ("👩‍👩‍👧 tablet", "👩‍👩‍👧 tablet"),
    ],
)
def test_what_is_seen_is_kept_and_what_hides_is_not(typed: str, kept: str) -> None:
    assert good_label(typed) == kept


@pytest.mark.parametrize(
    "typed",
    ["", " \n", "\u202e", "\u200b\u2060", "\u200d", "\u200c \u200d", "\u2800", "\ufe0f", "\u0301", "\x00", "\u3164", "\U000e0041"],
)  # fmt: skip
def test_a_name_that_shows_nothing_is_refused_by_its_field(typed: str) -> None:
    with pytest.raises(Invalid, match="visible") as caught:
        good_label(typed, field="name")
    assert caught.value.details == {"field": "name"}


def test_the_bound_is_of_what_is_kept() -> None:
    assert good_label("\u200b" * 100 + "x" * 60) == "x" * 60
    with pytest.raises(Invalid):
        good_label("x" * 61)
    assert good_label("x" * 80, chars=80) == "x" * 80


@given(st.text() | st.text("a\u200c\u200d \u2800\ufe0f\u202eक्é", max_size=20))
def test_a_kept_name_is_one_line_that_stays_as_it_is(text: str) -> None:
    try:
        kept = good_label(text, chars=500)
    except Invalid:
        return
    assert len(kept.splitlines()) == 1
    assert not {unicodedata.category(c) for c in kept} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert good_label(kept, chars=500) == kept
