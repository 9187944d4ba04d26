"""The hub behind a real TLS WebSocket on loopback, and devices that come to it through one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
import json
from pathlib import Path
import ssl
from typing import Any

import aiohttp
from aiohttp import WSMsgType, web

from ira_home.domain.devices import Device
from ira_home.net.certificates import Authority
from ira_home.web.device_socket import SocketLink
from tests.support.device_house import DeviceHouse

WAIT_S = 5.0
_ENDS = {WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR}


class TlsDevice:
    """A device's end of a real line."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []

    async def say(self, frame: object) -> None:
        text = frame if isinstance(frame, str) else json.dumps(frame, separators=(",", ":"))
        await self.socket.send_str(text)

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next frame of that type."""
        async with asyncio.timeout(WAIT_S):
            while True:
                message = await self.socket.receive()
                assert message.type is WSMsgType.TEXT, f"{message}: {self.frames}"
                frame: dict[str, Any] = json.loads(message.data)
                self.frames.append(frame)
                if frame["type"] == kind:
                    return frame

    async def closed(self) -> int | None:
        """The close code, after whatever came before it."""
        async with asyncio.timeout(WAIT_S):
            while True:
                message = await self.socket.receive()
                if message.type is WSMsgType.CLOSE:
                    return int(message.data)
                if message.type in _ENDS:
                    return None


class TlsDoor:
    """A server whose only route is the device socket."""

    def __init__(self, house: DeviceHouse, authority: Authority) -> None:
        self._house = house
        self._trust = ssl.create_default_context(cadata=authority.ca_pem.decode())
        self._app = web.Application()
        self._app.router.add_get("/{device}", self._serve)
        self._context = authority.server_context()
        self.client = aiohttp.ClientSession()
        self.port = 0

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            timeout=0.8, max_msg_size=2**20 + 1, compress=False, autoping=True
        )
        device = await self._house.storage.devices.get(int(request.match_info["device"]))  # type: ignore[arg-type]
        assert device is not None
        await socket.prepare(request)
        await self._house.hub.serve(SocketLink(socket, request, request.remote or ""), device)
        return socket

    async def open(self, stack: AsyncExitStack) -> None:
        stack.push_async_callback(self.client.close)
        runner = web.AppRunner(self._app, shutdown_timeout=0.1)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=self._context)
        await site.start()
        self.port = runner.addresses[0][1]

    async def connect(self, device: Device) -> TlsDevice:
        url = f"wss://127.0.0.1:{self.port}/{device.id}"
        socket = await self.client.ws_connect(
            url, ssl=self._trust, max_msg_size=0, autoclose=True, timeout=aiohttp.ClientWSTimeout(ws_close=2)
        )  # fmt: skip
        made = TlsDevice(socket)
        await self._entered(device)
        return made

    async def _entered(self, device: Device) -> None:
        """The hub knows of the line just opened: a session without a hello."""
        for _ in range(1_000):
            found = self._house.hub._sessions.get(device.id)
            if found is not None and not found.greeted:
                return
            await asyncio.sleep(0.005)


@asynccontextmanager
async def open_tls_door(house: DeviceHouse, folder: Path) -> AsyncIterator[TlsDoor]:
    authority = Authority.open(
        folder,
        install_id="7f3a9c",
        clock=house.clock,
        addresses=["127.0.0.1"],
        hostname="localhost",
    )
    async with AsyncExitStack() as stack:
        door = TlsDoor(house, authority)
        await door.open(stack)
        stack.push_async_callback(house.hub.close_all)
        yield door
