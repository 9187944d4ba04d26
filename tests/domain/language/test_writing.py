"""Amounts, days and numbers as they are written for people."""

from datetime import date
from typing import Any

import pytest

from ira_home.domain.language.writing import count, day_words, moment_words, rupees
from tests.support.views import NOW


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        (0, "₹0"), (5, "₹5"), (999, "₹999"), (1_000, "₹1,000"), (17_192, "₹17,192"), (123_456, "₹1,23,456"),
        (1_234_567, "₹12,34,567"), (100_000_000, "₹10,00,00,000"), (-123_456, "-₹1,23,456"),
    ],
)  # fmt: skip
def test_an_amount_has_the_indian_grouping(amount: int, written: str) -> None:
    assert rupees(amount) == written


@pytest.mark.parametrize(
    ("day", "written"),
    [
        (date(2026, 12, 30), "yesterday, Wednesday 30 December"),
        (date(2026, 12, 31), "today, Thursday 31 December"),
        (date(2027, 1, 1), "tomorrow, Friday 1 January 2027"),
        (date(2026, 12, 5), "Saturday 5 December"),
        (date(2025, 12, 31), "Wednesday 31 December 2025"),
    ],
)
def test_a_day_is_told_as_people_say_it(day: date, written: str) -> None:
    assert day_words(day, date(2026, 12, 31)) == written


def test_one_thing_is_no_plural() -> None:
    assert [count(number, "patient") for number in (0, 1, 2)] == ["0 patients", "1 patient", "2 patients"]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "language", "written"),
    [
        ("2026-12-02T11:00:00+05:30", "en", "tomorrow, Wednesday 2 December, 11:00"),
        ("2026-12-01T20:30:00Z", "en", "tomorrow, Wednesday 2 December, 02:00"),
        ("2026-12-02T11:00", "hinglish", "kal, Wednesday 2 December, 11:00"),
        ("2026-12-02T11:00:05.5", "hi", "कल, बुधवार 2 दिसंबर, 11:00:05"),
        ("2027-02-01", "hi", "सोमवार 1 फ़रवरी 2027"),
        ("2026-11-30", "hi", "बीते कल, सोमवार 30 नवंबर"),
        ("2026-13-45", "en", ""),
        ("0001-01-01T00:00:00+14:00", "en", ""),
        ("9999-12-31T23:59:59-11:00", "en", ""),
        ("2026-12-02T11:00:00+05:30\nname: Mallory", "en", ""),
        ("on 2026-12-02", "en", ""),
        ("٢٠٢٦-12-02", "en", ""),
        ("11:00", "en", ""),
        (20261202, "en", ""),
        (["2026-12-02"], "en", ""),
    ],
)
def test_a_moment_in_its_fixed_form_is_told_as_people_say_it(
    value: Any, language: str, written: str
) -> None:
    assert moment_words(value, NOW, language) == written
