"""Event streams: what is told, for how long, and to whom no longer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import web
import pytest

from ira_home.base.errors import Unavailable
from ira_home.base.ids import ConversationId, DeviceId, PersonId
from ira_home.base.pubsub import Bus
from ira_home.channels.live import EVENTS, Line, Live
from ira_home.domain.facts import (
    ConversationChanged,
    DataDeleted,
    DeviceChanged,
    DeviceRevoked,
    PersonChanged,
    SessionEnded,
)
from ira_home.domain.people import Credential
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from ira_home.web.sse import message, stream
from tests.support.requirements import requirement
from tests.support.streams import dialled
from tests.support.web import Site, principal, site

ME = PersonId(7)


async def _changes(line: Line) -> AsyncIterator[bytes]:
    while (fact := await line.next()) is not None:
        yield message("fact", {"kind": type(fact).__name__}, 5)


async def listen(call: Call) -> web.StreamResponse:
    line = call.services.live.open(call.principal, EVENTS, 4)
    return await stream(call, line, _changes(line))


async def three(call: Call) -> web.StreamResponse:
    async def source() -> AsyncIterator[bytes]:
        for number in range(3):
            yield message("count", {"n": number}, number)

    return await stream(call, call.services.live.open(call.principal, "runs", 4), source())


async def _flood() -> AsyncIterator[bytes]:
    while True:
        yield message("flood", {"text": "x" * 60_000})


ROUTES = [
    Route("GET", "/v1/live", listen, Needs.ASK),
    Route("POST", "/v1/three", three, Needs.ASK),
]


@asynccontextmanager
async def streaming(at: Site, headers: dict[str, str]) -> AsyncIterator[aiohttp.ClientResponse]:
    async with at.http.get(at.base + "/v1/live", headers=headers) as reply:
        assert reply.status == 200
        assert reply.headers["Content-Type"].startswith("text/event-stream")
        assert await reply.content.readuntil(b"\n\n") == b": hello\n\n"
        yield reply


async def ended(reply: aiohttp.ClientResponse) -> bool:
    async with asyncio.timeout(5):
        return await reply.content.read() == b""


async def test_a_fact_is_told_whole_with_its_id() -> None:
    async with site(ROUTES) as at, streaming(at, at.signed_in()) as reply:
        at.services.bus.publish(ConversationChanged(ME, ConversationId(3)))
        async with asyncio.timeout(5):
            found = await reply.content.readuntil(b"\n\n")
    assert found == b'id: 5\nevent: fact\ndata: {"kind":"ConversationChanged"}\n\n'


async def test_a_source_that_ends_ends_the_stream() -> None:
    async with site(ROUTES) as at:
        status, _headers, text = await at.call("POST", "/v1/three", headers=at.signed_in())
        assert status == 200
        assert [line for line in text.split("\n") if line.startswith("id")] == [
            "id: 0",
            "id: 1",
            "id: 2",
        ]
        assert at.services.live.count(ME) == 0


async def test_nothing_of_another_person_is_told() -> None:
    async with site(ROUTES) as at, streaming(at, at.signed_in()) as reply:
        at.services.bus.publish(DeviceChanged(PersonId(8), DeviceId(1)))
        at.services.bus.publish(DeviceChanged(ME, DeviceId(2)))
        async with asyncio.timeout(5):
            assert b"DeviceChanged" in await reply.content.readuntil(b"\n\n")
        at.services.bus.publish(SessionEnded(ME, 1))
        assert await ended(reply)


@pytest.mark.parametrize(
    "fact",
    [SessionEnded(ME, 1), PersonChanged(ME, removed=True), PersonChanged(ME, removed=False)],
)
async def test_a_stream_ends_at_once_with_its_credential(fact: object) -> None:
    async with site(ROUTES) as at, streaming(at, at.signed_in()) as reply:
        at.services.bus.publish(fact)
        assert await ended(reply)


async def test_a_stream_goes_on_when_another_credential_ends() -> None:
    async with site(ROUTES) as at, streaming(at, at.signed_in()) as reply:
        for fact in (
            SessionEnded(ME, 2),
            SessionEnded(PersonId(8), 1),
            PersonChanged(PersonId(8), removed=True),
            DeviceRevoked(ME, DeviceId(1)),
        ):
            at.services.bus.publish(fact)
        async with asyncio.timeout(5):
            assert b"DeviceRevoked" in await reply.content.readuntil(b"\n\n")


async def test_a_devices_stream_ends_when_the_device_is_revoked() -> None:
    async with (
        site(ROUTES) as at,
        streaming(at, at.with_token(Credential.DEVICE_TOKEN)) as reply,
    ):
        at.services.bus.publish(DeviceRevoked(ME, DeviceId(1)))
        assert await ended(reply)


async def test_a_session_that_ended_meanwhile_gets_no_stream() -> None:
    async def late(call: Call) -> web.StreamResponse:
        line = call.services.live.open(call.principal, EVENTS, 4)
        at.credentials.sessions.clear()
        return await stream(call, line, _changes(line))

    async with site([Route("GET", "/v1/late", late, Needs.SESSION)]) as at:
        status, _headers, _body = await at.call("GET", "/v1/late", headers=at.signed_in())
        assert status == 401
        assert at.services.live.count(ME) == 0


@requirement("event.stream")
async def test_a_session_has_four_streams_and_a_closed_one_frees_its_place() -> None:
    lines: list[Line] = []

    async def noted(call: Call) -> web.StreamResponse:
        lines.append(call.services.live.open(call.principal, EVENTS, 4))
        return await stream(call, lines[-1], _changes(lines[-1]))

    async with site([Route("GET", "/v1/live", noted, Needs.SESSION)]) as at:
        mine = at.signed_in()
        async with streaming(at, mine), streaming(at, mine), streaming(at, mine):
            async with streaming(at, mine):
                status, _headers, body = await at.call("GET", "/v1/live", headers=mine)
                assert (status, body["code"]) == (429, "too_many")
            async with asyncio.timeout(5):
                await lines[3].over
            async with streaming(at, mine):
                assert at.services.live.count(ME) == 4


@requirement("event.stream")
async def test_a_quiet_stream_has_a_heartbeat() -> None:
    bus = Bus()
    async with (
        site(ROUTES, bus=bus, live=Live(bus, heartbeat_s=0.01)) as at,
        streaming(at, at.signed_in()) as reply,
    ):
        async with asyncio.timeout(5):
            assert (await reply.content.readuntil(b"\n\n")).startswith(b": ")
            assert (await reply.content.readuntil(b"\n\n")).startswith(b": ")


async def test_a_client_that_takes_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ira_home.web.sse.WRITE_S", 0.2)
    opened: asyncio.Future[Line] = asyncio.get_running_loop().create_future()

    async def flood(call: Call) -> web.StreamResponse:
        opened.set_result(call.services.live.open(call.principal, "runs", 4))
        return await stream(call, opened.result(), _flood())

    async with (
        site([Route("GET", "/v1/flood", flood, Needs.SESSION)]) as at,
        dialled(at.port, limit=1024) as (_reader, writer),
    ):
        lines = "\r\n".join(f"{name}: {value}" for name, value in at.signed_in().items())
        head = f"GET /v1/flood HTTP/1.1\r\nHost: 127.0.0.1:{at.port}\r\n{lines}\r\n\r\n"
        writer.write(head.encode())
        async with asyncio.timeout(10):
            await (await opened).over


async def test_a_backlog_that_nobody_reads_ends_the_line() -> None:
    bus = Bus()
    line = Live(bus).open(principal(), EVENTS, 4)
    for number in range(300):
        bus.publish(DeviceChanged(ME, DeviceId(number)))
    assert line.is_over


async def test_deleted_data_is_no_longer_told() -> None:
    bus = Bus()
    line = Live(bus).open(principal(), EVENTS, 4)
    bus.publish(ConversationChanged(ME, ConversationId(3)))
    bus.publish(DataDeleted(ME))
    assert isinstance(await line.next(), DataDeleted)


async def test_closing_ends_all_and_opens_no_more() -> None:
    live = Live(Bus())
    line = live.open(principal(), EVENTS, 4)
    await live.close()
    assert line.is_over
    with pytest.raises(Unavailable):
        live.open(principal(), EVENTS, 4)
