"""Numbered SQL files bring a database up to date, each in one transaction, after a backup."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
import logging
from pathlib import Path
import re

from ira_home.base.errors import StorageFull
from ira_home.base.files import make_folder, make_private, replace_durably
from ira_home.base.folder_errors import BrokenDatabase, DataFolderError, NewerDatabase
from ira_home.storage import migrations
from ira_home.storage.database import Connection, SqlError, connect, translated, use_wal

log = logging.getLogger(__name__)

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file."""

    number: int
    sql: str


def shipped() -> tuple[Migration, ...]:
    """The migrations inside the installed package, numbered from 1 without a gap."""
    found = [
        Migration(int(match[1]), file.read_text("utf-8"))
        for file in resources.files(migrations).iterdir()
        if (match := _NAME.fullmatch(file.name))
    ]
    found.sort(key=lambda one: one.number)
    if not found or [one.number for one in found] != list(range(1, len(found) + 1)):
        message = (
            "The installation is incomplete: its database files are missing. Install Ira again."
        )
        raise DataFolderError(message)
    return tuple(found)


def create(path: Path, steps: Sequence[Migration]) -> None:
    """Make a new database of the newest version at `path`, which appears only when it is whole."""
    half_made = path.with_name(path.name + ".new")
    for leftover in half_made.parent.glob(half_made.name + "*"):
        leftover.unlink()
    make_private(half_made)
    try:
        with closing(connect(half_made)) as connection:
            use_wal(connection)
            _apply(connection, steps)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except SqlError as error:
        raise translated(error) from error
    replace_durably(half_made, path)


def bring_up(path: Path, steps: Sequence[Migration], *, backups: Path) -> int:
    """Check an existing database and apply what is pending to it; the number of files applied.

    Before the first one the database is copied to `before-<number>.sqlite` in `backups`. Raises
    NewerDatabase, BrokenDatabase, StorageFull or DataFolderError; the database is then as it was,
    or as the last whole migration left it.
    """
    try:
        with closing(_open_old(path)) as connection:
            pending = _pending(connection, steps)
            if pending:
                make_folder(backups)
                _copy(connection, backups / f"before-{pending[0].number}.sqlite")
                _apply(connection, pending)
            return len(pending)
    except SqlError as error:
        raise _refusal(path, error) from error


def _open_old(path: Path) -> Connection:
    if path.stat().st_size == 0:
        # SQLite would take an empty file for a new database and lose what the person believes is there.
        raise BrokenDatabase(_broken(path))
    connection = connect(path)
    try:
        _check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: Connection, path: Path) -> None:
    answers = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    if answers != ["ok"]:
        log.error("the database failed its check: %s", "; ".join(answers)[:400])
        raise BrokenDatabase(_broken(path))


def _pending(connection: Connection, steps: Sequence[Migration]) -> Sequence[Migration]:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    newest = steps[-1].number
    if version > newest:
        message = (
            f"The data was made by a newer Ira (version {version} of the database, this one knows "
            f"{newest}). It was left as it is: install that Ira again, or a newer one."
        )
        raise NewerDatabase(message)
    if version < 1:
        message = "ira.sqlite is a database, but not one of Ira's. It was left as it is; choose another folder."
        raise BrokenDatabase(message)
    return [one for one in steps if one.number > version]


def _copy(connection: Connection, target: Path) -> None:
    """A whole, checked copy at `target`, which appears only when it is on the disk."""
    half_made = target.with_name(target.name + ".part")
    half_made.unlink(missing_ok=True)
    make_private(half_made)
    with closing(connect(half_made)) as copy:
        connection.backup(copy)
        # One file that can be carried away: the copy needs no log beside it.
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
        _check(copy, target)
    replace_durably(half_made, target)


def _apply(connection: Connection, steps: Sequence[Migration]) -> None:
    # Tables are rebuilt by making, copying and dropping; with foreign keys on, the drop would cascade.
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA synchronous = FULL")
    for migration in steps:
        try:
            _apply_one(connection, migration)
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        log.info("the database is at version %d", migration.number)


def _apply_one(connection: Connection, migration: Migration) -> None:
    connection.executescript(f"BEGIN IMMEDIATE;\n{migration.sql}\n;")
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        message = (
            f"Step {migration.number} of bringing the database up to date failed. It is as it was."
        )
        raise DataFolderError(message)
    connection.execute(f"PRAGMA user_version = {migration.number:d}")
    connection.execute("COMMIT")


def _broken(path: Path) -> str:
    return (
        f"The database {path.name} in {path.parent} is damaged or no database at all. It was left as "
        "it is: put a backup in its place (there may be one in the folder backups)."
    )


def _refusal(path: Path, error: SqlError) -> BaseException:
    known = translated(error)
    if isinstance(known, BrokenDatabase):
        return BrokenDatabase(_broken(path))
    if isinstance(known, StorageFull):
        message = (
            "The disk is full, so the database could not be brought up to date. It is as it was."
        )
        return StorageFull(message)
    if known is error:
        message = f"The database could not be brought up to date ({error}). It is as it was."
        return DataFolderError(message)
    return known
