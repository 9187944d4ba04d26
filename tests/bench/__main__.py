"""`python -m tests.bench`: measure everything, print a table and, as the last line, one JSON object."""

import argparse
from collections.abc import Awaitable, Callable
from pathlib import Path
import sys
import tempfile
import time

from ira_home.cli.serve import run
from tests.bench import asking, calls, crowd, installed, logs, report, starting
from tests.bench.machine import Cores, described, pin
from tests.bench.sizes import SIZES, Sizes

Measure = Callable[[Path, Cores, Sizes], Awaitable[dict[str, float]]]


async def _disk(_folder: Path, _cores: Cores, _sizes: Sizes) -> dict[str, float]:
    return installed.measure()


PARTS: dict[str, Measure] = {
    "calls": calls.measure,
    "start": starting.measure,
    "devices": crowd.measure,
    "log": logs.measure,
    "asks": asking.measure,
    "disk": _disk,
}


async def _measure(parts: list[str], sizes: Sizes, found: dict[str, float]) -> None:
    cores = Cores.of_this_machine()
    pin(0, cores.client)
    with tempfile.TemporaryDirectory(prefix="ira-bench-") as name:
        for part in parts:
            began = time.perf_counter()
            found |= await PARTS[part](Path(name), cores, sizes)
            print(f"{part}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", choices=SIZES, default="full", help="how much is measured")
    parser.add_argument("--only", choices=PARTS, action="append", help="one part; again for more")
    parser.add_argument(
        "--write", action="store_true", help="put the table into docs/performance.md"
    )
    chosen = parser.parse_args()
    where = described()
    found: dict[str, float] = {}
    run(_measure(chosen.only or list(PARTS), SIZES[chosen.rounds], found))
    if chosen.only is None:
        print(report.table(found))
        if chosen.write:
            report.write_down(found, where)
    print(report.line(found))


if __name__ == "__main__":
    main()
