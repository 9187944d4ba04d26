"""Who wants to hear that a device is back (kept in tables of the tools' own)."""

from dataclasses import dataclass
from typing import ClassVar

from ira_home.base.ids import ConversationId, DeviceId, PersonId
from ira_home.storage.tables import TableStore


@dataclass(frozen=True, slots=True)
class Wait:
    """A person waits for a device, to be told in a conversation."""

    person_id: PersonId
    device_id: DeviceId
    conversation_id: ConversationId


class Waits:
    """The waits that are open; they outlive a restart, and go with their device or conversation."""

    TABLES: ClassVar[str] = "presence"

    def __init__(self, tables: TableStore) -> None:
        """Keep them in these tables."""
        self._tables = tables
        self._table = tables.table("waits")

    async def add(
        self,
        *,
        person_id: PersonId,
        device_id: DeviceId,
        conversation_id: ConversationId,
        at_ms: int,
    ) -> None:
        """Remember one; asking twice in a conversation is one wait."""
        await self._prepare()
        sql = f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?, ?)"  # noqa: S608 - a checked name
        values = (person_id, device_id, conversation_id, at_ms)
        await self._tables.write(lambda tx: tx.run(sql, values))

    async def is_anybody_waiting(self, device_id: DeviceId) -> bool:
        """Whether somebody waits for the device."""
        await self._prepare()
        found = f"SELECT 1 FROM {self._table} WHERE device_id = ? LIMIT 1"  # noqa: S608 - a checked name
        return await self._tables.one(found, (device_id,)) is not None

    async def take(self, device_id: DeviceId) -> list[Wait]:
        """Those who wait for the device, who then wait no longer."""
        await self._prepare()
        found = f"SELECT * FROM {self._table} WHERE device_id = ?"  # noqa: S608 - a checked name
        rows = await self._tables.write(
            lambda tx: (
                tx.all(found, (device_id,)),
                tx.run(f"DELETE FROM {self._table} WHERE device_id = ?", (device_id,)),  # noqa: S608
            )
        )
        return [
            Wait(
                PersonId(row["user_id"]),
                DeviceId(row["device_id"]),
                ConversationId(row["conversation_id"]),
            )
            for row in rows[0]
        ]

    async def _prepare(self) -> None:
        await self._tables.migrate(
            f"CREATE TABLE {self._table} ("
            " user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,"
            " device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,"
            " conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,"
            " created_at INTEGER NOT NULL,"
            " PRIMARY KEY (device_id, conversation_id)) STRICT"
        )
