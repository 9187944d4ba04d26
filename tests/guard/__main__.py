"""`python -m tests.guard`: what a brain that obeys everything can do to this house."""

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path
import sys
import tempfile
import time

from tests.guard import plan
from tests.guard.cases import AGENTDOJO, Cases, read_cases
from tests.guard.everyday import dialogues
from tests.guard.measure import measure
from tests.guard.runs import Job

PLANS: dict[str, Callable[[Cases], list[Job]]] = {
    "fast": plan.fast,
    "full": plan.full,
    "every": plan.every,
}


def main() -> int:
    """Measure what the arguments say; 1 when something ran, leaked or escaped."""
    parser = argparse.ArgumentParser(prog="python -m tests.guard", description=__doc__)
    parser.add_argument("--plan", choices=PLANS, default="fast", help="how many runs are made")
    parser.add_argument("--cases", type=Path, default=AGENTDOJO, help="another file of this shape")
    parser.add_argument("--houses", type=int, default=2, help="servers at the same time")
    parser.add_argument("--misses", type=Path, help="write every miss into this file")
    chosen = parser.parse_args()
    cases, began = read_cases(chosen.cases), time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="ira-guard-") as name:
        jobs = PLANS[chosen.plan](cases)
        work = measure(Path(name), cases, jobs, dialogues=dialogues(), houses=chosen.houses)
        tally = asyncio.run(work)
    print(tally.shown_misses(), file=sys.stderr)
    if chosen.misses:
        chosen.misses.write_text("\n".join(tally.misses) + "\n", encoding="utf-8")
    took = f"{time.perf_counter() - began:.0f} s"
    print(f"by route: {tally.by_route}; {took}", file=sys.stderr)
    print(tally.words() if chosen.plan == "fast" else tally.line())
    return 0 if tally.is_safe else 1


if __name__ == "__main__":
    sys.exit(main())
