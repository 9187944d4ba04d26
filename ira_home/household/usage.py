"""Counting what models take, so that whoever pays for them can look."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable

from ira_home.base.clock import Clock
from ira_home.base.limits import MODEL_TOKENS_A_STEP, USAGE_ROWS
from ira_home.base.tasks import Tasks
from ira_home.base.text import cut, one_line
from ira_home.domain.ports import LanguageModel, Part, UsagePart
from ira_home.domain.turn_view import TurnView
from ira_home.domain.usage import ModelUsage
from ira_home.storage.storage import Storage

_MODEL_CHARS = 120


class Usage:
    """Keeps what each model took, by month; a line that could not be written is in the log only."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """Nothing is counted before a brain is `counted`."""
        self._storage, self._clock = storage, clock
        self._tasks = Tasks("usage")

    async def list(self) -> list[ModelUsage]:
        """The last months, the latest first."""
        return await self._storage.usage.list(USAGE_ROWS)

    def counted(self, brain: LanguageModel) -> LanguageModel:
        """The same brain, whose steps are counted where its server says what they took."""
        return _Counted(brain, self._count)

    async def close(self) -> None:
        """Count no more."""
        await self._tasks.close()

    def _count(self, model: str, part: UsagePart) -> None:
        used = ModelUsage(
            month=f"{self._clock.now():%Y-%m}",
            model=cut(one_line(model), _MODEL_CHARS),
            steps=1,
            prompt_tokens=_bounded(part.prompt_tokens),
            completion_tokens=_bounded(part.completion_tokens),
        )
        # An answer is not kept waiting for its own bill.
        writing = self._storage.write(lambda tx: self._storage.usage.add(tx, used), durable=False)
        _ = self._tasks.start(writing, "count")


class _Counted:
    """A brain that says nothing of usage, because it has told `count` already."""

    def __init__(self, brain: LanguageModel, count: Callable[[str, UsagePart], None]) -> None:
        self.name = brain.name
        self._brain, self._count = brain, count

    async def step(self, view: TurnView) -> AsyncIterator[Part]:
        """The brain's own parts but usage."""
        step, used = self._brain.step(view), None
        try:
            async for part in step:
                if isinstance(part, UsagePart):
                    used = part  # some servers count on with every piece: the last one holds
                else:
                    yield part
        finally:
            if isinstance(step, AsyncGenerator):
                await step.aclose()
            if used is not None:
                self._count(self.name, used)

    async def check(self) -> str:
        """As the brain says."""
        return await self._brain.check()

    async def close(self) -> None:
        """As the brain does."""
        await self._brain.close()


def _bounded(tokens: int) -> int:
    """A count that sums up to something the database can hold, whatever the server said."""
    return min(max(tokens, 0), MODEL_TOKENS_A_STEP)
