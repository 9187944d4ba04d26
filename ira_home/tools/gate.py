"""The gate: the one road from a brain's wish to an effect. Its stages stand in the order they run."""

from collections.abc import Mapping
from dataclasses import replace

from ira_home.access.permissions import require
from ira_home.base.clock import Clock
from ira_home.domain.audit import LogDraft
from ira_home.domain.people import Permission
from ira_home.domain.ports import CallPart
from ira_home.domain.proposals import Proposal
from ira_home.domain.tools import Confirmed, OfferedTool, Outcome, Target, Tier
from ira_home.storage.storage import Storage
from ira_home.tools.approve import Approved, still_stands
from ira_home.tools.calls import Ended, FoundCall, GateResult, Proposed, Refused, TurnContext
from ira_home.tools.find import (  # fmt: skip
    check_arguments,
    choose_target,
    find_tool,
    found_call,
    read_arguments,
    tier_of,
)
from ira_home.tools.permit import definition_of, permit
from ira_home.tools.proposals import Proposals
from ira_home.tools.send import Sender
from ira_home.tools.taint import judge
from ira_home.tools.toolbox import Toolbox, Toolboxes


class Gate:
    """Runs every call of every brain, channel and device, or refuses it, or asks its person."""

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        *,
        toolboxes: Toolboxes,
        proposals: Proposals,
        sender: Sender,
        floors: Mapping[str, Tier] | None = None,
    ) -> None:
        """`floors`: skills whose tools are of that tier at least, whatever a device declares."""
        self._storage = storage
        self._clock = clock
        self._toolboxes = toolboxes
        self._proposals = proposals
        self._sender = sender
        self._floors = floors or {}

    async def run(self, turn: TurnContext, toolbox: Toolbox, call: CallPart) -> GateResult:
        """Take one call of a brain through all stages."""
        try:
            tool = find_tool(toolbox, call.tool)
        except Refused as refusal:
            # The name is the brain's invention and may hold anything, so it is not logged.
            return Ended(refusal.message, refusal.outcome)
        try:
            return await self._admit(turn, toolbox, call, tool)
        except Refused as refusal:
            return await self._refuse(turn, tool, refusal)

    async def approve(
        self, proposal: Proposal, turn: TurnContext, confirmed: Confirmed
    ) -> Approved:
        """Take the proposal for running: re-checked, and on record as perhaps sent. Once.

        Raises DeviceAway, Void, ProposalOver or ProposalExpired; then nothing is or will be sent.
        """
        require(turn.principal, Permission.ACTIONS)
        toolbox = await self._toolboxes.of(turn.principal.person)
        call = still_stands(proposal, toolbox)
        log_id = await self._proposals.take(proposal, confirmed)
        return Approved(proposal, turn, call, toolbox, log_id)

    async def run_approved(self, approved: Approved) -> Ended:
        """Send what was approved, exactly as it was shown, and write down how it ended."""
        began = self._clock.monotonic()
        ended = await self._sender.send(approved.turn, approved.toolbox, approved.call)
        seconds = self._clock.monotonic() - began
        await self._proposals.finish(approved.proposal, approved.log_id, ended, seconds)
        return ended

    async def _admit(
        self, turn: TurnContext, toolbox: Toolbox, call: CallPart, tool: OfferedTool
    ) -> GateResult:
        require(turn.principal, Permission.ASK)
        arguments = read_arguments(call)
        target = choose_target(tool, arguments)
        await permit(self._toolboxes, turn.principal.person, tool, target)
        check_arguments(tool, target, arguments)
        tier = tier_of(tool, target, self._floors)
        found = found_call(call, tool, target, arguments=arguments, tier=tier,
                           here_device_id=turn.turn.here_device_id)  # fmt: skip
        verdict = judge(turn, found)
        if verdict.asks:
            definition = definition_of(tool, target)
            return Proposed(
                await self._proposals.open(
                    turn, found, definition=definition, foreign=verdict.foreign
                )
            )
        return await self._run(turn, toolbox, found)

    async def _run(self, turn: TurnContext, toolbox: Toolbox, call: FoundCall) -> Ended:
        log_id = await self._log(turn, call.tool, call.target, call.tier, Outcome.UNKNOWN)
        began = self._clock.monotonic()
        ended = await self._sender.send(turn, toolbox, call)
        seconds = self._clock.monotonic() - began
        await self._storage.write(
            lambda tx: self._storage.tool_log.finish(
                tx, log_id, outcome=ended.outcome, seconds=seconds
            ),
            durable=False,
        )
        return ended

    async def _refuse(self, turn: TurnContext, tool: OfferedTool, refusal: Refused) -> Ended:
        target = tool.targets[0] if len(tool.targets) == 1 else None
        tier = tier_of(tool, target, self._floors)
        await self._log(turn, tool, target, tier, refusal.outcome)
        ended = Ended(refusal.message, refusal.outcome)
        if target is None:
            return ended
        return replace(ended, device_id=target.device_id, device=target.label)

    async def _log(
        self,
        turn: TurnContext,
        tool: OfferedTool,
        target: Target | None,
        tier: Tier,
        outcome: Outcome,
    ) -> int:
        """The line of the log; once this returns it is kept, and before that nothing is sent."""
        line = LogDraft(
            turn_id=turn.turn.id,
            person_id=turn.principal.person.id,
            channel=turn.turn.channel,
            tool=tool.name,
            device_id=None if target is None else target.device_id,
            tier=tier,
            confirmed=Confirmed.NONE,
            outcome=outcome,
            at=self._clock.now(),
        )
        return await self._storage.write(
            lambda tx: self._storage.tool_log.add(tx, line), durable=tier >= Tier.YES
        )
