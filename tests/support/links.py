"""A device's end of an in-memory line to the hub: it can say anything and records what it hears."""

import asyncio
import json
from typing import Any

from ira_home.devices.link import BinaryFrame, LinkClosed

_GONE = object()
_BINARY = object()
WAIT_S = 3.0


class MemoryLink:
    """The server's end is the Link itself; `say`, `hear` and `closed` are the device's."""

    def __init__(self, address: str = "192.168.1.34") -> None:
        self.address = address
        self.frames: list[dict[str, Any]] = []
        self.close_code: int | None = None
        self.aborted = False
        self.reads = asyncio.Event()  # cleared: the device does not read
        self.reads.set()
        self.mute = False  # True: the device does not answer a close
        self._to_server: asyncio.Queue[object] = asyncio.Queue()
        self._changed = asyncio.Event()
        self._gone = asyncio.Event()
        self._heard = 0

    # --- the server's end

    async def send(self, text: str) -> None:
        if self._gone.is_set():
            raise LinkClosed
        if not self.reads.is_set():
            await self._reading_again()
        self.frames.append(json.loads(text))
        self._changed.set()

    async def _reading_again(self) -> None:
        async with asyncio.TaskGroup() as group:
            waits = [group.create_task(self.reads.wait()), group.create_task(self._gone.wait())]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
        if self._gone.is_set():
            raise LinkClosed

    async def receive(self) -> str:
        if self._gone.is_set() and self._to_server.empty():
            raise LinkClosed
        got = await self._to_server.get()
        if got is _GONE:
            raise LinkClosed
        if got is _BINARY:
            raise BinaryFrame
        assert isinstance(got, str)
        return got

    async def close(self, code: int, reason: str) -> None:
        if not self.reads.is_set():
            await self._reading_again()
        if self.close_code is None and not self._gone.is_set():
            self.close_code = code
        if self.mute:
            await self._gone.wait()
        self.drop()

    def abort(self) -> None:
        self.aborted = True
        self.drop()

    # --- the device's end

    def say(self, frame: object) -> None:
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self._to_server.put_nowait(text)

    def say_binary(self) -> None:
        self._to_server.put_nowait(_BINARY)

    def drop(self) -> None:
        """The line breaks, from whichever end."""
        self._gone.set()
        self._to_server.put_nowait(_GONE)
        self._changed.set()

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next frame of that type; those before it count as heard."""
        async with asyncio.timeout(WAIT_S):
            while True:
                for index in range(self._heard, len(self.frames)):
                    if self.frames[index]["type"] == kind:
                        self._heard = index + 1
                        return self.frames[index]
                assert not self._gone.is_set(), f"closed with {self.close_code}: {self.frames}"
                self._changed.clear()
                await self._changed.wait()

    async def settled(self) -> None:
        """Everything said so far has been taken: a ping after it has its pong."""
        self.say({"type": "ping"})
        await self.hear("pong")

    async def closed(self) -> int | None:
        """The close code, or None when the line was cut without one."""
        async with asyncio.timeout(WAIT_S):
            await self._gone.wait()
        return self.close_code

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["type"] == kind]
