"""Another certificate authority for a house that goes on running, with devices at its doors and away from them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
import ssl
from typing import Any

import aiohttp
import pytest

from ira_home.control.client import send
from ira_home.control.wire import Request
from ira_home.domain.audit import Change
from ira_home.domain.facts import TrustChanged
from tests.support.callers import Caller, DeviceLine, Member
from tests.support.clock import FakeClock
from tests.support.home import Home, hands_of_now, open_home
from tests.support.requirements import requirement
from tests.support.streams import dialled

WAIT_S = 20.0


@pytest.fixture
def clock() -> FakeClock:
    return hands_of_now()


@pytest.fixture
async def home(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Home]:
    async with open_home(tmp_path, clock=clock) as opened:
        yield opened


async def operate(home: Home, operation: str, **arguments: Any) -> Any:
    """What the operator's command gets, over the control socket."""
    return await asyncio.to_thread(send, home.folder, Request(operation, arguments))


async def until(home: Home, is_so: Callable[[], bool]) -> None:
    """Wait until something is so after a change of the certificates."""
    changed = asyncio.Event()
    stop = home.bus.subscribe(TrustChanged, lambda _: changed.set())
    try:
        async with asyncio.timeout(WAIT_S):
            while not is_so():
                await changed.wait()
                changed.clear()
    finally:
        stop()


async def pins(device: DeviceLine, count: int) -> list[str]:
    """The pins of the frame that tells so many."""

    def found() -> list[str] | None:
        told = [frame["pins"] for frame in device.frames if frame["type"] == "pins"]
        return next((one for one in told if len(one) == count), None)

    return await device._until(found, f"no {count} pins in {device.frames}")


async def answers(device: DeviceLine) -> bool:
    """Whether the line is as good as it was."""
    seen = len(device.frames)
    await device.send({"type": "ping"})
    return bool(await device.wait("pong", since=seen))


async def is_taken(home: Home, trust: ssl.SSLContext) -> bool:
    """Whether somebody who trusts only this still comes in."""
    caller = Caller(home.base, trust)
    try:
        return (await caller.call("GET", "/healthz")).status == 200
    except OSError:
        return False
    finally:
        await caller.close()


async def fetched(home: Home, address: str) -> tuple[int, str]:
    """What somebody without anything gets there: status and text."""
    async with aiohttp.ClientSession() as http, http.get(address, ssl=home.trust) as reply:
        return reply.status, (await reply.read()).decode(errors="replace")


async def written(home: Home) -> list[tuple[str, str]]:
    """Who changed what of the authorities, in order, as the change log has it."""
    page = await home.services.changes.list(None, 200)
    found = [one for one in reversed(page.items) if one.change is Change.AUTHORITY_CHANGED]
    return [(one.actor, one.detail) for one in found]


async def written_in(folder: Path, clock: FakeClock) -> list[tuple[str, str]]:
    """The same of a house that is started for it."""
    async with open_home(folder, clock=clock) as home:
        return await written(home)


async def paired_away(owner: Member) -> DeviceLine:
    """A device that is paired and not connected."""
    return await owner.pair(kind="android", label="Asha's phone")


@requirement("lan.new_ca")
async def test_devices_are_told_and_the_last_one_decides_while_every_line_stays(home: Home) -> None:
    owner, old = await home.owner(), home.trust
    here, away = await owner.online([], label="Office Mac"), await paired_away(owner)
    first = home.services.authority.pin

    announced = await operate(home, "certificates.new_ca")
    coming = announced["next"]["pin"]
    assert (announced["pin"], announced["next"]["waits_for"]) == (first, 2)
    assert await pins(here, 2) == [first, coming]
    await until(home, lambda: home.services.authority.roll_over.seen == {here.number})  # type: ignore[union-attr]
    shown = await operate(home, "certificates.show")
    waits_for = [(one["label"], one["online"]) for one in shown["next"]["devices"]]
    assert waits_for == [("Asha's phone", False)]
    for door in (home.base, home.plain):
        assert "/next-ca.crt" in (await fetched(home, f"{door}/trust"))[1]
        assert (await fetched(home, f"{door}/next-ca.crt"))[0] == 200
    assert await is_taken(home, old), "nothing has changed for anybody yet"

    await away.connect()
    welcome = await away.hello([])
    assert welcome["pins"] == [first, coming]
    assert await pins(away, 1) == await pins(here, 1) == [coming]
    shown = await operate(home, "certificates.show")
    assert (shown["pin"], shown["next"]) == (coming, None)
    assert home.services.trust.cas[0].pin == coming
    assert f"fp={coming}" in home.services.pairing_link.url("ABCDEFGH")
    assert not await is_taken(home, old)
    assert await is_taken(home, home.trust), "its file is the new one"
    assert await answers(here)
    assert await answers(away)
    for door, refused in ((home.base, 404), (home.plain, 403)):
        assert (await fetched(home, f"{door}/next-ca.crt"))[0] == refused
    await here.hang_up()
    await away.hang_up()


async def test_a_removed_device_is_waited_for_no_longer(home: Home, clock: FakeClock) -> None:
    owner = await home.owner()
    away = await paired_away(owner)
    coming = (await operate(home, "certificates.new_ca"))["next"]["pin"]
    await operate(home, "devices.revoke", id=away.number)
    clock.advance(61)
    await until(home, lambda: home.services.authority.pins == (coming,))


async def test_what_was_announced_goes_on_after_a_restart(tmp_path: Path, clock: FakeClock) -> None:
    async with open_home(tmp_path, clock=clock) as home:
        away = await paired_away(await home.owner())
        both = await operate(home, "certificates.new_ca")
    async with open_home(tmp_path, clock=clock) as home:
        device = DeviceLine(home.base, home.trust, away.token, away.number, away.kind)
        await device.connect()
        assert (await device.hello([]))["pins"] == [both["pin"], both["next"]["pin"]]
        await until(home, lambda: home.services.authority.pins == (both["next"]["pin"],))
        assert await answers(device)
        await device.hang_up()


async def test_one_that_takes_over_by_itself_is_in_the_change_log(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_home(tmp_path, clock=clock) as home:
        device = await (await home.owner()).online([])
        coming = (await operate(home, "certificates.new_ca"))["next"]["pin"]
        await until(home, lambda: home.services.authority.pins == (coming,))
        await device.hang_up()
    assert await written_in(tmp_path, clock) == [("operator", "announced"), ("house", "in force")]


async def test_what_happened_between_two_starts_is_in_the_change_log_once(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with open_home(tmp_path, clock=clock) as home:
        await paired_away(await home.owner())
        await operate(home, "certificates.new_ca")
        assert await written(home) == [("operator", "announced")]
        # As if the power had gone in the moment after it took over.
        assert home.services.authority.take_over([], at_once=True)
    for _start in range(2):
        found = await written_in(tmp_path, clock)
        assert found == [("operator", "announced"), ("house", "in force")]


async def test_the_operator_may_want_the_first_one_without_bounds(tmp_path: Path) -> None:
    async with open_home(tmp_path, settings={"name_constraints": "no"}) as home:
        assert not home.services.authority.is_constrained
    async with open_home(tmp_path) as home:
        assert not home.services.authority.is_constrained


async def test_given_up_and_everybody_is_told(home: Home) -> None:
    here = await (await home.owner()).online([])
    away = await paired_away(await home.owner())
    first = (await operate(home, "certificates.new_ca"))["pin"]
    await pins(here, 2)
    assert (await operate(home, "certificates.give_up"))["next"] is None
    assert await pins(here, 1) == [first]
    assert away.token, "there was one to wait for"
    await here.hang_up()


async def test_a_certificate_that_is_renewed_is_in_the_next_handshake(home: Home) -> None:
    here = await (await home.owner()).online([])
    before = await leaf(home)
    await operate(home, "certificates.renew")
    assert await leaf(home) != before
    assert await answers(here)
    await here.hang_up()


async def leaf(home: Home) -> bytes:
    """The certificate that a new client is shown."""
    port = home.services.addresses.https_port
    async with dialled(port, ssl=home.trust, name="127.0.0.1") as (_, writer):
        shown: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return shown
