"""Table idempotency: which request a person already made under a key of theirs."""

from dataclasses import dataclass
from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import PersonId
from ira_home.storage.database import Database, Transaction


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier request: `result` names what came of it, empty while nothing is known."""

    request_hash: bytes
    result: str
    begun_at: datetime


class IdempotencyStore:
    """Requests by their person and the hash of route and key."""

    def __init__(self, database: Database) -> None:
        """Write in `database`."""
        self._database = database

    def get_in(self, tx: Transaction, person_id: PersonId, key_hash: bytes) -> Earlier | None:
        """The earlier request, or None."""
        row = tx.one(
            "SELECT request_hash, result, created_at FROM idempotency "
            "WHERE user_id = ? AND key_hash = ?",
            (person_id, key_hash),
        )
        if row is None:
            return None
        return Earlier(bytes(row["request_hash"]), row["result"], from_ms(row["created_at"]))

    def begin(
        self,
        tx: Transaction,
        person_id: PersonId,
        *,
        key_hash: bytes,
        request_hash: bytes,
        at: datetime,
    ) -> None:
        """Keep that a request was begun."""
        tx.run(
            "INSERT INTO idempotency (user_id, key_hash, request_hash, result, created_at) "
            "VALUES (?, ?, ?, '', ?)",
            (person_id, key_hash, request_hash, to_ms(at)),
        )

    def finish(self, tx: Transaction, person_id: PersonId, *, key_hash: bytes, result: str) -> None:
        """Keep the name of what came of it."""
        tx.run(
            "UPDATE idempotency SET result = ? WHERE user_id = ? AND key_hash = ?",
            (result, person_id, key_hash),
        )

    def drop(self, tx: Transaction, person_id: PersonId, key_hash: bytes) -> None:
        """Forget a request that did nothing."""
        tx.run("DELETE FROM idempotency WHERE user_id = ? AND key_hash = ?", (person_id, key_hash))

    def prune(self, tx: Transaction, person_id: PersonId, before: datetime) -> None:
        """Forget the person's requests begun before a moment."""
        tx.run(
            "DELETE FROM idempotency WHERE user_id = ? AND created_at < ?",
            (person_id, to_ms(before)),
        )
