"""What the no-key brain may decide to do with a request, and what it decides from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ira_home.domain.tools import OfferedTool


@dataclass(frozen=True, slots=True)
class Weighed:
    """A tool that may be meant, with its arguments; `sure` is 0 to 1, `rank` orders candidates."""

    tool: OfferedTool
    arguments: dict[str, Any]
    sure: float
    rank: float
    score: float
    by_deed: bool = (
        True  # whether a word was said of what it does, not only of its arguments' values
    )


@dataclass(frozen=True, slots=True)
class Say:
    """Answer with this; nothing else is to come."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """Call the tool with these arguments."""

    tool: OfferedTool
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for the argument `missing` before the tool can be called."""

    text: str
    tool: OfferedTool
    arguments: Mapping[str, Any]
    missing: str


@dataclass(frozen=True, slots=True)
class Choose:
    """Ask which of the tools was meant; `request` is what the person said."""

    text: str
    options: tuple[OfferedTool, ...]
    request: str


@dataclass(frozen=True, slots=True)
class Away:
    """Say that the device is away, and offer to tell when it is back."""

    text: str
    device: str


Decision = Say | Call | Ask | Choose | Away
Open = Ask | Choose | Away  # decisions that end in a question


def text_of(decision: Decision) -> str:
    """What is said with the decision."""
    return "" if isinstance(decision, Call) else decision.text
