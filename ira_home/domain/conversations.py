"""Conversations: entries with their trust label, and what a turn is made of."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ira_home.base.ids import CallId, ConversationId, DeviceId, MessageId, PersonId, TurnId
from ira_home.domain.tools import Outcome
from ira_home.domain.trust import TrustLabel

PRIVATE_PLACEHOLDER = "(private device output)"


class EntryKind(StrEnum):
    """Who or what an entry is of."""

    PERSON = "person"  # what the person typed or said
    IRA = "ira"  # what a brain answered
    CALL = "call"  # a brain asked for a tool; text is its arguments as JSON
    RESULT = "result"  # what came back
    NOTE = "note"  # words of the server itself: a read-back, an ended proposal


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a conversation. `private`: it came from, or saw, a device's output.

    `text` of a PERSON entry has its PINs redacted already. `complete` is False for an answer
    that was cut off (cancelled, provider failure, restart).
    """

    id: MessageId
    conversation_id: ConversationId
    turn_id: TurnId
    kind: EntryKind
    text: str
    label: TrustLabel
    source: str  # device label, site, or ""
    private: bool
    at: datetime
    tool: str | None = None
    call_id: CallId | None = None
    device_id: DeviceId | None = None
    outcome: Outcome | None = None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Conversation:
    """The head of a conversation. `title` is private when it came from a private turn."""

    id: ConversationId
    person_id: PersonId
    title: str
    title_private: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class OwnedConversation:
    """A conversation as an admin lists it, with the e-mail address of its person."""

    conversation: Conversation
    email: str
