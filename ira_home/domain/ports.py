"""Ports: the outside world as Protocols that app.py fills."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from ira_home.base.ids import CallId
from ira_home.domain.turn_view import TurnView


@dataclass(frozen=True, slots=True)
class TextPart:
    """A streamed piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPart:
    """A whole tool call: `arguments` is the JSON text as the brain wrote it, unchecked."""

    call_id: CallId
    tool: str
    arguments: str


@dataclass(frozen=True, slots=True)
class UsagePart:
    """Tokens that a step cost, where the provider says."""

    prompt_tokens: int
    completion_tokens: int


Part = TextPart | CallPart | UsagePart


class LanguageModel(Protocol):
    """A brain: one step of a turn at a time.

    `step` streams text and whole calls and then ends; several calls may come in one step. It is
    cancelled by cancelling the task that reads it. It raises `ModelFailed` with one clear
    sentence; parts that came before are kept by the caller.
    """

    name: str

    def step(self, view: TurnView) -> AsyncIterator[Part]:
        """The next parts of the turn that `view` shows."""
        ...

    async def check(self) -> str:
        """Ask the smallest thing (`ira brain test`); one sentence on what answered, or ModelFailed."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class PairingLink(Protocol):
    """Makes the link and the QR of a pairing code (filled by net)."""

    def url(self, code: str) -> str:
        """`https://<lan-address>:<port>/pair#code=…&fp=…&id=…` (DESIGN 4)."""
        ...

    def qr_svg(self, text: str) -> str:
        """The text as one inline SVG without script or style attribute."""
        ...
