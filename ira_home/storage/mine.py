"""All that is one person's over all tables: read for the export, deleted on their wish."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ira_home.base.ids import DeviceId, PersonId
from ira_home.storage.database import Database, Reader, Transaction
from ira_home.storage.tables import forget

# Columns are named one by one, so that no token or hash ever slips into an export.
_EXPORTED: Final[Mapping[str, str]] = {
    "conversations": "SELECT id, title, created_at, updated_at FROM conversations "
    "WHERE user_id = ? ORDER BY id",
    "messages": "SELECT id, conversation_id, kind, text, label, source, private, tool, device_id, "
    "outcome, complete, created_at FROM messages WHERE user_id = ? ORDER BY id",
    "pictures": "SELECT id, message_id, media_type, width, height, data, created_at FROM pictures "
    "WHERE user_id = ? ORDER BY id",
    "devices": "SELECT id, kind, label, skills, tools, version, paired_from, created_at, last_seen, "
    "revoked_at FROM devices WHERE user_id = ? ORDER BY id",
    "events": "SELECT id, event, title, text, device_id, device, created_at, read_at "
    "FROM device_events WHERE user_id = ? ORDER BY id",
    "tool_log": "SELECT tool_log.id, channel, tool, device_id, label AS device, tier, confirmed, "
    "outcome, seconds, tool_log.created_at FROM tool_log LEFT JOIN devices "
    "ON devices.id = tool_log.device_id WHERE tool_log.user_id = ? ORDER BY tool_log.id",
}
# Rows that hang on others come first, so that each is counted; the rest goes by cascade.
_DELETED: Final[Mapping[str, str]] = {
    "pictures": "DELETE FROM pictures WHERE user_id = ?",
    "messages": "DELETE FROM messages WHERE user_id = ?",
    "actions": "DELETE FROM pending_actions WHERE user_id = ?",
    "turns": "DELETE FROM turns WHERE user_id = ?",
    "conversations": "DELETE FROM conversations WHERE user_id = ?",
    "events": "DELETE FROM device_events WHERE user_id = ?",
    "pairings": "DELETE FROM device_pairings WHERE user_id = ?",
    "devices": "DELETE FROM devices WHERE user_id = ?",
    "tool_log": "DELETE FROM tool_log WHERE user_id = ?",
    "settings": "DELETE FROM user_settings WHERE user_id = ?",
    "requests": "DELETE FROM idempotency WHERE user_id = ?",
}

_NOBODY: Final = 0  # no account has this id

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Swept:
    """What one deletion took: rows by noun, and the devices whose tokens died with it."""

    rows: Counter[str]
    devices: tuple[DeviceId, ...]


class MineStore:
    """Reads and deletes by person; accounts, sessions, tokens and throttles are not touched."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def everything(self, person_id: PersonId) -> dict[str, Rows]:
        """Rows by noun, all of one moment: conversations, messages, pictures, devices, events, tool_log."""
        async with self._database.snapshot() as reader:
            return {noun: await _rows(reader, sql, person_id) for noun, sql in _EXPORTED.items()}

    def delete(self, tx: Transaction, person_id: PersonId) -> Swept:
        """Delete all rows of the person's data, those of the house's tools included."""
        live = tx.all(
            "SELECT id FROM devices WHERE user_id = ? AND revoked_at IS NULL", (person_id,)
        )
        rows = Counter({noun: tx.run(sql, (person_id,)) for noun, sql in _DELETED.items()})
        rows["kept_by_tools"] = forget(tx, person_id)
        # What they gave to tools that keep it for everybody stays somebody's; whose is forgotten.
        tx.run(
            "UPDATE OR REPLACE tool_authors SET user_id = ? WHERE user_id = ?",
            (_NOBODY, person_id),
        )
        return Swept(rows, tuple(DeviceId(row["id"]) for row in live))


async def _rows(reader: Reader, sql: str, person_id: PersonId) -> Rows:
    return [dict(row) for row in await reader.all(sql, (person_id,))]
