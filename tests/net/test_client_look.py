"""What a device sees that dials an address of the server: over real lines, of this house and of others."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
import ssl

import pytest

from ira_home.base.clock import SystemClock
from ira_home.domain.diagnosis import Finding, Said
from ira_home.net.certificates import Authority
from ira_home.net.diagnosis import clients
from ira_home.net.diagnosis.clients import over_http, over_https
from tests.support.clock import FakeClock
from tests.support.ports import free_port
from tests.support.streams import listening

HERE = "127.0.0.1"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"


def authority(folder: Path, install_id: str = "7f3a9c", clock: FakeClock | None = None) -> Authority:  # fmt: skip
    return Authority.open(
        folder, install_id=install_id, clock=clock or SystemClock(), addresses=[], hostname="pc"
    )


@asynccontextmanager
async def answering(
    answer: bytes | None, context: ssl.SSLContext | None = None, *, at_once: bool = False
) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server that says this to everybody, or nothing at all; its port, and the heads that it was sent.

    `at_once`: it speaks first.
    """
    heads = list[bytes]()
    done = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if not at_once:
                heads.append(await reader.readuntil(b"\r\n\r\n"))
            if answer is None:
                await done.wait()
            else:
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass

    async with listening(serve, host=HERE, ssl=context) as port:
        yield port, heads
        done.set()


async def seen(house: Authority, port: int, *addresses: str) -> list[Finding]:
    own = addresses or (HERE,)
    return await over_https(own, port, ca_der=house.ca_der, identity=house.identity)


async def test_a_device_is_answered_at_an_address_that_the_certificate_does_not_name(
    tmp_path: Path,
) -> None:
    house = authority(tmp_path)
    async with answering(OK, house.server_context()) as (port, heads):
        found = await seen(house, port, HERE, "127.0.0.2")
    assert [one.said for one in found] == [Said.REACH_GOOD, Said.REACH_NOTHING]
    assert found[0].values == {"addresses": f"{HERE}:{port}"}
    assert found[1].values == {"address": f"127.0.0.2:{port}"}
    assert heads[0].startswith(f"GET /healthz HTTP/1.1\r\nHost: {HERE}:{port}\r\n".encode())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (OK.replace(b"200 OK", b"421 Misdirected Request"), Said.REACH_TURNED_AWAY),
        (OK.replace(b"200 OK", b"404 Not Found"), Said.REACH_STRANGER),
        (b"220 mail.example ESMTP\r\n\r\n", Said.REACH_STRANGER),
        (b"", Said.REACH_STRANGER),
    ],
)
async def test_what_is_wrong_is_told_from_the_answer(
    tmp_path: Path, answer: bytes, said: Said
) -> None:
    house = authority(tmp_path)
    async with answering(answer, house.server_context()) as (port, _):
        assert [one.said for one in await seen(house, port)] == [said]


async def test_another_house_and_a_program_without_tls_are_strangers(tmp_path: Path) -> None:
    house, other = authority(tmp_path / "a"), authority(tmp_path / "b", "0bb1e5")
    async with answering(OK, other.server_context()) as (port, heads):
        assert [one.said for one in await seen(house, port)] == [Said.REACH_STRANGER]
    assert heads == []  # it was told nothing
    async with answering(OK, at_once=True) as (port, _):
        assert [one.said for one in await seen(house, port)] == [Said.REACH_STRANGER]


async def test_a_certificate_that_is_not_good_now_is_distrusted_with_the_reason(
    tmp_path: Path,
) -> None:
    house = authority(tmp_path, clock=Turned())
    async with answering(OK, house.server_context()) as (port, _):
        (found,) = await seen(house, port)
    assert found.said is Said.REACH_DISTRUSTED
    assert "not yet valid" in found.values["why"]


class Turned(FakeClock):
    """A clock that is two years ahead of this computer's."""

    def __init__(self) -> None:
        now = SystemClock().now()
        super().__init__(now.replace(year=now.year + 2, day=1))


async def test_who_says_nothing_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "CLIENT_LOOK_S", 0.05)
    house = authority(tmp_path)
    async with answering(None, house.server_context()) as (port, _):
        assert [one.said for one in await seen(house, port)] == [Said.REACH_NOTHING]


def body(ca: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(ca), ca)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (body, Said.PLAIN_GOOD),
        (lambda ca: body(ca + b"."), Said.PLAIN_STRANGER),
        (lambda _: OK.replace(b"200 OK", b"404 Not Found"), Said.PLAIN_STRANGER),
        (lambda _: b"\x15\x03\x01\x00\x02\x02\x16\r\n\r\n", Said.PLAIN_STRANGER),
        (lambda _: body(b"x" * 200_000), Said.PLAIN_STRANGER),
    ],
)
async def test_the_start_page_is_ours_when_it_has_our_certificate(
    tmp_path: Path, answer: Callable[[bytes], bytes], said: Said
) -> None:
    house = authority(tmp_path)
    async with answering(answer(house.ca_der)) as (port, _):
        found = await over_http(HERE, port, ca_der=house.ca_der)
    assert found == Finding(said, {"address": f"{HERE}:{port}"})


async def test_a_start_page_that_is_not_there_is_told() -> None:
    found = await over_http(HERE, free_port(), ca_der=b"")
    assert found.said is Said.PLAIN_NOTHING
