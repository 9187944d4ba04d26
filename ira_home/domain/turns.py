"""Turns: the work on one thing a person asked, kept so that it can go on after an answer."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ira_home.base.ids import ConversationId, DeviceId, PersonId, TurnId


class TurnState(StrEnum):
    """Where a turn stands."""

    WORKING = "working"
    WAITING = "waiting"  # for its person's answer to a proposal
    ENDED = "ended"
    CANCELLED = "cancelled"
    BROKEN = "broken"  # the server stopped in the middle


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn has used of its bounds; `here_device_id` is the device whose own token asked."""

    id: TurnId
    conversation_id: ConversationId
    person_id: PersonId
    channel: str
    here_device_id: DeviceId | None
    calls: int
    proposals: int
    seconds: float
    state: TurnState
    created_at: datetime
