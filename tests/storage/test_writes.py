"""Database.write: grouped commits, neighbours, cancelled waiters, a full disk."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
import sqlite3
import subprocess
import threading

import pytest

from ira_home.base.errors import StorageFull, Unavailable
from ira_home.storage.database import Database, IntegrityError, Transaction
from tests.support.database import open_database

HOLD = "INSERT INTO house (key, value) VALUES (?, ?)"


def put(key: str, value: str = "x") -> Callable[[Transaction], int]:
    return lambda tx: tx.run(HOLD, (key, value))


async def keys(database: Database) -> set[str]:
    return {row["key"] for row in await database.all("SELECT key FROM house")}


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


class Gate:
    """Holds the writer thread inside one write until it is opened."""

    def __init__(self) -> None:
        self._entered, self._opened = threading.Event(), threading.Event()

    def __call__(self, tx: Transaction) -> None:
        self._entered.set()
        self._opened.wait(10)

    async def entered(self) -> None:
        await asyncio.to_thread(self._entered.wait, 10)

    def open(self) -> None:
        self._opened.set()


async def test_a_write_is_seen_by_the_next_read(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        assert await database.write(put("a")) == 1
        row = await database.one("SELECT value FROM house WHERE key = ?", ("a",))
    assert row is not None
    assert row["value"] == "x"


async def test_a_transaction_inserts_reads_and_counts(tmp_path: Path) -> None:
    def work(tx: Transaction) -> tuple[int, int, int, str, list[str], object]:
        first = tx.insert("INSERT INTO throttle (bucket, subject, at) VALUES ('b', 'one', 1)")
        second = tx.insert("INSERT INTO throttle (bucket, subject, at) VALUES ('b', 'two', 2)")
        changed = tx.run("UPDATE throttle SET at = at + 1")
        one = tx.one("SELECT subject FROM throttle WHERE id = :id", {"id": first})
        every = tx.all("SELECT subject FROM throttle ORDER BY id")
        assert one is not None
        none = tx.one("SELECT 1 FROM throttle WHERE id = 99")
        return first, second, changed, one["subject"], [row["subject"] for row in every], none

    async with open_database(tmp_path) as database:
        assert await database.write(work) == (1, 2, 2, "one", ["one", "two"], None)


async def test_writes_that_wait_together_are_committed_together(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        gate, before = Gate(), database.commits
        async with asyncio.TaskGroup() as group:
            group.create_task(database.write(gate))
            await gate.entered()
            for number in range(50):
                group.create_task(database.write(put(str(number))))
            await asyncio.sleep(0)
            gate.open()
        assert database.commits - before == 2
        assert len(await keys(database)) == 50


async def test_a_failing_write_is_undone_alone_and_raised(tmp_path: Path) -> None:
    def half(tx: Transaction) -> None:
        tx.run(HOLD, ("half", "x"))
        message = "no"
        raise ArithmeticError(message)

    async with open_database(tmp_path) as database:
        gate = Gate()
        held = asyncio.gather(database.write(gate))
        await gate.entered()
        all_of_them = asyncio.gather(
            database.write(put("before")),
            database.write(half),
            database.write(put("before")),
            database.write(put("after")),
            return_exceptions=True,
        )
        await asyncio.sleep(0)
        gate.open()
        before, failed, twice, after = await all_of_them
        await held
        assert (before, after) == (1, 1)
        assert isinstance(failed, ArithmeticError)
        assert isinstance(twice, IntegrityError)
        assert await keys(database) == {"before", "after"}


async def test_undoing_one_write_of_a_group_gives_the_others_what_they_were_told(
    tmp_path: Path,
) -> None:
    row = "INSERT INTO throttle (bucket, subject, at) VALUES ('b', ?, 1)"

    def add(subject: str) -> Callable[[Transaction], int]:
        return lambda tx: tx.insert(row, (subject,))

    def add_and_fail(tx: Transaction) -> None:
        tx.insert(row, ("undone",))
        tx.run("UPDATE throttle SET at = 9")
        tx.one("DELETE FROM house WHERE key = 'kept' RETURNING key")
        message = "no"
        raise ArithmeticError(message)

    def rename(tx: Transaction) -> list[str]:
        """Goes on after an error of its own, and reads what it changes."""
        with suppress(IntegrityError):
            tx.run(HOLD, ("kept", "again"))
        rows = tx.all("UPDATE throttle SET subject = subject || '!' RETURNING subject")
        return [str(row["subject"]) for row in rows]

    async with open_database(tmp_path) as database:
        await database.write(put("kept"))
        gate = Gate()
        held = asyncio.gather(database.write(gate))
        await gate.entered()
        group = asyncio.gather(
            database.write(add("one")),
            database.write(rename),
            database.write(add_and_fail),
            database.write(add("two")),
            database.write(add_and_fail),
            database.write(add("three")),
            return_exceptions=True,
        )
        await asyncio.sleep(0)
        gate.open()
        one, renamed, failed, two, failed_too, three = await group
        await held
        assert renamed == ["one!"]
        assert isinstance(failed, ArithmeticError)
        assert isinstance(failed_too, ArithmeticError)
        rows = await database.all("SELECT id, subject, at FROM throttle ORDER BY id")
        assert [tuple(row) for row in rows] == [
            (one, "one!", 1),
            (two, "two", 1),
            (three, "three", 1),
        ]
        assert await keys(database) == {"kept"}


async def test_a_write_that_ends_with_stop_iteration_does_not_hang(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        with pytest.raises(RuntimeError):
            await database.write(lambda tx: next(iter(())))


async def test_a_cancelled_waiter_does_not_break_its_batch(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        gate = Gate()
        held = asyncio.gather(database.write(gate))
        await gate.entered()
        gone = asyncio.gather(database.write(put("gone")))
        stays = asyncio.gather(database.write(put("stays")))
        await asyncio.sleep(0)
        gone.cancel()
        gate.open()
        assert list(await stays) == [1]
        await held
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert await keys(database) == {"gone", "stays"}


async def test_a_transaction_used_after_its_write_is_refused(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        leaked = await database.write(lambda tx: tx)
        with pytest.raises(sqlite3.ProgrammingError):
            leaked.run(HOLD, ("leaked", "x"))


async def test_only_a_batch_with_something_durable_waits_for_the_disk(tmp_path: Path) -> None:
    def synchronous(tx: Transaction) -> int:
        row = tx.one("PRAGMA synchronous")
        assert row is not None
        return int(row[0])

    normal, full = 1, 2
    async with open_database(tmp_path) as database:
        assert await database.write(synchronous, durable=False) == normal
        assert await database.write(synchronous) == full
        gate = Gate()
        held = asyncio.gather(database.write(gate, durable=False))
        await gate.entered()
        mixed = asyncio.gather(
            database.write(synchronous, durable=False), database.write(synchronous)
        )
        await asyncio.sleep(0)
        gate.open()
        assert list(await mixed) == [full, full]
        await held


async def limit_pages(database: Database, pages: int) -> None:
    await database._alone(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchall())


async def test_a_full_database_refuses_the_write_and_works_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    async with open_database(tmp_path) as database:
        await database.write(put("kept"))
        used = await database.one("PRAGMA page_count")
        assert used is not None
        await limit_pages(database, used[0] + 4)
        with pytest.raises(StorageFull):
            await database.write(put("big", "x" * 200_000))
        assert await keys(database) == {"kept"}
        await limit_pages(database, 1_000_000)
        await database.write(put("big", "x" * 200_000))
        assert await keys(database) == {"kept", "big"}


async def test_a_full_database_refuses_the_whole_group_and_keeps_nothing_of_it(
    tmp_path: Path,
) -> None:
    async with open_database(tmp_path) as database:
        used = await database.one("PRAGMA page_count")
        assert used is not None
        await limit_pages(database, used[0] + 4)
        gate = Gate()
        held = asyncio.gather(database.write(gate))
        await gate.entered()
        group = asyncio.gather(
            database.write(put("first")),
            database.write(put("big", "x" * 200_000)),
            database.write(put("last")),
            return_exceptions=True,
        )
        await asyncio.sleep(0)
        gate.open()
        answers = await group
        await held
        assert all(isinstance(answer, StorageFull) for answer in answers), answers
        assert await keys(database) == set()
        assert await database.write(put("small")) == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("a small disk can only be mounted as root")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def more_room(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)


async def test_a_full_disk_refuses_writes_in_words_and_loses_nothing(small_disk: Path) -> None:
    async with open_database(small_disk) as database:
        acknowledged: set[str] = set()

        async def fill() -> None:
            for number in range(1_000):
                await database.write(put(str(number), "x" * 10_000))
                acknowledged.add(str(number))

        with pytest.raises(StorageFull, match="full"):
            await fill()
        assert await keys(database) == acknowledged
        await asyncio.to_thread(more_room, small_disk)
        await database.write(put("room again"))
        assert await keys(database) == acknowledged | {"room again"}


async def test_a_database_held_by_another_program_is_said_in_words(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        await database._alone(lambda c: c.execute("PRAGMA busy_timeout = 1").fetchall())
        other = sqlite3.connect(tmp_path / "ira.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="Another program"):
            await database.write(put("a"))
        other.close()
        assert await database.write(put("a")) == 1


async def test_closing_finishes_what_is_queued_and_leaves_one_file(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        writes = asyncio.gather(*(database.write(put(str(number))) for number in range(20)))
        await asyncio.sleep(0)
        await database.close()
        assert await writes == [1] * 20
        with pytest.raises(Unavailable):
            await database.write(put("late"))
    assert names(tmp_path) == ["ira.sqlite"]
    async with open_database(tmp_path) as database:
        assert len(await keys(database)) == 20


async def test_foreign_keys_hold(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        with pytest.raises(IntegrityError):
            await database.write(
                lambda tx: tx.run(
                    "INSERT INTO user_settings (user_id, assistant_name, wake_phrase, languages,"
                    " reply_language) VALUES (9, '', '', '', '')"
                )
            )
