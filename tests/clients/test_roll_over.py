"""Another authority takes over when the old one has announced it, and never otherwise."""

import pytest

from ira_device import Device
from ira_device.pinning import pin_of
from ira_device.store import Store
from tests.clients.authority import Authority
from tests.clients.fake_home import FakeHome, Line, claimed
from tests.clients.hand import Hand
from tests.clients.network import Network
from tests.clients.serving import at_work
from tests.support.requirements import requirement


def pin(authority: Authority) -> str:
    return pin_of(authority.certificate)


@pytest.fixture
def following() -> Authority:
    """The authority that comes next."""
    return Authority.make()


async def read(line: Line) -> None:
    """The device has read everything so far: its pong is the proof."""
    await line.say({"type": "ping"})
    await line.frame("pong")


@requirement("lan.roll_over")
async def test_the_next_pin_is_kept_before_the_pong_and_its_authority_is_followed(
    home: FakeHome, device: Device, following: Authority, network: Network, hand: Hand
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.say({"type": "pins", "pins": [pin(home.authority), pin(following)]})
        await read(line)
        assert device.store.load().next_pins == (pin(following),)
        home.become(following)
        line.cut()
        await hand.asleep(lambda s: s == 0.5)
        hand.advance(0.5)
        line = await home.line()
        await line.welcome()
        await read(line)
    kept = device.store.load()
    assert (kept.ca_pem, kept.next_pins) == (following.pem.decode(), ())
    assert network.asked == 0


async def test_a_device_that_was_not_running_when_it_changed_follows_too(
    home: FakeHome, device: Device, following: Authority
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome(pins=[pin(home.authority), pin(following)])
        await read(line)
    home.become(following)
    again = Device("Lamp", kind="linux", store=device.store)
    async with at_work(again):
        await (await home.line()).welcome()


async def test_the_old_one_still_counts_until_the_new_one_was_met(
    home: FakeHome, device: Device, following: Authority, hand: Hand
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome(pins=[pin(home.authority), pin(following)])
        await read(line)
        line.cut()
        await hand.asleep(lambda s: s < 1.0)
        hand.advance(0.5)
        line = await home.line()
        await line.welcome(pins=[pin(home.authority), pin(following)])
        await read(line)
    kept = device.store.load()
    assert (kept.ca_pem, kept.next_pins) == (home.authority.pem.decode(), (pin(following),))


@requirement("lan.roll_over")
@pytest.mark.parametrize("heard", [False, True])
async def test_an_authority_that_was_not_announced_is_none_of_the_house(
    home: FakeHome, device: Device, following: Authority, hand: Hand, *, heard: bool
) -> None:
    known = home.authority
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        if heard:
            await line.say({"type": "pins", "pins": [pin(known), pin(following)]})
        await read(line)
        home.become(Authority.make())
        home.claims.clear()
        line.cut()
        await hand.asleep(lambda s: s == 0.5)
        hand.advance(0.5)
        # The next try has failed as well.
        await hand.asleep(lambda s: s == 1.0)
    assert home.met_nobody()
    assert device.store.load().ca_pem == known.pem.decode()


async def test_a_change_that_was_called_off_is_forgotten(
    home: FakeHome, device: Device, following: Authority, hand: Hand
) -> None:
    both = [pin(home.authority), pin(following)]
    async with at_work(device):
        line = await home.line()
        await line.welcome(pins=both)
        await line.say({"type": "pins", "pins": both[:1]})
        await read(line)
        assert device.store.load().next_pins == ()
        await line.say({"type": "pins", "pins": both})
        await read(line)
        assert device.store.load().next_pins == (pin(following),)
        line.cut()
        await hand.asleep(lambda s: s < 1.0)
        hand.advance(0.5)
        line = await home.line()
        await line.welcome()  # it was called off while the device was away
        await read(line)
    assert device.store.load().next_pins == ()


async def test_what_is_no_pin_is_not_kept_and_a_flood_is_bounded(
    home: FakeHome, device: Device
) -> None:
    flood = [f"{number:043}" for number in range(100)]
    async with at_work(device):
        line = await home.line()
        await line.welcome(pins=["", "short", "=" * 43, pin(home.authority), *flood])
        await read(line)
    assert list(device.store.load().next_pins) == flood[:4]


async def test_what_cannot_be_kept_is_not_answered(
    home: FakeHome, device: Device, following: Authority, hand: Hand
) -> None:
    folder, aside = device.store.folder, device.store.folder.with_name("aside")
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await read(line)
        folder.rename(aside)
        folder.write_text("in the way")
        await line.say({"type": "pins", "pins": [pin(home.authority), pin(following)]})
        await line.say({"type": "ping"})
        await line.ended.wait()
        assert line.said_nothing()
        folder.unlink()
        aside.rename(folder)
        await hand.asleep(lambda s: s < 1.0)


async def test_a_link_that_is_scanned_again_replaces_the_pin_also_of_a_device_at_work(
    home: FakeHome, device: Device, following: Authority
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        home.become(following)
        home.claim_answer = (201, claimed(device_id=4, token="irad_" + "n" * 43), {})
        await Device("Lamp", kind="linux", store=device.store).pair(home.link())
        line.cut()
        again = await home.line()
        await again.welcome(deviceId=4)
        assert again.authorization == "Bearer irad_" + "n" * 43


async def test_a_removed_device_forgets_no_pairing_that_took_its_place(
    home: FakeHome, device: Device
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        home.claim_answer = (201, claimed(device_id=4), {})
        await Device("Lamp", kind="linux", store=device.store).pair(home.link())
        await line.close(4403)
        await (await home.line()).welcome(deviceId=4)
    assert device.store.load().device_id == 4


async def test_a_pairing_of_before_there_were_next_pins_is_read(
    home: FakeHome, device: Device, store: Store
) -> None:
    file = store.folder / "device.json"
    old = file.read_text().replace('  "next_pins": [],\n', "")
    assert "next_pins" not in old
    file.write_text(old)
    assert store.load().next_pins == ()
