"""A running server looks after its certificates by itself, and everybody hears of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
import ssl
from typing import cast

from cryptography import x509
import pytest

from ira_home.app.upkeep import Upkeep
from ira_home.base.ids import DeviceId
from ira_home.base.pubsub import Bus
from ira_home.domain.facts import TrustChanged
from ira_home.net.certificates import Authority, Keeper
from tests.support.callers import DeviceLine
from tests.support.clock import FakeClock
from tests.support.home import Home, hands_of_now, open_home
from tests.support.requirements import requirement
from tests.support.streams import dialled

WAIT_S = 20.0
_NO_CHECK_TIME = 0x200000  # the machine's clock is not the one under the test's hand


@pytest.fixture
def clock() -> FakeClock:
    return hands_of_now()


@pytest.fixture
async def home(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Home]:
    async with open_home(tmp_path, clock=clock) as opened:
        yield opened


async def _nothing() -> None:
    """Nothing is to be written up."""


@asynccontextmanager
async def told(home: Home) -> AsyncIterator[None]:
    """What is done inside is told with TrustChanged before long."""
    heard = asyncio.Event()
    stop = home.bus.subscribe(TrustChanged, lambda _: heard.set())
    try:
        yield
        await asyncio.wait_for(heard.wait(), WAIT_S)
    finally:
        stop()


@asynccontextmanager
async def device_of(home: Home) -> AsyncIterator[DeviceLine]:
    """A connected device, which is as well connected afterwards."""
    device = await (await home.owner()).online([])
    try:
        yield device
        await device.send({"type": "ping"})
        assert await device.wait("pong")
    finally:
        await device.hang_up()


async def leaf(home: Home) -> x509.Certificate:
    """The certificate that a new client is shown."""
    trust = home.trust
    trust.verify_flags |= ssl.VerifyFlags(_NO_CHECK_TIME)
    async with dialled(home.services.addresses.https_port, ssl=trust) as (_, writer):
        shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return x509.load_der_x509_certificate(shown)


@requirement("lan.renew")
async def test_a_certificate_near_its_end_is_made_anew_and_lines_of_devices_stay(
    home: Home, clock: FakeClock
) -> None:
    async with device_of(home):
        before = await leaf(home)
        # The hands are turned: days of silence would end the line of the device.
        async with told(home):
            clock.set_wall(clock.now() + timedelta(days=350))
        after = await leaf(home)
    assert after.not_valid_after_utc - before.not_valid_after_utc == timedelta(days=350)
    assert after.public_key() != before.public_key()


async def test_a_clock_that_was_ahead_is_noticed_within_seconds(
    tmp_path: Path, clock: FakeClock
) -> None:
    right = clock.now()
    clock.set_wall(right + timedelta(days=700))
    async with open_home(tmp_path, clock=clock) as home:
        async with told(home):
            clock.set_wall(right)
        assert (await leaf(home)).not_valid_before_utc <= right


@requirement("lan.renew")
async def test_an_address_that_comes_is_in_the_certificate_the_links_and_the_names(
    home: Home,
) -> None:
    async with device_of(home), told(home):
        assert await home.services.certificates.cover(["192.168.77.7"])
    assert "192.168.77.7" in home.services.addresses.names
    assert "192.168.77.7" in home.services.network().certified
    names = (await leaf(home)).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    assert "192.168.77.7" in map(str, names.value.get_values_for_type(x509.IPAddress))


async def test_one_that_has_to_wait_its_minute_is_made_without_being_asked_for_again(
    tmp_path: Path, clock: FakeClock
) -> None:
    authority = Authority.open(
        tmp_path, install_id="7f3a9c", clock=clock, addresses=[], hostname="pc"
    )

    async def nobody() -> frozenset[DeviceId]:
        return frozenset()

    keeper = Keeper(authority, Bus(), nobody)
    upkeep = Upkeep(keeper, clock, _nothing)
    assert await keeper.cover(["192.168.77.7"])
    assert not await keeper.cover(["192.168.77.8"])
    clock.advance(60)
    await upkeep.look()
    assert "192.168.77.8" in authority.addresses


async def test_nothing_is_told_while_nothing_changes(home: Home, clock: FakeClock) -> None:
    heard: list[TrustChanged] = []
    home.bus.subscribe(TrustChanged, heard.append)
    for _ in range(3):
        clock.advance(61)
        await home.services.certificates.cover()
    assert heard == []


class Fragile:
    """A keeper that breaks down the first time."""

    def __init__(self) -> None:
        self.looks = 0

    async def look(self) -> None:
        self.looks += 1
        if self.looks == 1:
            message = "no such thing"
            raise RuntimeError(message)


async def test_whatever_is_wrong_with_one_look_there_is_another_one(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    keeper = Fragile()
    upkeep = Upkeep(cast("Keeper", keeper), clock, _nothing)
    await upkeep.look()
    assert "could not be looked after" in caplog.text
    await upkeep.look()
    assert keeper.looks == 2
