"""A device comes back when it may, ever more slowly, and stops when it must."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from ira_device import Device, DeviceRemoved, HelloRefused, NotPaired, Replaced
from ira_device.reconnect import Ending, Reconnect
from ira_home.protocol.close_codes import CloseCode
from tests.clients.authority import Authority
from tests.clients.fake_home import FakeHome
from tests.clients.hand import Hand
from tests.clients.serving import at_work
from tests.support.streams import listening


def _delays(hand: Hand, count: int, *, code: int | None = None) -> list[float]:
    reconnect = Reconnect(hand.pace)
    return [reconnect.delay_s(Ending(code, "")) for _ in range(count)]


def test_the_delay_grows_to_a_minute_and_is_jittered_down_to_half() -> None:
    assert _delays(Hand(chance=1.0), 8) == [1, 2, 4, 8, 16, 32, 60, 60]
    assert _delays(Hand(chance=0.0), 8) == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert _delays(Hand(chance=1.0), 2000)[-1] == 60


def test_after_a_restart_it_comes_back_at_once_and_then_with_the_growing_delay() -> None:
    assert _delays(Hand(chance=1.0), 4, code=CloseCode.GOING_AWAY) == [0, 2, 4, 5]


def test_a_restart_is_waited_for_in_short_steps_and_a_long_absence_in_long_ones(hand: Hand) -> None:
    hand = Hand(chance=1.0)
    reconnect = Reconnect(hand.pace)
    delays = [reconnect.delay_s(Ending(CloseCode.GOING_AWAY, "", lasted_s=60.0))]
    delays += [reconnect.delay_s(Ending(None, "")) for _ in range(8)]
    assert delays == [0, 2, 4, 5, 5, 5, 5, 5, 5]
    hand.clock.advance(120)
    assert reconnect.delay_s(Ending(None, "")) == 60


def test_a_connection_that_lasted_ends_the_growth(hand: Hand) -> None:
    reconnect = Reconnect(hand.pace)
    for _ in range(6):
        reconnect.delay_s(Ending(None, ""))
    assert reconnect.delay_s(Ending(None, "", lasted_s=29.0)) == 30.0
    assert reconnect.delay_s(Ending(None, "", lasted_s=30.0)) == 0.5
    assert reconnect.delay_s(Ending(CloseCode.GOING_AWAY, "", lasted_s=31.0)) == 0.0


def test_a_server_that_asks_for_more_time_gets_it(hand: Hand) -> None:
    assert Reconnect(hand.pace).delay_s(Ending(None, "", wait_s=17.0)) == 17.0


@pytest.mark.parametrize("code", [1000, 1003, 1006, 1008, 1009, 1011, 1013, 4408, 4999, None])
def test_every_other_ending_is_no_reason_to_stop(hand: Hand, code: int | None) -> None:
    assert Reconnect(hand.pace).delay_s(Ending(code, "")) == 0.5


@pytest.mark.parametrize(
    ("code", "error"), [(4400, HelloRefused), (4403, DeviceRemoved), (4000, Replaced)]
)
def test_final_endings_are_final(hand: Hand, code: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        Reconnect(hand.pace).delay_s(Ending(code, "why"))


async def test_a_restarting_server_gets_its_devices_back_at_once(
    home: FakeHome, device: Device
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.close(1001)
        await (await home.line()).welcome()


async def test_a_broken_line_is_made_again_after_the_delay(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        line.cut()
        assert await hand.asleep(lambda s: s < 1.0) == 0.5
        hand.advance(0.5)
        await (await home.line()).welcome()


async def test_a_removed_device_forgets_its_token_and_stops(home: FakeHome, device: Device) -> None:
    async with at_work(device) as task:
        line = await home.line()
        await line.welcome()
        await line.close(4403)
        with pytest.raises(DeviceRemoved):
            await task
    assert not device.store.is_paired()
    assert list(device.store.folder.iterdir()) == []


async def test_a_token_that_died_while_the_device_was_away_is_forgotten_too(
    home: FakeHome, device: Device
) -> None:
    home.refuse_socket = (401, {})
    with pytest.raises(DeviceRemoved):
        await device.serve()
    assert not device.store.is_paired()


async def test_a_newer_connection_is_left_alone(home: FakeHome, device: Device) -> None:
    async with at_work(device) as task:
        line = await home.line()
        await line.welcome()
        await line.close(4000)
        with pytest.raises(Replaced):
            await task
    assert device.store.is_paired()


@pytest.mark.parametrize("status", [403, 421, 429, 500, 503])
async def test_a_server_that_lets_nobody_in_is_asked_again_when_it_says(
    home: FakeHome, device: Device, hand: Hand, status: int
) -> None:
    home.refuse_socket = (status, {"Retry-After": "9"})
    async with at_work(device):
        assert await hand.asleep(lambda s: s > 1.0) == 9.0
        home.refuse_socket = None
        hand.advance(9.0)
        await (await home.line()).welcome()
    assert device.store.is_paired()


async def test_an_impostor_at_the_address_gets_no_token_and_is_waited_out(
    device: Device, hand: Hand, tmp_path: Path
) -> None:
    context = Authority.make().context(tmp_path)
    served: list[object] = []

    async def impostor(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        served.append(await reader.read(1000))

    async with listening(impostor, ssl=context) as port:
        _move(device, port)
        async with at_work(device):
            await hand.asleep(lambda s: s < 1.0)
    assert served in ([], [b""])
    assert device.store.is_paired()


def _move(device: Device, port: int) -> None:
    """Let the pairing name another port."""
    paired = device.store.load()
    device.store.save(msgspec.structs.replace(paired, port=port), device.store.token(paired))


async def test_stopping_while_waiting_takes_no_time(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    home.refuse_socket = (503, {})
    async with at_work(device) as task:
        await hand.asleep(lambda s: s < 1.0)
        device.stop()
        await task


async def test_what_is_not_paired_does_not_serve(device: Device) -> None:
    device.store.forget()
    with pytest.raises(NotPaired):
        await device.serve()


async def test_a_close_is_understood_although_the_server_did_not_wait_for_the_answer(
    home: FakeHome, device: Device
) -> None:
    async with at_work(device) as task:
        line = await home.line()
        await line.welcome()
        await line.close_and_cut(4000)
        with pytest.raises(Replaced):
            await task
