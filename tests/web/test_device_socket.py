"""The device's WebSocket: who gets one, what passes, and how it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import logging
import struct
from typing import Any

import aiohttp
from aiohttp import WSMsgType
import pytest

from ira_home.base.errors import TooMany
from ira_home.base.ids import DeviceId, PersonId
from ira_home.base.limits import FRAME_BYTES
from ira_home.devices.link import BinaryFrame, Link, LinkClosed
from ira_home.domain.devices import Device, DeviceKind
from ira_home.domain.people import Credential
from ira_home.web.device_socket import serve
from ira_home.web.routes import Needs, Route
from tests.support.clock import START
from tests.support.requirements import requirement
from tests.support.web import Site, site

PATH = "/v1/devices/ws"
DEVICE = Device(
    DeviceId(1), PersonId(7), DeviceKind.MAC, "Office Mac", START, None, "", frozenset(), frozenset(), ()
)  # fmt: skip


class EchoHub:
    """Says every text's length back; keeps the links."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self.ended = asyncio.Event()
        self.full = False

    def admit(self, _device: Device) -> None:
        if self.full:
            raise TooMany(retry_after_s=5)

    async def serve(self, link: Link, device: Device) -> None:
        assert device == DEVICE
        self.links.append(link)
        try:
            while True:
                await link.send(str(len((await link.receive()).encode())))
        except BinaryFrame:
            await link.close(1003, "text only")
        except LinkClosed:
            pass
        finally:
            self.ended.set()


class OneDevice:
    async def get(self, device_id: DeviceId) -> Device | None:
        return DEVICE if device_id == DEVICE.id else None


@asynccontextmanager
async def socket_site() -> AsyncIterator[tuple[Site, EchoHub]]:
    hub = EchoHub()
    routes = [Route("GET", PATH, serve, Needs.DEVICE_SOCKET)]
    async with site(routes, hub=hub, registry=OneDevice()) as at:
        yield at, hub


@asynccontextmanager
async def connected(at: Site, **more: Any) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    headers = at.with_token(Credential.DEVICE_TOKEN)
    async with at.http.ws_connect(at.base + PATH, headers=headers, max_msg_size=0, **more) as line:
        yield line


async def refusal(at: Site, path: str = PATH, headers: dict[str, str] | None = None) -> int:
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        await at.http.ws_connect(at.base + path, headers=headers)
    return caught.value.status


@requirement("token.ws", "token.header", "token.query")
async def test_a_device_token_opens_it_in_the_header_the_query_or_behind_the_subprotocol() -> None:
    async with socket_site() as (at, _hub):
        async with connected(at) as line:
            await line.send_str("hello")
            assert await line.receive_str(timeout=5) == "5"
        async with at.http.ws_connect(f"{at.base}{PATH}?token=token") as line:
            await line.send_str("hi")
            assert await line.receive_str(timeout=5) == "2"
        at.with_token(Credential.DEVICE_TOKEN, token="irad_page")
        offered = ("ira.device", "irad_page")
        async with at.http.ws_connect(at.base + PATH, protocols=offered) as line:
            assert line.protocol == "ira.device"  # the token is not said back
            await line.send_str("hey")
            assert await line.receive_str(timeout=5) == "3"


@requirement("token.ws.not_session", "token.ws.not_api")
async def test_nothing_else_opens_it_and_it_is_said_before_the_upgrade() -> None:
    async with socket_site() as (at, hub):
        at.with_token(Credential.DEVICE_TOKEN)
        assert await refusal(at) == 401
        assert await refusal(at, headers={"Authorization": "Bearer other"}) == 401
        assert await refusal(at, headers=at.signed_in()) == 403
        both = at.with_token(Credential.DEVICE_TOKEN)
        assert await refusal(at, f"{PATH}?token=token", headers=both) == 400
        assert await refusal(at, headers=at.with_token(Credential.API_TOKEN)) == 403
        assert await refusal(at, f"{PATH}?token=token") == 403
        assert hub.links == []


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1"])
async def test_a_foreign_page_does_not_open_it(origin: str) -> None:
    async with socket_site() as (at, _hub):
        headers = at.with_token(Credential.DEVICE_TOKEN) | {"Origin": origin}
        assert await refusal(at, headers=headers) == 403
        headers["Origin"] = at.origin
        async with at.http.ws_connect(at.base + PATH, headers=headers) as line:
            assert not line.closed


async def test_it_takes_a_websocket_only() -> None:
    async with socket_site() as (at, _hub):
        status, _headers, body = await at.call(
            "GET", PATH, headers=at.with_token(Credential.DEVICE_TOKEN)
        )
        assert (status, body["code"]) == (400, "bad_request")


async def test_a_full_hub_is_said_before_the_upgrade() -> None:
    async with socket_site() as (at, hub):
        hub.full = True
        assert await refusal(at, headers=at.with_token(Credential.DEVICE_TOKEN)) == 429


@requirement("limit.frame")
async def test_a_frame_of_exactly_the_bound_passes_in_one_piece_or_many() -> None:
    async with socket_site() as (at, _hub), connected(at) as line:
        await line.send_str("x" * FRAME_BYTES)
        assert await line.receive_str(timeout=5) == str(FRAME_BYTES)
        half = b"x" * (FRAME_BYTES // 2)
        await write_frame(line, 0x01, half)
        await write_frame(line, 0x80, half)
        assert await line.receive_str(timeout=5) == str(FRAME_BYTES)


async def write_frame(line: aiohttp.ClientWebSocketResponse, first: int, payload: bytes) -> None:
    """A raw client frame, masked with zeros."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 65536:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, size)
    connection = line._response.connection
    assert connection is not None
    assert connection.transport is not None
    connection.transport.write(head + b"\0\0\0\0" + payload)


@requirement("limit.frame")
async def test_one_byte_more_closes_1009_whatever_the_pieces() -> None:
    async with socket_site() as (at, _hub):
        async with connected(at) as line:
            await line.send_str("x" * (FRAME_BYTES + 1))
            assert await closed(line) == 1009
        async with connected(at) as line:
            await line.send_str("é" * (FRAME_BYTES // 2 + 1))
            assert await closed(line) == 1009
        async with connected(at) as line:
            await write_frame(line, 0x01, b"x" * FRAME_BYTES)
            await write_frame(line, 0x80, b"x")
            assert await closed(line) == 1009


async def closed(line: aiohttp.ClientWebSocketResponse) -> int | None:
    async with asyncio.timeout(5):
        while (await line.receive()).type is WSMsgType.TEXT:
            pass
    return line.close_code


@requirement("ws.json")
async def test_a_binary_frame_closes_1003() -> None:
    async with socket_site() as (at, _hub), connected(at) as line:
        await line.send_bytes(b'{"type":"ping"}')
        assert await closed(line) == 1003


@requirement("ws.json")
async def test_frames_are_not_packed() -> None:
    async with socket_site() as (at, _hub), connected(at, compress=15) as line:
        assert line.compress == 0


@pytest.mark.parametrize(
    ("first", "payload", "code"),
    [
        (0x81, b"\xff\xfe", 1007),
        (0xC1, b"rsv1", 1002),
        (0x83, b"reserved", 1002),
        (0x80, b"stray", 1002),
        (0x09, b"fragmented ping", 1002),
        (0x88, b"\x03", 1002),
        (0x88, struct.pack("!H", 1005), 1002),
    ],
)
async def test_a_frame_against_the_rules_closes_without_a_traceback(
    first: int, payload: bytes, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with socket_site() as (at, hub), connected(at) as line:
        await write_frame(line, first, payload)
        assert await closed(line) == code
        async with asyncio.timeout(5):
            await hub.ended.wait()
    assert [record for record in caplog.records if record.exc_info] == []


@requirement("limit.silence")
async def test_pings_of_the_websocket_itself_are_answered_and_never_seen() -> None:
    async with socket_site() as (at, _hub), connected(at, autoping=False) as line:
        await line.ping(b"there?")
        found = await line.receive(timeout=5)
        assert (found.type, bytes(found.data)) == (WSMsgType.PONG, b"there?")
        await line.send_str("x")
        assert await line.receive_str(timeout=5) == "1"


async def test_the_server_closes_with_its_code_while_it_listens() -> None:
    async with socket_site() as (at, hub), connected(at) as line:
        await line.send_str("x")
        await line.receive_str(timeout=5)
        closing = asyncio.gather(hub.links[0].close(4403, "revoked"))
        assert await closed(line) == 4403
        async with asyncio.timeout(5):
            await closing
            await hub.ended.wait()


async def test_a_mute_peer_is_cut_off_soon() -> None:
    async with socket_site() as (at, hub), connected(at) as line:
        await line.send_str("x")
        await line.receive_str(timeout=5)
        async with asyncio.timeout(3):
            await hub.links[0].close(1001, "bye")
            await hub.ended.wait()


async def test_a_cut_line_ends_the_device() -> None:
    async with socket_site() as (at, hub), connected(at) as line:
        await line.send_str("x")
        await line.receive_str(timeout=5)
        hub.links[0].abort()
        async with asyncio.timeout(5):
            await hub.ended.wait()
        with pytest.raises(LinkClosed):
            await hub.links[0].send("late")


async def test_the_address_is_the_peers_own() -> None:
    async with socket_site() as (at, hub):
        headers = at.with_token(Credential.DEVICE_TOKEN) | {"X-Forwarded-For": "203.0.113.9"}
        async with at.http.ws_connect(at.base + PATH, headers=headers) as line:
            await line.send_str("x")
            await line.receive_str(timeout=5)
            assert hub.links[0].address == "127.0.0.1"
