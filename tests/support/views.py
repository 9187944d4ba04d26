"""Turn views as a brain is shown them, made by hand."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from ira_home.base.ids import CallId, ConversationId, DeviceId, MessageId, TurnId
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.people import Role
from ira_home.domain.tools import OfferedTool, Outcome, Target, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.domain.turn_view import TurnView

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=timezone(timedelta(hours=5, minutes=30)))
NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}


def arguments(*required: str, **properties: Any) -> dict[str, Any]:
    """A schema; a property given as a text is a string with that description."""
    made = {
        name: {"type": "string", "description": one} if isinstance(one, str) else one
        for name, one in properties.items()
    }
    return {"type": "object", "properties": made, "required": list(required)}


def device_tool(
    name: str,
    description: str,
    parameters: Mapping[str, Any] = NO_ARGUMENTS,
    *,
    tier: int = 0,
    on: tuple[str, ...] = ("Office Mac",),
    title: str = "",
    examples: tuple[str, ...] = (),
) -> OfferedTool:
    """A tool of one device or, with the `device` argument that they share, of several."""
    skill = name.partition("_")[0]
    targets = tuple(
        Target(DeviceId(number), label, frozenset({skill}), Tier(tier), False, (parameters,), "d")
        for number, label in enumerate(on, 1)
    )
    tool = OfferedTool(
        name, description, parameters, Tier(tier), False, TrustLabel.DEVICE, TrustLabel.DEVICE, skill,
        title=title, examples=examples, targets=targets,
    )  # fmt: skip
    if len(on) < 2:
        return tool
    choice = {"type": "string", "enum": list(on)}
    properties = {"device": choice, **parameters.get("properties", {})}
    required = ["device", *parameters.get("required", [])]
    merged = {"type": "object", "properties": properties, "required": required}
    return replace(tool, parameters=merged, device_argument="device")


def house_tool(
    name: str, description: str, parameters: Mapping[str, Any] = NO_ARGUMENTS, *, tier: int = 0
) -> OfferedTool:
    """A tool of the house itself."""
    skill = name.partition("_")[0]
    return OfferedTool(
        name, description, parameters, Tier(tier), False, TrustLabel.HOUSE, TrustLabel.HOUSE, skill
    )


def view(own_words: str, *tools: OfferedTool, **more: Any) -> TurnView:
    """A view of a turn in which this was said."""
    made: dict[str, Any] = {
        "turn_id": TurnId("turn"),
        "assistant_name": "Ira",
        "person_name": "Asha",
        "role": Role.STAFF,
        "languages": ("en", "hi", "hinglish"),
        "reply_language": "auto",
        "system": "You are Ira.",
        "own_words": own_words,
        "history": (),
        "steps": (),
        "tools": tools,
        "skills_off": (),
        "devices_away": (),
        "now": NOW,
        "may_call": True,
        "here": None,
    }
    return TurnView(**(made | more))


def entry(kind: EntryKind, text: str = "", **more: Any) -> Entry:
    """One entry of a conversation."""
    made: dict[str, Any] = {
        "id": MessageId(1),
        "conversation_id": ConversationId(1),
        "turn_id": TurnId("turn"),
        "kind": kind,
        "text": text,
        "label": TrustLabel.OWN if kind is EntryKind.PERSON else TrustLabel.HOUSE,
        "source": "",
        "private": False,
        "at": NOW,
    }
    return Entry(**(made | more))


def person(text: str) -> Entry:
    """What the person said in an earlier turn."""
    return entry(EntryKind.PERSON, text)


def ira(text: str, **more: Any) -> Entry:
    """What a brain answered."""
    return entry(EntryKind.IRA, text, **more)


def call_and_result(
    tool: str,
    text: str,
    *,
    call: str = "call_1",
    written: str = "{}",
    outcome: Outcome = Outcome.DONE,
    source: str = "Office Mac",
    label: TrustLabel = TrustLabel.DEVICE,
) -> tuple[Entry, Entry]:
    """A call and what came of it, as they stand next to each other."""
    call_id = CallId(call)
    return (
        entry(EntryKind.CALL, written, tool=tool, call_id=call_id),
        entry(
            EntryKind.RESULT, text, tool=tool, call_id=call_id, outcome=outcome, source=source, label=label,
            private=label is TrustLabel.DEVICE,
        ),
    )  # fmt: skip
