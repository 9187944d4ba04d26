"""This computer's companion, run beside the demo as a real device: paired by a code, restarted when it ends."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
import logging
from pathlib import Path

from ira_home.base.addresses import in_url
from ira_home.base.errors import CommandFailed
from ira_home.base.programs import own_program
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.domain.facts import DeviceChanged

log = logging.getLogger(__name__)
STATE = "companion"
PAIR_S = 60.0
CONNECT_S = 20.0
STOP_S = 3.0
FIRST_DELAY_S, LONGEST_DELAY_S = 1.0, 60.0
_PAIR_AGAIN = frozenset({3, 4})  # its exit status when it is not paired (any more)


class Companion:
    """Starts the companion's own program; this process only watches it."""

    def __init__(self, data: Path, host: str, port: int) -> None:
        """`data` is the demo's data folder; HTTPS is at `host` and `port` for this computer."""
        self._data = data
        self._address = f"{in_url(host)}:{port}"
        self._tasks = Tasks("companion")
        self._process: Process | None = None

    async def is_paired(self) -> bool:
        """Whether it has a token from an earlier start."""
        process = await self._spawn("status", "--json", stdout=PIPE)
        output, _ = await asyncio.wait_for(process.communicate(), PAIR_S)
        return process.returncode == 0 and b'"paired":true' in output.replace(b" ", b"")

    async def pair(self, code: str, folder: Path) -> None:
        """Pair it with the code, given on stdin, and allow it one folder; raises CommandFailed."""
        process = await self._spawn(
            "pair", "--code", "-", "--address", self._address,
            "--ca", str(self._data / "pki" / "ca.crt.pem"), "--folder", str(folder), "--no-keyring",
            stdin=PIPE, stdout=PIPE,
        )  # fmt: skip
        output, _ = await asyncio.wait_for(process.communicate(f"{code}\n".encode()), PAIR_S)
        if process.returncode != 0:
            said = output.decode(errors="replace").strip().rpartition("\n")[2]
            message = f"This computer's companion could not be paired: {said}"
            raise CommandFailed(message)

    async def start(self, bus: Bus) -> None:
        """Keep it running until `close`; returns once it is connected, or will not be soon."""
        connected = asyncio.Event()
        unsubscribe = bus.subscribe(DeviceChanged, lambda _fact: connected.set())
        self._tasks.start(self._keep(), "keep").add_done_callback(lambda _task: connected.set())
        try:
            await asyncio.wait_for(connected.wait(), CONNECT_S)
        except TimeoutError:
            log.warning("this computer's companion is not connected yet; it goes on trying")
        unsubscribe()

    async def close(self) -> None:
        """End it."""
        await self._tasks.close()
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), STOP_S)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()

    async def _keep(self) -> None:
        delay = FIRST_DELAY_S
        while True:
            # It was paired at another address when the demo was last run on another port.
            self._process = await self._spawn("run", "--address", self._address)
            status = await self._process.wait()
            if status in _PAIR_AGAIN:
                log.warning(
                    "this computer's companion was removed; start the demo again to pair it"
                )
                return
            log.warning("this computer's companion ended (%s); starting it again", status)
            await asyncio.sleep(delay)
            delay = min(delay * 2, LONGEST_DELAY_S)

    async def _spawn(
        self, verb: str, *words: str, stdin: int = DEVNULL, stdout: int = DEVNULL
    ) -> Process:
        state = ("--state", str(self._data / STATE))
        return await asyncio.create_subprocess_exec(
            *own_program("ira_companion"), verb, *words, *state,
            stdin=stdin, stdout=stdout, stderr=asyncio.subprocess.STDOUT if stdout == PIPE else None,
        )  # fmt: skip
