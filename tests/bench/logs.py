"""Aim 5: rows of the log, and what committing together is worth when every commit waits for the disk."""

from contextlib import AsyncExitStack
from pathlib import Path

from tests.bench.calls import open_house
from tests.bench.machine import Cores, median
from tests.bench.sizes import Sizes

WRITERS = 64  # as many as there are calls in flight elsewhere


async def measure(folder: Path, cores: Cores, sizes: Sizes) -> dict[str, float]:
    """The figures of the log."""
    async with AsyncExitStack() as stack:
        house, _port = await open_house(stack, folder / "logs", cores)
        person = (await house.do("people", count=1, devices=0))[0]["person"]

        async def rows(count: int, writers: int, *, durable: bool) -> float:
            found: float = await house.do(
                "rows", person=person, count=count, writers=writers, durable=durable
            )
            return found

        await rows(sizes.log_rows // 10, WRITERS, durable=False)
        rounds = [
            (
                await rows(sizes.log_rows, WRITERS, durable=False),
                await rows(sizes.single_commits, 1, durable=True),
                await rows(sizes.log_rows, WRITERS, durable=True),
            )
            for _ in range(sizes.log_rounds)
        ]
    return {
        "log_rows_per_s": median([fast for fast, _, _ in rounds]),
        "group_commit_ratio": median([group / single for _, single, group in rounds]),
        "log_rows_per_s_fsync": median([group for _, _, group in rounds]),
        "single_commits_per_s_fsync": median([single for _, single, _ in rounds]),
    }
