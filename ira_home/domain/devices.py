"""Devices: kinds, labels, the tools they offer, and when a changed definition is freer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
import re
from typing import Any

from ira_home.base.ids import DeviceId, EventId, PairingId, PersonId
from ira_home.base.jsontext import canonical
from ira_home.domain.tools import Tier

SKILL_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")  # whole match (decided 12)
TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}")


class DeviceKind(StrEnum):
    """What a device was paired as."""

    MAC = "mac"
    WINDOWS = "windows"
    LINUX = "linux"
    ANDROID = "android"
    IOS = "ios"


class EventKind(StrEnum):
    """What a device may announce."""

    WATCH_DONE = "watch_done"
    TASK_PROGRESS = "task_progress"
    TASK_DONE = "task_done"
    TASK_FAILED = "task_failed"
    TASK_REPLY = "task_reply"


class ToolState(StrEnum):
    """Where a device's tool stands with its person (DESIGN 11).

    `off`: its skill is switched off. `new`: off, and the person never decided on its skill.
    `freer`: it was declared again more freely; the stricter of both definitions holds until its
    person agrees with the PIN. `shadowed`: the house has a tool of this name, which keeps it.
    """

    ON = "on"
    OFF = "off"
    NEW = "new"
    FREER = "freer"
    SHADOWED = "shadowed"


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool as a device's hello declares it (spec/devices.md, Hello), already checked."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    skill: str
    tier: Tier
    outward: bool = False
    title: str = ""
    examples: tuple[str, ...] = ()


def is_freer(old: ToolDefinition, new: ToolDefinition) -> bool:
    """Whether `new` allows or means anything that `old` did not (DESIGN 4).

    Only a higher tier, or `outward` switched on, is certainly stricter; every other change of
    words, schema or skill may be freer and so counts as such.
    """
    same = (
        old.description == new.description
        and canonical(old.parameters) == canonical(new.parameters)  # 1, 1.0 and true differ here
        and old.skill == new.skill
        and old.title == new.title
        and old.examples == new.examples
    )
    return not same or new.tier < old.tier or (old.outward and not new.outward)


@dataclass(frozen=True, slots=True)
class Device:
    """A paired program or machine. `tools` are those of its last good hello."""

    id: DeviceId
    person_id: PersonId
    kind: DeviceKind
    label: str
    created_at: datetime
    last_seen: datetime | None
    version: str
    skills: frozenset[str]  # switched on
    decided: frozenset[str]  # skills the person ever chose or switched
    tools: tuple[ToolDefinition, ...]
    paired_from: str = ""  # address of the claim


@dataclass(frozen=True, slots=True)
class Pairing:
    """An open pairing code; the code itself is never kept."""

    id: PairingId
    person_id: PersonId
    kind: DeviceKind
    label: str
    skills: tuple[str, ...]
    expires_at: datetime
    uses_left: int


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """An event as kept and shown: cut and stripped of markup."""

    id: EventId
    person_id: PersonId
    device_id: DeviceId
    device: str  # the label when it came
    event: EventKind
    title: str
    text: str
    created_at: datetime
    read_at: datetime | None = None
