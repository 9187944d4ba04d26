"""The live stream of a person over real devices: events, presence, going on where one left off."""

import asyncio
from pathlib import Path

import pytest

from tests.support.callers import DeviceLine
from tests.support.clock import FakeClock
from tests.support.home import Home, open_home
from tests.support.requirements import requirement
from tests.web.scripted import LAMP


async def announce(device: DeviceLine, title: str) -> None:
    await device.send({"type": "event", "event": "task_done", "title": title, "text": "Text"})


@requirement("event.stream", "event.own", "event.frame")
async def test_an_event_reaches_its_person_live_and_nobody_else(house: Home) -> None:
    member, owner = await house.person(), await house.owner()
    device = await member.online([])
    async with member.stream() as mine, owner.stream() as theirs:
        await announce(device, "Done")
        told = await mine.until(lambda one: one.event == "event")
        device_two = await owner.online([])
        await announce(device_two, "Owners")
        first = await theirs.until(lambda one: one.event == "event")
    assert told.data == (await member.call("GET", "/v1/me/events")).body["items"][0]
    assert told.id == str(told.data["id"])
    assert (told.data["title"], told.data["device"]) == ("Done", "Office Mac")
    assert first.data["title"] == "Owners"
    await device.hang_up()
    await device_two.hang_up()


@requirement("event.stream")
async def test_a_stream_goes_on_after_the_last_event_that_was_seen(
    house: Home, hands: FakeClock
) -> None:
    member = await house.person()
    device = await member.online([])
    async with member.stream() as stream:
        await announce(device, "First")
        seen = await stream.until(lambda one: one.event == "event")
    hands.advance(31)
    async with member.stream() as other:
        await announce(device, "Second")
        await other.until(lambda one: one.event == "event")
    again = {"Last-Event-ID": str(seen.id)}
    async with member.stream(headers=again) as stream:
        told = await stream.next()
        assert told is not None
        assert (told.event, told.data["title"]) == ("event", "Second")
    async with member.stream(headers={"Last-Event-ID": "0"}) as stream:
        titles = [one.data["title"] for one in (await stream.next(), await stream.next()) if one]
        assert titles == ["First", "Second"]
    await device.hang_up()


@requirement("event.stream")
@pytest.mark.parametrize("last", ["999999", "x", "-1", "1" * 40])
async def test_a_stream_that_cannot_go_on_says_reset(house: Home, last: str) -> None:
    member = await house.person()
    device = await member.online([])
    async with member.stream() as stream:
        await announce(device, "First")
        await stream.until(lambda one: one.event == "event")
    async with member.stream(headers={"Last-Event-ID": last}) as stream:
        told = await stream.next()
        assert told is not None
        assert told.event == "reset"
    await device.hang_up()


async def test_devices_are_told_live_as_they_come_and_go(house: Home) -> None:
    member = await house.person()
    async with member.stream() as stream:
        device = await member.online([LAMP])
        online = await stream.until(lambda one: one.event == "device" and one.data["online"])
        assert online.data["id"] == device.number
        await device.hang_up()
        away = await stream.until(lambda one: one.event == "device" and not one.data["online"])
        assert away.data["tools"]
        await member.call("DELETE", f"/v1/me/devices/{device.number}")
        gone = await stream.until(lambda one: "revoked" in one.data)
        assert gone.data == {"id": device.number, "revoked": True}


async def test_events_are_marked_as_read(house: Home) -> None:
    member = await house.person()
    device = await member.online([])
    async with member.stream() as stream:
        await announce(device, "First")
        told = await stream.until(lambda one: one.event == "event")
    assert await house.services.events.unread(member.person.id) == 1
    reply = await member.call("POST", "/v1/me/events/read", {"up_to": told.data["id"]})
    assert reply.status == 204
    assert await house.services.events.unread(member.person.id) == 0
    await device.hang_up()


@requirement("limit.restart.1001")
async def test_a_home_that_stops_says_goodbye_to_devices_and_streams(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        member = await home.person()
        device = await member.online([])
        async with member.stream() as stream:
            async with asyncio.timeout(5):
                await home.services.hub.close_all()
                await home.services.live.close()
            while await stream.next() is not None:
                pass
        assert await device.closed() == 1001
        await device.hang_up()
