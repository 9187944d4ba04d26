"""A whole house with a certificate that its owner brought."""

from collections.abc import AsyncIterator
from pathlib import Path
import ssl

import pytest

from ira_home.base.errors import ConfigError
from ira_home.domain.facts import TrustChanged
from tests.support.clock import FakeClock
from tests.support.home import Home, hands_of_now, open_home
from tests.support.outside_certificates import HOST, Outside
from tests.support.requirements import requirement
from tests.support.streams import dialled


@pytest.fixture
def clock() -> FakeClock:
    return hands_of_now()


@pytest.fixture
def outside(tmp_path: Path, clock: FakeClock) -> Outside:
    return Outside(tmp_path, clock)


@pytest.fixture
async def home(tmp_path: Path, clock: FakeClock, outside: Outside) -> AsyncIterator[Home]:
    settings = {"tls_cert": str(outside.certificate), "tls_key": str(outside.key)}
    async with open_home(tmp_path / "data", clock=clock, settings=settings) as opened:
        yield opened


async def status(home: Home, name: str, ca: bytes) -> int:
    """What a client gets that calls the server so and trusts only this."""
    trust = ssl.create_default_context(cadata=ca.decode())
    port = home.services.addresses.https_port
    async with dialled(port, ssl=trust, name=name) as (reader, writer):
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {name}:{port}\r\nConnection: close\r\n\r\n".encode())  # fmt: skip
        return int((await reader.readline()).split()[1])


@requirement("lan.own_certificate")
async def test_people_come_in_by_its_name_and_devices_by_the_houses_own(
    home: Home, outside: Outside
) -> None:
    device = await (await home.owner()).online([])
    first = outside.put(outside.make())
    await home.services.certificates.cover()
    assert await status(home, HOST, first) == 200
    assert await status(home, home.services.authority.identity, home.services.authority.ca_pem) == 200  # fmt: skip
    with pytest.raises(ssl.SSLCertVerificationError):
        await status(home, home.services.authority.identity, first)

    second = outside.put(outside.make())
    await home.services.certificates.cover()
    assert await status(home, HOST, second) == 200
    await device.send({"type": "ping"})
    assert await device.wait("pong")
    await device.hang_up()


async def test_a_renewal_is_noticed_without_being_told(
    home: Home, outside: Outside, clock: FakeClock
) -> None:
    mine = outside.put(outside.make())
    heard: list[TrustChanged] = []
    home.bus.subscribe(TrustChanged, heard.append)
    clock.advance(61)
    await home.services.certificates.look()
    assert await status(home, HOST, mine) == 200
    assert len(heard) == 1


async def test_without_its_files_the_server_starts_and_says_what_is_wrong(home: Home) -> None:
    assert (await home.caller().call("GET", "/healthz")).status == 200
    assert "cannot be read" in str(home.services.authority.fault)


async def test_a_key_without_a_certificate_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="tls_cert, which is not set"):
        async with open_home(tmp_path, settings={"tls_key": "/etc/privkey.pem"}):
            pass
