"""A change of the house's authority on the wire: who is told what, and who has read it."""

from ira_home.domain.devices import Device
from ira_home.domain.facts import PinsHeard, TrustChanged
from tests.support.device_house import DeviceHouse, hello
from tests.support.links import MemoryLink

OLD, NEW = "o" * 43, "n" * 43
BOTH = (OLD, NEW)


async def test_nothing_is_said_while_there_is_one(house: DeviceHouse, device: Device) -> None:
    house.hub.pins = (OLD,)
    link = await house.online(device)
    assert "pins" not in link.frames[0]
    house.bus.publish(TrustChanged((OLD,)))
    await link.settled()
    assert not link.of("pins")


async def test_a_connected_device_is_told_at_once_and_its_pong_proves_that_it_read(
    house: DeviceHouse, device: Device
) -> None:
    house.hub.pins = (OLD,)
    link = await house.online(device)
    house.advance(30)
    await link.hear("ping")
    house.bus.publish(TrustChanged(BOTH))
    assert (await link.hear("pins"))["pins"] == [OLD, NEW]
    await link.hear("ping")
    link.say({"type": "pong"})
    await link.settled()
    assert not house.told(PinsHeard), "that one answers the ping from before"
    link.say({"type": "pong"})
    await link.settled()
    assert house.told(PinsHeard) == [PinsHeard(device.id, BOTH)]
    link.say({"type": "pong"})
    await link.settled()
    assert len(house.told(PinsHeard)) == 1


async def test_one_that_comes_later_is_told_in_its_welcome(
    house: DeviceHouse, device: Device
) -> None:
    house.bus.publish(TrustChanged(BOTH))
    link = await house.connect(device)
    link.say(hello(device))
    assert (await link.hear("welcome"))["pins"] == [OLD, NEW]
    await link.hear("ping")
    assert not house.told(PinsHeard)
    link.say({"type": "pong"})
    await link.settled()
    assert house.told(PinsHeard) == [PinsHeard(device.id, BOTH)]


async def test_the_end_of_the_change_is_told_too(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    house.bus.publish(TrustChanged(BOTH))
    house.bus.publish(TrustChanged((NEW,)))
    await link.settled()
    said = [frame["pins"] for frame in link.frames if frame["type"] == "pins"]
    assert said == [[OLD, NEW], [NEW]]
    link.say({"type": "pong"})
    link.say({"type": "pong"})
    await link.settled()
    assert house.told(PinsHeard) == [PinsHeard(device.id, (NEW,))]


async def test_a_device_without_hello_is_told_nothing(house: DeviceHouse, device: Device) -> None:
    link = await house.connect(device)
    house.bus.publish(TrustChanged(BOTH))
    assert link.frames == []
    link.say(hello(device))
    assert (await link.hear("welcome"))["pins"] == [OLD, NEW]


async def test_a_device_cannot_say_it_itself(
    house: DeviceHouse, device: Device, link: MemoryLink
) -> None:
    link.say({"type": "pins", "pins": [NEW]})
    assert "Only the server" in (await link.hear("error"))["error"]
    assert not house.told(PinsHeard)
