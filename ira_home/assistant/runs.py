"""Runs: an answer in the making. It goes on whoever listens, and can be attached to again by its id."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from ira_home.base.clock import Clock
from ira_home.base.errors import IraError, NotFound
from ira_home.base.ids import ConversationId, MessageId, PersonId, RunId, TurnId, mint
from ira_home.base.limits import RUN_KEPT_S
from ira_home.domain.proposals import Proposal
from ira_home.domain.tools import ToolUse


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One thing that happened in a run; ids count from 1. Names and data: DESIGN 4."""

    id: int
    name: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The whole answer. `error` is what cut it short, if anything did; its sentence is in `text`."""

    run_id: RunId
    conversation_id: ConversationId
    message_id: MessageId
    text: str
    proposals: tuple[Proposal, ...]
    tools: tuple[ToolUse, ...]
    error: IraError | None = None


class Run:
    """One run, written by the turn that it is of and read by any number of listeners."""

    def __init__(
        self,
        person_id: PersonId,
        conversation_id: ConversationId,
        message_id: MessageId,
        *,
        turn_id: TurnId,
        since: MessageId,
    ) -> None:
        """`message_id` is the entry of the person's that it answers; it tells what its turn adds after `since`."""
        self.id = RunId(mint("run_"))
        self.person_id = person_id
        self.conversation_id = conversation_id
        self.message_id = message_id
        self.turn_id = turn_id
        self.since = since
        self._events: list[RunEvent] = []
        self._news = asyncio.Event()
        self._result: asyncio.Future[RunResult] = asyncio.get_running_loop().create_future()

    @property
    def is_over(self) -> bool:
        """Whether the result is there."""
        return self._result.done()

    def emit(self, name: str, data: dict[str, Any]) -> None:
        """Tell the listeners; after the end nothing is told."""
        if self.is_over:
            return
        self._events.append(RunEvent(len(self._events) + 1, name, data))
        self._wake()

    def end(self, result: RunResult, name: str, data: dict[str, Any]) -> None:
        """The last event, and the result."""
        if self.is_over:
            return
        self._events.append(RunEvent(len(self._events) + 1, name, data))
        self._result.set_result(result)
        self._wake()

    async def follow(self, after: int = 0) -> AsyncIterator[RunEvent]:
        """Every event after that id, as they come, to the last one."""
        place = max(0, after)
        while True:
            news = self._news
            while place < len(self._events):
                event = self._events[place]
                place += 1
                yield event
            if self.is_over:
                return
            if news is self._news:
                await news.wait()

    async def result(self) -> RunResult:
        """Wait for the end; a waiter that goes away ends nothing."""
        return await asyncio.shield(self._result)

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


class Runs:
    """Runs by their id; a finished one is kept for ten minutes."""

    def __init__(self, clock: Clock) -> None:
        """Nothing runs yet."""
        self._clock = clock
        self._runs: dict[RunId, Run] = {}
        self._over_at: dict[RunId, float] = {}

    def add(self, run: Run) -> None:
        """Keep a run that begins."""
        self._forget_old()
        self._runs[run.id] = run

    def over(self, run: Run) -> None:
        """The run has ended; its ten minutes begin."""
        self._over_at[run.id] = self._clock.monotonic()

    def get(self, person_id: PersonId, run_id: RunId) -> Run:
        """The person's run; NotFound for anybody else's, and when it is no longer kept."""
        self._forget_old()
        run = self._runs.get(run_id)
        if run is None or run.person_id != person_id:
            raise NotFound
        return run

    def answering(self, person_id: PersonId, message_id: MessageId) -> Run:
        """The person's newest run that answers this entry of theirs; NotFound when it is no longer kept."""
        self._forget_old()
        found = [run for run in self.of(person_id) if run.message_id == message_id]
        if not found:
            raise NotFound
        return found[-1]

    def drop(self, person_id: PersonId) -> None:
        """Forget the person's runs."""
        for run in list(self.of(person_id)):
            self._remove(run.id)

    def of(self, person_id: PersonId) -> Iterator[Run]:
        """The person's runs that are kept."""
        return (run for run in self._runs.values() if run.person_id == person_id)

    def _forget_old(self) -> None:
        oldest = self._clock.monotonic() - RUN_KEPT_S
        for run_id in [name for name, over_at in self._over_at.items() if over_at < oldest]:
            self._remove(run_id)

    def _remove(self, run_id: RunId) -> None:
        self._runs.pop(run_id, None)
        self._over_at.pop(run_id, None)
