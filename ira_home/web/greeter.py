"""One port for both: who speaks TLS gets the house, who speaks plain HTTP is told where to begin.

Browsers take an address that is typed without https:// for a plain one, and an answer of TLS to that is an
empty page for a person. The first byte tells the two apart, before anything of it is read.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
import ipaddress
import logging
import socket
import ssl

from ira_home.access.throttle import source
from ira_home.base.limits import CONNECTIONS_AN_ADDRESS
from ira_home.base.tasks import Tasks

log = logging.getLogger(__name__)
HANDSHAKE_S = 10.0
BACKLOG = 512
_TLS = 0x16  # a handshake; no method of HTTP begins with it
_BURST = 64  # connections taken at once, before everybody else has their turn
_AGAIN_S = 1.0  # the system has no descriptor left: others end meanwhile
Factory = Callable[[], asyncio.Protocol]


def is_local(address: str) -> bool:
    """Whether it is this machine itself."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Sockets that listen on a port of several addresses, each for its own family; raises OSError."""
    found: list[socket.socket] = []
    try:
        for host in hosts:
            is_six = ":" in host
            made = socket.socket(socket.AF_INET6 if is_six else socket.AF_INET, socket.SOCK_STREAM)
            found.append(made)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if is_six:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.bind((host, port))
            port = port or made.getsockname()[1]
            made.listen(BACKLOG)
            made.settimeout(0)
    except OSError:
        for one in found:
            one.close()
        raise
    return found


class Greeter:
    """Takes connections and hands each to the protocol that it speaks."""

    def __init__(
        self, listeners: Sequence[socket.socket], *, tls: Factory, plain: Factory, context: ssl.SSLContext
    ) -> None:  # fmt: skip
        """`listeners` are its own from now on."""
        self._listeners = list(listeners)
        self._tls, self._plain, self._context = tls, plain, context
        self._loop = asyncio.get_running_loop()
        self._silent: dict[socket.socket, tuple[str, asyncio.TimerHandle]] = {}
        self._count: Counter[str] = Counter()
        self._tasks = Tasks("greeter")
        for one in self._listeners:
            self._open(one)

    @property
    def port(self) -> int:
        """The port that was taken."""
        return int(self._listeners[0].getsockname()[1])

    async def close(self) -> None:
        """Take no more connections, and let go of those that have said nothing yet."""
        for one in self._listeners:
            self._loop.remove_reader(one)
            one.close()
        self._listeners.clear()
        for waiting in tuple(self._silent):
            self._forget(waiting)
            waiting.close()
        await self._tasks.close()

    def _open(self, listener: socket.socket) -> None:
        if listener in self._listeners:
            self._loop.add_reader(listener, self._take, listener)

    def _take(self, listener: socket.socket) -> None:
        for _ in range(_BURST):
            try:
                one, peer = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                log.warning("a connection could not be taken: %s", error.strerror)
                self._loop.remove_reader(listener)
                self._loop.call_later(_AGAIN_S, self._open, listener)
                return
            self._await_first(one, str(peer[0]))

    def _await_first(self, one: socket.socket, address: str) -> None:
        """Wait for the first byte; who says nothing is cut like who does not end a handshake."""
        one.settimeout(0)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # One machine may have as many IPv6 addresses as it likes.
        counted = source(address)
        if self._count[counted] >= CONNECTIONS_AN_ADDRESS and not is_local(address):
            one.close()
            return
        self._count[counted] += 1
        self._silent[one] = counted, self._loop.call_later(HANDSHAKE_S, self._cut, one)
        self._loop.add_reader(one, self._greet, one)

    def _forget(self, one: socket.socket) -> None:
        counted, timer = self._silent.pop(one)
        timer.cancel()
        self._loop.remove_reader(one)
        self._count[counted] -= 1
        if self._count[counted] <= 0:
            del self._count[counted]

    def _cut(self, one: socket.socket) -> None:
        self._forget(one)
        one.close()

    def _greet(self, one: socket.socket) -> None:
        try:
            first = one.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            first = b""
        self._forget(one)
        if not first:
            one.close()
            return
        _ = self._tasks.start(self._hand_over(one, is_tls=first[0] == _TLS), "hand over")

    async def _hand_over(self, one: socket.socket, *, is_tls: bool) -> None:
        try:
            if is_tls:
                await self._loop.connect_accepted_socket(
                    self._tls, one, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_S
                )
            else:
                await self._loop.connect_accepted_socket(self._plain, one)
        except OSError as error:
            # What a stranger sends is no fault of this server.
            log.debug("no line came of a connection: %s", type(error).__name__)
