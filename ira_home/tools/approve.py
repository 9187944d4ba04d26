"""Whether a proposal that was said yes to is still the call that was shown."""

from dataclasses import dataclass
from enum import StrEnum

from ira_home.base.errors import DeviceAway, ProposalOver
from ira_home.base.jsontext import parse
from ira_home.base.limits import JSON_DEPTH
from ira_home.domain.proposals import Proposal
from ira_home.domain.tools import OfferedTool, Target
from ira_home.tools.calls import FoundCall, TurnContext
from ira_home.tools.permit import definition_of
from ira_home.tools.toolbox import Toolbox


class VoidReason(StrEnum):
    """Why a proposal no longer stands; each is a key of the wording."""

    CHANGED = "changed"
    SKILL_OFF = "skill_off"
    DEVICE_GONE = "device_gone"
    ACCOUNT_CHANGED = "account_changed"


class Void(ProposalOver):
    """What was shown is not what would run now."""

    def __init__(self, reason: VoidReason) -> None:
        """Say why."""
        super().__init__("This can no longer be done as it was shown. Ask again.")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Approved:
    """A proposal that is being run: it is RUNNING and its line is in the log."""

    proposal: Proposal
    turn: TurnContext
    call: FoundCall
    toolbox: Toolbox
    log_id: int


def still_stands(proposal: Proposal, toolbox: Toolbox) -> FoundCall:
    """The call of the proposal's own bytes; raises DeviceAway or Void where it no longer holds."""
    shown = parse(proposal.payload, depth=JSON_DEPTH + 1)
    tool, target = _holder(proposal, toolbox)
    if definition_of(tool, target) != shown["definition"]:
        raise Void(VoidReason.CHANGED)
    return FoundCall(
        call_id=proposal.call_id,
        tool=tool,
        target=target,
        arguments=shown["arguments"],
        tier=proposal.tier,
        outward=tool.outward if target is None else target.outward,
        here=shown["here"],
    )


def why_void(proposal: Proposal, toolbox: Toolbox) -> VoidReason | None:
    """The reason why a waiting proposal can no longer run, None while it can or its device is away."""
    try:
        still_stands(proposal, toolbox)
    except Void as void:
        return void.reason
    except DeviceAway:
        return None
    return None


def _holder(proposal: Proposal, toolbox: Toolbox) -> tuple[OfferedTool, Target | None]:
    tool = toolbox.offered.get(proposal.tool)
    if proposal.device_id is None:
        if tool is None or tool.targets:
            raise Void(VoidReason.CHANGED)
        return tool, None
    target = toolbox.target(proposal.tool, proposal.device_id)
    if tool is not None and target is not None:
        return tool, target
    device = next((one for one in toolbox.devices if one.id == proposal.device_id), None)
    if device is None:
        raise Void(VoidReason.DEVICE_GONE)
    if not device.online:
        raise DeviceAway
    raise Void(
        VoidReason.SKILL_OFF if _is_off(proposal, toolbox, device.label) else VoidReason.CHANGED
    )


def _is_off(proposal: Proposal, toolbox: Toolbox, label: str) -> bool:
    off = {one.skill for one in toolbox.skills_off if one.device == label}
    return bool(off & set(proposal.skills))
