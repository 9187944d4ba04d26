"""Rows of "What Ira did", written as the gate writes them and by nothing else."""

import asyncio
import time

from ira_home.base.clock import Clock
from ira_home.base.ids import PersonId, TurnId
from ira_home.domain.audit import LogDraft
from ira_home.domain.tools import Confirmed, Outcome, Tier
from ira_home.storage.storage import Storage
from tests.bench.turns import begin_turn
from tests.bench.wire import TOOL


class Logbook:
    """Writes rows through the house's one writer."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """Into this storage."""
        self._storage, self._clock = storage, clock

    async def rows(self, person: int, count: int, writers: int, *, durable: bool) -> float:
        """Rows a second, each waited for until it is committed, by so many writers at once."""
        person_id = PersonId(person)
        turn_id = (await begin_turn(self._storage, self._clock, person_id)).id
        began = time.perf_counter()
        await asyncio.gather(
            *(
                self._write(person_id, turn_id, count // writers, durable=durable)
                for _ in range(writers)
            )
        )
        return count // writers * writers / (time.perf_counter() - began)

    async def _write(
        self, person_id: PersonId, turn_id: TurnId, count: int, *, durable: bool
    ) -> None:
        for _ in range(count):
            line = LogDraft(
                turn_id=turn_id,
                person_id=person_id,
                channel="web",
                tool=TOOL,
                device_id=None,
                tier=Tier.LOOK,
                confirmed=Confirmed.NONE,
                outcome=Outcome.UNKNOWN,
                at=self._clock.now(),
            )
            _ = await self._storage.write(
                lambda tx, line=line: self._storage.tool_log.add(tx, line),  # type: ignore[misc]
                durable=durable,
            )
