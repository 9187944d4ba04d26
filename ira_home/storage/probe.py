"""Whether anything can be written now: found out by writing."""

import asyncio
from pathlib import Path
import shutil

from ira_home.base.clock import Clock
from ira_home.base.errors import IraError, Unavailable
from ira_home.base.limits import (
    LOW_DISK_BYTES,
    PROBE_AGAIN_S,
    PROBE_CHARS,
    PROBE_CHARS_IN_DOUBT,
    PROBE_S,
)
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

_KEY = "probe"


class Probe:
    """Writes a little and takes it back, so seldom that a disk does not wear out by being asked.

    Between two looks the last answer stands, unless a write failed meanwhile or the disk filled up.
    """

    def __init__(self, storage: Storage, folder: Path, clock: Clock) -> None:
        """`folder` lies on the disk of the database. Nothing is written before the first `check`."""
        self._storage, self._folder, self._clock = storage, folder, clock
        self._one_at_a_time = asyncio.Lock()
        self._failures, self._is_low = storage.failures, False
        self._due = clock.monotonic()
        self._trouble: IraError | None = None

    async def check(self) -> None:
        """Raise StorageFull or another Unavailable, with the reason in words, when nothing can be kept."""
        async with self._one_at_a_time:
            is_low = await asyncio.to_thread(self._look_at_disk)
            has_failed = self._storage.failures != self._failures
            if has_failed or is_low != self._is_low or self._clock.monotonic() >= self._due:
                # What is free inside the files takes a small write even where a larger one fails.
                in_doubt = has_failed or is_low or self._trouble is not None
                self._trouble = await self._try(PROBE_CHARS_IN_DOUBT if in_doubt else PROBE_CHARS)
                self._failures, self._is_low = self._storage.failures, is_low
                again = is_low or self._trouble is not None
                self._due = self._clock.monotonic() + (PROBE_AGAIN_S if again else PROBE_S)
            if isinstance(self._trouble, Unavailable):
                raise type(self._trouble)(self._trouble.message)
            if self._trouble is not None:
                raise Unavailable(self._trouble.message)

    async def _try(self, chars: int) -> IraError | None:
        try:
            await self._storage.write(lambda tx: self._write(tx, chars))
        except IraError as error:
            return error
        return None

    def _write(self, tx: Transaction, chars: int) -> None:
        self._storage.settings.set_house(tx, _KEY, "x" * chars)
        self._storage.settings.drop_house(tx, _KEY)

    def _look_at_disk(self) -> bool:
        try:
            return shutil.disk_usage(self._folder).free < LOW_DISK_BYTES
        except OSError:
            return True
