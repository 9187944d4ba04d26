"""Database reads: snapshots, many at once, never a write."""

import asyncio
from pathlib import Path
import sqlite3

import pytest

from ira_home.storage.database import READERS, Database, Reader
from tests.support.database import open_database

PUT = "INSERT INTO house (key, value) VALUES (?, 'x')"
COUNT = "SELECT count(*) FROM house"


async def count(reads: Database | Reader) -> int:
    row = await reads.one(COUNT)
    assert row is not None
    return int(row[0])


async def test_a_snapshot_sees_one_moment(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        await database.write(lambda tx: tx.run(PUT, ("before",)))
        async with database.snapshot() as moment:
            await database.write(lambda tx: tx.run(PUT, ("after",)))
            assert await count(moment) == 1
            assert [row["key"] for row in await moment.all("SELECT key FROM house")] == ["before"]
            assert await count(database) == 2
        assert await count(database) == 2


async def test_a_snapshot_that_fails_gives_its_reader_back(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        for _ in range(READERS + 1):
            with pytest.raises(sqlite3.OperationalError):
                async with database.snapshot() as moment:
                    await moment.one("SELECT nothing FROM nowhere")
        await database.write(lambda tx: tx.run(PUT, ("a",)))
        assert await count(database) == 1


async def test_a_reader_cannot_write(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        with pytest.raises(Exception, match="read-only"):
            await database.all(PUT, ("sly",))
        assert await count(database) == 0


async def test_more_reads_than_readers_all_get_their_answer(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        await database.write(lambda tx: tx.run(PUT, ("a",)))
        assert await asyncio.gather(*(count(database) for _ in range(READERS * 10))) == [1] * (
            READERS * 10
        )


async def test_a_cancelled_read_gives_its_reader_back(tmp_path: Path) -> None:
    slow = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT max(i) FROM n"
    async with open_database(tmp_path) as database:
        for _ in range(READERS + 1):
            read = asyncio.gather(database.one(slow))
            await asyncio.sleep(0)
            read.cancel()
            with pytest.raises(asyncio.CancelledError):
                await read
        assert await count(database) == 0


async def test_a_row_that_is_not_there_is_none(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        assert await database.one("SELECT * FROM house WHERE key = 'no'") is None
        assert await database.all("SELECT * FROM house WHERE key = 'no'") == []
