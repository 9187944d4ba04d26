"""Table device_events: what devices announced, kept for a while."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import DeviceId, EventId, PersonId
from ira_home.domain.devices import DeviceEvent, EventKind
from ira_home.storage.database import Database, Row, Transaction

_COLUMNS: Final = "id, user_id, device_id, device, event, title, text, created_at, read_at"


def _event_of(row: Row) -> DeviceEvent:
    return DeviceEvent(
        id=EventId(row["id"]),
        person_id=PersonId(row["user_id"]),
        device_id=DeviceId(row["device_id"]),
        device=row["device"],
        event=EventKind(row["event"]),
        title=row["title"],
        text=row["text"],
        created_at=from_ms(row["created_at"]),
        read_at=None if row["read_at"] is None else from_ms(row["read_at"]),
    )


class EventStore:
    """Events by person; readers say from which moment on they count."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def newest(
        self, person_id: PersonId, *, before: EventId | None, since: datetime, limit: int
    ) -> list[DeviceEvent]:
        """At most `limit` events, newest first, older than `before`."""
        rows = await self._database.all(
            f"SELECT {_COLUMNS} FROM device_events WHERE user_id = ? AND created_at > ? "  # noqa: S608 - constant columns
            "AND (? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?",
            (person_id, to_ms(since), before, before, limit),
        )
        return [_event_of(row) for row in rows]

    async def after(
        self, person_id: PersonId, event_id: EventId, since: datetime
    ) -> list[DeviceEvent]:
        """The events that came after one, oldest first."""
        rows = await self._database.all(
            f"SELECT {_COLUMNS} FROM device_events WHERE user_id = ? AND id > ? AND created_at > ? "  # noqa: S608 - constant columns
            "ORDER BY id",
            (person_id, event_id, to_ms(since)),
        )
        return [_event_of(row) for row in rows]

    async def oldest(self, person_id: PersonId, since: datetime) -> EventId | None:
        """The id of the oldest event that is kept, or None."""
        row = await self._database.one(
            "SELECT min(id) AS id FROM device_events WHERE user_id = ? AND created_at > ?",
            (person_id, to_ms(since)),
        )
        return None if row is None or row["id"] is None else EventId(row["id"])

    async def unread(self, person_id: PersonId, since: datetime) -> list[DeviceEvent]:
        """The events that the person has not read, newest first."""
        rows = await self._database.all(
            f"SELECT {_COLUMNS} FROM device_events WHERE user_id = ? AND created_at > ? "  # noqa: S608 - constant columns
            "AND read_at IS NULL ORDER BY id DESC",
            (person_id, to_ms(since)),
        )
        return [_event_of(row) for row in rows]

    def add(self, tx: Transaction, event: DeviceEvent) -> DeviceEvent:
        """Keep an event; what is given has no id yet, what is returned has."""
        event_id = tx.insert(
            "INSERT INTO device_events (user_id, device_id, device, event, title, text, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                event.person_id,
                event.device_id,
                event.device,
                event.event.value,
                event.title,
                event.text,
                to_ms(event.created_at),
            ),
        )
        return replace(event, id=EventId(event_id))

    def trim(self, tx: Transaction, person_id: PersonId, keep: int) -> None:
        """Drop all but the person's `keep` newest events."""
        tx.run(
            "DELETE FROM device_events WHERE user_id = ? AND id <= (SELECT id FROM device_events "
            "WHERE user_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
            (person_id, person_id, keep),
        )

    def end_old(self, tx: Transaction, before: datetime) -> int:
        """Drop everybody's events that came up to a moment; how many."""
        return tx.run("DELETE FROM device_events WHERE created_at <= ?", (to_ms(before),))

    def mark_read(self, tx: Transaction, person_id: PersonId, up_to: EventId, at: datetime) -> int:
        """Mark the person's events up to one as read; how many were not."""
        return tx.run(
            "UPDATE device_events SET read_at = ? WHERE user_id = ? AND id <= ? AND read_at IS NULL",
            (to_ms(at), person_id, up_to),
        )
