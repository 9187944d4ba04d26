"""Table change_log: who changed what."""

from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.domain.audit import Change, ChangeEntry
from ira_home.storage.database import Database, Row, Transaction


def _entry_of(row: Row) -> ChangeEntry:
    return ChangeEntry(
        id=row["id"],
        at=from_ms(row["created_at"]),
        actor=row["actor"],
        change=Change(row["change"]),
        subject=row["subject"],
        detail=row["detail"],
    )


class ChangeStore:
    """Lines are added in the transaction of the change itself and never altered."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    def add(
        self,
        tx: Transaction,
        *,
        actor: str,
        change: Change,
        at: datetime,
        subject: str = "",
        detail: str = "",
    ) -> None:
        """Add a line: `actor` is an e-mail address, "operator" or "house"; no label, code or content."""
        tx.insert(
            "INSERT INTO change_log (actor, change, subject, detail, created_at) "
            "VALUES (?, ?, ?, ?, ?)",
            (actor, change.value, subject, detail, to_ms(at)),
        )

    async def list(self, before: int | None, limit: int) -> list[ChangeEntry]:
        """At most `limit` lines, newest first, older than the line `before`."""
        rows = await self._database.all(
            "SELECT * FROM change_log WHERE ? IS NULL OR id < ? ORDER BY id DESC LIMIT ?",
            (before, before, limit),
        )
        return [_entry_of(row) for row in rows]
