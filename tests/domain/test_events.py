"""Quiet hours by the clock on the wall, over every change of it, and what the bell counts."""

from datetime import UTC, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from hypothesis import given, settings, strategies as st
import pytest

from ira_home.base.ids import DeviceId, EventId, PersonId
from ira_home.domain.devices import DeviceEvent, EventKind
from ira_home.domain.events import QuietHours, Telling, Way

ZONES = ("Asia/Kolkata", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Africa/Cairo", "Pacific/Apia")  # fmt: skip
NIGHT = QuietHours(time(22), time(7))
zones = st.sampled_from(ZONES).map(ZoneInfo)
# Days around both changes of most of them lie in it.
moments = st.integers(0, 366 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
times = st.times().map(lambda found: found.replace(second=0, microsecond=0))
hours = st.tuples(times, times).filter(lambda two: two[0] != two[1]).map(lambda two: QuietHours(*two))  # fmt: skip


@given(hours, zones, moments)
def test_they_and_the_rest_of_the_day_share_out_every_moment(
    quiet: QuietHours, zone: ZoneInfo, moment: datetime
) -> None:
    rest = QuietHours(quiet.end, quiet.start)
    assert quiet.has(moment, zone) is not rest.has(moment, zone)


@given(hours, zones, moments, st.integers(-14 * 60, 14 * 60))
def test_how_the_moment_was_written_down_does_not_matter(
    quiet: QuietHours, zone: ZoneInfo, moment: datetime, offset: int
) -> None:
    elsewhere = moment.astimezone(timezone(timedelta(minutes=offset)))
    assert quiet.has(elsewhere, zone) is quiet.has(moment, zone)
    assert quiet.has(moment.astimezone(zone), zone) is quiet.has(moment, zone)


@settings(max_examples=40, deadline=None)
@given(hours, zones, moments)
def test_they_begin_and_end_when_the_wall_clock_says_so_and_at_no_other_moment(
    quiet: QuietHours, zone: ZoneInfo, moment: datetime
) -> None:
    """Minute by minute through a day: where they change, a bound was reached or the clock was put."""
    before = moment - timedelta(minutes=1)
    for minute in range(24 * 60 + 120):
        now = moment + timedelta(minutes=minute)
        was, is_ = quiet.has(before, zone), quiet.has(now, zone)
        wall, wall_before = now.astimezone(zone), before.astimezone(zone)
        if was is not is_:
            is_put = wall.utcoffset() != wall_before.utcoffset()
            assert is_put or wall.time().replace(second=0) in {quiet.start, quiet.end}
        before = now


@pytest.mark.parametrize(
    ("moment", "quiet", "is_quiet"),
    [
        # In Berlin the clock goes from 2 to 3 on 29 March 2026.
        ("2026-03-29T00:59Z", QuietHours(time(2, 30), time(6)), False),
        ("2026-03-29T01:00Z", QuietHours(time(2, 30), time(6)), True),
        # And from 3 back to 2 on 25 October: half past two comes twice.
        ("2026-10-25T00:29Z", QuietHours(time(2, 30), time(3)), False),
        ("2026-10-25T00:30Z", QuietHours(time(2, 30), time(3)), True),
        ("2026-10-25T01:10Z", QuietHours(time(2, 30), time(3)), False),
        ("2026-10-25T01:30Z", QuietHours(time(2, 30), time(3)), True),
        ("2026-10-25T02:00Z", QuietHours(time(2, 30), time(3)), False),
        ("2026-10-24T20:00Z", NIGHT, True),
        ("2026-10-25T05:59Z", NIGHT, True),
        ("2026-10-25T06:00Z", NIGHT, False),
    ],
)
def test_on_the_days_when_the_clock_is_put(
    moment: str, quiet: QuietHours, *, is_quiet: bool
) -> None:
    at = datetime.fromisoformat(moment)
    assert quiet.has(at, ZoneInfo("Europe/Berlin")) is is_quiet


def event(kind: EventKind, at: datetime, read_at: datetime | None = None) -> DeviceEvent:
    return DeviceEvent(EventId(1), PersonId(1), DeviceId(1), "Mac", kind, "t", "", at, read_at)


DAY = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)  # in UTC, which is the zone here
DEEP = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)


def test_the_bell_waits_for_the_morning_and_phones_stay_silent() -> None:
    telling = Telling({EventKind.TASK_FAILED: frozenset(Way)}, NIGHT, ZoneInfo("UTC"))
    done, failed = event(EventKind.TASK_DONE, DEEP), event(EventKind.TASK_FAILED, DEEP)
    assert not telling.counts(done, DEEP + timedelta(hours=2))
    assert telling.counts(done, DEEP + timedelta(hours=8))
    assert telling.counts(failed, DEEP + timedelta(hours=2))
    assert telling.counts(event(EventKind.TASK_DONE, DAY), DEEP), "of before they began"
    assert not telling.counts(event(EventKind.TASK_DONE, DAY, read_at=DAY), DAY)
    assert not telling.rings_phones(EventKind.TASK_DONE, DEEP)
    assert telling.rings_phones(EventKind.TASK_DONE, DAY)
    assert telling.rings_phones(EventKind.TASK_FAILED, DEEP)


def test_a_kind_that_is_only_listed_is_neither_counted_nor_sent() -> None:
    telling = Telling({EventKind.TASK_PROGRESS: frozenset()}, None, ZoneInfo("UTC"))
    assert not telling.counts(event(EventKind.TASK_PROGRESS, DAY), DAY)
    assert not telling.rings_phones(EventKind.TASK_PROGRESS, DAY)
    assert telling.counts(event(EventKind.TASK_DONE, DAY), DAY)
