"""People and devices at the door of a running home: real HTTP, real TLS, real WebSockets."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
import ssl
from typing import Any, TypeVar

import aiohttp
from aiohttp import WSMsgType

from ira_home.base.limits import HEADER_S
from ira_home.domain.people import Person
from ira_home.web.guard import COOKIE

WAIT_S = 8.0
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; `body` is its JSON, or None."""

    status: int
    headers: Mapping[str, str]
    text: str
    body: Any


@dataclass(frozen=True, slots=True)
class Told:
    """One server-sent event with its data as JSON."""

    event: str
    data: Any
    id: str | None


class Caller:
    """Somebody at the door with at most one credential.

    `patience_s` is how long an answer may take before it counts as none.
    """

    patience_s = WAIT_S * 4

    def __init__(
        self, base: str, trust: ssl.SSLContext, *, cookie: str = "", bearer: str = ""
    ) -> None:
        self.base, self.trust, self.cookie, self.bearer = base, trust, cookie, bearer
        self._http: aiohttp.ClientSession | None = None

    @property
    def http(self) -> aiohttp.ClientSession:
        if self._http is None:
            # A connection that the server is about to close must not be asked on.
            self._http = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    ssl=self.trust, limit=0, keepalive_timeout=HEADER_S / 2
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._http

    def headers(self, method: str = "GET") -> dict[str, str]:
        """What goes with every request of this caller, as a browser or a program would send it."""
        found: dict[str, str] = {}
        if self.cookie:
            found["Cookie"] = f"{COOKIE}={self.cookie}"
            if method != "GET":
                found |= {"Origin": self.base, "Sec-Fetch-Site": "same-origin"}
        if self.bearer:
            found["Authorization"] = f"Bearer {self.bearer}"
        return found

    async def call(
        self, method: str, path: str, body: Any = None, *, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """One request; `body` is sent as JSON, bytes as they are."""
        sent = self.headers(method) | dict(headers or {})
        more: dict[str, Any] = {}
        if isinstance(body, bytes):
            more["data"] = body
        elif body is not None:
            more["json"] = body
        async with (
            asyncio.timeout(self.patience_s),
            self.http.request(
                method, self.base + path, headers=sent, allow_redirects=False, **more
            ) as reply,
        ):
            if "event-stream" in reply.headers.get("Content-Type", ""):
                return Reply(reply.status, reply.headers, "", None)
            text = (await reply.read()).decode(errors="replace")
        is_json = "json" in reply.headers.get("Content-Type", "")
        return Reply(reply.status, reply.headers, text, json.loads(text) if is_json else None)

    async def ask(self, text: str, conversation_id: int | None = None) -> Reply:
        """POST /v1/ask."""
        body = {"text": text} | (
            {} if conversation_id is None else {"conversation_id": conversation_id}
        )
        return await self.call("POST", "/v1/ask", body)

    async def confirm(self, proposal: Mapping[str, Any], pin: str | None = None) -> Reply:
        """Say yes on a proposal's card."""
        body = {"digest": proposal["digest"]} | ({} if pin is None else {"pin": pin})
        return await self.call("POST", f"/v1/actions/{proposal['id']}/confirm", body)

    @asynccontextmanager
    async def stream(
        self,
        path: str = "/v1/me/events/stream",
        *,
        method: str = "GET",
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator["Stream"]:
        """Server-sent events, as they come."""
        sent = self.headers(method) | dict(headers or {})
        more = {} if body is None else {"json": body}
        async with self.http.request(method, self.base + path, headers=sent, **more) as reply:
            assert reply.status == 200, f"{reply.status} {await reply.text()}"
            yield Stream(reply)

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()


class Stream:
    """An open event stream."""

    def __init__(self, reply: aiohttp.ClientResponse) -> None:
        self._reply = reply

    async def next(self) -> Told | None:
        """The next event, heartbeats left out; None at the end."""
        async with asyncio.timeout(WAIT_S):
            while True:
                try:
                    block = (await self._reply.content.readuntil(b"\n\n")).decode()
                except asyncio.IncompleteReadError:
                    return None
                if not block:
                    return None
                if not block.startswith(":"):
                    return _told(block)

    async def until(self, wanted: Callable[[Told], bool]) -> Told:
        """The next event that is wanted; the others are passed over."""
        while (told := await self.next()) is not None:
            if wanted(told):
                return told
        message = "the stream ended"
        raise AssertionError(message)


def _told(block: str) -> Told:
    fields: dict[str, str] = {}
    for line in block.strip().split("\n"):
        name, _, value = line.partition(": ")
        fields[name] = value
    return Told(fields["event"], json.loads(fields["data"]), fields.get("id"))


class Member(Caller):
    """A signed-in person of the house."""

    def __init__(
        self, base: str, trust: ssl.SSLContext, person: Person, *, cookie: str, pin: str
    ) -> None:
        super().__init__(base, trust, cookie=cookie)
        self.person, self.pin = person, pin

    async def pair(
        self, kind: str = "mac", label: str = "Office Mac", skills: tuple[str, ...] = ()
    ) -> "DeviceLine":
        """A device of this person, paired by its code and not connected yet."""
        wish = {"kind": kind, "label": label, "skills": list(skills), "pin": self.pin}
        made = await self.call("POST", "/v1/me/pairings", wish)
        assert made.status == 201, made
        stranger = Caller(self.base, self.trust)
        try:
            claim = {"code": made.body["code"], "kind": kind}
            claimed = await stranger.call("POST", "/v1/devices/pair", claim)
        finally:
            await stranger.close()
        assert claimed.status == 201, claimed
        found = claimed.body
        return DeviceLine(
            self.base, self.trust, token=found["token"], number=found["device_id"], kind=kind
        )

    async def online(
        self,
        tools: Sequence[Mapping[str, Any]],
        *,
        kind: str = "mac",
        label: str = "Office Mac",
        skills: tuple[str, ...] | None = None,
    ) -> "DeviceLine":
        """A connected device that said hello with these tools, their skills switched on."""
        known = {tool.get("skill", tool["name"].partition("_")[0]) for tool in tools}
        device = await self.pair(kind, label, tuple(sorted(known)) if skills is None else skills)
        await device.connect()
        await device.hello(tools)
        return device


@dataclass
class DeviceLine:
    """A program that is somebody's device; it answers calls of `answers` by itself."""

    base: str
    trust: ssl.SSLContext
    token: str
    number: int
    kind: str
    frames: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.caller = Caller(self.base, self.trust, bearer=self.token)
        self.line: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None
        self.close_code: int | None = None

    async def connect(self) -> None:
        """Open the WebSocket."""
        self.close_code = None
        headers = self.caller.headers()
        self.line = await self.caller.http.ws_connect(
            self.base + "/v1/devices/ws", headers=headers, max_msg_size=0
        )
        self._reader = asyncio.create_task(self._read(self.line))

    async def _read(self, line: aiohttp.ClientWebSocketResponse) -> None:
        while (message := await line.receive()).type is WSMsgType.TEXT:
            frame = json.loads(message.data)
            self.frames.append(frame)
            if frame["type"] == "ping":
                await self.send({"type": "pong"})
            if frame["type"] == "call":
                self.calls.append(frame)
                await self._answer(frame)
            self._news.set()
        self.close_code = line.close_code or 1006
        self._news.set()

    async def _answer(self, frame: Mapping[str, Any]) -> None:
        if frame["tool"] in self.answers:
            await self.answer(frame, self.answers[frame["tool"]])

    async def answer(self, frame: Mapping[str, Any], content: Any) -> None:
        """Send the result of a call; an Exception is an error."""
        result = {"type": "result", "id": frame["id"], "ok": not isinstance(content, Exception)}
        result |= {"content": content} if result["ok"] else {"error": str(content)}
        await self.send(result)

    async def send(self, frame: Any) -> None:
        """Send a frame; a str goes as it is."""
        assert self.line is not None
        text = frame if isinstance(frame, str) else json.dumps(frame)
        await self.line.send_str(text)

    async def hello(self, tools: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
        """Say hello and be welcomed."""
        frame = {"type": "hello", "kind": self.kind, "label": "x", "version": "1", "tools": tools}
        seen = len(self.frames)
        await self.send(frame | more)
        return await self.wait("welcome", since=seen)

    async def wait(self, kind: str, *, since: int = 0) -> dict[str, Any]:
        """The first frame of a type after the first `since` ones."""

        def found() -> dict[str, Any] | None:
            return next((f for f in self.frames[since:] if f["type"] == kind), None)

        return await self._until(found, f"no {kind}: {self.frames[since:]}")

    async def wait_calls(self, count: int = 1) -> list[dict[str, Any]]:
        """All calls, once there are so many."""
        wanted = f"{len(self.calls)} of {count} calls"
        return await self._until(lambda: self.calls if len(self.calls) >= count else None, wanted)

    async def closed(self) -> int:
        """The close code, once the server has closed the line."""
        return await self._until(lambda: self.close_code, "not closed")

    async def _until(self, found: Callable[[], Found | None], why: str) -> Found:
        try:
            async with asyncio.timeout(WAIT_S):
                while (value := found()) is None:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(why) from None
        return value

    async def hang_up(self) -> None:
        """Close the line and the client."""
        if self.line is not None:
            await self.line.close()
        if self._reader is not None:
            await self._reader
        await self.caller.close()
