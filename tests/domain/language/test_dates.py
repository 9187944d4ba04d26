"""Days, times and durations that people say."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
import re
from zoneinfo import ZoneInfo

from hypothesis import example, given, settings, strategies as st
import pytest

from ira_home.domain.language.dates import Moment, as_date, as_datetime, find_moments
from ira_home.domain.language.tense import Lean
from ira_home.domain.language.time_words import PAIRS, sort_of

INDIA, BERLIN = ZoneInfo("Asia/Kolkata"), ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 12, 2, 10, 0, tzinfo=INDIA)  # a Wednesday
LEANS: dict[str, Lean] = {"f": "future", "p": "past"}
TABLE = Path(__file__).with_name("moments.txt").read_text(encoding="utf-8").splitlines()
ROWS = [tuple(line.split(" | ")) for line in TABLE if line and not line.startswith("#")]
TIMES = [text for lean, text, meant in ROWS if lean == "f" and re.fullmatch(r"\d\d:\d\d", meant)]


def written(moment: Moment) -> str:
    """The moment as the table writes it."""
    if moment.kind == "duration":
        assert moment.duration is not None
        hours, seconds = divmod(int(moment.duration.total_seconds()), 3_600)
        return f"~{hours}:{seconds // 60:02}"
    clock = "" if moment.at is None else f"{moment.at:%H:%M}"
    day = "" if moment.day is None else moment.day.isoformat()
    until = "" if moment.until is None else f"..{moment.until.isoformat()}"
    made = f"{day}{'T' if day and clock else ''}{clock}{until}"
    return f"about {made}" if moment.is_vague else made


def said(text: str, lean: Lean = "future", now: datetime = NOW) -> str:
    return " + ".join(map(written, find_moments(text, now, lean=lean))) or "none"


@pytest.mark.parametrize(("lean", "text", "meant"), ROWS, ids=[row[1] for row in ROWS])
def test_what_people_say_means(lean: str, text: str, meant: str) -> None:
    assert said(text, LEANS[lean]) == meant


def test_the_table_is_wide() -> None:
    assert len(ROWS) > 300
    assert len({(lean, text) for lean, text, _meant in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("kal", ["date"]), ("7 pm", ["time"]), ("kal 7 pm", ["datetime"]), ("this week", ["range"]), ("for 30 minutes", ["duration"]),
        ("20 min baad", ["datetime"]), ("do din baad", ["date"]), ("kal 5 baje 30 minute ke liye", ["datetime", "duration"]), ("abhi", ["datetime"]),
    ],
)  # fmt: skip
def test_each_moment_has_its_kind(text: str, kinds: list[str]) -> None:
    assert [one.kind for one in find_moments(text, NOW, lean="future")] == kinds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kal ki photos dikhao", ["kal ki"]),
        ("remind me at 7 to call mom", ["at 7"]),
        ("Asha ka Friday ko shaam 5 baje appointment", ["Friday ko shaam 5 baje"]),
        ("30 minute ke liye fan chalu karo", ["30 minute ke liye"]),
        ("kal tak ka hisaab", ["kal tak ka"]),
        ("kal doctor ke paas 5 baje jana hai", ["kal", "5 baje"]),
        ("remind me tomorrow to buy milk at five", ["tomorrow", "at five"]),
        ("आज शाम 7 बजे दवाई लेनी है", ["आज शाम 7 बजे"]),
        ("by Friday, please", ["by Friday"]),
        ("20 minute me yaad dilana", ["20 minute me"]),
        ("tell me tomorrow", ["tomorrow"]),
        ("kal main aaunga", ["kal"]),
        ("8 baje ke baad light band karo", ["8 baje ke baad"]),
        ("do ghante 15 minute baad", ["do ghante 15 minute baad"]),
    ],
)
def test_the_spans_hold_the_small_words_too(text: str, words: list[str]) -> None:
    spans = [span for one in find_moments(text, NOW, lean="future") for span in one.spans]
    assert [text[start:end] for start, end in spans] == words


@pytest.mark.parametrize(
    ("now", "meant"),
    [("06:00", "07:00"), ("07:00", "19:00"), ("12:00", "19:00"), ("19:00", "07:00"), ("23:00", "07:00")],
)  # fmt: skip
def test_a_bare_seven_is_the_next_that_comes_today_else_in_the_morning(
    now: str, meant: str
) -> None:
    at = NOW.replace(hour=int(now[:2]))
    (moment,) = find_moments("7 baje", at, lean="future")
    assert written(moment) == meant
    assert as_datetime(moment, at) > at.isoformat()[:16]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("now", "meant"),
    [("08:00", "2026-12-01T21:00"), ("10:00", "2026-12-02T09:00"), ("22:00", "2026-12-02T21:00")],
)
def test_looking_back_a_bare_nine_is_the_last_that_was(now: str, meant: str) -> None:
    at = NOW.replace(hour=int(now[:2]))
    (moment,) = find_moments("9 baje", at, lean="past")
    assert as_datetime(moment, at, lean="past") == meant


@pytest.mark.parametrize(
    ("text", "lean", "moment", "day"),
    [
        ("kal", "future", "2026-12-03T09:00", "2026-12-03"),
        ("7 am", "future", "2026-12-03T07:00", "2026-12-03"),
        ("7 pm", "future", "2026-12-02T19:00", "2026-12-02"),
        ("7 pm", "past", "2026-12-01T19:00", "2026-12-01"),
        ("this week", "future", "2026-11-30T09:00", "2026-11-30"),
        ("for 30 minutes", "future", None, None),
        ("last 2 hours", "past", "2026-12-02T08:00", "2026-12-02"),
    ],
)
def test_a_moment_is_written_as_a_tool_takes_it(
    text: str, lean: Lean, moment: str | None, day: str | None
) -> None:
    (found,) = find_moments(text, NOW, lean=lean)
    assert as_datetime(found, NOW, lean=lean) == moment
    assert as_date(found, NOW, lean=lean) == day


def test_a_day_without_a_time_takes_the_one_that_is_asked_for() -> None:
    (found,) = find_moments("kal", NOW, lean="future")
    assert as_datetime(found, NOW, default=time(18, 30)) == "2026-12-03T18:30"


def test_a_part_of_today_that_has_begun_is_later_in_it() -> None:
    assert said("tonight", now=NOW.replace(hour=21, minute=30)) == "about 2026-12-02T22:00"
    assert said("tonight", now=NOW.replace(hour=23, minute=30)) == "about 2026-12-02T20:00"


def test_a_time_that_the_clock_skips_is_moved_on() -> None:
    now = datetime(2027, 3, 27, 20, 0, tzinfo=BERLIN)
    (found,) = find_moments("tomorrow 2:30 am", now, lean="future")
    assert as_datetime(found, now) == "2027-03-28T03:30"


@pytest.mark.parametrize(
    ("now", "meant"),
    [
        (datetime(2027, 3, 28, 1, 30, tzinfo=BERLIN), "2027-03-28T04:30"),
        (datetime(2027, 10, 31, 1, 30, tzinfo=BERLIN), "2027-10-31T02:30"),
    ],
)
def test_hours_from_now_are_hours_that_pass(now: datetime, meant: str) -> None:
    assert said("in 2 hours", now=now) == meant


def test_days_from_now_keep_the_wall_time() -> None:
    now = datetime(2027, 3, 27, 12, 0, tzinfo=BERLIN)
    assert said("kal 9 baje", now=now) == "2027-03-28T09:00"


def test_what_no_calendar_has_is_left_out() -> None:
    assert said("500 saal baad") == "none"
    assert said("9999999 din baad kal") == "2026-12-03"
    assert said("5 minutes ago", now=datetime.min.replace(tzinfo=UTC)) == "none"


def test_only_what_a_person_can_say_at_once_is_read() -> None:
    assert said("bolo " * 500 + "kal") == "none"


pieces = st.sampled_from(
    (
        "kal parson aaj tomorrow tonight monday somvar next agle pichle this last weekend week month hafte mahine saal december may mar sat sun "
        "subah shaam raat dopahar morning night noon midnight baje am pm o'clock half quarter past to sava sadhe paune dedh dhai der aadhe "
        "in at by for on from se tak ko ke ki mein pe baad pehle ago later before after within every nahi aur and the of a an do ek ten twenty "
        "thirty first second fifth 25th 1 5 7 12 25 31 45 1930 0730 2026 7:30 17:45 5/12 2026-12-05 5.30 7pm 30min minute ghante hour din day end "
        "aakhri tarikh alarm room volume bajkar bajne 99999999999 lakh कल शाम बजे ५ साढ़े सोमवार मिनट बाद gaya tha jana hai . , ? - | photos"
    ).split()
)  # fmt: skip
talk = st.lists(pieces, max_size=14).map(" ".join)
nows = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)).flatmap(  # noqa: DTZ001
    lambda at: st.sampled_from(
        [INDIA, BERLIN, ZoneInfo("America/St_Johns"), ZoneInfo("Pacific/Apia"), UTC]
    ).map(lambda zone: at.replace(tzinfo=zone))
)


@settings(deadline=None, max_examples=400)
@given(talk | st.text(max_size=80), nows, st.sampled_from(list(LEANS.values())))
@example("१२²३ baje", NOW, "future")
@example("0001-01-01 5 baje", NOW, "past")
@example("9999-12-31 11 pm", NOW.replace(tzinfo=ZoneInfo("America/St_Johns")), "future")
@example("9" * 500 + " din baad", NOW, "past")
def test_no_text_is_too_strange(text: str, now: datetime, lean: Lean) -> None:
    moments = find_moments(text, now, lean=lean)
    spans = sorted(span for one in moments for span in one.spans)
    assert all(one.spans for one in moments)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    for one in moments:
        assert (as_datetime(one, now, lean=lean) is None) == (one.kind == "duration")
        assert (as_date(one, now, lean=lean) is None) == (one.kind == "duration")
        assert one.kind != "range" or (one.day is not None and one.until is not None)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(TIMES), nows)
def test_a_time_alone_is_never_over(text: str, now: datetime) -> None:
    for moment in find_moments(text, now, lean="future"):
        assert moment.kind == "time"
        meant = as_datetime(moment, now, lean="future")
        assert meant is not None
        local = datetime.fromisoformat(meant).replace(tzinfo=now.tzinfo)
        assert local.astimezone(UTC) > now.astimezone(UTC) - timedelta(hours=1 if _is_doubled(local) else 0)  # fmt: skip


def _is_doubled(local: datetime) -> bool:
    """Whether the clock shows this wall time twice."""
    return local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()


around = st.lists(
    st.sampled_from("Ira suno please dawai doctor report banao chai Amit मम्मी रिपोर्ट kripya milk".split()),
    max_size=4,
).map(" ".join)  # fmt: skip
clear = st.sampled_from(
    [
        "kal subah 7 baje", "5/12", "next friday", "agle somvar ko", "in 20 minutes", "20 min baad", "7:30am", "quarter past six", "sadhe paanch baje",
        "25 tarikh ko", "15 aug", "for 30 minutes", "this weekend", "tonight", "day after tomorrow", "raat ke 12 baje", "do din pehle", "परसों शाम को",
        "आधे घंटे बाद", "end of month", "5 to 7 pm", "pichle 7 din", "monday to friday", "midnight",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(around, clear, around)
def test_other_words_around_change_nothing(before: str, phrase: str, after: str) -> None:
    text = f"{before} {phrase} {after}"
    assert said(text) == said(phrase)
    moments = find_moments(text, NOW, lean="future")
    for alone, inside in zip(find_moments(phrase, NOW, lean="future"), moments, strict=True):
        shift = len(before) + 1
        assert inside.spans == tuple((start + shift, end + shift) for start, end in alone.spans)


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)))
def test_a_written_day_is_that_day(day: date) -> None:
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%d %B %Y", "%B %d, %Y", "%d-%m-%Y", "%d %b %Y ko"):
        assert said(day.strftime(form)) == day.isoformat()


def test_words_of_time_are_known_by_sound_and_others_are_not() -> None:
    assert sort_of("somwaar") == sort_of("somvar") == sort_of("सोमवार") == ("W", 0)
    assert sort_of("shukarvar") == ("W", 4)
    assert sort_of("river") is None
    assert sort_of("person") is None
    assert PAIRS["aadhi"]["raat"] == ("Z", 0)
