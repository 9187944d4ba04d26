"""A person's answer to a proposal, on its card or typed, and the turn that goes on after it."""

from dataclasses import dataclass

from ira_home.access.accounts import Accounts
from ira_home.access.permissions import require
from ira_home.assistant.scribe import TRUSTED
from ira_home.assistant.turn import Job
from ira_home.base.errors import DeviceAway, Invalid, PinRequired, ProposalExpired, ProposalOver
from ira_home.base.ids import ProposalId
from ira_home.domain.conversations import EntryKind
from ira_home.domain.people import Permission, Principal
from ira_home.domain.proposals import Proposal, ProposalState
from ira_home.domain.tools import Confirmed, Outcome, Tier
from ira_home.domain.turns import Turn
from ira_home.storage.storage import Storage
from ira_home.tools.approve import Approved
from ira_home.tools.calls import TurnContext
from ira_home.tools.gate import Gate
from ira_home.tools.permit import Void
from ira_home.tools.proposal_watch import ProposalWatch
from ira_home.tools.proposals import Proposals
from ira_home.tools.wording import language_for

_SAID_NO = "The person said no. It was not done."


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer that counts: `approved` for a yes, None for a no."""

    proposal: Proposal
    turn: Turn
    approved: Approved | None


class Replies:
    """Decides on proposals by what their person says, and carries the decision out."""

    def __init__(
        self,
        storage: Storage,
        accounts: Accounts,
        *,
        gate: Gate,
        proposals: Proposals,
        watch: ProposalWatch,
    ) -> None:
        """`accounts` checks PINs."""
        self._storage = storage
        self._accounts = accounts
        self._gate = gate
        self._proposals = proposals
        self._watch = watch

    async def by_card(
        self,
        principal: Principal,
        proposal_id: ProposalId,
        *,
        yes: bool,
        digest: str | None,
        pin: str | None,
    ) -> Decision:
        """Decide by the card's buttons (spec, decided 3, 19, 20); the first answer wins."""
        require(principal, Permission.ACTIONS)
        proposal = await self._proposals.get(principal.person.id, proposal_id)
        if not yes:
            return await self._no(principal, proposal)
        if digest is None:
            message = "The digest of what was shown is missing."
            raise Invalid(message, field="digest")
        if proposal.tier is Tier.PIN:
            await self._accounts.check_pin(principal.person.id, pin)
        return await self._yes(principal, proposal, digest)

    async def by_words(self, principal: Principal, proposal: Proposal, *, yes: bool) -> Decision:
        """Decide by a typed or spoken yes or no; a Tier 3 proposal never gets a yes this way."""
        require(principal, Permission.ACTIONS)
        if not yes:
            return await self._no(principal, proposal)
        if proposal.tier is Tier.PIN:
            raise PinRequired
        return await self._yes(principal, proposal, proposal.digest)

    async def carry_out(self, job: Job, decision: Decision) -> None:
        """Run what was approved. It is not stopped by whoever stops listening to the answer."""
        if decision.approved is None:
            return
        proposal, call = decision.proposal, decision.approved.call
        job.answer.tool_begins(proposal.call_id, proposal.tool, call.device)
        ended = await self._gate.run_approved(decision.approved)
        job.answer.tool_ends(proposal.call_id, proposal.tool, call.device, ended.outcome)

    async def _yes(self, principal: Principal, proposal: Proposal, digest: str) -> Decision:
        await self._expire_if_due(proposal)
        self._proposals.check(proposal, digest)
        turn = await self._turn(proposal)
        context = await self._context(principal, turn)
        confirmed = Confirmed.PIN if proposal.tier is Tier.PIN else Confirmed.YES
        try:
            approved = await self._gate.approve(proposal, context, confirmed)
        except Void as void:
            await self._watch.make_void(proposal, void.reason)
            raise
        except DeviceAway:
            await self._watch.device_away(proposal)
            raise
        return Decision(proposal, turn, approved)

    async def _no(self, principal: Principal, proposal: Proposal) -> Decision:
        await self._expire_if_due(proposal)
        self._proposals.check(proposal, None)
        turn = await self._turn(proposal)
        closed = await self._proposals.close(
            proposal,
            ProposalState.CANCELLED,
            outcome=Outcome.CANCELLED,
            told=_SAID_NO,
            by=principal,
        )
        if not closed:
            raise ProposalOver
        return Decision(proposal, turn, None)

    async def _expire_if_due(self, proposal: Proposal) -> None:
        if proposal.state is ProposalState.WAITING and self._proposals.is_expired(proposal):
            await self._watch.expire(proposal)
            raise ProposalExpired

    async def _turn(self, proposal: Proposal) -> Turn:
        turn = await self._storage.turns.get(proposal.turn_id)
        if turn is None:
            raise ProposalOver
        return turn

    async def _context(self, principal: Principal, turn: Turn) -> TurnContext:
        """The turn as it was asked; nothing of it is judged again, because the person has decided."""
        entries = await self._storage.conversations.of_turn(turn.id)
        own = next((one.text for one in entries if one.kind is EntryKind.PERSON), "")
        settings = await self._storage.settings.get(principal.person.id)
        language = language_for(own, settings.reply_language)
        return TurnContext(
            turn, principal, own, language, shown=(), taint=TRUSTED, now=turn.created_at
        )
