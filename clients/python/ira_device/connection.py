"""One line to the server, from the handshake to the close; a new one is made each time."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
import logging
from typing import Final, assert_never

import aiohttp
from msgspec import UNSET

from ira_device.calls import Calls, Workbench
from ira_device.events import EventQueue
from ira_device.http import said
from ira_device.pace import Pace
from ira_device.reconnect import Ending
from ira_home.base.errors import ProtocolError
from ira_home.base.folder_errors import DataFolderError
from ira_home.base.limits import HELLO_S, PING_S, SILENCE_S, TOOLS_A_HELLO, TOOLS_BEFORE_WELCOME
from ira_home.base.tasks import Tasks
from ira_home.protocol.codec import decode, encode
from ira_home.protocol.frames import (
    Bye,
    Call,
    Error,
    Event,
    Frame,
    Hello,
    Ping,
    Pins,
    Pong,
    Result,
    Welcome,
)
from ira_home.protocol.versions import PV

log = logging.getLogger(__name__)

CLOSE_S: Final = 2.0  # a server that does not answer the goodbye is not waited for


@dataclass(frozen=True, slots=True)
class Offer:
    """What the device says of itself; the tools are on its workbench."""

    kind: str
    label: str
    version: str
    workbench: Workbench
    events: EventQueue

    def hello(self, max_tools: int) -> Hello:
        """The hello with the oldest tools that the server takes."""
        return Hello(
            kind=self.kind,
            label=self.label or UNSET,
            version=self.version or UNSET,
            pv=PV,
            tools=self.workbench.toolbox.oldest(max_tools),
        )


class Connection:
    """A connected device: hello, welcome, calls, events, keepalive, until the line ends."""

    def __init__(
        self,
        socket: aiohttp.ClientWebSocketResponse,
        offer: Offer,
        *,
        pace: Pace,
        welcomed: Callable[[Welcome], None],
        pinned: Callable[[Sequence[str]], None],
    ) -> None:
        """`welcomed` is told of the first welcome, when the device is ready for calls.

        `pinned` keeps the pins that the server has now, none when there is but its own; it may
        raise DataFolderError.
        """
        self._socket = socket
        self._offer = offer
        self._pace = pace
        self._welcomed = welcomed
        self._pinned = pinned
        self._tasks = Tasks("connection")
        self._calls = Calls(offer.workbench, self._send, pace)
        self._offered = 0
        self._welcome: Welcome | None = None
        self._heard_at = pace.clock.monotonic()
        self._error = ""
        self._code: int | None = None
        self._dead = asyncio.Event()
        self._pings = 0
        self._pongs = 0
        # The event under way: how many pongs prove it taken, and what its sender waits for.
        self._in_doubt: tuple[int, asyncio.Future[bool]] | None = None

    async def run(self) -> Ending:
        """Work until the line ends, and say how it did."""
        began = self._pace.clock.monotonic()
        try:
            await self._say_hello(TOOLS_BEFORE_WELCOME)
            _ = self._tasks.start(self._watch_welcome(), "welcome")
            _ = self._tasks.start(self._watch_silence(), "silence")
            _ = self._tasks.start(self._ping(), "ping")
            await self._listen_while_alive()
        finally:
            await self._tasks.close()
            await self._calls.close()
            await close_socket(self._socket)
        lasted = self._pace.clock.monotonic() - began if self._welcome else 0.0
        return self._ending(lasted)

    def _ending(self, lasted_s: float) -> Ending:
        if self._code is None:
            return Ending(None, self._error or "the line broke", lasted_s)
        words = self._error or f"the server closed the line ({self._code})"
        return Ending(self._code, words, lasted_s)

    async def _listen_while_alive(self) -> None:
        listening = self._tasks.start(self._listen(), "listen")
        dead = self._tasks.start(self._dead.wait(), "dead")
        await asyncio.wait({listening, dead}, return_when=asyncio.FIRST_COMPLETED)

    async def _listen(self) -> None:
        while True:
            message = await self._socket.receive()
            self._heard_at = self._pace.clock.monotonic()
            if message.type is aiohttp.WSMsgType.CLOSE:
                # The socket itself forgets the code when its own goodbye comes too late.
                self._code = message.data
            if message.type is not aiohttp.WSMsgType.TEXT:
                return
            try:
                frame = decode(message.data)
            except ProtocolError as error:
                # A newer server may say things that are not known here yet.
                log.debug("a frame was not understood: %s", said(error.message))
                continue
            try:
                await self._take(frame)
            except DataFolderError as error:
                # Without an answer: the server takes a pong behind its pins for "kept".
                self._error = error.message.rstrip(".")
                return

    async def _take(self, frame: Frame) -> None:
        match frame:
            case Call():
                self._calls.take(frame)
            case Welcome():
                await self._take_welcome(frame)
            case Error():
                self._take_error(frame)
            case Ping():
                await self._send(encode(Pong()))
            case Pong():
                self._pongs += 1
                if self._in_doubt is not None and self._pongs >= self._in_doubt[0]:
                    self._settle_event(taken=True)
            case Pins():
                self._pinned(frame.pins)
            case Event() | Hello() | Result() | Bye():
                pass  # silent-ok: not meant for this kind of device, or not for a device at all
            case _:
                assert_never(frame)

    async def _take_welcome(self, welcome: Welcome) -> None:
        is_first = self._welcome is None
        self._welcome = welcome
        self._pinned(() if welcome.pins is UNSET else welcome.pins)
        if is_first:
            _ = self._tasks.start(self._send_events(), "events")
            self._welcomed(welcome)
        maximum = TOOLS_BEFORE_WELCOME if welcome.max_tools is UNSET else welcome.max_tools
        wanted = min(maximum, TOOLS_A_HELLO, len(self._offer.workbench.toolbox))
        if wanted > self._offered:
            await self._say_hello(wanted)

    async def _say_hello(self, max_tools: int) -> None:
        self._offered = max_tools
        await self._send(encode(self._offer.hello(max_tools)))

    def _take_error(self, frame: Error) -> None:
        words = said(frame.error)
        if self._in_doubt is None:
            self._error = words
            log.warning("the server says: %s", words)
            return
        log.info("an event was not taken: %s", words)
        self._settle_event(taken=False)

    def _settle_event(self, *, taken: bool) -> None:
        if self._in_doubt is not None and not self._in_doubt[1].done():
            self._in_doubt[1].set_result(taken)
        self._in_doubt = None

    async def _send_events(self) -> None:
        """An event is taken when the ping sent right behind it is answered without an error between."""
        events = self._offer.events
        while True:
            event = await events.turn()
            events.sent()
            taken = asyncio.get_running_loop().create_future()
            self._in_doubt = (self._pings + 1, taken)
            await self._send(encode(event))
            await self._send_ping()
            if await taken:
                events.taken(event)
            else:
                events.refused(event)

    async def _ping(self) -> None:
        while True:
            await self._pace.sleep(PING_S)
            await self._send_ping()

    async def _send_ping(self) -> None:
        self._pings += 1
        await self._send(encode(Ping()))

    async def _watch_welcome(self) -> None:
        await self._pace.sleep(HELLO_S)
        if self._welcome is None:
            self._error = "the server did not say welcome"
            self._dead.set()

    async def _watch_silence(self) -> None:
        # Looked at more often than needed: after the computer has slept, the line is long dead.
        while True:
            await self._pace.sleep(PING_S / 2)
            if self._pace.clock.monotonic() - self._heard_at > SILENCE_S:
                self._error = "the server has fallen silent"
                self._dead.set()

    async def _send(self, text: str) -> None:
        # silent-ok: the line is ending, and only what is still read from it says why.
        with suppress(ConnectionError, aiohttp.ClientError, RuntimeError):
            await self._socket.send_str(text)


async def close_socket(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Say goodbye, without waiting for an answer for long."""
    with suppress(TimeoutError, ConnectionError, aiohttp.ClientError):
        await asyncio.wait_for(socket.close(), CLOSE_S)
