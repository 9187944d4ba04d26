"""Drives runs: each in a task of its own, in its conversation's turn, until it has ended."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from ira_home.assistant.answer import Answer
from ira_home.assistant.queues import Queues
from ira_home.assistant.replies import Decision, Replies
from ira_home.assistant.runs import Run, Runs
from ira_home.assistant.scribe import Place
from ira_home.assistant.turn import Job, TurnWorker
from ira_home.base.errors import IraError
from ira_home.base.ids import ConversationId, MessageId, PersonId, RunId
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.domain.facts import ConversationChanged
from ira_home.domain.people import Principal
from ira_home.domain.turns import Turn
from ira_home.storage.storage import Storage
from ira_home.tools.wording import outcome_words


class Driver:
    """Starts, ends and stops runs."""

    def __init__(
        self,
        storage: Storage,
        worker: TurnWorker,
        replies: Replies,
        *,
        queues: Queues,
        runs: Runs,
        tasks: Tasks,
        bus: Bus,
    ) -> None:
        """`tasks` own the work; `bus` hears when a conversation begins to be worked on."""
        self._bus = bus
        self._storage = storage
        self._worker = worker
        self._replies = replies
        self._queues = queues
        self._runs = runs
        self._tasks = tasks
        self._working: dict[RunId, tuple[Run, asyncio.Task[Any]]] = {}

    def begin(
        self, principal: Principal, turn: Turn, message_id: MessageId, *, note: str = ""
    ) -> Run:
        """Work on a new turn, whose place in the queue was taken by whoever calls this."""
        job = self._job(principal, turn, message_id, since=message_id)
        if note:
            job.answer.say(note)
        return self._start(job, lambda: self._new(job), takes_place=True)

    def go_on(
        self,
        principal: Principal,
        decision: Decision,
        message_id: MessageId,
        *,
        since: MessageId,
    ) -> Run:
        """Carry the person's answer out, and go on with the turn that asked; it had said all up to `since`."""
        job = self._job(principal, decision.turn, message_id, since=since)
        return self._start(job, lambda: self._resumed(job, decision), takes_place=False)

    def told(self, place: Place, message_id: MessageId, text: str) -> Run:
        """A run that is over at once: the server answered by itself."""
        run = Run(
            place.person_id,
            place.conversation_id,
            message_id,
            turn_id=place.turn_id,
            since=message_id,
        )
        self._runs.add(run)
        answer = Answer(run)
        answer.start()
        answer.say(text)
        answer.end()
        self._runs.over(run)
        return run

    async def cancel(self, run: Run) -> None:
        """Stop a run and wait until what it said is kept."""
        await self._stop([run])

    async def stop_conversation(self, conversation_id: ConversationId) -> None:
        """Stop what is worked on in a conversation."""
        running = [run for run, _task in self._working.values()]
        await self._stop(run for run in running if run.conversation_id == conversation_id)

    def forget(self, person_id: PersonId) -> None:
        """Stop the person's runs without waiting, and keep none of them."""
        for run, task in tuple(self._working.values()):
            if run.person_id == person_id:
                task.cancel()
        self._runs.drop(person_id)

    async def _stop(self, runs: Iterable[Run]) -> None:
        for run in list(runs):
            working = self._working.get(run.id)
            if working is not None:
                working[1].cancel()
                await run.result()

    def _job(
        self, principal: Principal, turn: Turn, message_id: MessageId, *, since: MessageId
    ) -> Job:
        run = Run(turn.person_id, turn.conversation_id, message_id, turn_id=turn.id, since=since)
        self._runs.add(run)
        answer = Answer(run)
        answer.start()
        return Job(turn, principal, answer)

    def _start(self, job: Job, work: Callable[[], Awaitable[None]], *, takes_place: bool) -> Run:
        run = job.answer.run
        task = self._tasks.start(self._driven(job, work), "run")
        self._working[run.id] = (run, task)
        task.add_done_callback(lambda _task: self._over(run, takes_place=takes_place))
        self._bus.publish(ConversationChanged(run.person_id, run.conversation_id))
        return run

    def _over(self, run: Run, *, takes_place: bool) -> None:
        self._working.pop(run.id, None)
        if takes_place:
            self._queues.leave(run.conversation_id)
        if not run.is_over:
            # Cancelled before its first step: nobody else will end it.
            Answer(run).end()
        self._runs.over(run)

    async def _driven(self, job: Job, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            if not job.answer.run.is_over:
                await self._worker.give_up(job)
            raise
        except IraError as error:
            job.answer.say(error.message)
            job.answer.end(error)

    async def _new(self, job: Job) -> None:
        async with self._queues.turn(job.turn.conversation_id):
            await self._worker.work(job)

    async def _resumed(self, job: Job, decision: Decision) -> None:
        """What was approved is sent at once; only thinking on waits for the conversation's turn."""
        await self._replies.carry_out(job, decision)
        async with self._queues.turn(job.turn.conversation_id):
            turn_id = job.turn.id
            goes_on = await self._storage.write(lambda tx: self._storage.turns.go_on(tx, turn_id))
            turn = await self._storage.turns.get(turn_id)
            if goes_on and turn is not None:
                job.turn = turn
                await self._worker.work(job)
                return
        ended = job.answer.tools
        job.answer.say(outcome_words(ended[-1].outcome, job.language) if ended else "")
        job.answer.end()
