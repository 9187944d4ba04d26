"""The search index: what a person can search is in it, and what devices said is not."""

from contextlib import closing
from pathlib import Path
import sqlite3

from ira_home.storage.database import Transaction
from ira_home.storage.migrate import bring_up, create, shipped
from tests.support.database import open_database

KINDS = ("person", "ira", "call", "result", "note")
ADD = (
    "INSERT INTO messages (conversation_id, user_id, turn_id, kind, text, label, created_at)"
    " VALUES (1, 1, 't', ?, ?, 'own', 1)"
)
MATCH = (
    "SELECT m.kind FROM messages_fts f JOIN messages m ON m.id = f.rowid WHERE messages_fts MATCH ?"
)
WHOLE = "INSERT INTO messages_fts (messages_fts, rank) VALUES ('integrity-check', 1)"
NUMBER = 3  # of the migration that took the rest out


def move_in(tx: Transaction | sqlite3.Connection) -> None:
    run = tx.execute if isinstance(tx, sqlite3.Connection) else tx.run
    run(
        "INSERT INTO users (id, email, name, role, password_hash, created_at)"
        " VALUES (1, 'a@b.c', 'n', 'staff', 'h', 1)"
    )
    run(
        "INSERT INTO conversations (id, user_id, title, created_at, updated_at) VALUES (1, 1, '', 1, 1)"
    )
    for kind in KINDS:
        run(ADD, (kind, "marigold"))


def edit(tx: Transaction) -> None:
    tx.run("UPDATE messages SET text = 'saffron' WHERE kind IN ('ira', 'result')")
    tx.run("DELETE FROM messages WHERE kind IN ('person', 'call')")


async def test_it_follows_the_persons_words_and_iras_and_nothing_else(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        await database.write(move_in)
        assert [row["kind"] for row in await database.all(MATCH, ("marigold",))] == [
            "person",
            "ira",
        ]
        await database.write(edit)
        assert await database.all(MATCH, ("marigold",)) == []
        assert [row["kind"] for row in await database.all(MATCH, ("saffron",))] == ["ira"]
        await database.scrub()  # builds it anew
        assert [row["kind"] for row in await database.all(MATCH, ("saffron",))] == ["ira"]
        await database.write(lambda tx: tx.run("DELETE FROM messages"))
        await database.write(lambda tx: tx.run(WHOLE))


async def test_an_older_index_loses_the_words_of_devices(tmp_path: Path) -> None:
    path = tmp_path / "ira.sqlite"
    create(path, shipped()[: NUMBER - 1])
    with closing(sqlite3.connect(path)) as connection, connection:
        move_in(connection)
        assert len(connection.execute(MATCH, ("marigold",)).fetchall()) == len(KINDS)
    bring_up(path, shipped(), backups=tmp_path / "backups")
    async with open_database(tmp_path) as database:
        assert [row["kind"] for row in await database.all(MATCH, ("marigold",))] == [
            "person",
            "ira",
        ]
        await database.write(lambda tx: tx.run(WHOLE))
