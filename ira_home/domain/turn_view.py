"""The structured, labelled view of a turn that a brain is shown (DESIGN 6)."""

from dataclasses import dataclass
from datetime import datetime

from ira_home.base.ids import TurnId
from ira_home.domain.conversations import Entry
from ira_home.domain.house import HouseSkill
from ira_home.domain.people import Role
from ira_home.domain.tools import OfferedTool


@dataclass(frozen=True, slots=True)
class SkillOff:
    """A skill that a device last reported and that is switched off. Its tools are never told."""

    device: str  # the device's label
    kind: str
    skill: str


@dataclass(frozen=True, slots=True)
class HouseSkillOff:
    """A skill of the house that this person does not have now. Its tools are never told.

    Where it `is_set_up`, the person switches it on under "My settings"; else whoever runs the server
    sets it up first.
    """

    skill: HouseSkill
    is_set_up: bool


@dataclass(frozen=True, slots=True)
class DeviceAway:
    """A paired device that is not connected, with the skills its person switched on."""

    device: str
    kind: str
    skills: tuple[str, ...]
    since: datetime | None


@dataclass(frozen=True, slots=True)
class TurnView:
    """All that a brain may know for its next step.

    `own_words` is what the person said in this turn, PINs redacted. `history` are entries of
    earlier turns, oldest first; `steps` the entries of this turn after the person's own, oldest
    first (IRA, CALL, RESULT, NOTE). Untrusted entries are raw here: whoever renders them for a
    model wraps them with `domain.trust.wrap`. `languages` and `reply_language` are the person's
    settings. `may_call` is False when the bounds of the turn allow no more calls.
    """

    turn_id: TurnId
    assistant_name: str
    person_name: str
    role: Role
    languages: tuple[str, ...]
    reply_language: str
    system: str  # the prompt for model brains (assistant/prompt.py)
    own_words: str
    history: tuple[Entry, ...]
    steps: tuple[Entry, ...]
    tools: tuple[OfferedTool, ...]
    skills_off: tuple[SkillOff, ...]
    devices_away: tuple[DeviceAway, ...]
    now: datetime  # aware, in the house's time zone
    may_call: bool
    here: str | None  # label of the device the person is asking on, or None
    house_off: tuple[HouseSkillOff, ...] = ()
