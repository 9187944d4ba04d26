"""Raw connections that are gone before the loop ends: what is left open fails whichever test comes next."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from ssl import SSLContext

HERE = "127.0.0.1"
_GOODBYE_S = 2.0  # TLS waits for the other side's goodbye, which may never come

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def listening(
    serve: Serve, *, host: str = HERE, port: int = 0, ssl: SSLContext | None = None
) -> AsyncIterator[int]:
    """Serve each connection; gives the port. At the end all are closed, at work or not."""
    taken: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        finally:
            await hang_up(writer)

    def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken.add(asyncio.create_task(answer(reader, writer)))

    server = await asyncio.start_server(take, host, port, ssl=ssl)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in taken:
            task.cancel()
        # An error of a server is one of its test.
        for ended in await asyncio.gather(*taken, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended


@asynccontextmanager
async def dialled(
    port: int,
    *,
    host: str = HERE,
    ssl: SSLContext | None = None,
    name: str | None = None,
    limit: int = 2**16,
) -> AsyncIterator[Ends]:
    """A connection, with TLS as a client that calls the server `name`; closed at the end."""
    reader, writer = await asyncio.open_connection(
        host, port, ssl=ssl, server_hostname=name, limit=limit
    )
    try:
        yield reader, writer
    finally:
        await hang_up(writer)


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """Close and wait until it is closed."""
    writer.close()
    closing = asyncio.create_task(_closed(writer))
    try:
        await asyncio.wait({closing}, timeout=_GOODBYE_S)
    finally:
        writer.transport.abort()
        await closing


async def _closed(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):  # a line that broke is gone as well
        await writer.wait_closed()
