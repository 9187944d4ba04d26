"""Migrations: in order, whole or not at all, after a backup; nothing is ever replaced."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
import sqlite3
import stat
import subprocess
import sys

import pytest

from ira_home.base.folder_errors import BrokenDatabase, DataFolderError, NewerDatabase
from ira_home.storage.migrate import Migration, bring_up, create, shipped
from tests.support.requirements import requirement

FIRST = Migration(1, "CREATE TABLE notes (text TEXT NOT NULL) STRICT;")
SECOND = Migration(
    2,
    "CREATE TABLE new_notes (text TEXT NOT NULL, at INTEGER NOT NULL) STRICT;\n"
    "INSERT INTO new_notes SELECT text, 0 FROM notes;\n"
    "DROP TABLE notes;\n"
    "ALTER TABLE new_notes RENAME TO notes; -- no semicolon after this word",
)
BAD = Migration(3, "CREATE TABLE half (x ANY) STRICT; INSERT INTO nowhere VALUES (1);")


def ask(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(sql).fetchall()
        connection.commit()
    return rows


def version(path: Path) -> object:
    return ask(path, "PRAGMA user_version")[0][0]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "ira.sqlite"
    create(path, [FIRST])
    ask(path, "INSERT INTO notes VALUES ('kept')")
    return path


def test_the_shipped_migrations_make_the_tables_of_the_specification(tmp_path: Path) -> None:
    path = tmp_path / "ira.sqlite"
    create(path, shipped())
    tables = {row[0] for row in ask(path, "SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert {"users", "devices", "messages", "pending_actions", "tool_log"} <= tables
    assert version(path) == len(shipped())
    assert [file.name for file in tmp_path.iterdir()] == ["ira.sqlite"]


def test_a_new_database_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "ira.sqlite"
    with pytest.raises(Exception, match="nowhere"):
        create(path, [FIRST, BAD])
    assert not path.exists()
    create(path, [FIRST])
    assert [file.name for file in tmp_path.iterdir()] == ["ira.sqlite"]


@requirement("data.migrate")
def test_a_pending_migration_runs_after_a_backup(old: Path) -> None:
    backups = old.parent / "backups"
    assert bring_up(old, [FIRST, SECOND], backups=backups) == 1
    assert (version(old), ask(old, "SELECT * FROM notes")) == (2, [("kept", 0)])
    copy = backups / "before-2.sqlite"
    assert (version(copy), ask(copy, "SELECT * FROM notes")) == (1, [("kept",)])
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(backups.stat().st_mode) == 0o700
    assert [file.name for file in backups.iterdir()] == ["before-2.sqlite"]


def test_a_database_that_is_up_to_date_is_not_copied(old: Path) -> None:
    assert bring_up(old, [FIRST], backups=old.parent / "backups") == 0
    assert not (old.parent / "backups").exists()


@requirement("data.migrate")
def test_a_failing_migration_leaves_the_last_whole_version(old: Path) -> None:
    with pytest.raises(DataFolderError, match="as it was"):
        bring_up(old, [FIRST, SECOND, BAD], backups=old.parent / "backups")
    assert version(old) == 2
    assert ask(old, "SELECT name FROM sqlite_schema WHERE name = 'half'") == []


def test_a_migration_that_breaks_a_reference_is_undone(old: Path) -> None:
    dangling = Migration(
        2,
        "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;"
        "CREATE TABLE b (a_id INTEGER REFERENCES a (id)) STRICT; INSERT INTO b VALUES (7);",
    )
    with pytest.raises(DataFolderError, match="Step 2"):
        bring_up(old, [FIRST, dangling], backups=old.parent / "backups")
    assert version(old) == 1


@requirement("data.migrate")
def test_a_newer_database_is_refused_and_left_alone(old: Path) -> None:
    ask(old, "PRAGMA user_version = 9")
    before = old.read_bytes()
    with pytest.raises(NewerDatabase, match="version 9"):
        bring_up(old, [FIRST, SECOND], backups=old.parent / "backups")
    assert old.read_bytes() == before


def flip(content: bytes) -> bytes:
    """Every page but the first overwritten."""
    return content[:4096] + b"\xa5" * (len(content) - 4096)


@requirement("data.migrate")
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:100],
        lambda content: b"this is a letter to my landlord, not a database" * 200,
        flip,
    ],
    ids=["empty", "truncated", "a stump", "another file", "overwritten"],
)
def test_a_broken_database_is_refused_and_left_alone(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "ira.sqlite"
    create(path, shipped())
    path.write_bytes(damage(path.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(BrokenDatabase, match="left as it is"):
        bring_up(path, shipped(), backups=tmp_path / "backups")
    assert path.read_bytes() == before
    assert not (tmp_path / "backups").exists()


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ira.sqlite"
    ask(path, "CREATE TABLE theirs (x)")
    with pytest.raises(BrokenDatabase, match="not one of Ira's"):
        bring_up(path, [FIRST], backups=tmp_path / "backups")


# The second migration is slow enough to be hit: the process is killed inside it, from a function
# that the statement itself calls.
KILLED = """
import os, signal, sys
from pathlib import Path
from ira_home.storage import migrate
from tests.storage.test_migrate import FIRST, SECOND

connect = migrate.connect

def deadly(path):
    connection = connect(path)
    connection.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
    return connection

migrate.connect = deadly
path = Path(sys.argv[1])
sql = SECOND.sql.replace("DROP TABLE", "SELECT die(); DROP TABLE") if sys.argv[2] == "inside" else SECOND.sql
if sys.argv[2] == "after":
    migrate.replace_durably = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
migrate.bring_up(path, [FIRST, migrate.Migration(2, sql)], backups=path.parent / "backups")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9 here")
@pytest.mark.parametrize("moment", ["inside", "after"])
async def test_a_migration_killed_anywhere_can_be_run_again(old: Path, moment: str) -> None:
    killed = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", KILLED, str(old), moment],
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -9, killed.stderr
    assert bring_up(old, [FIRST, SECOND], backups=old.parent / "backups") == 1
    assert (version(old), ask(old, "SELECT * FROM notes")) == (2, [("kept", 0)])
