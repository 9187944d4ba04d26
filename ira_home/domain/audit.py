"""The two logs: "What Ira did" (tool log) and the change log (who changed what)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ira_home.base.ids import DeviceId, PersonId, TurnId
from ira_home.domain.tools import Confirmed, Outcome, Tier


class Change(StrEnum):
    """What can stand in the change log: a closed list."""

    SET_UP = "set_up"
    PERSON_ADDED = "person_added"
    PERSON_CHANGED = "person_changed"
    PERSON_REMOVED = "person_removed"
    PASSWORD_CHANGED = "password_changed"
    PIN_CHANGED = "pin_changed"
    PASSWORD_HELD = "password_held"  # too many wrong ones
    PIN_HELD = "pin_held"
    SIGNED_IN = "signed_in"
    SIGNED_OUT = "signed_out"
    API_TOKEN_MADE = "api_token_made"
    API_TOKEN_ENDED = "api_token_ended"
    SESSION_ENDED = "session_ended"
    PAIRING_MADE = "pairing_made"
    REVIEWER_CODE_MADE = "reviewer_code_made"
    PAIRING_CANCELLED = "pairing_cancelled"
    DEVICE_PAIRED = "device_paired"
    DEVICE_RENAMED = "device_renamed"
    DEVICE_REVOKED = "device_revoked"
    DEVICE_BYE = "device_bye"
    SKILL_ON = "skill_on"
    SKILL_OFF = "skill_off"
    TOOL_AGREED = "tool_agreed"
    SETTINGS_CHANGED = "settings_changed"
    HOUSE_CHANGED = "house_changed"
    AUTHORITY_CHANGED = "authority_changed"
    INVITATION_MADE = "invitation_made"
    INVITATION_ENDED = "invitation_ended"
    DATA_EXPORTED = "data_exported"
    DATA_DELETED = "data_deleted"


@dataclass(frozen=True, slots=True)
class ChangeEntry:
    """One line of the change log. Never a label, code, token, PIN or content in `detail`."""

    id: int
    at: datetime
    actor: str  # an e-mail address, "operator", "house" (by itself), or "" where nobody has proved who they are
    change: Change
    subject: str  # an e-mail address, "device 3", or ""
    detail: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of "What Ira did": no arguments, no results, no contents."""

    id: int
    at: datetime
    person_id: PersonId
    person: str
    channel: str  # web, api, device, telegram, voice
    tool: str
    device_id: DeviceId | None
    device: str | None
    tier: Tier
    confirmed: Confirmed
    outcome: Outcome
    seconds: float


@dataclass(frozen=True, slots=True)
class LogDraft:
    """A line of "What Ira did" before it is written; it belongs to a turn that is still kept."""

    turn_id: TurnId
    person_id: PersonId
    channel: str
    tool: str
    device_id: DeviceId | None
    tier: Tier
    confirmed: Confirmed
    outcome: Outcome
    at: datetime
