"""`@tool` and `@action`: what a function becomes."""

from datetime import UTC, date, datetime
from enum import Enum
import sys
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

import pytest

from ira_home.base.ids import ConversationId, PersonId
from ira_home.domain.people import Person, Role
from ira_home.domain.tools import Tier
from ira_home.domain.trust import TrustLabel
from ira_home.protocol.schemas import shared, validate
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import BadTool, DeclaredTool, action, tool, tools_in
from ira_home.tools.hints import UnknownHint
from tests.support.clock import FakeClock
from tests.support.internet import NoInternet
from tests.support.requirements import requirement

ASHA = Person(
    PersonId(1), "a@b.c", "Asha", Role.OWNER, datetime(2026, 1, 1, tzinfo=UTC), has_pin=True
)


class Room(Enum):
    ONE = "one"
    TWO = "two"


@tool
def opening_hours(day: str) -> str:
    """Tell the opening hours of a day."""
    return f"open on {day}"


@action
async def appointment_cancel(number: int) -> str:
    """Cancel the appointment with this number."""
    return f"cancelled {number}"


@action(tier=2, outward=True, title="Send a reminder", output=TrustLabel.WEB, examples=("remind",))
def reminder_send(context: ToolContext, to: str) -> str:
    """Send a reminder to somebody."""
    return f"{context.person.name} reminds {to}"


@tool(tier=1)
def everything_takes(  # noqa: PLR0917
    text: Annotated[str, "what to say"],
    count: int,
    size: float,
    loud: bool,
    kind: Literal["a", "b"],
    room: Room,
    day: date,
    at: datetime,
    names: list[str],
    more: dict[str, int],
    until: date | None = None,
    anything: Any = 3,
) -> list[Any]:
    """Take one of every kind."""
    return [text, count, size, loud, kind, room, day, at, names, more, until, anything]


def made(name: str) -> DeclaredTool:
    return next(one for one in tools_in(sys.modules[__name__]) if one.name == name)


def context() -> ToolContext:
    def no_tables(name: str) -> Any:
        raise AssertionError(name)

    return ToolContext(
        person=ASHA,
        conversation_id=ConversationId(1),
        house_name="Home",
        time_zone=ZoneInfo("Asia/Kolkata"),
        person_zone=ZoneInfo("Asia/Kolkata"),
        clock=FakeClock(),
        devices=(),
        tables=no_tables,
        internet=NoInternet(),
    )


@requirement("business.tool")
def test_a_tool_is_tier_0_and_named_for_its_function() -> None:
    one = made("opening_hours")
    assert (one.tier, one.outward, one.output) == (Tier.LOOK, False, TrustLabel.HOUSE)
    assert one.description == "Tell the opening hours of a day."
    assert one.parameters["required"] == ["day"]


@requirement("business.action")
def test_an_action_is_tier_3() -> None:
    assert made("appointment_cancel").tier is Tier.PIN


@requirement("business.tier")
def test_both_take_a_tier_of_their_own() -> None:
    assert made("everything_takes").tier is Tier.SMALL
    one = made("reminder_send")
    assert (one.tier, one.outward, one.title) == (Tier.YES, True, "Send a reminder")
    assert (one.output, one.examples) == (TrustLabel.WEB, ("remind",))


def test_a_declared_function_stays_an_ordinary_function() -> None:
    assert opening_hours("Monday") == "open on Monday"


def test_the_context_is_filled_by_the_house_and_no_argument() -> None:
    one = made("reminder_send")
    assert set(one.parameters["properties"]) == {"to"}
    assert one.bind(context(), {"to": "Ravi"})() == "Asha reminds Ravi"


def test_every_hint_becomes_a_schema_and_its_value_comes_back_as_hinted() -> None:
    one = made("everything_takes")
    shared(dict(one.parameters))
    given = {
        "text": "hello", "count": 2, "size": 3, "loud": True, "kind": "a", "room": "two",
        "day": "2026-11-30", "at": "2026-11-30T17:30", "names": ["x"], "more": {"y": 1},
        "until": "2026-12-01",
    }  # fmt: skip
    assert validate((one.parameters,), given) is None
    got = one.bind(context(), given)()
    assert got[1:6] == [2, 3.0, True, "a", Room.TWO]
    assert got[6:8] == [date(2026, 11, 30), datetime(2026, 11, 30, 17, 30)]  # noqa: DTZ001
    assert got[8:] == [["x"], {"y": 1}, date(2026, 12, 1), 3]
    assert one.parameters["properties"]["text"]["description"] == "what to say"


@pytest.mark.parametrize(
    "wrong",
    [{}, {"day": 5}, {"day": None}, {"day": "x", "tier": 0}, [], "x", None],
)
def test_arguments_that_the_hints_do_not_allow_do_not_fit(wrong: object) -> None:
    assert validate((made("opening_hours").parameters,), wrong) is not None


def test_a_function_that_cannot_be_a_tool_says_why() -> None:
    with pytest.raises(BadTool, match="docstring"):

        @tool
        def without_words() -> None:
            pass

    with pytest.raises(BadTool, match="name"):

        @tool
        def X() -> None:  # noqa: N802
            """Do."""

    with pytest.raises(UnknownHint, match="thing"):

        @tool
        def takes_a_thing(thing: set[str]) -> None:
            """Do."""

    with pytest.raises(UnknownHint, match="rest"):

        @tool
        def takes_anything(*rest: str) -> None:
            """Do."""

    with pytest.raises(UnknownHint, match="untyped"):

        @tool
        def takes_untyped(untyped) -> None:  # type: ignore[no-untyped-def]
            """Do."""

    with pytest.raises(BadTool, match="opening_hours: 7 is no tier; it is 0, 1, 2 or 3"):
        tool(tier=7)(opening_hours)
