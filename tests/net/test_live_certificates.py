"""Certificates of a running server: made anew in service, never at the cost of a line or of a good one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
import ssl

from cryptography import x509
import pytest

from ira_home.base.clock import SystemClock
from ira_home.base.folder_errors import DataFolderError
from ira_home.net.certificates import Authority
from ira_home.net.certificates.folder import Pki
from ira_home.net.certificates.profile import Key
from tests.support.clock import FakeClock
from tests.support.streams import dialled, listening

ID = "7f3a9c"
IDENTITY = f"ira-{ID}.local"
DAY = 86_400


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(SystemClock().now().replace(microsecond=0))


@pytest.fixture
def authority(tmp_path: Path, clock: FakeClock) -> Authority:
    return open_in(tmp_path / "pki", clock)


def open_in(pki: Path, clock: FakeClock) -> Authority:
    return Authority.open(
        pki, install_id=ID, clock=clock, addresses=["192.168.1.23"], hostname="pc"
    )


@asynccontextmanager
async def serving(authority: Authority) -> AsyncIterator["Echo"]:
    echo = Echo(authority)
    async with AsyncExitStack() as stack:
        await echo.open(stack)
        yield echo


class Echo:
    """A TLS server that says everything back, and strict clients of it."""

    def __init__(self, authority: Authority) -> None:
        self.authority = authority
        self.port = 0

    async def open(self, stack: AsyncExitStack) -> None:
        self.port = await stack.enter_async_context(
            listening(self._serve, ssl=self.authority.server_context())
        )
        self._stack = stack

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                writer.write(line)
        except OSError:
            pass

    async def line(self, name: str | None = IDENTITY) -> "Line":
        context = ssl.create_default_context(cadata=self.authority.ca_pem.decode())
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        return Line(
            *await self._stack.enter_async_context(dialled(self.port, ssl=context, name=name))
        )


class Line:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        content = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        self.leaf = x509.load_der_x509_certificate(content)

    async def works(self) -> bool:
        self._writer.write(b"hello\n")
        return await self._reader.readline() == b"hello\n"

    def close(self) -> None:
        self._writer.close()


async def test_an_address_that_comes_is_served_at_once_and_open_lines_stay(
    authority: Authority,
) -> None:
    async with serving(authority) as echo:
        old = await echo.line("192.168.1.23")
        with pytest.raises(ssl.SSLCertVerificationError):
            await echo.line("192.168.1.50")
        context, pin = authority.server_context(), authority.pin
        assert authority.cover(["192.168.1.50"])
        assert (authority.server_context(), authority.pin) == (context, pin)
        assert authority.addresses >= {"192.168.1.50", "192.168.1.23"}
        new = await echo.line("192.168.1.50")
        assert new.leaf != old.leaf
        assert await old.works()
        assert await new.works()
        old.close()
        new.close()


def test_nothing_is_made_while_everything_is_covered(authority: Authority) -> None:
    assert not authority.cover(["192.168.1.23"])
    assert not authority.cover([])
    assert not authority.cover()


def test_at_most_one_is_made_a_minute_and_none_is_forgotten(
    authority: Authority, clock: FakeClock
) -> None:
    assert authority.cover(["192.168.1.50"])
    clock.advance(59)
    assert not authority.cover(["192.168.1.51"])
    assert "192.168.1.51" not in authority.addresses
    clock.advance(1)
    assert authority.cover(["192.168.1.51"])
    assert "192.168.1.51" in authority.addresses


def test_one_near_its_end_is_made_anew_while_the_server_runs(
    authority: Authority, clock: FakeClock
) -> None:
    ends = authority.not_after
    clock.advance(DAY * (397 - 1 - 60) - 1)
    assert not authority.cover()
    clock.advance(2)
    assert authority.cover()
    assert authority.not_after - ends > timedelta(days=300)


def test_a_clock_that_was_ahead_leaves_nothing_that_begins_in_the_future(
    tmp_path: Path, clock: FakeClock
) -> None:
    right = clock.now()
    clock.set_wall(right + timedelta(days=2_000))
    authority = open_in(tmp_path / "pki", clock)
    pin = authority.pin
    clock.set_wall(right)
    assert authority.cover()
    ca = x509.load_der_x509_certificate(authority.ca_der)
    leaf = x509.load_pem_x509_certificate((tmp_path / "pki" / "server.pem").read_bytes())
    assert max(ca.not_valid_before_utc, leaf.not_valid_before_utc) <= right
    assert authority.pin == pin, "devices go on knowing the house"


def test_a_lost_clock_judges_nothing(
    authority: Authority, clock: FakeClock, tmp_path: Path
) -> None:
    before = (tmp_path / "pki" / "server.pem").read_bytes()
    clock.set_wall(datetime(1970, 1, 1, 0, 5, tzinfo=UTC))
    assert not authority.cover()
    open_in(tmp_path / "pki", clock)
    assert (tmp_path / "pki" / "server.pem").read_bytes() == before


def repaired(authority: Authority) -> bool:
    return authority.cover() and authority.fault is None


def key_of_another(mine: bytes, other: bytes) -> bytes:
    begin = b"-----BEGIN CERTIFICATE"
    return other[: other.index(begin)] + mine[mine.index(begin) :]


def all_of_another(_: bytes, other: bytes) -> bytes:
    return other


def cut_off(mine: bytes, _: bytes) -> bytes:
    return mine[: len(mine) // 2]


async def test_a_clock_that_was_far_ahead_does_no_lasting_harm(
    authority: Authority, clock: FakeClock, tmp_path: Path
) -> None:
    right = clock.now()
    clock.set_wall(right + timedelta(days=36_500))
    assert not authority.cover()
    assert "If the clock is wrong, set it right" in (authority.fault or "")
    with pytest.raises(DataFolderError, match="If the clock is wrong, set it right"):
        open_in(tmp_path / "pki", clock)
    clock.set_wall(right)
    clock.advance(60)
    authority.cover()
    assert not authority.fault
    again = open_in(tmp_path / "pki", clock)
    assert again.pins == authority.pins
    assert again.not_after == authority.not_after
    async with serving(again) as echo:
        line = await echo.line("192.168.1.23")
        line.close()


@pytest.mark.parametrize("spoil", [key_of_another, all_of_another, cut_off])
async def test_a_bad_one_is_never_put_into_service(
    authority: Authority,
    clock: FakeClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[bytes, bytes], bytes],
) -> None:
    open_in(tmp_path / "other", clock)
    other = (tmp_path / "other" / "server.pem").read_bytes()
    made = Pki.half_server

    def spoiled(self: Pki, key: Key, leaf: x509.Certificate, ca: x509.Certificate) -> Path:
        file = made(self, key, leaf, ca)
        file.write_bytes(spoil(file.read_bytes(), other))
        return file

    async with serving(authority) as echo:
        before = (tmp_path / "pki" / "server.pem").read_bytes()
        with monkeypatch.context() as patched:
            patched.setattr(Pki, "half_server", spoiled)
            assert not authority.cover(["192.168.1.50"])
        assert authority.fault
        assert (tmp_path / "pki" / "server.pem").read_bytes() == before
        line = await echo.line("192.168.1.23")
        assert await line.works()
        line.close()
        clock.advance(60)
        assert repaired(authority)
        line = await echo.line("192.168.1.50")
        line.close()


def test_a_folder_that_cannot_be_written_leaves_the_old_one_in_service_and_says_so(
    authority: Authority, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("ira_home.net.certificates.folder.make_private", full)
        assert not authority.cover(["192.168.1.50"])
    assert authority.fault is not None
    assert authority.fault.endswith("cannot be read or written (No space left on device).")
    clock.advance(60)
    assert repaired(authority)
