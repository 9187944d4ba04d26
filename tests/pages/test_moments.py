"""Moments in words, in the time zone of whoever looks."""

from datetime import UTC, datetime, timedelta

import pytest

from ira_home.domain.settings import zone_of
from ira_home.web.pages.moments import Moments, clock_text
from ira_home.web.pages.words import words_of

NOW = datetime(2026, 11, 30, 5, 12, tzinfo=UTC)  # 10:42 in Kolkata


def moments(lang: str = "en", zone: str = "Asia/Kolkata", now: datetime = NOW) -> Moments:
    return Moments(words_of(lang), zone_of(zone), now)


def test_a_moment_of_today_is_its_hour() -> None:
    assert moments().moment(NOW) == "10:42"
    assert moments().day(NOW) == "Today"


def test_yesterday_is_counted_by_the_days_of_the_house() -> None:
    late = datetime(2026, 11, 29, 18, 29, tzinfo=UTC)  # 23:59 in Kolkata
    assert moments().moment(late) == "Yesterday, 23:59"
    assert moments("hi").moment(late) == "कल, 23:59"
    assert moments(zone="UTC").day(late) == "Yesterday"


def test_an_older_day_has_its_date_and_another_year_its_year() -> None:
    assert moments().moment(NOW - timedelta(days=18)) == "12 November, 10:42"
    assert moments("hi").day(NOW - timedelta(days=400)) == "26 अक्टूबर 2025"


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=3), "3 hours ago"),
        (timedelta(hours=13), "Yesterday, 21:42"),
    ],
)
def test_how_long_ago_something_was(ago: timedelta, words: str) -> None:
    assert moments().ago(NOW - ago) == words


def test_what_the_clock_was_turned_over_is_just_now() -> None:
    assert moments().ago(NOW + timedelta(hours=2)) == "just now"


def test_an_unknown_zone_is_utc() -> None:
    assert moments(zone="Nowhere/Land").moment(NOW) == "05:12"
    assert moments(zone="../etc/passwd").moment(NOW) == "05:12"


def test_a_countdown_is_minutes_and_seconds() -> None:
    assert [clock_text(s) for s in (0, 9, 102, 600)] == ["0:00", "0:09", "1:42", "10:00"]


def test_the_greeting_follows_the_hour() -> None:
    hours = {h: moments(zone="UTC", now=NOW.replace(hour=h)).part_of_day for h in (3, 4, 12, 17)}
    assert hours == {3: "evening", 4: "morning", 12: "afternoon", 17: "evening"}
