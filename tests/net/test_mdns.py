"""The announcement: real multicast on loopback, heard by a client's own look; and what becomes of faults."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
import errno
import random
import secrets
import socket
import struct
import threading

import pytest
from zeroconf import ServiceInfo
from zeroconf._dns import DNSQuestion
from zeroconf._protocol.incoming import DNSIncoming
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncZeroconf
from zeroconf.const import (
    _CLASS_IN,
    _FLAGS_AA,
    _FLAGS_QR_RESPONSE,
    _TYPE_A,
    _TYPE_AAAA,
    _TYPE_NSEC,
)

from ira_home.domain.network import AnnouncementFault
from ira_home.net.interfaces import Interface
from ira_home.net.mdns import (
    AnnouncementFailed,
    Announcer,
    Notice,
    Said,
    announcer as voice,
    claim,
)
from ira_home.protocol.discovery import SERVICE_TYPE
from ira_home.protocol.mdns_look import Server, look
from tests.support.announcing import LOOPBACK, announced
from tests.support.requirements import requirement

ENOUGH_S = 20.0
LO = Interface("lo", 1, LOOPBACK)


def notice(name: str = "Sharma's house") -> Notice:
    return Notice(
        name=name,
        install_id=secrets.token_hex(3),
        port=18443,
        pin="p" * 43,
        may_pair=True,
        addresses=(LOOPBACK,),
        cards=(LO,),
    )


async def seen(one: Notice, seconds: float = ENOUGH_S) -> Server | None:
    found = await look(seconds, wanted=one.install_id)
    return next((server for server in found if server.id == one.install_id), None)


@pytest.fixture
async def announcer() -> AsyncIterator[Announcer]:
    made = Announcer()
    yield made
    await made.withdraw()
    for thread in threading.enumerate():
        if thread.name == "mdns":
            thread.join(ENOUGH_S)
            assert not thread.is_alive()


async def test_it_is_found_with_all_that_is_told_and_gone_after_its_goodbye(
    announcer: Announcer,
) -> None:
    mine = notice(f"घर {secrets.token_hex(3)}")
    said = await announcer.announce(mine)
    assert (said.name, said.everywhere) == (mine.name, True)
    assert await seen(mine) == Server(
        mine.name, mine.install_id, f"ira-{mine.install_id}.local", 18443, (LOOPBACK,)
    )
    await announcer.withdraw()
    assert await seen(mine, 1.5) is None


def test_what_is_told_is_short_and_names_nobody() -> None:
    told = notice().properties()
    assert set(told) == {"txtvers", "id", "pv", "path", "tls", "fp", "pair"}
    assert told["fp"] == "p" * 16
    assert sum(len(f"{key}={value}") + 1 for key, value in told.items()) < 400


async def test_a_new_state_takes_the_place_of_the_old_one(announcer: Announcer) -> None:
    mine = notice(secrets.token_hex(6))
    await announcer.announce(mine)
    moved = replace(mine, port=18444, may_pair=False)
    assert (await announcer.announce(moved)).name == mine.name
    server = await seen(mine)
    assert server is not None
    assert server.port == 18444


async def test_a_name_that_another_house_has_on_this_very_computer_is_not_taken(
    announcer: Announcer,
) -> None:
    name = secrets.token_hex(6)
    first, mine = notice(name), notice(name)
    other = Announcer()
    assert (await other.announce(first)).name == name
    try:
        assert (await announcer.announce(mine)).name == f"{name} 2"
        one, two = await seen(first), await seen(mine)
        assert one is not None
        assert two is not None
        assert (one.name, two.name) == (name, f"{name} 2")
    finally:
        await other.withdraw()


@asynccontextmanager
async def rival(name: str, install_id: str) -> AsyncIterator[None]:
    """A server that took the name without hearing that somebody has it."""
    info = ServiceInfo(
        SERVICE_TYPE, f"{name}.{SERVICE_TYPE}", port=1, server=f"ira-{install_id}.local.",
        parsed_addresses=[LOOPBACK], properties={"id": install_id},
    )  # fmt: skip
    other = AsyncZeroconf(interfaces=[LOOPBACK])
    try:
        await (await other.async_register_service(info, cooperating_responders=True))
        yield
    finally:
        await other.async_unregister_all_services()
        await other.async_close()


async def test_of_two_that_took_one_name_at_once_the_smaller_id_gives_way(
    announcer: Announcer,
) -> None:
    news: asyncio.Queue[object] = asyncio.Queue()
    announcer.changed = news.put_nowait
    mine = replace(notice(secrets.token_hex(6)), install_id="0" + secrets.token_hex(3))
    assert (await announcer.announce(mine)).name == mine.name
    async with rival(mine.name, "ffffff"):
        async with asyncio.timeout(ENOUGH_S):
            assert await news.get() == Said(f"{mine.name} 2", everywhere=True)
        server = await seen(mine)
        assert server is not None
        assert server.name == f"{mine.name} 2"


async def test_the_greater_id_keeps_the_name_and_says_so_again(announcer: Announcer) -> None:
    news: asyncio.Queue[object] = asyncio.Queue()
    announcer.changed = news.put_nowait
    mine = replace(notice(secrets.token_hex(6)), install_id="f" + secrets.token_hex(3))
    assert (await announcer.announce(mine)).name == mine.name
    async with rival(mine.name, "000000"):
        pass
    server = await seen(mine)
    assert server is not None
    assert server.name == mine.name
    assert news.empty()


async def test_an_own_name_that_somebody_repeats_is_kept(announcer: Announcer) -> None:
    mine = notice(secrets.token_hex(6))
    async with announced(mine.install_id, name=mine.name):
        assert (await announcer.announce(mine)).name == mine.name


@pytest.mark.parametrize(("kind", "answer"), [(_TYPE_A, _TYPE_A), (_TYPE_AAAA, _TYPE_NSEC)])
async def test_who_asks_once_from_any_port_is_answered_at_once_also_that_there_is_no_ipv6(
    announcer: Announcer, kind: int, answer: int
) -> None:
    """As Android asks; a resolver that hears nothing about IPv6 waits five seconds for it."""
    mine = notice(secrets.token_hex(6))
    await announcer.announce(mine)
    question = DNSOutgoing(0, multicast=False)
    question.add_question(DNSQuestion(f"ira-{mine.install_id}.local.", kind, _CLASS_IN))
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.setblocking(False)
        asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK))
        asker.bind((LOOPBACK, 0))
        asker.sendto(question.packets()[0], ("224.0.0.251", 5353))
        async with asyncio.timeout(ENOUGH_S):
            said = DNSIncoming(await loop.sock_recv(asker, 9_000))
    assert answer in {record.type for record in said.answers()}


def odd_packets(mine: Notice) -> Iterator[bytes]:
    """What no program of good will sends: noise, halves, changed bytes, names that lead into themselves, a crowd."""
    chance = random.Random(5353)  # noqa: S311 - the same ones each time
    said = DNSOutgoing(_FLAGS_QR_RESPONSE | _FLAGS_AA)
    info = ServiceInfo(
        SERVICE_TYPE, f"{mine.name}.{SERVICE_TYPE}", port=1, server=f"ira-{mine.install_id}.local.",
        parsed_addresses=["127.0.0.99"], properties={"id": mine.install_id},
    )  # fmt: skip
    for record in (info.dns_pointer(), info.dns_service(), info.dns_text(), *info.dns_addresses()):
        said.add_answer_at_time(record, 0)
    (good,) = said.packets()
    for number in range(100):
        yield chance.randbytes(chance.randrange(1_400))
        yield good[: chance.randrange(len(good))]
        changed = bytearray(good)
        for _ in range(chance.randrange(1, 12)):
            changed[chance.randrange(12, len(good))] = chance.randrange(256)
        yield bytes(changed)
        yield struct.pack("!6H", 0, 0x8400, 0, 65_535, 0, 0) + b"\xc0\x0c" * (number + 1)


async def test_whatever_is_sent_there_it_goes_on_answering(announcer: Announcer) -> None:
    mine = replace(notice(secrets.token_hex(6)), install_id="f" + secrets.token_hex(3))
    ended: list[object] = []
    announcer.changed = lambda news: ended.append(news) if isinstance(news, Exception) else None
    await announcer.announce(mine)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        stranger.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK))
        # From the port of mDNS itself, and from another one, which is answered in another way.
        stranger.bind((LOOPBACK, 5353))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK))
            for number, packet in enumerate(odd_packets(mine)):
                (stranger, other)[number % 2].sendto(packet, ("224.0.0.251", 5353))
    server = await seen(mine)
    assert server is not None
    assert (server.port, LOOPBACK in server.addresses, ended) == (mine.port, True, [])


async def test_where_every_name_is_taken_that_is_said(announcer: Announcer) -> None:
    mine = notice(secrets.token_hex(6))
    crowd = AsyncZeroconf(interfaces=[LOOPBACK])
    for name in mine.names():
        info = ServiceInfo(
            SERVICE_TYPE, f"{name}.{SERVICE_TYPE}", port=1, server="other.local.",
            parsed_addresses=[LOOPBACK], properties={"id": "other"},
        )  # fmt: skip
        await (await crowd.async_register_service(info, cooperating_responders=True))
    try:
        with pytest.raises(AnnouncementFailed) as caught:
            await announcer.announce(mine)
        assert caught.value.why is AnnouncementFault.NAME_TAKEN
    finally:
        await crowd.async_unregister_all_services()
        await crowd.async_close()


async def test_every_name_that_a_house_can_have_is_announced() -> None:
    names = (
        "Dr. Rao's clinic", "a.local.", ".b.", "_http._tcp", "x._sub", "\u0918" * 80, "é" * 40, " \t ", "-",
    )  # fmt: skip
    houses = {one.install_id: (Announcer(), one) for one in map(notice, names)}
    said = await asyncio.gather(*(announcer.announce(one) for announcer, one in houses.values()))
    try:
        found = {one.id: one.name for one in await look(3.0)}
    finally:
        await asyncio.gather(*(announcer.withdraw() for announcer, _ in houses.values()))
    for mine, one in zip(houses, said, strict=True):
        assert found[mine] == one.name
        assert 1 <= len(one.name.encode()) <= 63


def test_each_card_is_spoken_on_once_by_each_family() -> None:
    cards = (
        Interface("eth0", 2, "192.168.1.23"), Interface("eth0", 2, "192.168.1.24"),
        Interface("eth0", 2, "fd00::23"), Interface("eth0", 2, "fe80::1"), Interface("wlan0", 3, "10.0.0.7"),
    )  # fmt: skip
    assert replace(notice(), cards=cards).speaking() == [cards[0], cards[3], cards[4]]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError(errno.EADDRINUSE, "in use"), AnnouncementFault.PORT_TAKEN),
        (PermissionError(errno.EPERM, "no"), AnnouncementFault.NOT_ALLOWED),
        (OSError(errno.ENODEV, "gone"), AnnouncementFault.NO_NETWORK),
        (RuntimeError("No adapter found"), AnnouncementFault.NO_NETWORK),
        (ZeroDivisionError("who knows"), AnnouncementFault.UNKNOWN),
    ],
)
async def test_a_fault_of_the_system_has_its_name(
    announcer: Announcer, monkeypatch: pytest.MonkeyPatch, error: Exception, why: AnnouncementFault
) -> None:
    def refused(_: Interface) -> bool:
        raise error

    monkeypatch.setattr(claim, "is_usable", refused)
    with pytest.raises(AnnouncementFailed) as caught:
        await announcer.announce(notice())
    assert caught.value.why is why


async def test_addresses_that_are_not_here_are_no_network(announcer: Announcer) -> None:
    gone = (Interface("eth7", 77, "192.0.2.99"), Interface("eth7", 77, "fe80::dead"))
    with pytest.raises(AnnouncementFailed) as caught:
        await announcer.announce(replace(notice(), cards=gone))
    assert caught.value.why is AnnouncementFault.NO_NETWORK


@requirement("lan.announce")
async def test_one_that_hangs_is_waited_for_no_longer_than_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    released, running = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def hang(_: Interface) -> bool:
        loop.call_soon_threadsafe(running.set)
        released.wait(ENOUGH_S)
        raise RuntimeError

    monkeypatch.setattr(claim, "is_usable", hang)
    monkeypatch.setattr(voice, "START_S", 0.05)
    monkeypatch.setattr(voice, "GOODBYE_S", 0.05)
    announcer = Announcer()
    try:
        with pytest.raises(AnnouncementFailed):
            await announcer.announce(notice())
        await running.wait()
        await announcer.withdraw()
        monkeypatch.undo()
        mine = notice(secrets.token_hex(6))
        assert (await announcer.announce(mine)).name == mine.name, "another thread does it"
    finally:
        released.set()
        await announcer.withdraw()
