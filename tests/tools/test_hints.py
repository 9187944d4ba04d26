"""Type hints: the schema a brain is told, and the values a function gets."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from enum import Enum
from typing import Annotated, Any, Literal, Optional

import pytest

from ira_home.base.errors import Invalid
from ira_home.protocol.schemas import shared, validate
from ira_home.tools.hints import arguments_of, parameters_of

Chair = Literal["left", "right"]


class Room(Enum):
    ONE = 1
    TWO = 2


def books(
    when: datetime,
    day: date,
    at: Annotated[time, "when the doors close"],
    chair: Chair = "left",
    room: Room | None = None,
    until: Optional[date] = None,  # noqa: UP045 - people write it so
    count: int = 1,
) -> None:
    """Take what a booking takes."""


def schema(function: Callable[..., Any] = books) -> dict[str, Any]:
    made = parameters_of(function, skip_first=False)
    shared(made)
    return made


def got(**given: Any) -> dict[str, Any]:
    return arguments_of(books, given, skip_first=False)


def only(hint: Any) -> Callable[..., None]:
    """A function with one argument of the hint."""

    def takes(value: Any) -> None: ...

    takes.__annotations__["value"] = hint
    return takes


def one(hint: Any, value: Any) -> Any:
    return arguments_of(only(hint), {"value": value}, skip_first=False)["value"]


def test_moments_tell_their_format_and_how_they_are_written() -> None:
    properties = schema()["properties"]
    assert properties["when"]["format"] == "date-time"
    assert properties["day"]["format"] == "date"
    assert properties["at"] == {"type": "string", "format": "time", "description": "when the doors close"}  # fmt: skip
    assert "2026-11-30T17:30" in properties["when"]["description"]
    assert "17:30" in schema(only(time))["properties"]["value"]["description"]


def test_what_has_a_default_may_be_left_out_and_what_may_be_none_may_be_null() -> None:
    assert schema()["required"] == ["when", "day", "at"]
    needed = {"when": "2026-11-30T17:30", "day": "2026-11-30", "at": "17:30"}
    assert validate((schema(),), needed) is None
    assert validate((schema(),), needed | {"room": None, "until": None}) is None
    assert validate((schema(),), needed | {"chair": None}) is not None
    assert validate((schema(),), needed | {"chair": "middle"}) is not None
    assert schema()["properties"]["chair"] == {"enum": ["left", "right"]}
    assert got(**needed, until=None) == {
        "when": datetime(2026, 11, 30, 17, 30),  # noqa: DTZ001
        "day": date(2026, 11, 30),
        "at": time(17, 30),
        "until": None,
    }


def test_a_value_comes_back_as_the_hint_says() -> None:
    given = got(at="09:05:30", chair="right", room=2, until="2026-12-01", count=3.0)
    assert given == {
        "at": time(9, 5, 30), "chair": "right", "room": Room.TWO, "until": date(2026, 12, 1), "count": 3,
    }  # fmt: skip
    assert type(given["count"]) is int
    india = timezone(timedelta(hours=5, minutes=30))
    assert got(when="2026-11-30T17:30+05:30")["when"] == datetime(2026, 11, 30, 17, 30, tzinfo=india)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("day", "tomorrow", "day is not a date that can be read: write it like 2026-11-30."),
        ("day", "2026-11-31", "write it like 2026-11-30"),
        ("when", "2026-11-30", "when is not a date and time that can be read: write it like 2026-11-30T17:30."),
        ("when", "soon", "when is not a date and time"),
        ("at", "25:00", "at is not a time of day that can be read: write it like 17:30."),
        ("at", "at five", "at is not a time of day"),
    ],
)  # fmt: skip
def test_a_moment_that_cannot_be_read_is_refused_with_its_name_and_an_example(
    name: str, value: str, words: str
) -> None:
    with pytest.raises(Invalid) as caught:
        got(**{name: value})
    assert words in caught.value.message
    assert caught.value.details["field"] == name


@pytest.mark.parametrize(
    ("hint", "value", "expected"),
    [
        (Literal["today"] | date, "today", "today"),
        (Literal["today"] | date, "2026-11-30", date(2026, 11, 30)),
        (datetime | date, "2026-11-30", date(2026, 11, 30)),
        (datetime | date, "2026-11-30T08:00", datetime(2026, 11, 30, 8)),  # noqa: DTZ001
        (time | str, "17:30", time(17, 30)),
        (time | str, "noon", "noon"),
        (int | float, 2.5, 2.5),
        (float | str, "2.5", "2.5"),
        (Room | str, "hall", "hall"),
    ],
)  # fmt: skip
def test_of_several_hints_the_one_that_fits_is_taken(hint: Any, value: Any, expected: Any) -> None:
    assert validate((schema(only(hint)),), {"value": value}) is None
    found = one(hint, value)
    assert found == expected
    assert type(found) is type(expected)
