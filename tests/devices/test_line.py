"""The line of a device: bad frames, keepalive, goodbye, replacement, slow readers."""

import asyncio

import pytest

from ira_home.base.limits import OUTBOX_FRAMES
from ira_home.devices.outcomes import CallLost, CallTimedOut
from ira_home.domain.devices import Device
from ira_home.domain.facts import DeviceRevoked
from tests.support.device_house import DeviceHouse, asking, hello, outcome
from tests.support.links import MemoryLink
from tests.support.requirements import requirement

# --- bad frames


@requirement("ws.json")
@pytest.mark.parametrize(
    "bad", [{"type": "surprise"}, {"type": 5}, {}, [], {"type": "result"}, {"type": "event"}, "not json",
            {"type": "welcome"}, {"type": "error", "error": "x"},
            {"type": "call", "id": "1", "tool": "t", "args": {}, "here": True}]
)  # fmt: skip
async def test_a_bad_frame_gets_an_error_and_the_line_stays(link: MemoryLink, bad: object) -> None:
    link.say(bad)
    assert (await link.hear("error"))["error"]
    await link.settled()


async def test_the_tenth_bad_frame_in_a_minute_closes_and_the_ninth_does_not(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    for _ in range(9):
        link.say({"type": "surprise"})
    await link.settled()
    link.say(hello(device))
    await link.hear("welcome")
    link.say({"type": "surprise"})
    assert await link.closed() == 1008
    assert len(link.of("error")) == 10


async def test_the_minute_of_bad_frames_slides(house: DeviceHouse, link: MemoryLink) -> None:
    for _ in range(9):
        link.say({"type": "surprise"})
    await link.settled()
    house.advance(59)
    link.say({"type": "ping"})
    await link.settled()
    house.advance(1)
    for _ in range(9):
        link.say({"type": "surprise"})
    await link.settled()
    assert link.close_code is None
    link.say({"type": "surprise"})
    assert await link.closed() == 1008


async def test_a_binary_frame_closes(house: DeviceHouse, device: Device, link: MemoryLink) -> None:
    link.say_binary()
    assert await link.closed() == 1003
    fresh = await house.connect(device)
    fresh.say_binary()
    assert await fresh.closed() == 1003


# --- keepalive


@requirement("keep.pong")
async def test_a_ping_is_answered(link: MemoryLink) -> None:
    for _ in range(3):
        await link.settled()
    assert len(link.of("pong")) == 3


@requirement("keep.server")
async def test_the_server_pings_every_30_seconds_whatever_the_traffic(
    house: DeviceHouse, link: MemoryLink
) -> None:
    for count in range(1, 5):
        for _ in range(3):
            house.advance(10)
            await link.settled()
        assert len(link.of("ping")) == count


@requirement("limit.silence")
async def test_90_seconds_of_silence_close(house: DeviceHouse, link: MemoryLink) -> None:
    for _ in range(17):
        house.advance(5)
    house.advance(4.5)
    assert link.close_code is None
    house.advance(0.5)
    assert await link.closed() == 4408


@pytest.mark.parametrize("sound", [{"type": "pong"}, {"type": "surprise"}, "not json"])
async def test_any_text_frame_ends_the_silence(
    house: DeviceHouse, link: MemoryLink, sound: object
) -> None:
    for _ in range(3):
        house.advance(80)
        link.say(sound)
        await link.settled()
    assert link.close_code is None


# --- goodbye, revocation, replacement


@requirement("bye.revokes", "bye.closes")
@pytest.mark.parametrize("greeted", [True, False])
async def test_bye_revokes_and_closes(house: DeviceHouse, device: Device, greeted: bool) -> None:
    link = await (house.online(device) if greeted else house.connect(device))
    link.say({"type": "bye"})
    assert await link.closed() == 1000
    assert await house.storage.devices.get(device.id) is None
    assert house.told(DeviceRevoked) == [DeviceRevoked(device.person_id, device.id)]
    assert await house.hub.offers(device.person_id) == []
    changes = await house.storage.changes.list(None, 10)
    assert (changes[0].change, changes[0].subject) == ("device_bye", f"device {device.id}")
    again = await house.connect(device)
    assert await again.closed() == 4403


@requirement("token.revoke.4403", "token.revoke.at_once")
async def test_revocation_closes_at_once_and_waits_for_nobody(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    link.mute = True
    task = asking(house, device)
    await link.hear("call")
    await house.registry.revoke(None, device.id)
    assert not house.hub.is_online(device.id)
    assert await outcome(task) is CallLost
    assert await link.closed() == 4403
    assert link.aborted


@requirement("limit.one.4000", "limit.one.calls")
async def test_a_new_connection_replaces_the_old_whose_calls_fail(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    task = asking(house, device)
    await link.hear("call")
    fresh = await house.online(device)
    assert await link.closed() == 4000
    assert await outcome(task) is CallLost
    assert not fresh.of("call")
    task = asking(house, device)
    call = await fresh.hear("call")
    fresh.say({"type": "result", "id": call["id"], "ok": True, "content": "red"})
    assert await outcome(task) == "red"


async def test_what_a_replaced_connection_says_after_its_end_is_not_heard(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    link.mute = True
    fresh = await house.online(device)
    link.say({"type": "bye"})
    await fresh.settled()
    assert await house.storage.devices.get(device.id) is not None
    assert house.hub.is_online(device.id)


async def test_two_programs_with_one_token_are_held_back(
    house: DeviceHouse, device: Device
) -> None:
    await house.online(device)
    for _ in range(30):
        house.clock.advance(0.1)
        await house.online(device)
    late = await house.connect(device)
    assert await late.closed() == 1013
    assert house.hub.is_online(device.id)
    house.clock.advance(61)
    await house.online(device)


async def test_a_device_that_does_not_read_is_cut_when_its_outbox_is_full(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    link.reads.clear()
    for _ in range(OUTBOX_FRAMES + 5):
        link.say({"type": "ping"})
    task = asking(house, device)
    async with asyncio.timeout(5):
        while house.hub.is_online(device.id):
            link.say({"type": "ping"})
            house.advance(1)
            await asyncio.sleep(0)
    assert await outcome(task) in {CallLost, CallTimedOut}
    await link.closed()
    assert link.aborted


async def test_a_full_outbox_cuts_the_line(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    session = house.hub._sessions[device.id]
    link.reads.clear()
    session.post('{"type":"ping"}')
    await asyncio.sleep(0)
    for _ in range(OUTBOX_FRAMES):
        session.post('{"type":"ping"}')
    assert house.hub.is_online(device.id)
    session.post('{"type":"ping"}')
    assert not house.hub.is_online(device.id)
    await link.closed()


async def test_a_device_that_stops_reading_during_a_call_is_cut(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    link.reads.clear()
    task = asking(house, device)
    await asyncio.sleep(0.01)
    house.advance(21)
    house.advance(5)
    assert await outcome(task) in {CallLost, CallTimedOut}
    await link.closed()
    assert not house.hub.is_online(device.id)


async def test_frames_arrive_in_order_when_a_slow_device_reads_again(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    link.reads.clear()
    tasks = [asking(house, device, room=str(n)) for n in range(4)]
    await asyncio.sleep(0.01)
    tasks[0].cancel()
    await asyncio.wait(tasks[:1])
    link.reads.set()
    heard = [(await link.hear("call"))["args"]["room"] for _ in range(3)]
    assert heard == ["1", "2", "3"]
    await link.settled()
