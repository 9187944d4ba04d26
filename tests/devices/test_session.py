"""One connected device: its hello, and calls to it."""

import asyncio

import pytest

from ira_home.base.errors import DeviceAway, ToolFailed
from ira_home.devices.outcomes import CallLost, CallTimedOut, DeviceBusy
from ira_home.domain.devices import Device
from ira_home.domain.people import Principal
from tests.support.device_house import LAMP, DeviceHouse, asking, hello, outcome
from tests.support.links import MemoryLink
from tests.support.requirements import requirement

# --- hello and welcome


@requirement("ws.welcome", "ws.welcome.max_tools", "ws.welcome.values")
async def test_a_good_hello_is_welcomed(house: DeviceHouse, device: Device) -> None:
    link = await house.online(device)
    assert link.frames[0] == {
        "type": "welcome",
        "deviceId": device.id,
        "label": "Office Mac",
        "skills": ["lamp"],
        "assistant": "Ira",
        "wakePhrase": "Hey Ira",
        "maxTools": 40,
        "pv": 1,
        "limits": {
            "frame_bytes": 1_048_576,
            "call_seconds": 25,
            "calls_in_flight": 4,
            "event_seconds": 30,
            "silence_seconds": 90,
        },
    }
    assert house.hub.is_online(device.id)


@requirement("ws.hello.first")
@pytest.mark.parametrize(
    "first",
    [
        {"type": "event", "event": "task_done", "title": "Too early", "text": "x"},
        {"type": "result", "id": "1", "ok": True, "content": {}},
        {"type": "ping"}, {"type": "nonsense"}, {"type": "welcome"}, {}, [], "hello", '"hello"', "{", "", "\ud800",
    ],
)  # fmt: skip
async def test_anything_else_first_is_a_bad_hello(
    house: DeviceHouse, device: Device, first: object
) -> None:
    link = await house.connect(device)
    link.say(first)
    assert await link.closed() == 4400
    assert [frame["type"] for frame in link.frames] == ["error"]
    assert not house.hub.is_online(device.id)


@requirement("ws.hello.15s")
async def test_no_hello_in_fifteen_seconds_closes(house: DeviceHouse, device: Device) -> None:
    link = await house.connect(device)
    house.advance(14.9)
    assert link.close_code is None
    house.advance(0.2)
    assert await link.closed() == 4408


async def test_a_hello_just_in_time_stays(house: DeviceHouse, device: Device) -> None:
    link = await house.connect(device)
    house.advance(14.9)
    link.say(hello(device))
    await link.hear("welcome")
    house.advance(30)
    await link.settled()


@requirement("ws.hello.bad.error", "ws.hello.bad.4400", "ws.hello.kind")
@pytest.mark.parametrize("kind", ["windows", "Mac", "", "android"])
async def test_a_hello_of_another_kind_is_refused(
    house: DeviceHouse, device: Device, kind: str
) -> None:
    link = await house.connect(device)
    link.say(hello(device, kind=kind))
    assert await link.closed() == 4400
    assert "mac" in link.frames[0]["error"]


@requirement("ws.hello.again")
async def test_another_hello_replaces_the_tools(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    link.say(hello(device, [LAMP | {"name": "lamp_off"}]))
    await link.hear("welcome")
    card = house.roster.find(device.id)
    assert card is not None
    assert [tool.name for tool in card.tools] == ["lamp_off"]
    assert await outcome(asking(house, device)) is not None
    assert not link.of("call")


@pytest.mark.parametrize(
    "again", [{"kind": "windows"}, {"tools": [5]}, {"tools": "x"}, {"label": 5}]
)
async def test_another_hello_that_breaks_a_rule_closes(
    house: DeviceHouse, device: Device, link: MemoryLink, again: dict[str, object]
) -> None:
    task = asking(house, device)
    await link.hear("call")
    link.say(hello(device) | again)
    assert await link.closed() == 4400
    assert await outcome(task) is CallLost
    card = house.roster.find(device.id)
    assert card is not None
    assert [tool.name for tool in card.tools] == ["lamp_colour"]


async def test_calls_in_flight_live_through_another_hello(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    task = asking(house, device)
    call = await link.hear("call")
    link.say(hello(device, []))
    await link.hear("welcome")
    link.say({"type": "result", "id": call["id"], "ok": True, "content": "red"})
    assert await outcome(task) == "red"


# --- calls


@requirement("call.frame", "call.result.ok")
async def test_a_call_goes_out_and_its_result_comes_back(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    task = asking(house, device, room="kitchen")
    call = await link.hear("call")
    assert call == {
        "type": "call",
        "id": call["id"],
        "tool": "lamp_colour",
        "args": {"room": "kitchen"},
        "here": False,
    }
    assert len(call["id"]) >= 16
    link.say({"type": "result", "id": call["id"], "ok": True, "content": {"summary": "Red."}})
    assert await outcome(task) == {"summary": "Red."}


@requirement("call.content.any")
@pytest.mark.parametrize("content", [None, True, 42, "words", [1, {"a": None}], {}, {"summary": 5}])
async def test_content_may_be_any_json(
    house: DeviceHouse, device: Device, link: MemoryLink, content: object
) -> None:
    task = asking(house, device)
    call = await link.hear("call")
    link.say({"type": "result", "id": call["id"], "ok": True, "content": content})
    async with asyncio.timeout(5):
        assert await task == content


@requirement("call.result.error")
async def test_an_error_result_fails_the_call_with_its_text(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    task = asking(house, device)
    call = await link.hear("call")
    link.say({"type": "result", "id": call["id"], "ok": False, "error": "the lamp is rusty"})
    with pytest.raises(ToolFailed, match="the lamp is rusty"):
        await task


@requirement("call.result.id")
async def test_strange_and_second_results_are_dropped_without_a_word(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    task = asking(house, device)
    call = await link.hear("call")
    for strange in ("nothing", call["id"] + "x", "", call["id"].upper() + "0") * 5:
        link.say({"type": "result", "id": strange, "ok": True, "content": "forged"})
    await link.settled()
    assert not task.done()
    link.say({"type": "result", "id": call["id"], "ok": True, "content": "red"})
    link.say({"type": "result", "id": call["id"], "ok": True, "content": "forged"})
    assert await outcome(task) == "red"
    await link.settled()
    assert not link.of("error")


async def test_a_result_counts_only_on_the_connection_of_its_call(
    house: DeviceHouse, person: Principal, device: Device, link: MemoryLink
) -> None:
    other = await house.paired(person, label="Other")
    strange = await house.online(other)
    task = asking(house, device)
    call = await link.hear("call")
    strange.say({"type": "result", "id": call["id"], "ok": True, "content": "forged"})
    await strange.settled()
    assert not task.done()
    again = await house.online(device)
    assert await outcome(task) is CallLost
    again.say({"type": "result", "id": call["id"], "ok": True, "content": "forged"})
    await again.settled()
    assert not again.of("error")


@requirement("limit.inflight")
async def test_a_fifth_call_is_refused_at_once_and_not_sent(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    tasks = [asking(house, device) for _ in range(4)]
    calls = [await link.hear("call") for _ in range(4)]
    with pytest.raises(DeviceBusy, match="the device is busy"):
        await asking(house, device)
    assert len(link.of("call")) == 4
    link.say({"type": "result", "id": calls[2]["id"], "ok": False, "error": "no"})
    assert await outcome(tasks[2]) is ToolFailed
    fifth = asking(house, device)
    call = await link.hear("call")
    link.say({"type": "result", "id": call["id"], "ok": True, "content": "red"})
    assert await outcome(fifth) == "red"


@requirement("limit.call")
async def test_a_call_ends_after_25_seconds_and_frees_its_place(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    tasks = [asking(house, device) for _ in range(4)]
    calls = [await link.hear("call") for _ in range(4)]
    house.advance(24.9)
    assert not any(task.done() for task in tasks)
    house.advance(0.2)
    for task in tasks:
        assert await outcome(task) is CallTimedOut
    fresh = asking(house, device)
    await link.hear("call")
    link.say({"type": "result", "id": calls[0]["id"], "ok": True, "content": "far too late"})
    await link.settled()
    assert not link.of("error")
    assert not fresh.done()


async def test_a_cancelled_call_keeps_its_place_until_it_is_answered(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    tasks = [asking(house, device) for _ in range(4)]
    calls = [await link.hear("call") for _ in range(4)]
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert await outcome(asking(house, device)) is DeviceBusy
    link.say({"type": "result", "id": calls[0]["id"], "ok": True, "content": "red"})
    await link.settled()
    last = asking(house, device)
    await link.hear("call")
    last.cancel()


async def test_a_device_that_is_away_is_not_called(house: DeviceHouse, device: Device) -> None:
    assert await outcome(asking(house, device)) is DeviceAway
    link = await house.connect(device)
    assert await outcome(asking(house, device)) is not None
    link.drop()


async def test_calls_fail_at_once_when_the_line_breaks(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    task = asking(house, device)
    await link.hear("call")
    link.drop()
    assert await outcome(task) is CallLost
    assert not house.hub.is_online(device.id)


async def test_arguments_that_no_frame_can_carry_fail_before_they_are_sent(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    assert await outcome(asking(house, device, room="x" * 1_100_000)) is ToolFailed
    assert not link.of("call")
    await link.settled()


async def test_a_large_result_is_taken(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    task = asking(house, device)
    call = await link.hear("call")
    link.say({"type": "result", "id": call["id"], "ok": True, "content": "x" * 900_000})
    assert await outcome(task) == "x" * 900_000
