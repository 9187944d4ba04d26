"""Listening: the sockets, their time-outs, and what answers a request that cannot even be parsed."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
import logging
import ssl
import sys
from typing import Any, cast

from aiohttp import web

from ira_home.access.throttle import source
from ira_home.base.errors import BadRequest, IraError
from ira_home.base.limits import CONNECTIONS_AN_ADDRESS, HEADER_S, STOP_S
from ira_home.base.log import field
from ira_home.web.greeter import BACKLOG, HANDSHAKE_S, Greeter, is_local, listen
from ira_home.web.headers import content_policy, protect
from ira_home.web.problems import problem

log = logging.getLogger(__name__)
LINGER_S = 2.0  # how long the rest of a refused body is swallowed before the line is cut
# It names every odd WebSocket handshake with what the client sent.
logging.getLogger("aiohttp.websocket").setLevel(logging.ERROR)


class Connection(web.RequestHandler):
    """One HTTP connection: says when it is lost, and answers bad requests in one quiet line."""

    __slots__ = ("on_lost",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As aiohttp makes it."""
        super().__init__(*args, **kwargs)
        self.on_lost: Callable[[], None] | None = None

    def connection_lost(self, exc: BaseException | None) -> None:
        """The socket is closed: tell whoever waits for that."""
        super().connection_lost(exc)
        told, self.on_lost = self.on_lost, None
        if told is not None:
            told()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - aiohttp's signature; it may quote the request
    ) -> web.StreamResponse:
        """The answer to what no handler saw; aiohttp's own would be a traceback and plain text."""
        if status < 500:
            log.info("unreadable request from %s: %s", field(request.remote), type(exc).__name__)
        else:
            log.error("a request failed outside of its handler", exc_info=exc)
        if request.writer.output_size > 0:
            text = "the answer has begun already"
            raise ConnectionError(text)
        response = problem(BadRequest() if status < 500 else IraError())
        protect(response, content_policy(None))
        response.force_close()
        return response


def when_lost(request: web.BaseRequest, told: Callable[[], None]) -> None:
    """Call `told` when the request's connection is lost; at once when it is already."""
    protocol = request.protocol
    if request.transport is None or request.transport.is_closing():
        told()
    elif isinstance(protocol, Connection):
        protocol.on_lost = told


def cut_if_stuck(request: web.BaseRequest) -> None:
    """Cut a client that has not taken what was sent: a polite end would wait for it for ever."""
    transport = request.transport
    # asyncio's transport of TLS that was closed twice has forgotten its line, and cannot be asked.
    with suppress(AttributeError):
        if transport is not None and transport.get_write_buffer_size() > 0:
            transport.abort()


class _Server(web.Server):
    """Makes our kind of connection, and not too many for one address."""

    _addresses: dict[web.RequestHandler, str]
    _count: Counter[str]

    @classmethod
    def adopt(cls, server: web.Server) -> web.Server:
        """Make aiohttp's server ours: it has no hook for the class of its connections."""
        server.__class__ = cls
        vars(server).update(_addresses={}, _count=Counter())
        return server

    def __call__(self) -> web.RequestHandler:
        """A connection for a new socket."""
        return Connection(self, loop=self._loop, **self._kwargs)

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Count it; one too many of an address is cut before it says anything."""
        super().connection_made(handler, transport)
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        # One machine may have as many IPv6 addresses as it likes.
        counted = source(address)
        self._addresses[handler] = counted
        self._count[counted] += 1
        if self._count[counted] > CONNECTIONS_AN_ADDRESS and not is_local(address):
            transport.abort()

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        """Uncount it. Of a lost transport the address can no longer be asked."""
        super().connection_lost(handler, exc)
        address = self._addresses.pop(handler, "")
        self._count[address] -= 1
        if self._count[address] <= 0:
            del self._count[address]


class _Runner(web.AppRunner):
    async def _make_server(self) -> web.Server:
        return _Server.adopt(await super()._make_server())


async def _running(app: web.Application) -> web.AppRunner:
    runner = _Runner(
        app,
        access_log=None,
        auto_decompress=False,
        keepalive_timeout=HEADER_S,
        lingering_time=LINGER_S,
        shutdown_timeout=STOP_S / 3,
        logger=log,
    )
    await runner.setup()
    return runner


def _factory(runner: web.AppRunner) -> Callable[[], asyncio.Protocol]:
    return cast("Callable[[], asyncio.Protocol]", runner.server)


class Door:
    """One port with its application, and the one for who speaks plain HTTP where TLS is expected."""

    def __init__(self, listener: "asyncio.Server | Greeter", *runners: web.AppRunner) -> None:
        """Made by `open`."""
        self._listener, self._runners = listener, runners

    @classmethod
    async def open(
        cls,
        app: web.Application,
        *,
        host: str | Sequence[str],
        port: int,
        context: ssl.SSLContext | None = None,
        plain: web.Application | None = None,
    ) -> "Door":
        """Listen on one address or on several; raises OSError when one cannot be had.

        Each takes only its own family: `::` takes no IPv4. `plain` answers who speaks plain HTTP on a
        port of TLS; on Windows, whose loop cannot look at what was not read yet, such a line is cut.
        """
        runners = [await _running(app)]
        try:
            if context is not None and plain is not None and sys.platform != "win32":
                runners.append(await _running(plain))
                sockets = listen([host] if isinstance(host, str) else host, port)
                tls, other = map(_factory, runners)
                return cls(Greeter(sockets, tls=tls, plain=other, context=context), *runners)
            listener = await asyncio.get_running_loop().create_server(
                _factory(runners[0]),
                host,
                port,
                ssl=context,
                ssl_handshake_timeout=HANDSHAKE_S if context is not None else None,
                backlog=BACKLOG,
            )
        except OSError:
            for runner in runners:
                await runner.cleanup()
            raise
        return cls(listener, *runners)

    @property
    def port(self) -> int:
        """The port that was taken."""
        if isinstance(self._listener, Greeter):
            return self._listener.port
        return int(self._listener.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Take no more connections, end those there are, and let the application clean up."""
        if isinstance(self._listener, Greeter):
            await self._listener.close()
        else:
            self._listener.close()
        for runner in self._runners:
            await runner.cleanup()
