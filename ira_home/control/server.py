"""Takes commands of the operator beside the running server, over a socket of this user only."""

import asyncio
from contextlib import suppress
import logging
import os
from pathlib import Path
import sys

from ira_home.base.errors import IraError, TooLarge, Unavailable
from ira_home.base.files import PRIVATE_FILE
from ira_home.base.tasks import Tasks
from ira_home.control import wire
from ira_home.control.operation import perform
from ira_home.web.services import Services

log = logging.getLogger(__name__)
_GOODBYE_S = 1.0  # below the two seconds that a task has to end


class ControlServer:
    """One connection a command; each is answered with one line and closed."""

    def __init__(self, services: Services, data: Path) -> None:
        """Not listening yet."""
        self._services = services
        self._address = wire.address_of(data)
        self._tasks = Tasks("control")
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen. The caller holds the data lock, so a socket that is left over is nobody's."""
        if sys.platform == "win32":
            await _listen_on_pipe(self._address, self._take)
            return
        wire.prepare(self._address)
        with suppress(FileNotFoundError):
            os.unlink(self._address)  # noqa: PTH108 - an address, not a Path
        old = os.umask(0o177)
        try:
            self._server = await asyncio.start_unix_server(
                self._take, self._address, limit=wire.LINE_BYTES
            )
        finally:
            os.umask(old)
        os.chmod(self._address, PRIVATE_FILE)  # noqa: PTH101

    async def close(self) -> None:
        """Stop listening; commands under way are ended."""
        if self._server is not None:
            self._server.close()
        await self._tasks.close()
        if sys.platform != "win32":
            with suppress(FileNotFoundError):
                os.unlink(self._address)  # noqa: PTH108

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _ = self._tasks.start(self._serve(reader, writer), "command")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(wire.ANSWER_S):
                writer.write(await self._answer(reader))
                await writer.drain()
        except (TimeoutError, ConnectionError):
            log.info("a command went away before its answer")
        finally:
            await _hang_up(writer)

    async def _answer(self, reader: asyncio.StreamReader) -> bytes:
        try:
            line = await reader.readline()
        except ValueError:
            return wire.bad_line(TooLarge())
        try:
            request = wire.Request.read(line)
            return wire.good_line(await perform(self._services, request))
        except IraError as error:
            return wire.bad_line(error)
        except Exception:
            # A boundary: the command's caller gets a sentence, the log the stack.
            log.exception("a command failed")
            return wire.bad_line(Unavailable("The command failed; the server's log says why."))


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    """Close and wait until it is closed, so that no loop ends before; who takes nothing is cut off."""
    writer.close()
    try:
        with suppress(OSError):
            async with asyncio.timeout(_GOODBYE_S):
                await writer.wait_closed()
    finally:
        writer.transport.abort()


if sys.platform == "win32":

    async def _listen_on_pipe(address: str, take: object) -> None:
        loop = asyncio.get_running_loop()

        def protocol() -> asyncio.StreamReaderProtocol:
            reader = asyncio.StreamReader(limit=wire.LINE_BYTES)
            return asyncio.StreamReaderProtocol(reader, take)

        await loop.start_serving_pipe(protocol, address)
