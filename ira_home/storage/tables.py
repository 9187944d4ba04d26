"""Tables that tools of the house keep for themselves (ToolContext.table_store)."""

from collections.abc import Callable
import re
from typing import Any, TypeVar

from ira_home.base.errors import ToolFailed
from ira_home.base.ids import PersonId
from ira_home.storage.database import Database, Row, Transaction

T = TypeVar("T")
PREFIX = "own_"
_NAME = re.compile(r"[a-z][a-z0-9]{1,30}")


class TableStore:
    """Tables named `own_<tool>_<noun>`, with migrations of their own and the house's one writer.

    A table with a column `user_id` holds data of people: its rows go with "Delete my data" and
    with the account, so that column refers to `users (id) ON DELETE CASCADE`.
    """

    def __init__(self, database: Database, name: str) -> None:
        """The tables of the tool `name`: small letters and digits."""
        if _NAME.fullmatch(name) is None:
            message = f"{name!r} cannot name tables: use small letters and digits."
            raise ToolFailed(message)
        self._database = database
        self._name = name
        self._steps_run = 0

    def table(self, noun: str) -> str:
        """The full name of one of these tables, for SQL."""
        if _NAME.fullmatch(noun) is None:
            message = f"{noun!r} cannot name a table: use small letters and digits."
            raise ToolFailed(message)
        return f"{PREFIX}{self._name}_{noun}"

    async def migrate(self, *steps: str) -> None:
        """Run those statements that have not run yet, in order; only ever add to the end of them."""
        if len(steps) > self._steps_run:
            await self._database.write(lambda tx: self._migrate(tx, steps))
            self._steps_run = len(steps)

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """One write, committed as a whole."""
        return await self._database.write(work)

    async def one(self, sql: str, params: tuple[Any, ...] = ()) -> Row | None:
        """The first row, or None."""
        return await self._database.one(sql, params)

    async def all(self, sql: str, params: tuple[Any, ...] = ()) -> list[Row]:
        """Every row."""
        return await self._database.all(sql, params)

    def _migrate(self, tx: Transaction, steps: tuple[str, ...]) -> None:
        key = f"tables.{self._name}"
        row = tx.one("SELECT value FROM house WHERE key = ?", (key,))
        done = 0 if row is None else int(row["value"])
        if done >= len(steps):
            return
        for step in steps[done:]:
            tx.run(step)
        tx.run("INSERT OR REPLACE INTO house (key, value) VALUES (?, ?)", (key, str(len(steps))))


def personal_tables(tx: Transaction) -> list[str]:
    """The tables of tools that hold data of people."""
    rows = tx.all(
        "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND substr(m.name, 1, ?) = ? AND c.name = 'user_id'",
        (len(PREFIX), PREFIX),
    )
    return [row["name"] for row in rows]


def forget(tx: Transaction, person_id: PersonId) -> int:
    """Delete what tools keep of a person; the number of rows."""
    names = personal_tables(tx)
    # The names come from the schema itself and have passed `_NAME`.
    return sum(tx.run(f'DELETE FROM "{name}" WHERE user_id = ?', (person_id,)) for name in names)  # noqa: S608
