"""Tables that tools of the house keep."""

from pathlib import Path
from typing import Any

import pytest

from ira_home.base.errors import ToolFailed
from ira_home.base.ids import PersonId
from ira_home.storage.database import Database
from ira_home.storage.tables import TableStore, forget, personal_tables
from tests.support.database import open_database

PEOPLE = "user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE"


def person(tx: Any, number: int) -> None:
    sql = "INSERT INTO users (id, email, name, role, password_hash, created_at) VALUES (?, ?, '', 'staff', '', 0)"
    tx.run(sql, (number, f"{number}@example.com"))


async def test_each_step_of_a_migration_runs_once_and_later_ones_follow(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        store = TableStore(database, "clinic")
        table = store.table("bookings")
        first = f"CREATE TABLE {table} (what TEXT)"
        await store.migrate(first)
        before = database.commits
        await store.migrate(first)
        assert database.commits == before  # and does not wake the writer
        await TableStore(database, "clinic").migrate(first)
        await store.migrate(first, f"ALTER TABLE {table} ADD COLUMN note TEXT")
        await store.write(lambda tx: tx.run(f"INSERT INTO {table} VALUES ('a', 'b')"))  # noqa: S608
        row = await store.one(f"SELECT * FROM {table}")  # noqa: S608
        assert row is not None
        assert tuple(row) == ("a", "b")


async def test_a_step_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        store = TableStore(database, "clinic")
        with pytest.raises(Exception, match="syntax"):
            await store.migrate(f"CREATE TABLE {store.table('aa')} (x)", "CREATE NONSENSE")
        assert await database.all("SELECT 1 FROM sqlite_schema WHERE name LIKE 'own_%'") == []


@pytest.mark.parametrize(
    "name", ["", "A", "a-b", "a b", "1a", "a" * 40, 'x"; DROP TABLE users; --']
)
async def test_a_name_that_could_be_anything_else_is_refused(tmp_path: Path, name: str) -> None:
    async with open_database(tmp_path) as database:
        with pytest.raises(ToolFailed):
            TableStore(database, name)
        with pytest.raises(ToolFailed):
            TableStore(database, "fine").table(name)


async def made(database: Database) -> tuple[str, str]:
    store = TableStore(database, "clinic")
    personal, common = store.table("bookings"), store.table("prices")
    await store.migrate(f"CREATE TABLE {personal} ({PEOPLE})", f"CREATE TABLE {common} (what TEXT)")

    def fill(tx: Any) -> None:
        for number in (1, 2):
            person(tx, number)
        for number in (1, 2, 1):
            tx.run(f"INSERT INTO {personal} VALUES (?)", (number,))  # noqa: S608
        tx.run(f"INSERT INTO {common} VALUES ('x')")  # noqa: S608

    await database.write(fill)
    return personal, common


async def test_deleting_one_s_data_takes_one_s_rows_of_every_tool(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        personal, common = await made(database)
        assert await database.write(personal_tables) == [personal]
        assert await database.write(lambda tx: forget(tx, PersonId(1))) == 2
        left = await database.all(f"SELECT user_id FROM {personal}")  # noqa: S608
        assert [row["user_id"] for row in left] == [2]
        assert len(await database.all(f"SELECT * FROM {common}")) == 1  # noqa: S608


async def test_an_account_s_rows_go_with_it(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        personal, _common = await made(database)
        await database.write(lambda tx: tx.run("DELETE FROM users WHERE id = 2"))
        left = await database.all(f"SELECT user_id FROM {personal}")  # noqa: S608
        assert {row["user_id"] for row in left} == {1}
