"""Time under a test's hand: sleepers wake when the test lets time pass."""

import asyncio
from collections.abc import Callable

from ira_device.pace import Pace
from tests.support.clock import FakeClock


class Hand:
    """A clock and its sleepers; `chance` is what every throw of the dice gives."""

    def __init__(self, chance: float = 0.0) -> None:
        self.clock = FakeClock()
        self.pace = Pace(clock=self.clock, sleep=self._sleep, chance=lambda: chance)
        self._sleepers: list[tuple[float, float, asyncio.Future[None]]] = []
        self._changed = asyncio.Event()

    async def _sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.get_running_loop().create_future()
        entry = (self.clock.monotonic() + seconds, seconds, woken)
        self._sleepers.append(entry)
        self._changed.set()
        try:
            await woken
        finally:
            self._sleepers.remove(entry)

    async def asleep(self, is_meant: Callable[[float], bool]) -> float:
        """Wait until somebody sleeps for such a time, and say for how long."""
        while True:
            for _due, seconds, woken in self._sleepers:
                if not woken.done() and is_meant(seconds):
                    return seconds
            self._changed.clear()
            await self._changed.wait()

    def is_anyone_asleep(self, is_meant: Callable[[float], bool]) -> bool:
        return any(is_meant(seconds) for _due, seconds, _woken in self._sleepers)

    def advance(self, seconds: float) -> None:
        """Let time pass; whoever is due wakes, in order."""
        self.clock.advance(seconds)
        for due, _seconds, woken in sorted(self._sleepers, key=lambda one: one[0]):
            if due <= self.clock.monotonic() and not woken.done():
                woken.set_result(None)
