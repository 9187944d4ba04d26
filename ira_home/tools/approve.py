"""Whether a proposal that was said yes to is still the call that was shown."""

from dataclasses import dataclass

from ira_home.base.errors import DeviceAway
from ira_home.base.jsontext import parse
from ira_home.base.limits import JSON_DEPTH
from ira_home.domain.proposals import Proposal
from ira_home.tools.calls import FoundCall, TurnContext
from ira_home.tools.permit import Void, VoidReason, as_shown
from ira_home.tools.toolbox import Toolbox


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
    tool, target = as_shown(
        toolbox,
        proposal.tool,
        proposal.device_id,
        definition=shown["definition"],
        skills=proposal.skills,
    )
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
