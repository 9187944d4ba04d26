"""A network between two ends of loopback: what comes is passed on 20 ± 10 ms later, in order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import random
from typing import cast

DELAY_S, SPREAD_S = 0.020, 0.010  # each way


class _Way(asyncio.Protocol):
    """One end: what it hears is said on the other end, later."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.other: _Way | None = None
        self.lost = asyncio.get_running_loop().create_future()
        self._free_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        late = random.uniform(DELAY_S - SPREAD_S, DELAY_S + SPREAD_S)  # noqa: S311 - a delay is no secret
        # What came before is never overtaken.
        self._free_at = max(self._free_at, loop.time() + late)
        loop.call_at(self._free_at, self._pass_on, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set_result(None)
        if self.other is not None and self.other.transport is not None:
            self.other.transport.close()

    def _pass_on(self, data: bytes) -> None:
        transport = None if self.other is None else self.other.transport
        if transport is not None and not transport.is_closing():
            transport.write(data)


class _Near(_Way):
    """The end of whoever connects; what is said before the far end is there waits with the delay."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        self._dialling: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        cast("asyncio.Transport", transport).pause_reading()
        self._dialling = asyncio.create_task(self._dial())

    async def end(self) -> None:
        """Close both ends and wait until they are closed."""
        assert self.transport is not None
        assert self._dialling is not None
        self.transport.abort()
        await self._dialling
        assert self.other is not None
        await asyncio.wait([self.lost, self.other.lost])

    async def _dial(self) -> None:
        transport, far = await asyncio.get_running_loop().create_connection(
            _Way, "127.0.0.1", self._port
        )
        far.other, self.other = self, far
        assert self.transport is not None
        if self.transport.is_closing():
            transport.close()
        else:
            self.transport.resume_reading()


@asynccontextmanager
async def lagging(port: int) -> AsyncIterator[int]:
    """A port of loopback that leads to `port` with the delay in both directions."""
    taken: list[_Near] = []

    def take() -> _Near:
        taken.append(_Near(port))
        return taken[-1]

    server = await asyncio.get_running_loop().create_server(take, "127.0.0.1", 0)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for near in taken:
            await near.end()
