"""What models took is counted by month, and never gets in the way of an answer."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from ira_home.base.errors import ModelFailed
from ira_home.base.limits import MODEL_TOKENS_A_STEP
from ira_home.domain.ports import Part, TextPart, UsagePart
from ira_home.domain.usage import ModelUsage
from ira_home.household.usage import Usage
from tests.support.people import People

VIEW: Any = None


class Counting:
    """A model that says these parts, and fails at the end where it is told to."""

    def __init__(self, *parts: Part, fails: bool = False, name: str = "llama3.2") -> None:
        self.parts, self.fails, self.name = parts, fails, name
        self.is_closed = False

    async def step(self, view: Any) -> AsyncIterator[Part]:
        for part in self.parts:
            yield part
        if self.fails:
            raise ModelFailed

    async def check(self) -> str:
        return "ready"

    async def close(self) -> None:
        self.is_closed = True


async def step(usage: Usage, brain: Counting) -> Sequence[Part]:
    return [part async for part in usage.counted(brain).step(VIEW)]


async def kept(people: People, usage: Usage) -> list[ModelUsage]:
    await asyncio.sleep(0)  # the counting task hands its line to the writer, which keeps the order
    await people.storage.write(lambda tx: None)
    return await usage.list()


@pytest.fixture
async def usage(people: People) -> AsyncIterator[Usage]:
    found = Usage(people.storage, people.clock)
    yield found
    await found.close()


async def test_steps_add_up_by_month_and_model(people: People, usage: Usage) -> None:
    people.clock.set_wall(datetime(2026, 7, 31, 23, tzinfo=UTC))
    assert await step(usage, Counting(TextPart("Hi."), UsagePart(7, 3))) == [TextPart("Hi.")]
    await step(usage, Counting(UsagePart(10, 1)))
    await step(usage, Counting(UsagePart(1, 1), name="qwen"))
    people.clock.set_wall(datetime(2026, 8, 1, tzinfo=UTC))
    await step(usage, Counting(UsagePart(2, 2)))
    await step(usage, Counting(TextPart("No server counts this.")))
    assert await kept(people, usage) == [
        ModelUsage("2026-08", "llama3.2", 1, 2, 2),
        ModelUsage("2026-07", "llama3.2", 2, 17, 4),
        ModelUsage("2026-07", "qwen", 1, 1, 1),
    ]


async def test_a_server_that_counts_on_is_counted_once_and_never_beyond_reason(
    people: People, usage: Usage
) -> None:
    await step(usage, Counting(UsagePart(7, 1), UsagePart(7, 2), UsagePart(7, 3)))
    await step(usage, Counting(UsagePart(10**30, -5)))
    (found,) = await kept(people, usage)
    assert (found.steps, found.prompt_tokens, found.completion_tokens) == (
        2,
        7 + MODEL_TOKENS_A_STEP,
        3,
    )


async def test_what_a_failed_or_stopped_step_took_counts_as_well(
    people: People, usage: Usage
) -> None:
    with pytest.raises(ModelFailed):
        await step(usage, Counting(UsagePart(5, 1), fails=True))
    brain = Counting(UsagePart(5, 2), TextPart("and so"), TextPart("on"))
    async with aclosing(cast("Any", usage.counted(brain).step(VIEW))) as parts:
        assert await anext(parts) == TextPart("and so")
    (found,) = await kept(people, usage)
    assert (found.steps, found.completion_tokens) == (2, 3)


async def test_the_counted_brain_is_the_brain(usage: Usage) -> None:
    brain = Counting()
    counted = usage.counted(brain)
    assert (counted.name, await counted.check()) == ("llama3.2", "ready")
    await counted.close()
    assert brain.is_closed
