"""The one thread that writes: it takes whatever waits in its queue as one batch."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
import logging
import queue
import threading
from typing import Any

log = logging.getLogger(__name__)

# A batch is bounded so that the first of a long queue is not answered after the last.
BATCH = 512


@dataclass(slots=True, eq=False)
class Job:
    """One piece of work and the waiter who gets its result or error.

    `alone`: not part of a batch (it cannot run inside a transaction).
    """

    work: Callable[[Any], Any]
    waiter: asyncio.Future[Any]
    durable: bool = True
    alone: bool = False
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        """Tell the waiter, in its own loop; one that was cancelled is not told."""
        if self.waiter.done():
            return
        if self.error is None:
            self.waiter.set_result(self.result)
        elif isinstance(self.error, StopIteration):
            # A future cannot carry it, and the waiter would wait for ever.
            self.waiter.set_exception(RuntimeError("a write ended with StopIteration"))
        else:
            self.waiter.set_exception(self.error)


class Writer:
    """Feeds batches of jobs to `perform` in a thread of its own, in the order they came.

    `perform` sets `result` or `error` of every job and raises nothing.
    """

    def __init__(self, perform: Callable[[list[Job]], None]) -> None:
        """Start the thread."""
        self._perform = perform
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._left_over: Job | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="ira-writer", daemon=True)
        self._thread.start()

    @property
    def is_stopping(self) -> bool:
        """Whether new jobs would never be done."""
        return self._stopping

    def put(self, job: Job) -> None:
        """Queue the job; it is done even when its waiter goes away."""
        self._queue.put(job)

    async def stop(self) -> None:
        """End the thread after everything that is queued."""
        self._stopping = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while batch := self._next_batch():
            self._perform(batch)
            self._tell(batch)

    def _next_batch(self) -> list[Job]:
        """Everything that waits, up to the bound; a job that runs alone is a batch of one."""
        job = self._left_over or self._queue.get()
        self._left_over = None
        batch: list[Job] = []
        while job is not None:
            if job.alone and batch:
                self._left_over = job
                return batch
            batch.append(job)
            if job.alone or len(batch) == BATCH or self._queue.empty():
                return batch
            job = self._queue.get()
        if batch:
            self._queue.put(None)
        return batch

    @staticmethod
    def _tell(batch: list[Job]) -> None:
        """Wake each loop once for all of its jobs."""
        loops: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        for job in batch:
            loops.setdefault(job.waiter.get_loop(), []).append(job)
        for loop, jobs in loops.items():
            try:
                loop.call_soon_threadsafe(_settle, jobs)
            except RuntimeError:  # silent-ok: the loop is closed, so nobody waits any more
                log.debug("the loop of %d writes has ended", len(jobs))


def _settle(jobs: list[Job]) -> None:
    for job in jobs:
        job.settle()
