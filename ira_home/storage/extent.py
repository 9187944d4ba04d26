"""How much is kept: rows and bytes, nothing of what stands in them."""

from pathlib import Path
import shutil

from ira_home.storage.database import Database
from ira_home.storage.folder import DATABASE

# The nouns that are counted; tables of tools may be named after anything.
TABLES = (
    "users", "devices", "device_pairings", "device_events", "conversations", "messages", "turns",
    "pending_actions", "tool_log", "change_log", "sessions", "api_tokens", "invitations",
)  # fmt: skip


class Extent:
    """Looks at the database and at the disk that it lies on."""

    def __init__(self, database: Database, folder: Path) -> None:
        """`folder` is the data folder."""
        self._database, self._folder = database, folder

    async def rows(self) -> dict[str, int]:
        """How many rows each of TABLES has."""
        return {
            # The names are those above.
            name: (await self._database.all(f"SELECT count(*) AS n FROM {name}", ()))[0]["n"]  # noqa: S608
            for name in TABLES
        }

    async def version(self) -> int:
        """The number of the newest migration that was applied."""
        return int((await self._database.all("PRAGMA user_version", ()))[0]["user_version"])

    async def engine(self) -> str:
        """The version of SQLite."""
        found = await self._database.all("SELECT sqlite_version() AS version", ())
        return str(found[0]["version"])

    def database_bytes(self) -> int:
        """What the database takes on the disk, with what is not folded into it yet; reads the disk."""
        files = (self._folder / f"{DATABASE}{end}" for end in ("", "-wal", "-shm"))
        return sum(file.stat().st_size for file in files if file.exists())

    def disk(self) -> tuple[int, int] | None:
        """Bytes free and all on the disk of the database; None where that cannot be told; reads the disk."""
        try:
            found = shutil.disk_usage(self._folder)
        except OSError:
            return None
        return found.free, found.total
