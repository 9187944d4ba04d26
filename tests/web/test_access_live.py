"""Whose things streams and the device line tell: nobody hears, or answers for, another person."""

import asyncio
from pathlib import Path

import aiohttp

from ira_home.web.routes import Needs
from tests.support.callers import Caller, DeviceLine, Member, Stream, Told
from tests.support.clock import FakeClock
from tests.support.home import Home
from tests.support.requirements import requirement
from tests.web.holders import everybody
from tests.web.lives import MARK, lived, numbers_apart
from tests.web.scripted import LAMP, scripted

END = "and that is my own"


async def heard_up_to_own(caller: Caller, stream: Stream) -> list[Told]:
    """All that a stream told, up to the answer to the caller's own words."""
    number = (await caller.ask(END)).body["conversation_id"]
    heard: list[Told] = []

    def is_own(one: Told) -> bool:
        heard.append(one)
        return one.event == "conversation" and bool(one.data["id"] == number)

    await stream.until(is_own)
    return heard


async def act(home: Home, member: Member, owner: Member) -> str:
    """Everything that a person's streams tell of: events, proposals, devices, conversations."""
    life = await lived(home, member, owner, name="live")
    device = life.things["device"]
    await member.call("PATCH", f"/v1/me/devices/{device}", {"label": f"{MARK} renamed"})
    off = {"on": False}
    await member.call("PUT", f"/v1/me/devices/{device}/skills/lamp", off)
    await member.call("DELETE", f"/v1/me/devices/{device}")
    return life.things["conversation"]


@requirement("event.own", "privacy.nobody")
async def test_no_stream_tells_anything_of_another_person(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        owner, b = await home.owner(), await home.person()
        await numbers_apart(home)
        a = await home.person()
        async with a.stream() as of_a, b.stream() as of_b, owner.stream() as of_owner:
            conversation = await act(home, a, owner)
            own = str([(one.event, one.data) for one in await heard_up_to_own(a, of_a)])
            for kind in ("'event'", "'proposal'", "'device'", "'conversation'", MARK, conversation):
                assert kind in own  # there was something to overhear
            for caller, stream in ((b, of_b), (owner, of_owner)):
                heard = await heard_up_to_own(caller, stream)
                assert {one.event for one in heard} == {"conversation"}
                assert MARK not in str(heard)
                assert len({one.data["id"] for one in heard}) == 1


async def test_replaying_from_anothers_event_tells_nothing_of_it(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        owner, b = await home.owner(), await home.person()
        await numbers_apart(home)
        a = await home.person()
        life = await lived(home, a, owner, name="missed")
        from_all = {"Last-Event-ID": "0"}
        async with a.stream(headers=from_all) as of_a, b.stream(headers=from_all) as of_b:
            assert MARK in str(await of_a.next())
            assert {one.event for one in await heard_up_to_own(b, of_b)} == {"conversation"}
        from_theirs = {"Last-Event-ID": life.things["event"]}
        async with b.stream(headers=from_theirs) as of_b:
            assert await of_b.next() == Told("reset", {}, None)  # as from one that never was


async def opened(caller: Caller, query: str = "") -> int:
    """The status with which the device line refuses or takes a credential."""
    headers = {} if query else caller.headers("POST")  # with the Origin that a page of ours has
    try:
        line = await caller.http.ws_connect(f"{caller.base}/v1/devices/ws{query}", headers=headers)
    except aiohttp.WSServerHandshakeError as refusal:
        return refusal.status
    await line.close()
    return 101


@requirement("token.ws.not_session", "token.ws.not_api")
async def test_the_device_line_takes_a_devices_own_token_and_no_other_credential(
    tmp_path: Path,
) -> None:
    async with scripted(tmp_path) as (home, _brain):
        assert isinstance(home.clock, FakeClock)
        old = (await home.person()).cookie
        home.clock.advance(31 * 86_400)
        owner, a, b = await home.owner(), await home.person(), await home.person()
        for holder in await everybody(home, a, b, owner, old):
            wanted = 101 if Needs.DEVICE_SOCKET in holder.opens else holder.refusal
            assert await opened(holder.caller) == wanted, holder.name
            if token := holder.caller.bearer:
                assert await opened(holder.caller, f"?token={token}") == wanted, holder.name
            await holder.caller.close()


@requirement("call.result.id")
async def test_no_device_answers_for_another_persons(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        a, b = await home.person(), await home.person()
        mine, theirs = await a.online([LAMP]), await b.online([LAMP])
        assert theirs.frames[0]["deviceId"] == theirs.number
        asking = asyncio.ensure_future(a.ask("lamp_colour"))
        (call,) = await mine.wait_calls()
        await forge(theirs, call["id"])
        await mine.answer(call, {"summary": "It is blue."})
        answer = (await asking).body
        assert "blue" in answer["text"]
        assert "forged" not in answer["text"]
        assert theirs.calls == []
        for line in (mine, theirs):
            await line.hang_up()


async def forge(line: DeviceLine, call_id: str) -> None:
    """Answer a call that came to another device, and wait until that was read."""
    result = {"type": "result", "id": call_id, "ok": True, "content": {"summary": "forged"}}
    await line.send(result)
    await line.send({"type": "ping"})
    await line.wait("pong")
