"""Amounts, days and numbers as they are written for people."""

from datetime import date

import pytest

from ira_home.domain.language.writing import count, day_words, rupees


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
