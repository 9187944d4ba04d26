"""Keeps what a brain is saying while it says it: a killed server loses no more than DRAFT_S of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
import logging

from ira_home.assistant.scribe import Scribe
from ira_home.base.errors import IraError
from ira_home.base.limits import DRAFT_S
from ira_home.base.tasks import Tasks
from ira_home.domain.taint import Taint
from ira_home.domain.turns import Turn

log = logging.getLogger(__name__)


class Drafts:
    """Writes in tasks of its own, so that no word waits for the disk."""

    def __init__(self, scribe: Scribe, tasks: Tasks) -> None:
        """`tasks` own the writing."""
        self._scribe = scribe
        self._tasks = tasks

    @asynccontextmanager
    async def of(self, turn: Turn, taint: Taint, said: Callable[[], str]) -> AsyncIterator[None]:
        """Within it, `said` is kept whenever it has grown; whoever ends the step takes it over."""
        work = self._tasks.start(self._keep(turn, taint, said), "draft")
        try:
            yield
        finally:
            work.cancel()

    async def _keep(self, turn: Turn, taint: Taint, said: Callable[[], str]) -> None:
        kept = ""
        while True:
            await asyncio.sleep(DRAFT_S)
            text = said()
            if text == kept:
                continue
            try:
                await self._scribe.draft(turn, text, taint)
                kept = text
            except IraError as error:
                # silent-ok: the end of the step writes the same again, and says what is wrong.
                log.debug("a draft could not be kept: %s", error.code)
