"""Proposals: calls that wait for their person. Every change of state is one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from ira_home.access.permissions import require_now
from ira_home.base.clock import Clock
from ira_home.base.errors import DigestMismatch, NotFound, ProposalExpired, ProposalOver
from ira_home.base.ids import CallId, ConversationId, MessageId, PersonId, ProposalId
from ira_home.base.jsontext import dump
from ira_home.base.limits import PROPOSAL_S, PROPOSALS_A_TURN, READ_BACK_CHARS
from ira_home.base.pubsub import Bus
from ira_home.domain.audit import LogDraft
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.facts import ConversationChanged, ProposalEnded, ProposalOpened
from ira_home.domain.people import Permission, Principal
from ira_home.domain.proposals import (
    Answerer,
    Foreign,
    Proposal,
    ProposalState,
    digest_of,
    payload_of,
)
from ira_home.domain.tools import Confirmed, Outcome, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import IntegrityError, Transaction
from ira_home.storage.storage import Storage
from ira_home.tools.calls import Ended, FoundCall, Refused, TurnContext
from ira_home.tools.wording import can_be_read_back, read_back

_ENDED = {Outcome.DONE: ProposalState.DONE, Outcome.UNKNOWN: ProposalState.UNKNOWN}


class Proposals:
    """The state machine: waiting to running once, running to its end; all other ends from waiting."""

    def __init__(self, storage: Storage, clock: Clock, bus: Bus) -> None:
        """Keep proposals in this storage; their time is counted by the clock's steady hand."""
        self._storage = storage
        self._clock = clock
        self._bus = bus

    async def open(
        self, turn: TurnContext, call: FoundCall, *, definition: str, foreign: Sequence[Foreign]
    ) -> Proposal:
        """Make the call wait for its person; raises Refused where it may not.

        Unauthenticated or Forbidden when whoever asked may no longer.
        """
        draft = self._draft(turn, call, definition=definition, foreign=tuple(foreign))
        if turn.turn.proposals >= PROPOSALS_A_TURN:
            message = "Not done: this turn has already asked the person often enough."
            raise Refused(message)
        if not can_be_read_back(call.arguments):
            message = (
                "Not done: a value has characters that cannot be seen or that turn the text round, so it"
                " cannot be read back to the person as it is."
            )
            raise Refused(message)
        if len(draft.text) > READ_BACK_CHARS:
            message = "Not done: it is too long to be read back to the person whole."
            raise Refused(message)
        try:
            proposal = await self._storage.write(lambda tx: self._open(tx, turn, call, draft))
        except IntegrityError as error:
            raise await self._one_waits(turn.turn.conversation_id) from error
        self._bus.publish(ProposalOpened(proposal))
        self._changed(proposal)
        return proposal

    async def list_open(self, person_id: PersonId) -> list[Proposal]:
        """What waits for this person, newest first; what has run out is not among it."""
        waiting = await self._storage.proposals.waiting(person_id)
        return [one for one in waiting if not self.is_expired(one)]

    async def get(self, person_id: PersonId, proposal_id: ProposalId) -> Proposal:
        """The person's proposal; NotFound for anybody else's."""
        found = await self._storage.proposals.get(person_id, proposal_id)
        if found is None:
            raise NotFound
        return found

    async def answers(
        self, person_id: PersonId, conversation_id: ConversationId
    ) -> dict[CallId, Answerer]:
        """With what the questions of a person's conversation were answered, by their calls."""
        return await self._storage.proposals.answers(person_id, conversation_id)

    def is_expired(self, proposal: Proposal) -> bool:
        """Whether its 120 seconds are over, even where nobody has written that down yet."""
        return self._clock.steady() >= proposal.expires_at

    def check(self, proposal: Proposal, digest: str | None) -> None:
        """Raise unless the proposal waits, in time, and is what was shown."""
        if proposal.state is ProposalState.EXPIRED:
            raise ProposalExpired
        if proposal.state is not ProposalState.WAITING:
            raise ProposalOver
        if self.is_expired(proposal):
            raise ProposalExpired
        if digest is not None and digest != proposal.digest:
            raise DigestMismatch

    async def take(self, proposal: Proposal, principal: Principal, confirmed: Confirmed) -> int:
        """Begin to run it, once: whoever comes second gets ProposalOver. Gives the log's line.

        When this returns, it is on the disk that the call may have been sent. Unauthenticated or
        Forbidden when whoever answered may no longer.
        """
        self.check(proposal, None)
        return await self._storage.write(lambda tx: self._take(tx, proposal, principal, confirmed))

    async def finish(self, proposal: Proposal, log_id: int, ended: Ended, seconds: float) -> None:
        """Write down how the call that was taken ended, with its result for the brain."""
        state = _ENDED.get(ended.outcome, ProposalState.FAILED)

        def work(tx: Transaction) -> None:
            if not self._move(tx, proposal, ProposalState.RUNNING, state):
                return  # its conversation, or its person, was deleted meanwhile
            self._storage.tool_log.finish(tx, log_id, outcome=ended.outcome, seconds=seconds)
            entry = replace(
                self._entry(proposal, EntryKind.RESULT, ended.text),
                label=ended.label,
                source=ended.source,
                # It may repeat the arguments: as private as they are, or more.
                private=ended.private
                or ended.label is TrustLabel.DEVICE
                or self._storage.conversations.is_private_call(
                    tx, proposal.conversation_id, proposal.call_id
                ),
                outcome=ended.outcome,
            )
            made = self._storage.conversations.add(tx, proposal.person_id, entry)
            if ended.picture is not None:
                self._storage.pictures.add(tx, proposal.person_id, made, ended.picture, entry.at)

        await self._storage.write(work)
        self._ended(proposal, state)

    async def close(
        self,
        proposal: Proposal,
        state: ProposalState,
        *,
        outcome: Outcome,
        told: str,
        note: str | None = None,
        by: Principal | None = None,
    ) -> bool:
        """End it without running it; False when it had already left WAITING.

        `by` is whoever said no. `told` is for the brain. With a `note` for the person the turn is over; without one
        somebody goes on with it.
        """

        def work(tx: Transaction) -> bool:
            if not self._move(tx, proposal, ProposalState.WAITING, state):
                return False
            if by is not None:
                self._answered(tx, proposal, by)
            self._log(tx, proposal, outcome=outcome, confirmed=Confirmed.NONE)
            self._tell(tx, proposal, told, outcome=outcome)
            if note is not None:
                self._note(tx, proposal, note)
                self._storage.turns.end_waiting(tx, proposal.turn_id)
            return True

        closed = await self._storage.write(work)
        if closed:
            self._ended(proposal, state)
        return closed

    async def recover(self, note: Callable[[Proposal], str]) -> int:
        """At start: what ran when the server stopped has an unknown outcome, and is never run again."""

        def work(tx: Transaction) -> list[Proposal]:
            cut_off = self._storage.proposals.in_state(tx, ProposalState.RUNNING)
            for one in cut_off:
                self._move(tx, one, ProposalState.RUNNING, ProposalState.UNKNOWN)
                told = "The server stopped meanwhile: whether it was done is not known."
                self._tell(tx, one, told, outcome=Outcome.UNKNOWN)
                self._note(tx, one, note(one))
                self._storage.turns.end_waiting(tx, one.turn_id)
            return cut_off

        found = await self._storage.write(work)
        for one in found:
            self._ended(one, ProposalState.UNKNOWN)
        return len(found)

    def _draft(
        self, turn: TurnContext, call: FoundCall, *, definition: str, foreign: tuple[Foreign, ...]
    ) -> Proposal:
        tier = max(call.tier, Tier.YES)
        payload = payload_of(
            tool=call.tool.name,
            device_id=call.device_id,
            definition=definition,
            arguments=call.arguments,
            here=call.here,
        )
        now = self._clock.steady()
        return Proposal(
            id=ProposalId(0),
            person_id=turn.principal.person.id,
            conversation_id=turn.turn.conversation_id,
            turn_id=turn.turn.id,
            call_id=call.call_id,
            tool=call.tool.name,
            device_id=call.device_id,
            device=call.device,
            skills=() if call.target is None else tuple(sorted(call.target.skills)),
            tier=tier,
            payload=payload,
            digest=digest_of(payload),
            text=read_back(
                call.tool, call.device, call.arguments,
                tier=tier, foreign=foreign, language=turn.language, now=turn.now,
            ),
            arguments=call.arguments,
            from_untrusted=foreign,
            created_at=now,
            expires_at=now + timedelta(seconds=PROPOSAL_S),
            state=ProposalState.WAITING,
        )  # fmt: skip

    def _open(
        self, tx: Transaction, turn: TurnContext, call: FoundCall, draft: Proposal
    ) -> Proposal:
        require_now(self._storage, tx, turn.principal, Permission.ASK)
        proposal = self._storage.proposals.add(tx, draft)
        self._log(tx, proposal, outcome=Outcome.PROPOSED, confirmed=Confirmed.NONE)
        self._storage.turns.spend(tx, turn.turn.id, calls=1, proposals=1)
        self._storage.turns.wait(tx, turn.turn.id)
        for kind, text in (
            (EntryKind.CALL, dump(dict(call.arguments))),
            (EntryKind.NOTE, proposal.text),
        ):
            entry = replace(
                self._entry(proposal, kind, text),
                label=turn.taint.label,
                source=turn.taint.source or proposal.device or "",
                private=proposal.device_id is not None or turn.taint.is_private,
            )
            self._storage.conversations.add(tx, proposal.person_id, entry)
        return proposal

    def _take(
        self, tx: Transaction, proposal: Proposal, principal: Principal, confirmed: Confirmed
    ) -> int:
        require_now(self._storage, tx, principal, Permission.ACTIONS)
        if not self._move(tx, proposal, ProposalState.WAITING, ProposalState.RUNNING):
            raise ProposalOver
        self._answered(tx, proposal, principal)
        return self._log(tx, proposal, outcome=Outcome.UNKNOWN, confirmed=confirmed)

    def _answered(self, tx: Transaction, proposal: Proposal, by: Principal) -> None:
        answerer = Answerer(by.credential, by.credential_id)
        self._storage.proposals.answered(tx, proposal.id, answerer)

    def _move(
        self, tx: Transaction, proposal: Proposal, old: ProposalState, new: ProposalState
    ) -> bool:
        return self._storage.proposals.move(tx, proposal.id, old=old, new=new)

    def _log(
        self, tx: Transaction, proposal: Proposal, *, outcome: Outcome, confirmed: Confirmed
    ) -> int:
        line = LogDraft(
            turn_id=proposal.turn_id,
            person_id=proposal.person_id,
            # That of the turn that asked, whoever answers where.
            channel=self._storage.turns.channel_of(tx, proposal.turn_id),
            tool=proposal.tool,
            device_id=proposal.device_id,
            tier=proposal.tier,
            confirmed=confirmed,
            outcome=outcome,
            at=self._clock.now(),
        )
        return self._storage.tool_log.add(tx, line)

    def _tell(self, tx: Transaction, proposal: Proposal, told: str, *, outcome: Outcome) -> None:
        entry = replace(self._entry(proposal, EntryKind.RESULT, told), outcome=outcome)
        self._storage.conversations.add(tx, proposal.person_id, entry)

    def _note(self, tx: Transaction, proposal: Proposal, note: str) -> None:
        # A note names what it is about, which can hold a device's words.
        entry = self._entry(proposal, EntryKind.NOTE, note)
        if proposal.device_id is not None:
            entry = replace(entry, private=True)
        self._storage.conversations.add(tx, proposal.person_id, entry)

    def _entry(self, proposal: Proposal, kind: EntryKind, text: str) -> Entry:
        return Entry(
            id=MessageId(0),
            conversation_id=proposal.conversation_id,
            turn_id=proposal.turn_id,
            kind=kind,
            text=text,
            label=TrustLabel.HOUSE,
            source="",
            private=False,
            at=self._clock.now(),
            tool=proposal.tool,
            call_id=None if kind is EntryKind.NOTE else proposal.call_id,
            device_id=proposal.device_id,
        )

    async def _one_waits(self, conversation_id: ConversationId) -> Refused:
        waiting = await self._storage.proposals.latest_in(conversation_id)
        what = "another call" if waiting is None else waiting.tool
        return Refused(
            f"Not done: {what} already waits for the person's answer in this conversation."
            " It has to be answered first."
        )

    def _ended(self, proposal: Proposal, state: ProposalState) -> None:
        self._bus.publish(ProposalEnded(replace(proposal, state=state)))
        self._changed(proposal)

    def _changed(self, proposal: Proposal) -> None:
        self._bus.publish(ConversationChanged(proposal.person_id, proposal.conversation_id))
