"""What is asked of the machine: cores, memory, and how to hold a process to a quarter of a core."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
import os
from pathlib import Path
import platform
import signal
import statistics
import subprocess
import sys

_QUARTER_US, _PERIOD_US = 25_000, 100_000  # what a container of 0.25 cores gets


@dataclass(frozen=True, slots=True)
class Cores:
    """The core of the servers and the core of their clients; None where the system pins nothing."""

    server: int | None
    client: int | None

    @classmethod
    def of_this_machine(cls) -> "Cores":
        """Two different cores where there are two."""
        if not hasattr(os, "sched_getaffinity"):
            return cls(None, None)
        found = sorted(os.sched_getaffinity(0))
        return cls(found[0], found[-1]) if len(found) > 1 else cls(None, None)


def pin(pid: int, core: int | None) -> None:
    """Let a process (0 is this one) run on this core only."""
    if core is not None and sys.platform == "linux":
        os.sched_setaffinity(pid, {core})


def rss_kib(pid: int) -> int:
    """The memory of a process that is in RAM."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        line = next(one for one in status.read_text().splitlines() if one.startswith("VmRSS"))
        return int(line.split()[1])
    said = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(said.stdout)


def described() -> str:
    """The machine in one line, without its name, and how busy others keep it now."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{platform.system()} {platform.machine()}, {cores} cores, Python"
        f" {platform.python_version()}; other work on it then: load {os.getloadavg()[0]:.1f}"
    )


def quantile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)


@asynccontextmanager
async def quarter_core(pid: int) -> AsyncIterator[str]:
    """Hold a process to a quarter of one core meanwhile; says by what means.

    By a control group where one may be made, else by stopping the process 15 of every 20 ms.
    """
    group = _make_group(pid)
    if group is not None:
        try:
            yield "a control group, 25 ms in every 100 ms"
        finally:
            _leave_group(group, pid)
        return
    stopper = asyncio.create_task(_stop_and_go(pid))
    try:
        yield "stopping it 15 ms in every 20 ms"
    finally:
        stopper.cancel()
        await asyncio.wait((stopper,))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _make_group(pid: int) -> Path | None:
    """A group of its own with a quarter of a core, version 2 or 1 of the interface."""
    for root, limits in (
        (Path("/sys/fs/cgroup"), {"cpu.max": f"{_QUARTER_US} {_PERIOD_US}"}),
        (
            Path("/sys/fs/cgroup/cpu"),
            {"cpu.cfs_period_us": str(_PERIOD_US), "cpu.cfs_quota_us": str(_QUARTER_US)},
        ),
    ):
        group = root / f"ira-bench-{pid}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            for name, value in limits.items():
                if not (group / name).exists():
                    raise FileNotFoundError(name)
                (group / name).write_text(value)
            (group / "cgroup.procs").write_text(str(pid))
        except OSError:
            group.rmdir()
            continue
        return group
    return None


def _leave_group(group: Path, pid: int) -> None:
    with suppress(OSError):
        (group.parent / "cgroup.procs").write_text(str(pid))
    with suppress(OSError):
        group.rmdir()


async def _stop_and_go(pid: int) -> None:
    while True:
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(0.015)
        os.kill(pid, signal.SIGCONT)
        await asyncio.sleep(0.005)
