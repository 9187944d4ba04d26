"""Turns that can go on after their person's answer (table `turns`)."""

from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import ConversationId, DeviceId, PersonId, TurnId
from ira_home.domain.turns import Turn, TurnState
from ira_home.storage.database import Database, Row, Transaction


class TurnStore:
    """Rows of turns."""

    def __init__(self, database: Database) -> None:
        """Use this database."""
        self._database = database

    def start(self, tx: Transaction, turn: Turn) -> None:
        """Keep a turn that begins."""
        tx.run(
            "INSERT INTO turns (id, conversation_id, user_id, channel, here_device_id, state,"
            " created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (turn.id, turn.conversation_id, turn.person_id, turn.channel, turn.here_device_id,
             turn.state, to_ms(turn.created_at)),
        )  # fmt: skip

    def spend(
        self,
        tx: Transaction,
        turn_id: TurnId,
        *,
        calls: int = 0,
        proposals: int = 0,
        seconds: float = 0.0,
    ) -> None:
        """Count what the turn used of its bounds."""
        tx.run(
            "UPDATE turns SET calls = calls + ?, proposals = proposals + ?, seconds = seconds + ?"
            " WHERE id = ?",
            (calls, proposals, seconds, turn_id),
        )

    def wait(self, tx: Transaction, turn_id: TurnId) -> None:
        """The turn goes on when its person has answered."""
        tx.run("UPDATE turns SET state = 'waiting' WHERE id = ?", (turn_id,))

    def end(self, tx: Transaction, turn_id: TurnId, state: TurnState) -> None:
        """The turn is over, unless it waits for its person's answer."""
        sql = "UPDATE turns SET state = ? WHERE id = ? AND state = 'working'"
        tx.run(sql, (state, turn_id))

    def is_kept(self, tx: Transaction, turn_id: TurnId) -> bool:
        """Whether the turn is still there; it goes with its conversation and with its person's data."""
        return tx.one("SELECT 1 FROM turns WHERE id = ?", (turn_id,)) is not None

    def channel_of(self, tx: Transaction, turn_id: TurnId) -> str:
        """The channel that the turn was asked on."""
        row = tx.one("SELECT channel FROM turns WHERE id = ?", (turn_id,))
        return "" if row is None else str(row["channel"])

    def go_on(self, tx: Transaction, turn_id: TurnId) -> bool:
        """Work on a turn that waited; False when it no longer does."""
        return tx.run("UPDATE turns SET state = 'working' WHERE id = ? AND state = 'waiting'", (turn_id,)) == 1  # fmt: skip

    def end_waiting(self, tx: Transaction, turn_id: TurnId) -> None:
        """The turn's proposal ended without anybody to go on for."""
        tx.run("UPDATE turns SET state = 'ended' WHERE id = ? AND state = 'waiting'", (turn_id,))

    async def working(self) -> list[Turn]:
        """The turns that are worked on; at start those that a stop of the server cut off."""
        sql = "SELECT * FROM turns WHERE state = 'working' ORDER BY created_at"
        return [_turn(row) for row in await self._database.all(sql)]

    async def get(self, turn_id: TurnId) -> Turn | None:
        """The turn of this id."""
        row = await self._database.one("SELECT * FROM turns WHERE id = ?", (turn_id,))
        return None if row is None else _turn(row)


def new_turn(
    turn_id: TurnId,
    conversation_id: ConversationId,
    *,
    person_id: PersonId,
    channel: str,
    here_device_id: DeviceId | None,
    at: datetime,
) -> Turn:
    """A turn that begins now."""
    return Turn(
        id=turn_id,
        conversation_id=conversation_id,
        person_id=person_id,
        channel=channel,
        here_device_id=here_device_id,
        calls=0,
        proposals=0,
        seconds=0.0,
        state=TurnState.WORKING,
        created_at=at,
    )


def _turn(row: Row) -> Turn:
    return Turn(
        id=TurnId(row["id"]),
        conversation_id=ConversationId(row["conversation_id"]),
        person_id=PersonId(row["user_id"]),
        channel=row["channel"],
        here_device_id=None if row["here_device_id"] is None else DeviceId(row["here_device_id"]),
        calls=row["calls"],
        proposals=row["proposals"],
        seconds=row["seconds"],
        state=TurnState(row["state"]),
        created_at=from_ms(row["created_at"]),
    )
