"""Aim 3: how soon a start answers beside a minimal server, and how much memory it then holds."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
import http.client
from pathlib import Path
import ssl
import subprocess
import sys
import time

from tests.bench.child import clean_environment
from tests.bench.machine import Cores, median, pin, rss_kib
from tests.bench.sizes import Sizes
from tests.bench.wire import trust_of
from tests.support.ports import free_port

_GIVE_UP_S = 60.0


def _environment(folder: Path, sizes: Sizes) -> dict[str, str]:
    """As after an installation, where the byte code of everything is there already."""
    found = clean_environment()
    if sizes.starts > 1:
        found.pop("PYTHONDONTWRITEBYTECODE", None)
        found["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    return found


def _get(port: int, trust: ssl.SSLContext, path: str) -> int:
    line = http.client.HTTPSConnection("127.0.0.1", port, timeout=10, context=trust)
    try:
        line.request("GET", path)
        reply = line.getresponse()
        reply.read()
        return reply.status
    finally:
        line.close()


def _first_answer(port: int, trust: ssl.SSLContext, path: str, began: float) -> float:
    """Seconds from `began` to the first answer over TLS."""
    while time.perf_counter() - began < _GIVE_UP_S:
        try:
            if _get(port, trust, path) == 200:
                return time.perf_counter() - began
        except OSError:
            time.sleep(0.002)
    message = "the server did not answer"
    raise RuntimeError(message)


class Starts:
    """Starts of both kinds on one folder with a house that is set up."""

    def __init__(self, folder: Path, cores: Cores, environment: Mapping[str, str]) -> None:
        """Make the house."""
        self._folder, self._cores, self._environment = folder, cores, environment
        self._data = folder / "start"
        words = [
            sys.executable, "-m", "ira_home", "--data", str(self._data), "init",
            "--email", "o@example.com", "--name", "O", "--password-stdin", "--pin-stdin",
        ]  # fmt: skip
        subprocess.run(
            words, input=b"plain-harbour-lantern-7\n739164\n", env=environment,
            check=True, capture_output=True,
        )  # fmt: skip
        self._trust = trust_of(self._data)

    def ira(self, quiet_s: float) -> tuple[float, float]:
        """Seconds to the first answer, and MiB once it is quiet after its first page."""
        port = free_port()
        words = ["-m", "ira_home", "--data", str(self._data), "serve", "--bind", "127.0.0.1"]
        words += ["--port", str(port), "--http-port", str(free_port()), "--no-mdns"]
        with self._process(words) as (process, began):
            took = _first_answer(port, self._trust, "/readyz", began)
            _get(port, self._trust, "/signin")
            time.sleep(quiet_s)
            return took, rss_kib(process.pid) / 1024

    def minimal(self) -> float:
        """Seconds to the first answer of the minimal server."""
        port, pem = free_port(), str(self._data / "pki" / "server.pem")
        with self._process(["-m", "tests.bench.minimal", str(port), pem]) as (_process, began):
            return _first_answer(port, self._trust, "/healthz", began)

    @contextmanager
    def _process(self, words: list[str]) -> Iterator[tuple["subprocess.Popen[bytes]", float]]:
        with (self._folder / "start.log").open("a") as log:
            began = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, *words], stdout=log, stderr=log, env=self._environment
            )
        pin(process.pid, self._cores.server)
        try:
            yield process, began
        finally:
            process.terminate()
            process.wait(20)


def _measure(folder: Path, cores: Cores, sizes: Sizes) -> dict[str, float]:
    starts = Starts(folder, cores, _environment(folder, sizes))
    if sizes.starts > 1:
        # Writes the byte code of both.
        starts.minimal()
        starts.ira(0.0)
    rounds = [(starts.minimal(), *starts.ira(sizes.quiet_s)) for _ in range(sizes.starts)]
    return {
        "start_ratio": median([ira / minimal for minimal, ira, _ in rounds]),
        "start_s": median([ira for _, ira, _ in rounds]),
        "start_minimal_s": median([minimal for minimal, _, _ in rounds]),
        "idle_rss_mib": median([rss for _, _, rss in rounds]),
    }


async def measure(folder: Path, cores: Cores, sizes: Sizes) -> dict[str, float]:
    """The figures of the start."""
    return await asyncio.to_thread(_measure, folder, cores, sizes)
