"""The server's side of pairing and of the device socket, over real TLS, as a test scripts it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
import ssl
from typing import Any

from aiohttp import WSMsgType, web

from ira_device.pinning import pin_of
from ira_home.base.jsontext import dump, parse
from ira_home.protocol.pairing_link import PairingLinkText
from tests.clients.authority import Authority

TOKEN = "irad_" + "t" * 43
CODE = "ABCDEFGH"
WELCOME = {
    "type": "welcome",
    "deviceId": 3,
    "label": "Lamp",
    "skills": ["lamp"],
    "assistant": "Ira",
    "wakePhrase": "Hey Ira",
    "maxTools": 40,
    "pv": 1,
}


class Line:
    """One connected device, seen from the server."""

    def __init__(self, socket: web.WebSocketResponse, authorization: str) -> None:
        self.authorization = authorization
        self._socket = socket
        self._frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.ended = asyncio.Event()

    async def listen(self) -> None:
        async for message in self._socket:
            assert message.type is WSMsgType.TEXT
            self._frames.put_nowait(parse(message.data))
        self.ended.set()

    async def frame(self, kind: str) -> dict[str, Any]:
        """The next frame, which must be of this type."""
        frame = await self._frames.get()
        assert frame["type"] == kind, frame
        return frame

    async def quiet(self) -> bool:
        """Whether nothing more has come, after a ping of ours was answered."""
        await self.say({"type": "ping"})
        return (await self._frames.get())["type"] == "pong" and self._frames.empty()

    def said_nothing(self) -> bool:
        """Whether no frame has come that was not taken."""
        return self._frames.empty()

    async def say(self, frame: dict[str, Any]) -> None:
        await self._socket.send_str(dump(frame))

    async def welcome(self, **more: Any) -> dict[str, Any]:
        """Take the hello and say welcome; the hello."""
        hello = await self.frame("hello")
        await self.say(WELCOME | more)
        return hello

    async def call(self, tool: str, args: dict[str, Any], call_id: str = "c1") -> None:
        await self.say({"type": "call", "id": call_id, "tool": tool, "args": args, "here": True})

    async def close(self, code: int) -> None:
        await self._socket.close(code=code)

    async def close_and_cut(self, code: int) -> None:
        """Say goodbye and hang up at once."""
        writer = self._socket._writer
        request = self._socket._req
        assert writer is not None
        assert request is not None
        assert request.transport is not None
        await writer.close(code)
        request.transport.close()

    def cut(self) -> None:
        """The network breaks, without a word."""
        request = self._socket._req
        assert request is not None
        assert request.transport is not None
        request.transport.abort()


class FakeHome:
    """A house: its CA, what it answers to a claim, and the devices that connect."""

    def __init__(self, authority: Authority, folder: Path, context: ssl.SSLContext) -> None:
        self.authority = authority
        self._folder, self._context = folder, context
        self.ca_crt = authority.der
        self.port = 0
        self.claims: list[Any] = []
        self.claim_answer: tuple[int, dict[str, Any], dict[str, str]] = (201, claimed(), {})
        self.refuse_socket: tuple[int, dict[str, str]] | None = None
        self._lines: asyncio.Queue[Line] = asyncio.Queue()

    def link(self, **changed: Any) -> PairingLinkText:
        said: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": self.port,
            "code": CODE,
            "fingerprint": pin_of(self.authority.certificate),
            "install_id": self.authority.install_id,
        }
        return PairingLinkText(**(said | changed))

    def become(self, authority: Authority) -> None:
        """Serve with a certificate of another authority from now on; open lines stay."""
        authority.show_in(self._context, self._folder)
        self.authority, self.ca_crt = authority, authority.der

    def met_nobody(self) -> bool:
        """Whether no device has shown a code or a token here."""
        return not self.claims and self._lines.empty()

    async def line(self) -> Line:
        """The next device that connects."""
        return await self._lines.get()

    def application(self) -> web.Application:
        application = web.Application()
        application.router.add_get("/ca.crt", self._ca)
        application.router.add_post("/v1/devices/pair", self._claim)
        application.router.add_get("/v1/devices/ws", self._socket)
        return application

    async def _ca(self, request: web.Request) -> web.Response:
        assert "Authorization" not in request.headers
        return web.Response(body=self.ca_crt, content_type="application/x-x509-ca-cert")

    async def _claim(self, request: web.Request) -> web.Response:
        self.claims.append(parse(await request.text()))
        status, body, headers = self.claim_answer
        return web.json_response(body, status=status, headers=headers)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if self.refuse_socket is not None:
            status, headers = self.refuse_socket
            return web.Response(status=status, headers=headers)
        socket = web.WebSocketResponse(compress=False, max_msg_size=2**20 + 1, timeout=0.5)
        await socket.prepare(request)
        line = Line(socket, request.headers.get("Authorization", ""))
        self._lines.put_nowait(line)
        await line.listen()
        return socket


def claimed(**changed: Any) -> dict[str, Any]:
    """What a claim is answered with."""
    return {
        "device_id": 3,
        "token": TOKEN,
        "kind": "linux",
        "label": "Lamp",
        "skills": ["lamp"],
        "name": "Ira",
        "websocket": "/v1/devices/ws",
    } | changed


@asynccontextmanager
async def open_home(
    folder: Path,
    *,
    authority: Authority | None = None,
    name: str | None = None,
    age: timedelta = timedelta(days=1),
) -> AsyncIterator[FakeHome]:
    """A house that listens on loopback.

    Its certificate says `name` instead of its own name, and began `age` ago, for 397 days.
    """
    authority = authority or Authority.make()
    context = authority.context(folder, name, age=age)
    home = FakeHome(authority, folder, context)
    runner = web.AppRunner(home.application(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    home.port = runner.addresses[0][1]
    try:
        yield home
    finally:
        await runner.cleanup()
