"""What a running server looks after by itself: that its certificates do not end."""

import asyncio
from collections.abc import Awaitable, Callable
import logging

from ira_home.base.clock import Clock
from ira_home.base.errors import IraError
from ira_home.base.tasks import Tasks
from ira_home.net.certificates import Keeper

log = logging.getLogger(__name__)
LOOK_S = 60.0
TICK_S = 1.0  # how late a turned clock or the end of a minute may be noticed
TURNED_S = 5.0  # clocks that are set right little by little are no news


class Upkeep:
    """Looks once a minute, and at once when the clock was turned or the computer has slept."""

    def __init__(
        self, keeper: Keeper, clock: Clock, write_up: Callable[[], Awaitable[None]]
    ) -> None:
        """Not looking yet; `write_up` puts what has become of the authorities into the change log."""
        self._keeper, self._clock, self._write_up = keeper, clock, write_up
        self._tasks = Tasks("upkeep")
        self._looked_at = clock.monotonic()
        self._turned_by = self._turn()

    def start(self) -> None:
        """Look from now on."""
        _ = self._tasks.start(self._keep(), "certificates")

    async def close(self) -> None:
        """Look no more."""
        await self._tasks.close()

    async def look(self) -> None:
        """Do what is due; what fails is logged and tried again a minute later."""
        self._looked_at, self._turned_by = self._clock.monotonic(), self._turn()
        try:
            await self._keeper.look()
            await self._write_up()
        except IraError as error:
            log.warning("the certificates could not be looked after: %s", error.message)
        except Exception:
            # A boundary: whatever is wrong with one look, there has to be another one.
            log.exception("the certificates could not be looked after")

    def _turn(self) -> float:
        """By how much the wall clock differs from time as it passes."""
        return (self._clock.now() - self._clock.steady()).total_seconds()

    def _is_due(self) -> bool:
        if self._keeper.has_heard:
            return True
        waited = self._clock.monotonic() - self._looked_at
        return waited >= LOOK_S or abs(self._turn() - self._turned_by) > TURNED_S

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            if self._is_due():
                await self.look()
