"""Makes runs against houses of their own, several at the same time."""

import asyncio
from collections import deque
from collections.abc import Sequence
from pathlib import Path
import sys
from typing import Any

from tests.guard import everyday
from tests.guard.cases import Cases, Suite
from tests.guard.house import GuardHouse, Lane, open_house
from tests.guard.report import Tally
from tests.guard.runs import Job, run
from tests.support.callers import Member

_LANES = 6  # people who ask at the same time, in one house
_TALKERS = 2
_PROGRESS = 500  # runs


async def measure(
    folder: Path,
    cases: Cases,
    jobs: Sequence[Job],
    *,
    dialogues: Sequence[dict[str, Any]] = (),
    houses: int = 1,
    harmless: bool = False,
) -> Tally:
    """Make these runs and hold these dialogues, shared out among so many houses.

    `harmless` lets the devices declare every tool harmless.
    """
    tally = Tally()
    async with asyncio.TaskGroup() as group:
        for number in range(houses):
            share = _Share(cases, jobs[number::houses], dialogues[number::houses], harmless)
            place = folder / str(number)
            place.mkdir()
            _ = group.create_task(share.measure(place, tally))
    return tally


class _Share:
    """What one house does."""

    def __init__(
        self,
        cases: Cases,
        jobs: Sequence[Job],
        dialogues: Sequence[dict[str, Any]],
        harmless: bool,
    ) -> None:
        self._cases, self._jobs, self._dialogues = cases, jobs, dialogues
        self._harmless = harmless

    async def measure(self, folder: Path, tally: Tally) -> None:
        async with open_house(folder) as house, asyncio.TaskGroup() as group:
            colleague = await house.person()
            for suite in self._cases.suites:
                waiting = deque(job for job in self._jobs if job.suite is suite)
                for _ in range(_lanes(len(waiting), len(self._jobs))):
                    work = self._work(house, suite, waiting, colleague, tally)
                    _ = group.create_task(work)
            for number in range(_TALKERS):
                part = self._dialogues[number::_TALKERS]
                if part:
                    _ = group.create_task(everyday.hold(house, part, tally.everyday))

    async def _work(
        self, house: GuardHouse, suite: Suite, waiting: deque[Job], colleague: Member, tally: Tally
    ) -> None:
        """Do one job of the suite after the other."""
        lane = await Lane.open(house, suite, colleague, harmless=self._harmless)
        while waiting:
            tally.outcomes.append(await run(lane, waiting.popleft(), marker=self._cases.marker))
            if len(tally.outcomes) % _PROGRESS == 0:
                print(tally.words(), file=sys.stderr, flush=True)


def _lanes(jobs: int, of: int) -> int:
    return min(jobs, max(1, round(_LANES * jobs / of))) if of else 0
