"""A migrated database in a test's own folder, for tests of one store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ira_home.storage.database import Database
from ira_home.storage.migrate import create, shipped


@asynccontextmanager
async def open_database(folder: Path) -> AsyncIterator[Database]:
    path = folder / "ira.sqlite"
    if not path.exists():
        create(path, shipped())
    database = await Database.open(path)
    try:
        yield database
    finally:
        await database.close()
