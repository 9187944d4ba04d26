"""The JSON shapes that several routes share (DESIGN 11), and how domain things become them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.domain.audit import LogEntry
from ira_home.domain.devices import DeviceEvent
from ira_home.domain.pages import Page
from ira_home.domain.people import Person
from ira_home.tools.log import ToolLog

T = TypeVar("T")


class Items(msgspec.Struct, Generic[T]):
    """A page of a list, newest first; `next_cursor` goes back as ?cursor=."""

    items: list[T]
    next_cursor: str | None = None


class User(msgspec.Struct):
    """A person with an account."""

    id: int
    email: str
    name: str
    role: str


class Password(msgspec.Struct):
    """The person's password again."""

    password: str


class Proposal(msgspec.Struct):
    """A Tier 2 or 3 call that waits, or waited, for its person."""

    id: int
    digest: str
    tier: int
    tool: str
    device: str | None
    text: str
    arguments: dict[str, Any]
    from_untrusted: list[dict[str, str]]
    expires_at: str
    state: str


class ToolUse(msgspec.Struct):
    """A call that an answer speaks of."""

    tool: str
    device: str | None
    outcome: str


class Failure(msgspec.Struct):
    """What cut an answer short."""

    code: str
    message: str


class Answer(msgspec.Struct):
    """Ira's answer; `error` is there when something cut it short, and `text` says so too."""

    run_id: str
    conversation_id: int
    message_id: int
    text: str
    proposals: list[Proposal]
    tools: list[ToolUse]
    error: Failure | msgspec.UnsetType = msgspec.UNSET


class DeviceTool(msgspec.Struct):
    """A tool that a device offers, and where it stands with its person."""

    name: str
    title: str
    tier: int
    outward: bool
    skill: str
    state: str


class Device(msgspec.Struct):
    """A paired device of this person. `skills` are those switched on."""

    id: int
    kind: str
    label: str
    skills: list[str]
    skills_known: list[str]
    online: bool
    last_seen: str | None
    version: str
    created_at: str
    paired_from: str
    tools: list[DeviceTool]


class Event(msgspec.Struct):
    """What a device announced."""

    id: int
    event: str
    title: str
    text: str
    device_id: int
    device: str
    created_at: str
    read: bool


class LogLine(msgspec.Struct):
    """A line of "What Ira did": no arguments, no results."""

    id: int
    at: str
    person: str
    channel: str
    tool: str
    device: str | None
    tier: int
    confirmed: str
    outcome: str
    seconds: float
    sentence: str


def moment(value: datetime | None) -> str | None:
    """A time as JSON has it."""
    return None if value is None else rfc3339(value)


def user_of(person: Person) -> User:
    """A person as others may see them."""
    return User(person.id, person.email, person.name, person.role.value)


def event_of(event: DeviceEvent) -> Event:
    """An event as its person sees it."""
    return Event(
        id=event.id,
        event=event.event.value,
        title=event.title,
        text=event.text,
        device_id=event.device_id,
        device=event.device,
        created_at=rfc3339(event.created_at),
        read=event.read_at is not None,
    )


def log_page(log: ToolLog, page: Page[LogEntry], language: str) -> Items[LogLine]:
    """A page of the tool log, its sentences in this language."""
    return Items([_line_of(log, entry, language) for entry in page.items], page.next_cursor)


def _line_of(log: ToolLog, entry: LogEntry, language: str) -> LogLine:
    return LogLine(
        id=entry.id,
        at=rfc3339(entry.at),
        person=entry.person,
        channel=entry.channel,
        tool=entry.tool,
        device=entry.device,
        tier=int(entry.tier),
        confirmed=entry.confirmed.value,
        outcome=entry.outcome.value,
        seconds=round(entry.seconds, 3),
        sentence=log.sentence(entry, language),
    )


def all_items(found: Iterable[T]) -> Items[T]:
    """A list that comes whole."""
    return Items(list(found))
