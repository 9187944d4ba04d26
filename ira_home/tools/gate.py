"""The gate: the one road from a brain's wish to an effect. Its stages stand in the order they run."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, replace

from ira_home.base.clock import Clock
from ira_home.base.errors import Forbidden, NotFound, Unauthenticated, Unavailable
from ira_home.base.ids import TurnId
from ira_home.base.tasks import Tasks
from ira_home.domain.ports import CallPart
from ira_home.domain.proposals import Proposal
from ira_home.domain.tools import Confirmed, OfferedTool, Outcome, Tier
from ira_home.storage.storage import Storage
from ira_home.tools.approve import Approved, still_stands
from ira_home.tools.calls import (  # fmt: skip
    Ended,
    FoundCall,
    GateResult,
    Ousted,
    Proposed,
    Refused,
    TurnContext,
)
from ira_home.tools.find import (  # fmt: skip
    check_arguments,
    choose_target,
    find_tool,
    found_call,
    read_arguments,
    tier_of,
)
from ira_home.tools.log import Begun, CallBook
from ira_home.tools.permit import definition_of, permit
from ira_home.tools.proposals import Proposals
from ira_home.tools.send import Sender
from ira_home.tools.taint import judge
from ira_home.tools.toolbox import Toolbox, Toolboxes
from ira_home.tools.wording import say

_STOPPED = "It was stopped before anything was sent."
_CUT_OFF = "It was cut off after it was sent: whether it was done is not known."
_NO_SAY = "Not done: whoever asked for it has no say here any more."
_NOT_KEPT = "It was sent, but how it ended could not be written down: the disk is full or broken."


@dataclass(slots=True)
class _Wish:
    """Whether somebody still waits for a call."""

    is_dropped: bool = False


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
    ) -> None:
        """Send with this sender, ask with these proposals."""
        self._clock = clock
        self._toolboxes = toolboxes
        self._proposals = proposals
        self._sender = sender
        self._book = CallBook(storage, clock)
        self._tasks = Tasks("calls")

    async def start(self) -> dict[TurnId, list[str]]:
        """Say of calls that the last stop of the server cut off that their outcome is not known.

        Gives the tools of those calls by turn.
        """
        return await self._book.recover()

    async def close(self, timeout_s: float) -> None:
        """End what is on its way; what was sent then has an unknown outcome."""
        await self._tasks.close(timeout_s)

    async def run(self, turn: TurnContext, toolbox: Toolbox, call: CallPart) -> GateResult:
        """Take one call of a brain through all stages.

        Once it is on record it comes to its end, and the end to the record, whoever stops waiting.
        Raises Ousted when whoever asked has lost the right since, whatever the call is.
        """
        wish = _Wish()
        try:
            return await self._tasks.finish(self._pass(turn, toolbox, call, wish), "call")
        except asyncio.CancelledError:
            wish.is_dropped = True
            raise

    async def turn_down(
        self, turn: TurnContext, toolbox: Toolbox, call: CallPart, sentence: str
    ) -> None:
        """Refuse a call for a reason of its turn's own, on record as every other call."""
        tool = toolbox.offered.get(call.tool)
        _ = await self._refuse(turn, call, tool, Refused(sentence), looks_again=False)

    async def approve(
        self, proposal: Proposal, turn: TurnContext, confirmed: Confirmed
    ) -> Approved:
        """Take the proposal for running: re-checked, and on record as perhaps sent. Once.

        Raises Unauthenticated, Forbidden, DeviceAway, Void, ProposalOver or ProposalExpired; then
        nothing is or will be sent.
        """
        toolbox = await self._toolboxes.of(turn.principal.person)
        call = still_stands(proposal, toolbox)
        log_id = await self._proposals.take(proposal, turn.principal, confirmed)
        return Approved(proposal, turn, call, toolbox, log_id)

    async def run_approved(self, approved: Approved) -> Ended:
        """Send what was approved, exactly as it was shown, and write down how it ended.

        It comes to its end whoever stops waiting.
        """
        return await self._tasks.finish(self._run_approved(approved), "approved call")

    async def _pass(
        self, turn: TurnContext, toolbox: Toolbox, call: CallPart, wish: _Wish
    ) -> GateResult:
        try:
            return await self._let_on(turn, toolbox, call, wish)
        except (Unauthenticated, Forbidden) as error:
            # A person who is gone took the log with them: there is nowhere to write it.
            with suppress(NotFound):
                await self.turn_down(turn, toolbox, call, _NO_SAY)
            raise Ousted(say("no_say", turn.language)) from error

    async def _let_on(
        self, turn: TurnContext, toolbox: Toolbox, call: CallPart, wish: _Wish
    ) -> GateResult:
        try:
            return await self._admit(turn, toolbox, call, wish)
        except Refused as refusal:
            tool = toolbox.offered.get(call.tool)
            return await self._refuse(turn, call, tool, refusal, looks_again=True)

    async def _admit(
        self, turn: TurnContext, toolbox: Toolbox, call: CallPart, wish: _Wish
    ) -> GateResult:
        tool = find_tool(toolbox, call.tool)
        arguments = read_arguments(call)
        target = choose_target(tool, arguments)
        await permit(self._toolboxes, turn.principal.person, tool, target)
        check_arguments(tool, target, arguments)
        tier = tier_of(tool, target)
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
        begun = await self._book.begin(turn, call, found)
        if not wish.is_dropped:
            return await self._send(turn, toolbox, found, begun)
        stopped = _ended(found, _STOPPED, Outcome.CANCELLED)
        await self._book.end(begun, stopped, 0.0)
        return stopped

    async def _send(
        self, turn: TurnContext, toolbox: Toolbox, call: FoundCall, begun: Begun
    ) -> Ended:
        began = self._clock.monotonic()
        try:
            ended = await self._sender.send(turn, toolbox, call)
        except asyncio.CancelledError:
            cut_off = _ended(call, _CUT_OFF, Outcome.UNKNOWN)
            await self._book.end(begun, cut_off, self._clock.monotonic() - began)
            raise
        await _kept(self._book.end(begun, ended, self._clock.monotonic() - began))
        return ended

    async def _run_approved(self, approved: Approved) -> Ended:
        began = self._clock.monotonic()
        ended = await self._sender.send(approved.turn, approved.toolbox, approved.call)
        seconds = self._clock.monotonic() - began
        await _kept(self._proposals.finish(approved.proposal, approved.log_id, ended, seconds))
        return ended

    async def _refuse(
        self,
        turn: TurnContext,
        call: CallPart,
        tool: OfferedTool | None,
        refusal: Refused,
        *,
        looks_again: bool,
    ) -> Ended:
        ended = Ended(refusal.message, refusal.outcome, told=refusal.told)
        tier = Tier.LOOK
        if tool is not None:
            target = tool.targets[0] if len(tool.targets) == 1 else None
            tier = tier_of(tool, target)
            if target is not None:
                ended = replace(ended, device_id=target.device_id, device=target.label)
        await self._book.refuse(turn, call, tool, ended, tier=tier, looks_again=looks_again)
        return ended


def _ended(call: FoundCall, text: str, outcome: Outcome) -> Ended:
    """An end in the server's own words."""
    return Ended(text, outcome, device_id=call.device_id, device=call.device)


async def _kept(writing: Awaitable[None]) -> None:
    """Write an end down; a full disk must not be told as nothing having been done."""
    try:
        await writing
    except Unavailable as error:
        raise Unavailable(_NOT_KEPT) from error
