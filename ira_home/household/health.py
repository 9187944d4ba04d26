"""A look at the server's computer and at its data."""

import asyncio

from ira_home.base.clock import Clock
from ira_home.base.machine import memory_free, memory_used
from ira_home.domain.health import Health
from ira_home.storage.storage import Storage


class HealthLook:
    """Looks when it is asked, which takes a few reads of the disk."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """The server starts now."""
        self._storage, self._started_at = storage, clock.now()

    async def look(self) -> Health:
        """How it is now."""
        return await asyncio.to_thread(self._look)

    def _look(self) -> Health:
        storage = self._storage
        free, total = storage.extent.disk() or (None, None)
        return Health(
            started_at=self._started_at,
            written_at=storage.written_at,
            failed_writes=storage.failures,
            disk_free=free,
            disk_total=total,
            memory_used=memory_used(),
            memory_free=memory_free(),
            database=storage.extent.database_bytes(),
        )
