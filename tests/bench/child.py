"""A server in a process of its own, told what to do by lines of JSON."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
import json
import os
from pathlib import Path
import resource
import sys
from typing import Any

from tests.bench.machine import pin, rss_kib

Handler = Callable[..., Awaitable[Any]]
WAIT_S = 120.0


class Child:
    """The parent's end."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        """Use `start`."""
        self._process, self._log = process, log

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def rss_kib(self) -> int:
        """Its memory."""
        return rss_kib(self.pid)

    async def do(self, command: str, **arguments: Any) -> Any:
        """Carry a command out there; its result."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([command, arguments]).encode() + b"\n")
        return await self.hear()

    async def hear(self) -> Any:
        """The next line that it says."""
        assert self._process.stdout is not None
        async with asyncio.timeout(WAIT_S):
            line = await self._process.stdout.readline()
        if not line:
            message = f"the process ended:\n{self._log.read_text()[-2_000:]}"
            raise RuntimeError(message)
        return json.loads(line)


@asynccontextmanager
async def child(
    module: str, *words: object, core: int | None, folder: Path
) -> AsyncIterator[Child]:
    """A process that runs `module`, ready to be told; its input is closed at the end, which ends it."""
    log = folder / f"{module}.log"
    with log.open("a") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", module, *map(str, words),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=errors,
            env=clean_environment(), limit=2**22,
        )  # fmt: skip
    pin(process.pid, core)
    made = Child(process, log)
    try:
        await made.hear()
        yield made
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(10):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


def clean_environment() -> dict[str, str]:
    """This process's environment without settings of a house."""
    return {name: value for name, value in os.environ.items() if not name.startswith("IRA_")}


async def obey(handlers: Mapping[str, Handler]) -> None:
    """The child's end: say that it is ready, carry out what is asked until the input ends."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    _say(None)
    while line := await reader.readline():
        command, arguments = json.loads(line)
        _say(await handlers[command](**arguments))


def _say(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def cpu_s() -> float:
    """Seconds of a core that this process has used, in itself and for it in the system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def cpu() -> float:
    """`cpu_s` as a command."""
    return cpu_s()
