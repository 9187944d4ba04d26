from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from ira_home.domain.own_figures import says_figure

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=timezone(timedelta(hours=5, minutes=30)))


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("book Asha tomorrow at 11", "2026-12-02T11:00:00+05:30"),
        ("book Asha tomorrow at 11", "2026-12-02T05:30:00+00:00"),
        ("book Asha tomorrow at 11", "2026-12-02T11:00"),
        ("book Asha tomorrow at 11", "2026-12-02"),
        ("Asha ko kal 11 baje daal do", "2026-12-02T11:00:00+05:30"),
        ("आशा को शुक्रवार शाम साढ़े पाँच बजे बुक करो", "2026-12-04T17:30:00+05:30"),
        ("wake me at half past six", "06:30"),
        ("usko do hazaar paanch sau rupaye bhejo", 2500),
        ("pay eleven hundred and five rupees", 1105),
        ("1.5 lakh ka bill banao", 150_000.0),
    ],
)
def test_what_is_said_in_words_is_said(words: str, value: Any) -> None:
    assert says_figure(words, value, NOW)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("book Asha tomorrow at 11", "2026-12-03T11:00:00+05:30"),
        ("book Asha tomorrow at 11", "2026-12-02T11:00:00+00:00"),
        ("book Asha tomorrow at 11", "2026-12-02T11:00:07+05:30"),
        ("book Asha tomorrow", "2026-12-02T09:00:00+05:30"),
        ("book Asha as it says", "2026-12-02T11:00:00+05:30"),
        ("book Asha tomorrow at 11", "tomorrow"),
        ("pay him as it says", 2500),
        ("bata do", 2),
        ("do it", True),
        ("pay 2500 rupees", 25000),
        ("read it", "2026-13-45"),
        ("read it", ["2026-12-02"]),
        ("", None),
    ],
)
def test_what_is_not_said_is_not(words: str, value: Any) -> None:
    assert not says_figure(words, value, NOW)
