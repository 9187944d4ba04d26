"""One connected device, from its first frame to its last: the rules of the wire, whatever carries it."""

import asyncio
from collections.abc import Mapping
import logging
from typing import Any, Protocol, cast

from msgspec import UNSET

from ira_home.base.clock import Clock
from ira_home.base.errors import DeviceAway, IraError, ProtocolError, ToolFailed
from ira_home.base.ids import CallId, mint
from ira_home.base.limits import (
    BAD_FRAMES_A_MINUTE,
    CALL_S,
    CALLS_IN_FLIGHT,
    CLOSE_S,
    HELLO_S,
    INLINE_CHARS,
    PING_S,
    SILENCE_S,
    STALL_S,
)
from ira_home.base.tasks import Tasks
from ira_home.devices.link import BinaryFrame, Link, LinkClosed
from ira_home.devices.outbox import Outbox, OutboxFull
from ira_home.devices.outcomes import CallLost, CallTimedOut, DeviceBusy, EventTooSoon
from ira_home.domain.devices import Device
from ira_home.protocol.close_codes import CloseCode
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

log = logging.getLogger(__name__)
_PING, _PONG = encode(Ping()), encode(Pong())
_MINUTE_S = 60.0


class Host(Protocol):
    """What a session asks of the house around it."""

    async def greet(self, session: "Session", frame: Hello) -> Welcome:
        """Take the hello; raises ProtocolError when it breaks a rule, NotFound when the device is gone."""
        ...

    async def heard_event(self, session: "Session", frame: Event) -> None:
        """Keep the event; raises ProtocolError for a bad one, EventTooSoon, or an error of the house."""
        ...

    async def heard_bye(self, session: "Session") -> None:
        """Revoke the device."""
        ...

    def heard_pins(self, session: "Session", pins: tuple[str, ...]) -> None:
        """The device has read these pins."""
        ...

    def due_sooner(self, session: "Session") -> None:
        """The session's `due` has moved forward."""
        ...

    def left(self, session: "Session") -> None:
        """The session has just ended; nothing more comes from it."""
        ...


class Session:
    """A device's one connection. Deadlines pass when `tick` is told the time; `due` says when that is next."""

    __slots__ = (
        "_bad",
        "_began",
        "_calls",
        "_clock",
        "_greeting",
        "_host",
        "_link",
        "_outbox",
        "_ping_at",
        "_pings",
        "_pongs",
        "_proof",
        "_tasks",
        "device",
        "due",
        "ended",
        "goodbye",
        "greeted",
        "heard_at",
    )

    def __init__(
        self, link: Link, device: Device, *, host: Host, clock: Clock, tasks: Tasks
    ) -> None:
        """Speak over `link` as the server to `device`, which its token has proved."""
        self.device = device
        self.greeted = False
        self.ended = False
        self.goodbye: asyncio.Task[None] | None = None
        self._link = link
        self._host = host
        self._clock = clock
        self._tasks = tasks
        self._outbox = Outbox(link, clock, tasks)
        self._calls: dict[str, tuple[asyncio.Future[Result], float]] = {}
        self._bad: list[float] = []
        self._greeting = False
        self._began = self.heard_at = clock.monotonic()
        self._ping_at = self._began + PING_S
        self._pings = self._pongs = 0
        self._proof: tuple[int, tuple[str, ...]] | None = None
        self.due = self._began + HELLO_S

    # --- the life of the line

    async def run(self) -> None:
        """Hear the device until the line ends, from whichever side."""
        try:
            while not self.ended:
                await self._hear(await self._link.receive())
        except BinaryFrame:
            self.end(CloseCode.NOT_TEXT, "frames are JSON text")
        except LinkClosed:
            pass
        except Exception:
            # A boundary: a fault of the server must not look like one of the device, nor hurt others.
            log.exception("the session of device %d failed", self.device.id)
            self.end(CloseCode.BROKEN, "the server failed")
        finally:
            self.end(None)
        if self.goodbye is not None:
            await asyncio.wait((self.goodbye,))

    def end(self, code: CloseCode | None, reason: str = "") -> None:
        """End now: calls in flight fail, nothing is taken any more. Never waits for the device.

        The code is said in the background and the line cut if that takes long; without one the line
        is taken to be over already.
        """
        if self.ended:
            return
        self.ended = True
        for future, _ in self._calls.values():
            if not future.done():
                future.set_exception(CallLost())
        self._calls.clear()
        self._host.left(self)
        if code is not None:
            self.goodbye = self._tasks.start(self._goodbye(code, reason), "goodbye")

    async def _goodbye(self, code: CloseCode, reason: str) -> None:
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._outbox.flush()
                await self._link.close(code, reason)
        except (TimeoutError, LinkClosed):
            self._link.abort()

    # --- what the device sends

    async def _hear(self, text: str) -> None:
        if self.ended:
            return
        self.heard_at = self._clock.monotonic()
        try:
            short = len(text) <= INLINE_CHARS
            frame = decode(text) if short else await asyncio.to_thread(decode, text)
        except ProtocolError as error:
            await self._refuse(error)
        else:
            await self._take(frame)

    async def _take(self, frame: Frame) -> None:
        if isinstance(frame, Hello):
            await self._greet(frame)
        elif isinstance(frame, Bye):
            await self._host.heard_bye(self)
        elif not self.greeted:
            await self._refuse_hello("The first frame is a hello.")
        elif isinstance(frame, Result):
            self._result(frame)
        elif isinstance(frame, Ping):
            await self._send(_PONG)
        elif isinstance(frame, Event):
            await self._event(frame)
        elif isinstance(frame, Pong):
            self._pong()
        else:
            await self._refuse(ProtocolError("Only the server sends frames of this type."))

    async def _greet(self, frame: Hello) -> None:
        self._greeting = True
        try:
            welcome = await self._host.greet(self, frame)
        except ProtocolError as error:
            await self._refuse_hello(error.message)
            return
        except IraError as error:
            await self._send(encode(Error(error=error.message)))
            self.end(CloseCode.TRY_LATER, "the hello could not be taken now")
            return
        finally:
            self._greeting = False
        if not self.ended:
            self.greeted = True
            await self._send(encode(welcome))
            if welcome.pins is not UNSET:
                self._await_proof(tuple(welcome.pins))

    async def _event(self, frame: Event) -> None:
        try:
            await self._host.heard_event(self, frame)
        except EventTooSoon as error:
            await self._send(encode(Error(error=error.message)))
        except ProtocolError as error:
            await self._refuse(error)
        except IraError as error:
            await self._send(encode(Error(error=error.message)))

    def _pong(self) -> None:
        self._pongs = min(self._pongs + 1, self._pings)
        if self._proof is not None and self._pongs >= self._proof[0]:
            _, pins = self._proof
            self._proof = None
            self._host.heard_pins(self, pins)

    def _result(self, frame: Result) -> None:
        """One that is late, answered already or of no call is dropped without a word (decided 15)."""
        future, _ = self._calls.pop(frame.id, (None, 0.0))
        if future is not None and not future.done():
            future.set_result(frame)

    async def _refuse(self, error: ProtocolError) -> None:
        if not self.greeted or error.details.get("frame") == "hello":
            await self._refuse_hello(error.message)
            return
        now = self._clock.monotonic()
        self._bad = [at for at in self._bad if now - at < _MINUTE_S]
        self._bad.append(now)
        await self._send(encode(Error(error=error.message)))
        if len(self._bad) >= BAD_FRAMES_A_MINUTE:
            self.end(CloseCode.POLICY, "too many bad frames")

    async def _refuse_hello(self, reason: str) -> None:
        await self._send(encode(Error(error=reason)))
        self.end(CloseCode.BAD_HELLO, "the hello breaks a rule")

    # --- what the server sends

    async def call(self, tool: str, args: Mapping[str, Any], *, here: bool) -> Any:
        """Call a tool of the device and wait for its content.

        Raises DeviceAway, DeviceBusy (nothing was sent then), ToolFailed with the device's own
        words, which are untrusted, CallTimedOut, and CallLost when the line ends meanwhile. When
        the caller is cancelled, the call keeps its place until the device has answered.
        """
        if not self.greeted or self.ended:
            raise DeviceAway
        if len(self._calls) >= CALLS_IN_FLIGHT:
            raise DeviceBusy
        call_id = CallId(mint())
        text = _call_text(Call(id=call_id, tool=tool, args=cast("dict[str, Any]", args), here=here))
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        deadline = self._clock.monotonic() + CALL_S
        self._calls[call_id] = (future, deadline)
        if deadline < self.due:
            self.due = deadline
            self._host.due_sooner(self)
        try:
            await self._send(text)
            return _content_of(await future)
        finally:
            _let_go(future)

    def tell_pins(self, pins: tuple[str, ...]) -> None:
        """Tell the device by which pins the server is known; `heard_pins` says when it has read them."""
        if self.greeted:
            self.post(encode(Pins(pins=list(pins))))
            self._await_proof(pins)

    def _await_proof(self, pins: tuple[str, ...]) -> None:
        """Frames are read in order: who answers a ping has read what was sent before it."""
        self._send_ping()
        self._proof = (self._pings, pins)

    def _send_ping(self) -> None:
        self._pings += 1
        self.post(_PING)

    def post(self, text: str) -> None:
        """Send a frame without waiting for the device."""
        if self.ended:
            return
        try:
            self._outbox.post(text)
        except OutboxFull:
            self.end(CloseCode.POLICY, "this device does not read")

    async def _send(self, text: str) -> None:
        if self.ended:
            return
        try:
            await self._outbox.send(text)
        except OutboxFull:
            self.end(CloseCode.POLICY, "this device does not read")
        except LinkClosed:
            self.end(None)
            # Whoever receives should hear of it too. Not at once: the transport may be saying why.
            asyncio.get_running_loop().call_later(CLOSE_S, self._link.abort)

    # --- time

    def tick(self, now: float) -> None:
        """Let every deadline up to `now` (the clock's monotonic time) pass, and set `due` anew."""
        if self.ended:
            return
        if not self.greeted and not self._greeting and now - self._began >= HELLO_S:
            self.end(CloseCode.SILENT, "no hello in time")
        elif self.greeted and now - self.heard_at >= SILENCE_S:
            self.end(CloseCode.SILENT, "nothing heard for too long")
        elif self._is_stalled(now):
            self.end(CloseCode.POLICY, "this device does not read")
        else:
            self._time_out(now)
            self._ping(now)
            self.due = self._next(now)

    def _is_stalled(self, now: float) -> bool:
        since = self._outbox.handing_since
        return since is not None and now - since >= STALL_S

    def _time_out(self, now: float) -> None:
        for call_id, (future, deadline) in tuple(self._calls.items()):
            if deadline <= now:
                del self._calls[call_id]
                if not future.done():
                    future.set_exception(CallTimedOut())

    def _ping(self, now: float) -> None:
        if now < self._ping_at:
            return
        self._ping_at += PING_S
        if self._ping_at <= now:
            self._ping_at = now + PING_S  # the machine slept
        if self.greeted:
            self._send_ping()

    def _next(self, now: float) -> float:
        times = [self._ping_at, *(deadline for _, deadline in self._calls.values())]
        if self.greeted:
            times.append(self.heard_at + SILENCE_S)
        else:
            # While a hello is being taken there is nothing to wait for but that.
            times.append(max(self._began + HELLO_S, now + 1.0))
        if self._outbox.handing_since is not None:
            times.append(self._outbox.handing_since + STALL_S)
        return min(times)


def _let_go(future: asyncio.Future[Result]) -> None:
    """Nobody waits any more: what comes later, or came unseen, is nobody's."""
    if not future.cancel() and not future.cancelled():
        future.exception()


def _call_text(frame: Call) -> str:
    try:
        return encode(frame)
    except ProtocolError as error:
        raise ToolFailed(error.message) from None


def _content_of(frame: Result) -> Any:
    if frame.ok:
        return frame.content
    said = "" if frame.error is UNSET else frame.error
    raise ToolFailed(said or "The device said that it did not work.")
