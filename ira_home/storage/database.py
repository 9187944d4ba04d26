"""SQLite: one writer with grouped commits, a few readers. Nothing else imports sqlite3."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
import sqlite3
from typing import Any, Final, TypeVar, cast

import aiosqlite

from ira_home.base.errors import StorageFull, Unavailable
from ira_home.base.folder_errors import BrokenDatabase, DataFolderError
from ira_home.storage.redo import Redo
from ira_home.storage.writer import Job, Writer

T = TypeVar("T")
Row = sqlite3.Row
Connection = sqlite3.Connection
SqlError = sqlite3.Error
IntegrityError = sqlite3.IntegrityError
Params = Sequence[Any] | dict[str, Any]

READERS: Final = 3
BUSY_MS: Final = 5_000  # somebody looks at the file with another program
# 16 MiB of log before it is brought into the main file, which waits for the disk: with SQLite's own
# quarter of that, every fiftieth call would wait.
LOG_PAGES: Final = 4_000
_PRAGMAS: Final = (
    f"busy_timeout = {BUSY_MS}",
    "foreign_keys = ON",
    "secure_delete = ON",
    "cell_size_check = ON",
    "temp_store = MEMORY",  # what is sorted or vacuumed never lies in a file outside the data folder
    "fullfsync = ON",  # on a Mac a plain fsync leaves the data in the drive's own memory
)
# The second not for the writer: with it SQLite 3.40 lets no trigger write to a search index.
_READING: Final = ("query_only = ON", "trusted_schema = OFF")
_BROKEN: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_OUTSIDE: Final = {
    sqlite3.SQLITE_IOERR: "The disk could not be read or written. Nothing was done.",
    sqlite3.SQLITE_CANTOPEN: "The database could not be opened: ira.sqlite in the data folder is no file that Ira can read. Put it back from a backup.",
    sqlite3.SQLITE_READONLY: "The database cannot be written: the disk or its files are read-only.",
    sqlite3.SQLITE_PERM: "The database cannot be written: its files belong to another user.",
    sqlite3.SQLITE_BUSY: "Another program holds the database. Close it and try again.",
    sqlite3.SQLITE_LOCKED: "Another program holds the database. Close it and try again.",
    sqlite3.SQLITE_PROTOCOL: "Another program holds the database. Close it and try again.",
    sqlite3.SQLITE_NOMEM: "There is not enough memory. Nothing was done.",
}


def translated(error: BaseException) -> BaseException:
    """The error as callers know it: SQLite's own only where it speaks of the statement itself."""
    if not isinstance(error, sqlite3.Error):
        return error
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StorageFull()
    if code in _BROKEN:
        return BrokenDatabase()
    return Unavailable(_OUTSIDE[code]) if code in _OUTSIDE else error


def connect(path: Path) -> Connection:
    """A connection with the house's pragmas, in autocommit mode; raises SqlError."""
    connection = sqlite3.connect(
        path, timeout=BUSY_MS / 1000, isolation_level=None, cached_statements=256
    )
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: Connection) -> None:
    connection.row_factory = Row
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def use_wal(connection: Connection) -> None:
    """Switch to the write-ahead log; raises DataFolderError where the file system cannot."""
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        message = (
            "The data folder lies on a file system that a database cannot use safely "
            "(a network share, perhaps). Choose a folder on a disk of this machine."
        )
        raise DataFolderError(message)


class Transaction:
    """Statements of one write, run inside the writer thread. It ends with the function it was given to."""

    __slots__ = ("_connection", "_redo")

    def __init__(self, connection: Connection, redo: Redo) -> None:
        """Speak through the writer's connection; what was run is noted in `redo`."""
        self._connection = connection
        self._redo = redo

    def run(self, sql: str, params: Params = ()) -> int:
        """Run one statement; the number of rows it changed."""
        cursor = self._connection.execute(sql, params)
        self._redo.note(sql, params)
        return cursor.rowcount

    def insert(self, sql: str, params: Params = ()) -> int:
        """Run one INSERT; the id of its row, 0 where it made none."""
        cursor = self._connection.execute(sql, params)
        self._redo.note(sql, params)
        return (cursor.lastrowid or 0) if cursor.rowcount else 0

    def one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row, or None."""
        cursor = self._connection.execute(sql, params)
        row = cast("Row | None", cursor.fetchone())
        cursor.close()
        self._note(sql, params)
        return row

    def all(self, sql: str, params: Params = ()) -> list[Row]:
        """Every row."""
        rows = self._connection.execute(sql, params).fetchall()
        self._note(sql, params)
        return rows

    def _note(self, sql: str, params: Params) -> None:
        if not sql.startswith("SELECT"):
            self._redo.note(sql, params)


class _Pen:
    """What the writer thread does with its connection."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: Connection | None = None
        self._synchronous = ""
        self.commits = 0

    def perform(self, batch: list[Job]) -> None:
        """Set `result` or `error` of each job; a group is committed once."""
        if batch[0].alone:
            self._alone(batch[0])
            return
        try:
            self._group(batch)
        except BaseException as error:  # noqa: BLE001 - every waiter must hear of it, the thread must live
            self._abandon()
            for job in batch:
                job.error = job.error or translated(error)

    def open(self, _: None) -> None:
        """Open the connection in this thread, which is the only one that may use it."""
        self._connection = connect(self._path)
        use_wal(self._connection)
        self._connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}").fetchall()

    def close(self, connection: Connection) -> None:
        """Bring everything into the main file and let go of it."""
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.shut(connection)

    def shut(self, connection: Connection | None) -> None:
        """Let go of the file as it is."""
        self._connection = None
        if connection is not None:
            connection.close()

    def _alone(self, job: Job) -> None:
        try:
            job.result = job.work(self._connection)
        except BaseException as error:  # noqa: BLE001 - it is re-raised where the waiter is
            job.error = translated(error)

    def _group(self, batch: list[Job]) -> None:
        connection = self._open_connection()
        self._set_synchronous(connection, durable=any(job.durable for job in batch))
        connection.execute("BEGIN IMMEDIATE")
        if len(batch) == 1:
            batch[0].result = batch[0].work(Transaction(connection, Redo()))
        else:
            connection.execute("SAVEPOINT batch")
            self._all(connection, batch, Redo())
        connection.execute("COMMIT")
        self.commits += 1

    def _open_connection(self) -> Connection:
        if self._connection is None:
            message = "The database is closed."
            raise Unavailable(message)
        return self._connection

    def _set_synchronous(self, connection: Connection, *, durable: bool) -> None:
        wanted = "FULL" if durable else "NORMAL"
        if self._synchronous != wanted:
            connection.execute(f"PRAGMA synchronous = {wanted}")
            self._synchronous = wanted

    def _all(self, connection: Connection, batch: list[Job], redo: Redo) -> None:
        """Run the jobs, each whole or not at all; raises only when the whole transaction is lost."""
        for job in batch:
            before = redo.mark()
            try:
                job.result = job.work(Transaction(connection, redo))
            except BaseException as error:
                job.error = translated(error)
                if not connection.in_transaction:
                    # A full or failing disk makes SQLite roll back everything, the neighbours too.
                    raise
                if redo.is_since(before):
                    connection.execute("ROLLBACK TO batch")
                    redo.again(before, connection.execute)

    def _abandon(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class Reader:
    """Reads that all see one moment of the database."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        """Read through a connection that `Database` lends."""
        self._connection = connection

    async def one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row, or None; the query bounds itself."""
        rows = await self.all(sql, params)
        return rows[0] if rows else None

    async def all(self, sql: str, params: Params = ()) -> list[Row]:
        """Every row."""
        try:
            # One hop to the reader's thread, where rows are fetched as well.
            return list(await self._connection.execute_fetchall(sql, cast("Iterable[Any]", params)))
        except SqlError as error:
            raise translated(error) from error

    async def let_go(self) -> None:
        """End the moment; what is read next sees a later one."""
        await self._connection.rollback()


class _Readers:
    """A few read-only connections, lent one at a time."""

    def __init__(self) -> None:
        self._all: list[aiosqlite.Connection] = []
        self._idle: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        self._drain = asyncio.Lock()

    async def open(self, path: Path) -> None:
        for _ in range(READERS):
            connection = await aiosqlite.connect(
                path, timeout=BUSY_MS / 1000, isolation_level=None, cached_statements=256
            )
            self._all.append(connection)
            connection.row_factory = Row
            for pragma in (*_PRAGMAS, *_READING):
                await connection.execute_fetchall(f"PRAGMA {pragma}")
            self._idle.put_nowait(connection)

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[Reader]:
        connection = await self._idle.get()
        try:
            yield Reader(connection)
        finally:
            # A query whose waiter was cancelled may still run in the connection's own thread; what
            # is asked of it next waits there for its turn.
            self._idle.put_nowait(connection)

    @asynccontextmanager
    async def drained(self) -> AsyncIterator[None]:
        """A while in which nobody reads."""
        async with self._drain, AsyncExitStack() as stack:
            for _ in self._all:
                reader = await stack.enter_async_context(self.lend())
                await reader.all("SELECT 1")
            yield

    async def close(self) -> None:
        while self._all:
            await self._all.pop().close()


class Database:
    """The house's one database: writes are grouped, reads go beside them."""

    def __init__(self, path: Path) -> None:
        """Use `open`."""
        self._pen = _Pen(path)
        self._writer = Writer(self._pen.perform)
        self._readers = _Readers()

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Open a database that is migrated already; raises DataFolderError or Unavailable."""
        database = cls(path)
        try:
            await database._alone(database._pen.open)
            await database._open_readers(path)
        except BaseException:
            await database._readers.close()
            await database._alone(database._pen.shut)
            await database._writer.stop()
            raise
        return database

    @property
    def commits(self) -> int:
        """How many times anything was committed since the start."""
        return self._pen.commits

    async def write(self, work: Callable[[Transaction], T], *, durable: bool = True) -> T:
        """Run `work` in the writer thread and return its result after the commit.

        Writes that wait together are committed together. An exception of `work` undoes that work
        alone and is raised here. On a full disk the whole group is undone: StorageFull; on another
        failure of the disk: Unavailable. With `durable=False` a power cut may lose the write, a
        killed process may not. A write goes on when its waiter is cancelled. `work` only uses
        its transaction and never waits.
        """
        return cast("T", await self._put(work, durable=durable))

    async def one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row of a query, or None."""
        async with self._readers.lend() as reader:
            return await reader.one(sql, params)

    async def all(self, sql: str, params: Params = ()) -> list[Row]:
        """Every row of a query."""
        async with self._readers.lend() as reader:
            return await reader.all(sql, params)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Reader]:
        """A reader whose queries all see the database as it is now."""
        async with self._readers.lend() as reader:
            try:
                await reader.all("BEGIN")
                # SQLite takes the snapshot at the first read, so read something.
                await reader.all("SELECT 1 FROM sqlite_schema LIMIT 1")
                yield reader
            finally:
                await reader.let_go()

    async def scrub(self) -> None:
        """Make everything deleted so far unreadable in the files; takes a while on a large database."""
        async with self._readers.drained():
            await self._alone(_scrub)

    async def close(self) -> None:
        """Finish what is queued, bring the log into the main file and close it. Twice is fine."""
        if self._writer.is_stopping:
            return
        await self._readers.close()
        try:
            await self._alone(self._pen.close)
        finally:
            await self._writer.stop()

    async def _open_readers(self, path: Path) -> None:
        try:
            await self._readers.open(path)
        except SqlError as error:
            raise translated(error) from error

    async def _alone(self, work: Callable[[Any], T]) -> T:
        return cast("T", await self._put(work, alone=True))

    def _put(
        self, work: Callable[[Any], Any], *, durable: bool = True, alone: bool = False
    ) -> asyncio.Future[Any]:
        if self._writer.is_stopping:
            message = "The database is closed."
            raise Unavailable(message)
        waiter = asyncio.get_running_loop().create_future()
        self._writer.put(Job(work, waiter, durable=durable, alone=alone))
        return waiter


def _scrub(connection: Connection) -> None:
    """Rebuild the search indexes, rewrite every page and empty the log."""
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%USING fts5%'"
    ).fetchall():
        # A deleted row's words stay in an index until its parts are merged; `rebuild` starts anew.
        connection.execute(f'INSERT INTO "{name}" ("{name}") VALUES (\'rebuild\')')  # noqa: S608 - a name of the schema
    # Deleted cells are zeroed already (secure_delete), but copies that moved between pages are not.
    connection.execute("VACUUM")
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        message = "Another program reads the database, so traces may be left in its files. Close it and try again."
        raise Unavailable(message)
