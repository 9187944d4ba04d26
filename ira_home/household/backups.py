"""The backups that lie in the data folder (made before each migration)."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from ira_home.domain.house import BackupRow


class Backups:
    """Lists what is in the backups folder; newest first."""

    def __init__(self, folder: Path) -> None:
        """`folder` may not be there yet."""
        self._folder = folder

    async def list(self) -> list[BackupRow]:
        """Every backup with its time and size."""
        return await asyncio.to_thread(_read, self._folder)


def _read(folder: Path) -> list[BackupRow]:
    if not folder.is_dir():
        return []
    rows = []
    for path in folder.glob("*.sqlite"):
        found = path.stat()
        made_at = datetime.fromtimestamp(found.st_mtime, UTC)
        rows.append(BackupRow(path.name, made_at, found.st_size))
    return sorted(rows, key=lambda row: row.made_at, reverse=True)
