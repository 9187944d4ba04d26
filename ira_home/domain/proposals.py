"""Proposals: Tier 2 and 3 calls that wait for their person."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
import hashlib
from typing import Any

from ira_home.base.ids import CallId, ConversationId, DeviceId, PersonId, ProposalId, TurnId
from ira_home.base.jsontext import canonical
from ira_home.domain.people import Credential
from ira_home.domain.tools import Tier


class ProposalState(StrEnum):
    """Where a proposal stands (the closed list of DESIGN 11)."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    VOID = "void"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Foreign:
    """An argument with words that the person did not say, and where they came from."""

    argument: str
    source: str


@dataclass(frozen=True, slots=True)
class Answerer:
    """With what a proposal was answered: a session, API token or device, by its own number."""

    credential: Credential
    credential_id: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """A call as shown and as it will run, once: `payload` are the exact canonical bytes.

    `payload` holds tool, device id, definition digest, arguments and `here`; `digest` is its
    SHA-256 in hex. `text` is the read-back, written by the server.
    """

    id: ProposalId
    person_id: PersonId
    conversation_id: ConversationId
    turn_id: TurnId
    call_id: CallId
    tool: str
    device_id: DeviceId | None
    device: str | None
    skills: tuple[str, ...]
    tier: Tier
    payload: bytes
    digest: str
    text: str
    arguments: Mapping[str, Any]
    from_untrusted: tuple[Foreign, ...]
    created_at: datetime
    expires_at: datetime
    state: ProposalState


def payload_of(
    *,
    tool: str,
    device_id: DeviceId | None,
    definition: str,
    arguments: Mapping[str, Any],
    here: bool,
) -> bytes:
    """The canonical bytes of a call: what is shown, digested and run."""
    return canonical(
        {
            "tool": tool,
            "device_id": device_id,
            "definition": definition,
            "arguments": dict(arguments),
            "here": here,
        }
    )


def digest_of(payload: bytes) -> str:
    """SHA-256 in lower-case hex."""
    return hashlib.sha256(payload).hexdigest()
