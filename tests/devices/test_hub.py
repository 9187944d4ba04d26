"""The house around connected devices: presence, stopping, events passed on, faults."""

import asyncio
from datetime import time
import json

import pytest

from ira_home.devices.outcomes import CallLost
from ira_home.domain.devices import Device, DeviceKind
from ira_home.domain.events import QuietHours
from ira_home.domain.facts import DeviceChanged, DeviceJoined, PersonChanged
from ira_home.domain.people import Principal
from ira_home.domain.settings import PersonSettings
from tests.support.device_house import DeviceHouse, asking, hello, outcome
from tests.support.links import MemoryLink
from tests.support.requirements import requirement

# --- the house around it


async def test_coming_and_going_is_told_and_written(house: DeviceHouse, device: Device) -> None:
    link = await house.online(device)
    assert house.told(DeviceChanged) == [DeviceChanged(device.person_id, device.id)]
    assert [(o.online, o.since) for o in await house.hub.offers(device.person_id)] == [
        (True, house.clock.now())
    ]
    house.clock.advance(30)
    await link.settled()
    seen = house.clock.now()
    house.clock.advance(5)
    link.drop()
    await asyncio.wait((house.serving[link],), timeout=5)
    assert len(house.told(DeviceChanged)) == 2
    assert [(o.online, o.since) for o in await house.hub.offers(device.person_id)] == [
        (False, seen)
    ]
    await house.hub._presence.settle()
    kept = await house.storage.devices.get(device.id)
    assert kept is not None
    assert (kept.last_seen, kept.version) == (seen, "1.0")


async def test_presence_is_written_once_a_minute(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    for _ in range(3):
        house.advance(20)
        await link.settled()
    house.advance(1)
    await house.hub._presence.settle()
    kept = await house.storage.devices.get(device.id)
    assert kept is not None
    assert kept.last_seen is not None
    assert (house.clock.now() - kept.last_seen).total_seconds() < 25


@requirement("limit.restart.1001")
async def test_a_server_that_stops_closes_every_device(
    house: DeviceHouse, person: Principal
) -> None:
    devices = [await house.paired(person, label=str(n)) for n in range(5)]
    links = [await house.online(one) for one in devices[:4]]
    links.append(await house.connect(devices[4]))
    links[1].mute = True
    links[2].reads.clear()
    task = asking(house, devices[0])
    await links[0].hear("call")
    async with asyncio.timeout(2):
        await house.hub.close_all()
    assert [await one.closed() for one in links] == [1001, 1001, None, 1001, 1001]
    assert await outcome(task) is CallLost
    late = await house.connect(devices[0])
    await late.closed()


async def test_in_quiet_hours_no_event_goes_down_to_a_phone(house: DeviceHouse, person: Principal, device: Device, link: MemoryLink) -> None:  # fmt: skip
    phone = await house.online(await house.paired(person, DeviceKind.ANDROID, label="Phone"))
    quiet = PersonSettings(quiet=QuietHours(time(14), time(16)))  # it is 15:00
    await house.storage.write(lambda tx: house.storage.settings.put(tx, person.person.id, quiet))
    link.say({"type": "event", "event": "task_done", "title": "Done", "text": ""})
    await link.settled()
    await phone.settled()
    assert phone.of("event") == []
    assert (await house.events.list(person.person.id, None, 10)).items[0].title == "Done"


@requirement("event.android")
async def test_an_event_goes_down_to_the_persons_other_phones_only(house: DeviceHouse, person: Principal, device: Device, link: MemoryLink) -> None:  # fmt: skip
    phone = await house.online(await house.paired(person, DeviceKind.ANDROID, label="Phone"))
    other_mac = await house.online(await house.paired(person, label="Mac 2"))
    stranger = await house.person()
    strange = await house.online(await house.paired(stranger, DeviceKind.ANDROID))
    link.say({"type": "event", "event": "task_done", "title": "**Done**", "text": "All <b>well</b>", "data": {"id": "t1"}})  # fmt: skip
    frame = await phone.hear("event")
    assert frame == {
        "type": "event", "id": 1, "event": "task_done", "title": "Done", "text": "All well", "data": {"id": "t1"},
        "deviceId": device.id, "device": "Office Mac", "createdAt": "2026-12-01T09:30:00.000Z",
    }  # fmt: skip
    phone.say({"type": "event", "event": "task_done", "title": "From the phone", "text": ""})
    await phone.settled()
    for one in (phone, other_mac, strange, link):
        await one.settled()
    assert [len(one.of("event")) for one in (phone, other_mac, strange, link)] == [1, 0, 0, 0]


async def test_a_goodbye_that_the_disk_cannot_keep_is_not_taken(house: DeviceHouse, device: Device, link: MemoryLink, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    from ira_home.base.errors import StorageFull

    async def full(*_args: object, **_more: object) -> None:
        raise StorageFull

    monkeypatch.setattr(house.storage, "write", full)
    link.say({"type": "bye"})
    assert await link.closed() == 1013
    monkeypatch.undo()
    assert await house.storage.devices.get(device.id) is not None


async def test_a_fault_of_the_server_hurts_one_device_only(house: DeviceHouse, person: Principal, device: Device, link: MemoryLink, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    other = await house.online(await house.paired(person, label="Other"))

    async def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(house.events, "accept", broken)
    link.say(json.dumps({"type": "event", "event": "task_done", "title": "x", "text": "x"}))
    assert await link.closed() == 1011
    await other.settled()


async def test_a_device_that_joins_disturbs_none_that_is_there(house: DeviceHouse, person: Principal, device: Device, link: MemoryLink) -> None:  # fmt: skip
    house.bus.publish(DeviceJoined(person.person.id, device.id, "192.168.1.34"))
    task = asking(house, device)
    call = await link.hear("call")
    link.say({"type": "result", "id": call["id"], "ok": True, "content": "red"})
    assert await outcome(task) == "red"
    house.bus.publish(PersonChanged(person.person.id, removed=False))
    link.say(hello(device, []))
    await link.hear("welcome")
    offers = await house.hub.offers(person.person.id)
    assert [(offer.online, offer.tools) for offer in offers] == [(True, ())]
