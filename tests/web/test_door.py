"""The listener: requests that cannot be parsed, slow ones, odd ones, and clients that vanish."""

import asyncio
from contextlib import suppress
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from aiohttp import web
import pytest

from ira_home.web import door
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from tests.support.home import open_home
from tests.support.streams import dialled
from tests.support.web import Site, site


async def hello(_call: Call) -> dict[str, str]:
    return {"hello": "house"}


HELLO = Route("GET", "/hello", hello, Needs.OPEN)


async def said(at: Site, raw: bytes) -> bytes:
    """What the server sends for raw bytes until it closes."""
    async with asyncio.timeout(5), dialled(at.port) as (reader, writer):
        writer.write(raw)
        return await reader.read()


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: +5\r\n\r\nhello",
        b"POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        b"POST /h HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n",
        b"GET /hello HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"NONSENSE\r\n\r\n",
    ],
)
async def test_an_unreadable_request_gets_one_problem_and_one_quiet_line(
    raw: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with site([HELLO]) as at:
        found = await said(at, raw)
    head = found.partition(b"\r\n\r\n")[0].decode().lower()
    assert found.count(b"HTTP/1.") == 1
    assert head.split(" ")[1] == "400"
    assert "application/problem+json" in head
    assert "content-security-policy:" in head
    assert "aiohttp" not in head
    assert [record for record in caplog.records if record.exc_info] == []


async def test_a_connection_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "HEADER_S", 0.2)
    async with site([HELLO]) as at:
        assert await said(at, b"") == b""


async def test_a_head_that_dribbles_in_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "HEADER_S", 0.2)
    async with site([HELLO]) as at:
        assert await said(at, b"GET /hello HTTP/1.1\r\nHost: loc") == b""


async def test_an_unexpected_error_is_internal_and_logged_once_with_its_stack(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def broken(_call: Call) -> None:
        text = "the secret of the house"
        raise ValueError(text)

    async with site([Route("GET", "/broken", broken, Needs.OPEN)]) as at:
        status, headers, body = await at.call("GET", "/broken")
    assert (status, body["code"]) == (500, "internal")
    assert "secret" not in str(body)
    assert headers["Content-Type"] == "application/problem+json"
    assert len([record for record in caplog.records if record.exc_info]) == 1


async def test_a_client_that_hangs_up_is_noticed() -> None:
    gone = asyncio.Event()

    async def wait(call: Call) -> web.Response:
        door.when_lost(call.request, gone.set)
        await gone.wait()
        return web.Response()

    async with site([Route("GET", "/wait", wait, Needs.OPEN)]) as at:
        async with dialled(at.port) as (_reader, writer):
            writer.write(f"GET /wait HTTP/1.1\r\nHost: 127.0.0.1:{at.port}\r\n\r\n".encode())
            await writer.drain()
            async with at.http.get(at.base + "/nothing") as reply:
                assert reply.status == 404
        async with asyncio.timeout(5):
            await gone.wait()


async def test_one_address_of_the_network_gets_only_so_many_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(door, "CONNECTIONS_AN_ADDRESS", 2)
    monkeypatch.setattr(door, "is_local", lambda _address: False)
    async with (
        site([HELLO]) as at,
        dialled(at.port),
        dialled(at.port),
        dialled(at.port) as (third, _writer),
        asyncio.timeout(5),
    ):
        with suppress(ConnectionResetError):
            assert await third.read() == b""


async def test_a_taken_port_is_an_os_error() -> None:
    async with site([HELLO]) as at:
        with pytest.raises(OSError, match="address already in use"):
            await door.Door.open(web.Application(), host="127.0.0.1", port=at.port)


class Line(asyncio.Transport):
    """A connection from an address that this machine cannot have."""

    def __init__(self, peer: str) -> None:
        super().__init__({"peername": (peer, 50_000, 0, 0)})
        self.is_cut = False

    def abort(self) -> None:
        self.is_cut = True


async def test_the_many_ipv6_addresses_of_one_machine_are_counted_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(door, "CONNECTIONS_AN_ADDRESS", 2)
    runner = door._Runner(web.Application())
    await runner.setup()
    server = runner.server
    assert isinstance(server, door._Server)
    cut = []
    for peer in ("fd00::1", "fd00::2", "fd00::3", "fd00:0:0:1::1", "::1", "::1", "::1"):
        line = Line(peer)
        server.connection_made(server(), line)
        cut.append(line.is_cut)
    assert cut == [False, False, True, False, False, False, False]
    await runner.cleanup()


@pytest.mark.parametrize("times", [0, 1, 2])
async def test_a_line_that_is_closed_already_is_looked_at_without_a_fault(
    tmp_path: Path, times: int
) -> None:
    async with open_home(tmp_path) as home:
        port = home.services.addresses.https_port
        async with dialled(port, ssl=home.trust) as (_reader, writer):
            for _ in range(times):
                writer.transport.close()
            door.cut_if_stuck(cast("web.BaseRequest", SimpleNamespace(transport=writer.transport)))
            assert writer.transport.is_closing() is bool(times)
