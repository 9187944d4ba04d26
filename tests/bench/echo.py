"""The yardstick: a bare aiohttp WebSocket over TLS that sends back what it hears."""

import asyncio
from pathlib import Path
import sys
import time

import aiohttp
from aiohttp import web

from ira_home.base.clock import SystemClock
from ira_home.cli.serve import run
from ira_home.net.certificates import Authority
from tests.bench.child import Child, cpu, obey
from tests.bench.machine import quantile
from tests.bench.wire import WAIT_S, trust_of

TEXT = '{"type":"echo","text":"' + "x" * (300 - 25) + '"}'
LINES, IN_FLIGHT = 16, 4


async def _echo(request: web.Request) -> web.StreamResponse:
    socket = web.WebSocketResponse(compress=False)
    await socket.prepare(request)
    async for message in socket:
        await socket.send_str(message.data)
    return socket


async def _main(folder: Path, port: int) -> None:
    authority = Authority.open(
        folder / "pki",
        install_id="echo",
        clock=SystemClock(),
        addresses=["127.0.0.1"],
        hostname="localhost",
    )
    app = web.Application()
    app.router.add_get("/", _echo)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, ssl_context=authority.server_context()).start()
    await obey({"cpu": cpu})
    await runner.cleanup()


class EchoClient:
    """Sends a text of 300 bytes to the echo and waits for it to come back."""

    def __init__(self, server: Child, folder: Path, port: int) -> None:
        """Not connected yet."""
        self._server, self._folder, self._url = server, folder, f"wss://127.0.0.1:{port}/"
        self._session: aiohttp.ClientSession | None = None
        self._lines: list[aiohttp.ClientWebSocketResponse] = []

    async def open(self) -> None:
        """Open every line."""
        connector = aiohttp.TCPConnector(ssl=trust_of(self._folder), limit=0)
        self._session = aiohttp.ClientSession(connector=connector)
        for _ in range(LINES):
            self._lines.append(await self._session.ws_connect(self._url, compress=0))

    async def close(self) -> None:
        """Close them."""
        for line in self._lines:
            await line.close()
        if self._session is not None:
            await self._session.close()

    async def one_at_a_time(self, count: int) -> dict[str, float]:
        """Round trips of one line: `p50_us`, `p99_us`, and the server's `cpu_us` a message."""
        took = []
        line, before = self._lines[0], await self._server.do("cpu")
        async with asyncio.timeout(WAIT_S):
            for _ in range(count):
                began = time.perf_counter()
                await line.send_str(TEXT)
                await line.receive_str()
                took.append(time.perf_counter() - began)
        used = await self._server.do("cpu") - before
        return {
            "p50_us": quantile(took, 0.5) * 1e6,
            "p99_us": quantile(took, 0.99) * 1e6,
            "cpu_us": used / count * 1e6,
        }

    async def many(self, count: int, *, lines: int = LINES) -> dict[str, float]:
        """64 messages in flight over so many lines: the server's `cpu_us` a message, `per_s`."""
        each, window = count // lines, LINES * IN_FLIGHT // lines
        before, began = await self._server.do("cpu"), time.perf_counter()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*(_keep_full(line, each, window) for line in self._lines[:lines]))
        seconds = time.perf_counter() - began
        used = await self._server.do("cpu") - before
        return {"cpu_us": used / (each * lines) * 1e6, "per_s": each * lines / seconds}


async def _keep_full(line: aiohttp.ClientWebSocketResponse, count: int, window: int) -> None:
    for _ in range(min(window, count)):
        await line.send_str(TEXT)
    for number in range(count):
        await line.receive_str()
        if number + window < count:
            await line.send_str(TEXT)


if __name__ == "__main__":
    run(_main(Path(sys.argv[1]), int(sys.argv[2])))
