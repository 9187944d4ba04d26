"""A process that is killed right after a write was acknowledged has lost nothing."""

import asyncio
from pathlib import Path
import signal
import subprocess
import sys

import pytest

from tests.support.database import open_database

# Each round is a process of its own that dies, without a goodbye, in the moment of its last answer.
SCRIPT = """
import asyncio, os, signal, sys
from pathlib import Path
from ira_home.storage.database import Database

async def live(path, first, durable):
    database = await Database.open(path)
    for number in range(first, first + 3):
        await database.write(
            lambda tx: tx.run("INSERT INTO house VALUES (?, 'x')", (str(number),)), durable=durable
        )
        os.write(1, f"{number}\\n".encode())
    os.kill(os.getpid(), signal.SIGKILL)

for round_ in range(int(sys.argv[2])):
    if (child := os.fork()) == 0:
        asyncio.run(live(Path(sys.argv[1]), round_ * 3, round_ % 2 == 0))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
"""
ROUNDS = 10


def live_and_die(path: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path), str(ROUNDS)],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
async def test_a_killed_process_loses_nothing_acknowledged(tmp_path: Path) -> None:
    async with open_database(tmp_path):
        pass
    acknowledged = await asyncio.to_thread(live_and_die, tmp_path / "ira.sqlite")
    assert len(acknowledged) == ROUNDS * 3
    async with open_database(tmp_path) as database:
        kept = {row["key"] for row in await database.all("SELECT key FROM house")}
    assert kept == acknowledged
