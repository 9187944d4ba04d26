"""One port of TLS for everybody: plain HTTP there is told where to begin, and nothing else is let through."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from ira_home.web import greeter
from ira_home.web.server import build_app
from tests.support.home import HOST, Home, open_home
from tests.support.requirements import requirement
from tests.support.streams import dialled

HELLO = b"\x16\x03\x01\x02\x00"  # how every handshake of TLS begins


def port_of(home: Home) -> int:
    return home.services.addresses.https_port


@asynccontextmanager
async def plainly(home: Home) -> AsyncIterator[tuple[aiohttp.ClientSession, str]]:
    """Somebody who speaks plain HTTP to the port of TLS."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        yield http, f"http://{HOST}:{port_of(home)}"


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What comes until the line is cut."""
    async with asyncio.timeout(8):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""


@requirement("lan.http", "lan.http.pair")
async def test_plain_http_to_the_port_of_tls_gets_the_page_of_the_first_steps(house: Home) -> None:
    async with plainly(house) as (http, base):
        for path in ("/", "/trust", "/pair"):
            async with http.get(base + path, allow_redirects=False) as reply:
                text = await reply.text()
                assert (reply.status, reply.cookies) == (200, {})
                assert "Strict-Transport-Security" not in reply.headers
            assert f'href="{house.base}/trust"' in text
            assert house.services.trust.fingerprint in text
            assert "<form" not in text
        async with http.get(base + "/ca.crt") as reply:
            assert await reply.read() == house.services.trust.ca_der
    # The same line of the same port is TLS for who asks for that.
    assert (await house.caller().call("GET", "/healthz")).status == 200


@requirement("lan.http")
async def test_nothing_that_could_be_overheard_is_answered_there(house: Home) -> None:
    owner = await house.owner()
    async with plainly(house) as (http, base):
        for route in build_app(house.services).router.routes():
            assert route.resource is not None
            path = route.resource.canonical.replace("{", "").replace("}", "")
            if path in ("/", "/trust", "/pair", "/ca.crt") or "*" in route.method:
                continue
            headers = owner.headers(route.method)
            sent = http.request(route.method, base + path, headers=headers, allow_redirects=False)
            async with sent as reply:
                assert reply.status == 403, (route.method, path)
        for host in ("evil.example", f"{HOST}:{house.services.addresses.http_port}"):
            async with http.get(base + "/", headers={"Host": host}) as reply:
                assert reply.status == 421, host


async def test_who_says_nothing_or_half_a_greeting_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_home(tmp_path / "data") as home:
        with monkeypatch.context() as short:
            short.setattr(greeter, "HANDSHAKE_S", 0.2)
            for raw in (b"", HELLO):
                async with dialled(port_of(home)) as (reader, writer):
                    writer.write(raw)
                    assert await ended(reader) == b""
        assert (await home.caller().call("GET", "/healthz")).status == 200


async def test_nonsense_is_one_answer_and_the_house_goes_on(house: Home) -> None:
    for raw in (b"NONSENSE\r\n\r\n", b"\x00\r\n\r\n", b"\x80\x2e\x01\x03\x01\r\n\r\n"):
        async with dialled(port_of(house)) as (reader, writer):
            writer.write(raw)
            assert (await ended(reader)).split()[1] == b"400"
    async with dialled(port_of(house)) as (reader, writer):
        writer.write(HELLO + b"\x00" * 600)
        said = await ended(reader)
        assert said[:1] in (b"\x15", b"")  # an alert of TLS, or nothing
    assert (await house.caller().call("GET", "/healthz")).status == 200


async def test_a_first_byte_that_comes_alone_is_the_beginning_of_what_follows(house: Home) -> None:
    request = f"GET /trust HTTP/1.1\r\nHost: {HOST}:{port_of(house)}\r\nConnection: close\r\n\r\n"
    async with dialled(port_of(house)) as (reader, writer):
        for part in (request[:1], request[1:3], request[3:]):
            writer.write(part.encode())
            await writer.drain()
        assert (await ended(reader)).startswith(b"HTTP/1.1 200 OK")


async def test_many_at_once_are_all_greeted(house: Home) -> None:
    async with AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(dialled(port_of(house))) for _ in range(150)]
        callers = [house.caller() for _ in range(40)]
        said = await asyncio.gather(*(one.call("GET", "/healthz") for one in callers))
        assert [one.status for one in said] == [200] * 40
        assert len(silent) == 150


async def test_of_one_address_of_the_network_no_more_wait_than_may_be_connected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(greeter, "CONNECTIONS_AN_ADDRESS", 3)
    monkeypatch.setattr(greeter, "is_local", lambda _address: False)
    async with open_home(tmp_path / "data") as home, AsyncExitStack() as stack:
        waiting = [await stack.enter_async_context(dialled(port_of(home))) for _ in range(3)]
        async with dialled(port_of(home)) as (reader, _writer):
            assert await ended(reader) == b""
        waiting[0][1].write(b"GET / HTTP/1.1\r\n\r\n")
        assert await ended(waiting[0][0])
        assert (await home.caller().call("GET", "/healthz")).status == 200


async def test_a_port_that_is_taken_is_an_error_and_leaves_nothing_open() -> None:
    first = greeter.listen([HOST], 0)
    port = first[0].getsockname()[1]
    try:
        with pytest.raises(OSError, match="in use"):
            greeter.listen([HOST], port)
    finally:
        first[0].close()
    for one in greeter.listen([HOST], port):
        one.close()


async def test_who_speaks_tls_after_that_is_served_by_the_live_context(house: Home) -> None:
    name = house.services.trust.identity
    async with dialled(port_of(house), ssl=house.trust, name=name) as (reader, writer):
        made = writer.get_extra_info("ssl_object")
        assert made.version() == "TLSv1.3"
        host = f"{name}:{port_of(house)}"
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert (await ended(reader)).startswith(b"HTTP/1.1 200 OK")
