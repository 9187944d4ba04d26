"""The log of "What Ira did" (table `tool_log`): no arguments, no results, no contents."""

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.errors import NotFound
from ira_home.base.ids import DeviceId, PersonId
from ira_home.domain.audit import LogDraft, LogEntry
from ira_home.domain.pages import Page, page_of, read_cursor
from ira_home.domain.tools import Confirmed, Outcome, Tier
from ira_home.storage.database import Database, Row, Transaction

_SELECT = (
    "SELECT l.*, u.name AS person, d.label AS device FROM tool_log l"
    " JOIN users u ON u.id = l.user_id LEFT JOIN devices d ON d.id = l.device_id"
)
_LAST = 2**62  # an id or time after every other


class ToolLogStore:
    """Rows of the tool log. A row is written before its call is sent, and finished after."""

    def __init__(self, database: Database) -> None:
        """Use this database."""
        self._database = database

    def add(self, tx: Transaction, line: LogDraft) -> int:
        """Write one line; gives its id. NotFound when its turn was deleted: then nothing may be sent."""
        log_id = tx.insert(
            "INSERT INTO tool_log (user_id, channel, tool, device_id, tier, confirmed, outcome,"
            " created_at) SELECT ?, ?, ?, ?, ?, ?, ?, ? FROM turns WHERE id = ?",
            # Plain values: an enum's member costs the driver a search for what to make of it.
            (line.person_id, line.channel, line.tool, line.device_id, int(line.tier),
             str(line.confirmed), str(line.outcome), to_ms(line.at), line.turn_id),
        )  # fmt: skip
        if not log_id:
            raise NotFound
        return log_id

    def finish(self, tx: Transaction, log_id: int, *, outcome: Outcome, seconds: float) -> None:
        """Say how the call of a line ended."""
        sql = "UPDATE tool_log SET outcome = ?, seconds = ? WHERE id = ?"
        tx.run(sql, (str(outcome), round(seconds, 3), log_id))

    async def list(self, person_id: PersonId, cursor: str | None, limit: int) -> Page[LogEntry]:
        """The person's lines, newest first."""
        rows = await self._database.all(
            f"{_SELECT} WHERE l.user_id = ? AND l.id < ? ORDER BY l.id DESC LIMIT ?",
            (person_id, _before(cursor), limit + 1),
        )
        return _page(rows, limit)

    async def list_all(self, cursor: str | None, limit: int) -> Page[LogEntry]:
        """Everybody's lines, newest first."""
        rows = await self._database.all(
            f"{_SELECT} WHERE l.id < ? ORDER BY l.id DESC LIMIT ?", (_before(cursor), limit + 1)
        )
        return _page(rows, limit)


def _before(cursor: str | None) -> int:
    return (read_cursor(cursor) or (_LAST,))[0]


def _page(rows: list[Row], limit: int) -> Page[LogEntry]:
    return page_of([_entry(row) for row in rows], limit, lambda entry: str(entry.id))


def _entry(row: Row) -> LogEntry:
    return LogEntry(
        id=row["id"],
        at=from_ms(row["created_at"]),
        person_id=PersonId(row["user_id"]),
        person=row["person"],
        channel=row["channel"],
        tool=row["tool"],
        device_id=None if row["device_id"] is None else DeviceId(row["device_id"]),
        device=row["device"],
        tier=Tier(row["tier"]),
        confirmed=Confirmed(row["confirmed"]),
        outcome=Outcome(row["outcome"]),
        seconds=row["seconds"],
    )
