"""When devices were last heard, written together and seldom."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
import logging

from ira_home.base.clock import Clock
from ira_home.base.errors import IraError
from ira_home.base.ids import DeviceId
from ira_home.base.tasks import Tasks
from ira_home.devices.roster import Roster
from ira_home.storage.storage import Storage

log = logging.getLogger(__name__)


class Presence:
    """Collects moments and writes them in one transaction, however many devices go at once."""

    def __init__(self, storage: Storage, *, clock: Clock, roster: Roster, tasks: Tasks) -> None:
        """`tasks` own the writing."""
        self._storage = storage
        self._clock = clock
        self._roster = roster
        self._tasks = tasks
        self._waiting: dict[DeviceId, datetime] = {}
        self._writing: asyncio.Task[None] | None = None

    def heard(self, devices: Iterable[tuple[DeviceId, float]]) -> None:
        """Write for each device that it was last heard at a monotonic moment."""
        now, monotonic = self._clock.now(), self._clock.monotonic()
        for device_id, at in devices:
            self._waiting[device_id] = now - timedelta(seconds=monotonic - at)
        if self._waiting and self._writing is None:
            self._writing = self._tasks.start(self._write(), "presence")

    def gone(self, device_id: DeviceId, at: float) -> None:
        """The same for a device that has just gone, which others may see at once."""
        self.heard([(device_id, at)])
        card = self._roster.find(device_id)
        if card is not None:
            seen = self._waiting[device_id]
            self._roster.put_device(replace(card.device, last_seen=seen))

    async def settle(self) -> None:
        """Wait until everything is written."""
        if self._writing is not None:
            await asyncio.wait((self._writing,))

    async def _write(self) -> None:
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, {}
                await self._write_all(waiting)
        finally:
            self._writing = None

    async def _write_all(self, waiting: dict[DeviceId, datetime]) -> None:
        try:
            await self._storage.write(
                lambda tx: self._storage.devices.seen(tx, waiting.items()), durable=False
            )
        except IraError as error:
            # Presence is a convenience: it is written again when the devices are heard again.
            log.warning("presence could not be written: %s", error.code)
