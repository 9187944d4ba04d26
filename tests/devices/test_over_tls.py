"""The rules of the wire once more, over real TLS WebSockets: sizes, codes, and peers that do not answer."""

from collections.abc import AsyncIterator
import json
from pathlib import Path
import time
from typing import Any

import pytest

from ira_home.devices.outcomes import CallLost, CallTimedOut
from ira_home.domain.devices import Device
from tests.support.device_house import DeviceHouse, asking, hello, outcome
from tests.support.requirements import requirement
from tests.support.tls_devices import TlsDevice, TlsDoor, open_tls_door

LIMIT = 1_048_576


@pytest.fixture
async def door(house: DeviceHouse, tmp_path: Path) -> AsyncIterator[TlsDoor]:
    # Certificates are checked by the real clock of the client.
    async with open_tls_door(house, tmp_path / "pki") as opened:
        yield opened


@pytest.fixture
async def line(door: TlsDoor, device: Device) -> TlsDevice:
    return await online(door, device)


async def online(door: TlsDoor, device: Device) -> TlsDevice:
    made = await door.connect(device)
    await made.say(hello(device))
    await made.hear("welcome")
    return made


def result_of(size: int, call: dict[str, Any]) -> str:
    frame = {
        "type": "result",
        "id": call["id"],
        "ok": True,
        "content": {"summary": "Red.", "text": ""},
    }
    room = size - len(json.dumps(frame, separators=(",", ":")))
    frame["content"] = {"summary": "Red.", "text": "x" * room}
    return json.dumps(frame, separators=(",", ":"))


@requirement("ws.one", "token.ws")
async def test_hello_call_result_and_event_go_over_one_line(house: DeviceHouse, device: Device, line: TlsDevice) -> None:  # fmt: skip
    task = asking(house, device, room="kitchen")
    call = await line.hear("call")
    assert call["args"] == {"room": "kitchen"}
    await line.say({"type": "event", "event": "task_done", "title": "Done", "text": "All well."})
    await line.say({"type": "result", "id": call["id"], "ok": True, "content": {"summary": "Red."}})
    assert await outcome(task) == {"summary": "Red."}
    await line.say({"type": "ping"})
    await line.hear("pong")
    events = (await house.events.list(device.person_id, None, 10)).items
    assert [event.title for event in events] == ["Done"]


@requirement("limit.frame")
async def test_a_frame_of_exactly_one_megabyte_is_taken_and_one_byte_more_closes(house: DeviceHouse, device: Device, line: TlsDevice) -> None:  # fmt: skip
    task = asking(house, device)
    await line.say(result_of(LIMIT, await line.hear("call")))
    got = await outcome(task)
    assert isinstance(got, dict)
    assert got["summary"] == "Red."
    task = asking(house, device)
    await line.say(result_of(LIMIT + 1, await line.hear("call")))
    assert await line.closed() == 1009
    assert await outcome(task) is CallLost


async def test_the_size_is_in_bytes(line: TlsDevice) -> None:
    await line.say('{"type":"ping","pad":"' + "é" * 600_000 + '"}')
    assert await line.closed() == 1009


async def test_a_binary_frame_closes(line: TlsDevice) -> None:
    await line.socket.send_bytes(b'{"type":"ping"}')
    assert await line.closed() == 1003


async def test_a_bad_hello_hears_why_before_it_is_closed(door: TlsDoor, device: Device) -> None:
    line = await door.connect(device)
    await line.say(hello(device, kind="windows"))
    assert "mac" in (await line.hear("error"))["error"]
    assert await line.closed() == 4400


async def test_every_end_has_its_code(house: DeviceHouse, door: TlsDoor, device: Device) -> None:
    line = await door.connect(device)
    house.advance(15)
    assert await line.closed() == 4408
    line = await online(door, device)
    fresh = await online(door, device)
    assert await line.closed() == 4000
    house.advance(90)
    assert await fresh.closed() == 4408
    line = await online(door, device)
    for _ in range(10):
        await line.say({"type": "surprise"})
    assert await line.closed() == 1008
    line = await online(door, device)
    await house.hub.close_all()
    assert await line.closed() == 1001


async def test_a_goodbye_closes_with_1000(
    house: DeviceHouse, device: Device, line: TlsDevice
) -> None:
    await line.say({"type": "bye"})
    assert await line.closed() == 1000
    assert await house.storage.devices.get(device.id) is None


async def test_revocation_waits_for_no_device(
    house: DeviceHouse, device: Device, line: TlsDevice
) -> None:
    """The device reads nothing and so never answers the close."""
    task = asking(house, device)
    await line.hear("call")
    began = time.monotonic()
    await house.registry.revoke(None, device.id)
    assert await outcome(task) is CallLost
    assert time.monotonic() - began < 1
    assert await line.closed() == 4403


async def test_a_device_that_does_not_read_is_cut_and_blocks_nobody(house: DeviceHouse, door: TlsDoor, device: Device, line: TlsDevice) -> None:  # fmt: skip
    other_device = await house.paired(await house.person())
    other = await online(door, other_device)
    line.socket._conn.transport.pause_reading()  # type: ignore[union-attr]
    # What the system holds for a slow reader comes first, some megabytes; then frames wait here.
    for _ in range(20):
        tasks = [asking(house, device, room="x" * 1_000_000) for _ in range(4)]
        task = asking(house, other_device)
        call = await other.hear("call")
        await other.say({"type": "result", "id": call["id"], "ok": True, "content": "red"})
        assert await outcome(task) == "red"
        house.advance(26)
        assert {await outcome(one) for one in tasks} <= {CallLost, CallTimedOut}
        if not house.hub.is_online(device.id):
            break
        await line.say({"type": "ping"})
    assert not house.hub.is_online(device.id)
    assert house.hub.is_online(other_device.id)
