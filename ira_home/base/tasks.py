"""Background tasks that have an owner: none is lost, no error is swallowed."""

import asyncio
from collections.abc import Coroutine
import logging
from typing import Any, TypeVar

from ira_home.base.errors import IraError, Unavailable

log = logging.getLogger(__name__)
T = TypeVar("T")


class Tasks:
    """The tasks of one owner; `close` ends them all and waits."""

    def __init__(self, name: str) -> None:
        """`name` says whose tasks these are, in logs."""
        self._name = name
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    def start(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run `work` in the background; an error of it is logged with its stack."""
        if self._closed:
            work.close()
            message = f"{self._name} is closed"
            raise RuntimeError(message)
        task = asyncio.create_task(work, name=f"{self._name}.{name}")
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def finish(self, work: Coroutine[Any, Any, T], name: str) -> T:
        """Do `work` to its end, even when whoever waits for it goes away; give what comes of it.

        An IraError of it is raised here, and is no fault to be logged. Unavailable when closed.
        """

        async def guarded() -> T | IraError:
            try:
                return await work
            except IraError as error:
                return error

        try:
            task = self.start(guarded(), name)
        except RuntimeError:
            work.close()
            message = "The server is stopping."
            raise Unavailable(message) from None
        made: T | IraError = await asyncio.shield(task)
        if isinstance(made, IraError):
            raise made
        return made

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task %s failed", task.get_name(), exc_info=error)

    async def close(self, timeout_s: float = 2.0) -> None:
        """Cancel all and wait; what does not end in time is named in the log."""
        self._closed = True
        waiting = set(self._running)
        for task in waiting:
            task.cancel()
        if waiting:
            _done, left = await asyncio.wait(waiting, timeout=timeout_s)
            for task in left:
                log.warning("task %s did not end", task.get_name())
