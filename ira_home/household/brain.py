"""Which brain answers: the one that the house chose, from its next turn on."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from ira_home.base.tasks import Tasks
from ira_home.domain.facts import HouseChanged
from ira_home.domain.house import ModelChoice
from ira_home.domain.ports import LanguageModel
from ira_home.household.house import House


class Seat(Protocol):
    """Where everybody finds the brain that answers now."""

    brain: LanguageModel


async def try_out(brain: LanguageModel) -> str:
    """Ask a brain that is not in its seat the smallest thing, and let go of it; raises like its `check`."""
    try:
        return await brain.check()
    finally:
        await brain.close()


class BrainKeeper:
    """Puts another brain in place when the house chose one; a turn under way keeps the old one."""

    def __init__(
        self, seat: Seat, house: House, make: Callable[[ModelChoice], LanguageModel]
    ) -> None:
        """A brain is in its seat already; `make` makes another."""
        self._seat, self._house, self._make = seat, house, make
        self._tasks = Tasks("brain")
        self._one_at_a_time = asyncio.Lock()

    def house_changed(self, fact: HouseChanged) -> None:  # noqa: ARG002 - the fact says no more
        """Look what was chosen."""
        _ = self._tasks.start(self._replace(), "replace")

    async def _replace(self) -> None:
        # Of two changes the later look must win, whichever reading takes longer.
        async with self._one_at_a_time:
            self._seat.brain = self._make(await self._house.model())

    async def close(self) -> None:
        """Let go of the brain's connections."""
        await self._tasks.close()
        await self._seat.brain.close()
