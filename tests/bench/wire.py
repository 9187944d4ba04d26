"""Raw devices: WebSockets that speak the device protocol by hand and answer every call at once."""

import asyncio
from collections.abc import Mapping, Sequence
import json
from pathlib import Path
import ssl
from typing import Any

import aiohttp
from aiohttp import WSMsgType

WAIT_S = 60.0
CA_FILE = "pki/ca.crt.pem"
TOOL = "lamp_colour"
ARGUMENTS = {"room": "kitchen", "words": "x" * 180}  # makes a call frame of about 300 bytes
_PING_S = 30.0
_PING, _PONG = '{"type":"ping"}', '{"type":"pong"}'
_MARK = '"id":"'
_ANSWER = (
    '{"type":"result","id":"%s","ok":true,"content":{"summary":"The lamp in the kitchen is red.","text":"'
    + "x" * 160
    + '"}}'
)


def trust_of(folder: Path) -> ssl.SSLContext:
    """What trusts the authority in a folder and nothing else."""
    return ssl.create_default_context(cafile=str(folder / CA_FILE))


def _tool(name: str, description: str, **properties: str) -> dict[str, Any]:
    shapes = {key: {"type": "string", "description": words} for key, words in properties.items()}
    return {
        "name": name,
        "description": description,
        "parameters": {"type": "object", "properties": shapes},
        "tier": 0,
    }


# As many and as long as a desktop's.
TOOLS = [
    _tool(
        TOOL,
        "Tell which colour the lamp in a room has now.",
        room="Which room: kitchen, hall or study",
        words="Anything else that the person said of it",
    ),
    _tool(
        "lamp_list",
        "List the lamps of this house with their rooms.",
        room="Only lamps of this room",
    ),
    _tool(
        "files_find",
        "Find files in the shared folders by their name or by words in them.",
        query="Words of the name or the text",
        folder="Only in this folder",
        kind="Only files of this kind, such as pdf",
    ),
    _tool("files_read", "Read the text of one file.", path="The file, as files_find names it"),
    _tool("files_recent", "List the files that were changed last.", folder="Only in this folder"),
    _tool("screen_read", "Read what the window in front shows.", window="The title of the window"),
    _tool("music_playing", "Tell what is playing.", player="Which player"),
    _tool("power_state", "Tell how full the battery is.", battery="Which battery"),
]
SKILLS = sorted({tool["name"].partition("_")[0] for tool in TOOLS})


class RawDevice:
    """One device's line."""

    def __init__(
        self, session: aiohttp.ClientSession, url: str, headers: Mapping[str, str]
    ) -> None:
        """Not connected."""
        self._session, self._url, self._headers = session, url, headers
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._pinging: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Connect, say hello and be welcomed; calls are answered from then on."""
        socket = await self._session.ws_connect(self._url, headers=self._headers, compress=0)
        hello = {"type": "hello", "kind": "linux", "label": "x", "version": "1", "tools": TOOLS}
        await socket.send_str(json.dumps(hello))
        welcome = await socket.receive_str()
        assert '"welcome"' in welcome, welcome
        self._socket = socket
        self._hearing = asyncio.create_task(self._hear(socket))
        self._pinging = asyncio.create_task(self._ping(socket))

    async def _hear(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        while (message := await socket.receive()).type is WSMsgType.TEXT:
            text = message.data
            at = text.find(_MARK)
            if at >= 0:
                start = at + len(_MARK)
                await socket.send_str(_ANSWER % text[start : text.index('"', start)])
            elif text == _PING:
                await socket.send_str(_PONG)

    async def _ping(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        while True:
            await asyncio.sleep(_PING_S)
            await socket.send_str(_PING)

    async def close(self) -> None:
        """Close the line."""
        if self._pinging is not None:
            self._pinging.cancel()
        if self._socket is not None:
            await self._socket.close()
        if self._hearing is not None:
            await asyncio.wait((self._hearing,))


class Devices:
    """Devices that connect to one server."""

    def __init__(
        self, folder: Path, port: int, tokens: Sequence[str], *, through: int | None = None
    ) -> None:
        """`port` is the server's; the way there leads `through` another one."""
        self._trust, self._tokens = trust_of(folder), tokens
        self._host = f"127.0.0.1:{port}"
        self._url = f"wss://127.0.0.1:{through or port}/v1/devices/ws"
        self._session: aiohttp.ClientSession | None = None
        self._devices: list[RawDevice] = []

    async def open(self, at_once: int = 8) -> None:
        """Connect all, so many at once."""
        connector = aiohttp.TCPConnector(ssl=self._trust, limit=0)
        self._session = session = aiohttp.ClientSession(connector=connector)
        self._devices = [
            RawDevice(session, self._url, {"Host": self._host, "Authorization": f"Bearer {token}"})
            for token in self._tokens
        ]
        await self._all("connect", at_once)

    async def close(self, at_once: int = 64) -> None:
        """Close all."""
        await self._all("close", at_once)
        if self._session is not None:
            await self._session.close()

    async def _all(self, verb: str, at_once: int) -> None:
        waiting = list(self._devices)

        async def some() -> None:
            while waiting:
                await getattr(waiting.pop(), verb)()

        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*(some() for _ in range(at_once)))
