"""Proposals (table `pending_actions`)."""

from dataclasses import replace
from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import CallId, ConversationId, DeviceId, PersonId, ProposalId, TurnId
from ira_home.base.jsontext import dump, parse
from ira_home.base.limits import JSON_DEPTH
from ira_home.domain.people import Credential
from ira_home.domain.proposals import Answerer, Foreign, Proposal, ProposalState
from ira_home.domain.tools import Tier
from ira_home.storage.database import Database, Row, Transaction

_PAYLOAD_DEPTH = JSON_DEPTH + 1  # arguments of the deepest allowed nesting, inside the payload


class ProposalStore:
    """Rows of proposals. The index on open ones refuses a second in one conversation."""

    def __init__(self, database: Database) -> None:
        """Use this database."""
        self._database = database

    def add(self, tx: Transaction, proposal: Proposal) -> Proposal:
        """Keep a proposal, whose own id is not looked at; gives it back with its id."""
        foreign = [
            {"argument": one.argument, "source": one.source} for one in proposal.from_untrusted
        ]
        made = tx.insert(
            "INSERT INTO pending_actions (user_id, conversation_id, turn_id, call_id, tool,"
            " device_id, device, skills, tier, payload, digest, text, from_untrusted, created_at,"
            " expires_at, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (proposal.person_id, proposal.conversation_id, proposal.turn_id, proposal.call_id,
             proposal.tool, proposal.device_id, proposal.device, dump(list(proposal.skills)),
             proposal.tier, proposal.payload, proposal.digest, proposal.text, dump(foreign),
             to_ms(proposal.created_at), to_ms(proposal.expires_at), proposal.state),
        )  # fmt: skip
        return replace(proposal, id=ProposalId(made))

    def move(
        self, tx: Transaction, proposal_id: ProposalId, *, old: ProposalState, new: ProposalState
    ) -> bool:
        """Change the state once: False when it is no longer `old`, so that the first answer wins."""
        sql = "UPDATE pending_actions SET state = ? WHERE id = ? AND state = ?"
        return tx.run(sql, (new, proposal_id, old)) == 1

    def answered(self, tx: Transaction, proposal_id: ProposalId, by: Answerer) -> None:
        """Remember with what it was answered."""
        sql = "UPDATE pending_actions SET answered_with = ?, answered_by = ? WHERE id = ?"
        tx.run(sql, (by.credential, by.credential_id, proposal_id))

    async def answers(
        self, person_id: PersonId, conversation_id: ConversationId
    ) -> dict[CallId, Answerer]:
        """With what the questions of a person's conversation were answered, by their calls."""
        sql = (
            "SELECT call_id, answered_with, answered_by FROM pending_actions"
            " WHERE user_id = ? AND conversation_id = ? AND answered_with IS NOT NULL"
        )
        rows = await self._database.all(sql, (person_id, conversation_id))
        return {
            CallId(row["call_id"]): Answerer(Credential(row["answered_with"]), row["answered_by"])
            for row in rows
        }

    def in_state(self, tx: Transaction, state: ProposalState) -> list[Proposal]:
        """Everybody's proposals in this state, oldest first."""
        sql = "SELECT * FROM pending_actions WHERE state = ? ORDER BY id"
        return [_proposal(row) for row in tx.all(sql, (state,))]

    async def get(self, person_id: PersonId, proposal_id: ProposalId) -> Proposal | None:
        """The person's proposal of this id."""
        sql = "SELECT * FROM pending_actions WHERE id = ? AND user_id = ?"
        row = await self._database.one(sql, (proposal_id, person_id))
        return None if row is None else _proposal(row)

    async def waiting(self, person_id: PersonId) -> list[Proposal]:
        """The person's proposals that wait, newest first."""
        sql = (
            "SELECT * FROM pending_actions WHERE user_id = ? AND state = 'waiting' ORDER BY id DESC"
        )
        return [_proposal(row) for row in await self._database.all(sql, (person_id,))]

    async def latest_in(self, conversation_id: ConversationId) -> Proposal | None:
        """The newest proposal of a conversation, whatever its state."""
        sql = "SELECT * FROM pending_actions WHERE conversation_id = ? ORDER BY id DESC LIMIT 1"
        row = await self._database.one(sql, (conversation_id,))
        return None if row is None else _proposal(row)

    async def due(self, now: datetime) -> list[Proposal]:
        """Everybody's waiting proposals whose time has run out."""
        sql = (
            "SELECT * FROM pending_actions WHERE state = 'waiting' AND expires_at <= ?"
            " ORDER BY expires_at, id"
        )
        return [_proposal(row) for row in await self._database.all(sql, (to_ms(now),))]

    async def next_expiry(self) -> datetime | None:
        """When the next waiting proposal runs out."""
        sql = "SELECT min(expires_at) AS soonest FROM pending_actions WHERE state = 'waiting'"
        row = await self._database.one(sql)
        return None if row is None or row["soonest"] is None else from_ms(row["soonest"])


def _proposal(row: Row) -> Proposal:
    payload = bytes(row["payload"])
    foreign = parse(row["from_untrusted"])
    return Proposal(
        id=ProposalId(row["id"]),
        person_id=PersonId(row["user_id"]),
        conversation_id=ConversationId(row["conversation_id"]),
        turn_id=TurnId(row["turn_id"]),
        call_id=CallId(row["call_id"]),
        tool=row["tool"],
        device_id=None if row["device_id"] is None else DeviceId(row["device_id"]),
        device=row["device"],
        skills=tuple(parse(row["skills"])),
        tier=Tier(row["tier"]),
        payload=payload,
        digest=row["digest"],
        text=row["text"],
        arguments=parse(payload, depth=_PAYLOAD_DEPTH)["arguments"],
        from_untrusted=tuple(Foreign(one["argument"], one["source"]) for one in foreign),
        created_at=from_ms(row["created_at"]),
        expires_at=from_ms(row["expires_at"]),
        state=ProposalState(row["state"]),
    )
