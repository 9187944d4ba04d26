"""A call on its way through the gate, and how it leaves it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ira_home.base.errors import Forbidden, ToolFailed
from ira_home.base.ids import CallId, DeviceId
from ira_home.domain.conversations import Entry
from ira_home.domain.people import Principal
from ira_home.domain.pictures import Picture
from ira_home.domain.proposals import Proposal
from ira_home.domain.taint import Taint
from ira_home.domain.tools import OfferedTool, Outcome, Target, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.domain.turns import Turn


class Refused(ToolFailed):
    """The gate does not let a call on; the message is the server's own words for the brain."""

    def __init__(
        self, sentence: str, outcome: Outcome = Outcome.REFUSED, *, told: bool = False
    ) -> None:
        """`outcome` is how the call stands in the log; with `told` the person hears the sentence too."""
        super().__init__(sentence)
        self.outcome = outcome
        self.told = told


class Ousted(Forbidden):
    """Whoever asked has no say any more: nothing was sent, and the turn ends with this sentence."""


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The turn that a call belongs to.

    `shown` is all that the brain saw before it made the call, `now` the time it was told, in the
    zone of the house.
    """

    turn: Turn
    principal: Principal
    own_words: str
    language: str
    shown: tuple[Entry, ...]
    taint: Taint
    now: datetime


@dataclass(frozen=True, slots=True)
class FoundCall:
    """A call whose tool, device and arguments were found good. `target` is None for the house."""

    call_id: CallId
    tool: OfferedTool
    target: Target | None
    arguments: Mapping[str, Any]  # as they are sent: without the device argument
    tier: Tier
    outward: bool
    here: bool

    @property
    def device_id(self) -> DeviceId | None:
        """The device that is to do it."""
        return None if self.target is None else self.target.device_id

    @property
    def device(self) -> str | None:
        """The label of that device."""
        return None if self.target is None else self.target.label


@dataclass(frozen=True, slots=True)
class Ended:
    """A call that is over: what the brain is told, with the label of those words.

    `told`: the server itself tells the person as well, whatever the brain makes of it.
    A `picture` is for the person only; the text says that there is one.
    """

    text: str
    outcome: Outcome
    label: TrustLabel = TrustLabel.HOUSE
    source: str = ""
    private: bool = False
    device_id: DeviceId | None = None
    device: str | None = None
    told: bool = False
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """A call that waits for its person."""

    proposal: Proposal


GateResult = Ended | Proposed
