"""Tools: tiers, what is offered to a brain in one turn, and how a call ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from ira_home.base.ids import DeviceId
from ira_home.domain.trust import TrustLabel


class Tier(IntEnum):
    """How much a tool can do (spec/devices.md, Tiers)."""

    LOOK = 0  # reads; runs at once
    SMALL = 1  # small and undoable; runs at once and is said
    YES = 2  # waits for the person's "yes"
    PIN = 3  # waits for the person's PIN


class Outcome(StrEnum):
    """How a call ended (the closed list of DESIGN 11)."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    PROPOSED = "proposed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    BUSY = "busy"
    AWAY = "away"
    TIMEOUT = "timeout"
    UNKNOWN = "unknown"


class Confirmed(StrEnum):
    """By what the person let a call run."""

    NONE = "none"
    YES = "yes"
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class Target:
    """One device behind an offered tool: its own definition's tier, schemas and skills hold for it.

    `schemas`: arguments must fit every one (two while a freer definition waits for agreement).
    """

    device_id: DeviceId
    label: str  # as offered in the `device` argument: unique among the targets
    skills: frozenset[str]
    tier: Tier
    outward: bool
    schemas: tuple[Mapping[str, Any], ...]
    definition: str  # digest of the definition in force


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool of this person in this turn, as a brain sees it.

    `targets` is empty for a tool of the house. With several targets `parameters` has a required
    string property `device_argument` whose enum is their labels (spec, decided 21).
    `label` says whose words description and schema are: HOUSE or DEVICE.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    tier: Tier  # the highest of the targets'
    outward: bool
    label: TrustLabel
    output: TrustLabel
    skill: str
    title: str = ""
    examples: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    device_argument: str | None = None


@dataclass(frozen=True, slots=True)
class ToolUse:
    """What an answer says of one call: `tools` of /v1/ask (DESIGN 11)."""

    tool: str
    device: str | None
    outcome: Outcome
