"""Moments as they are stored."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from ira_home.base.clock import from_ms, to_ms

MOMENTS = st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1)).map(  # noqa: DTZ001 - aware below
    lambda moment: moment.replace(tzinfo=UTC)
)


@given(MOMENTS)
def test_what_is_stored_is_never_to_come_and_less_than_a_millisecond_ago(moment: datetime) -> None:
    assert timedelta() <= moment - from_ms(to_ms(moment)) < timedelta(milliseconds=1)


@given(st.integers(0, 4_000_000_000_000))
def test_a_stored_moment_stays_the_same(value: int) -> None:
    assert to_ms(from_ms(value)) == value
