"""A server that moved is found again by its id, and by nothing but what it can prove."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
import secrets
import socket
from typing import Any

import msgspec
import pytest

from ira_device import Device
from ira_device.finding import TRIED_MAX, ask_network, find_again
from ira_device.http import Address
from ira_device.store import Paired, Store
from ira_home.base.errors import CommandFailed
from ira_home.protocol.mdns_look import Server
from tests.clients.authority import Authority
from tests.clients.fake_home import FakeHome, open_home
from tests.clients.network import Network
from tests.clients.serving import at_work
from tests.support.announcing import announced
from tests.support.ports import free_port
from tests.support.requirements import requirement

ID = "7f3a9c"
HERE = "127.0.0.1"


def lost(device: Device) -> Paired:
    """The pairing names a place where nobody is; what it says then."""
    paired = msgspec.structs.replace(device.store.load(), port=free_port())
    device.store.keep(paired)
    return paired


async def connected(home: FakeHome) -> None:
    """A device is there, and has taken the welcome."""
    line = await home.line()
    await line.welcome()
    await line.say({"type": "ping"})
    await line.frame("pong")


@requirement("lan.found")
async def test_a_server_that_moved_is_found_without_waiting_and_kept(
    home: FakeHome, device: Device, network: Network
) -> None:
    lost(device)
    network.announce(home.port)
    async with at_work(device):
        await connected(home)
    assert device.store.load().address == Address(HERE, home.port)
    assert network.asked == 1


async def test_a_server_that_answers_where_it_was_is_not_looked_for(
    home: FakeHome, device: Device, network: Network
) -> None:
    home.refuse_socket = (503, {"Retry-After": "0"})
    async with at_work(device), asyncio.timeout(10):
        home.refuse_socket = None
        await connected(home)
    assert network.asked == 0


@pytest.fixture
async def impostors(tmp_path: Path) -> AsyncIterator[dict[str, FakeHome]]:
    """Servers that say they are ours: of another authority, with the name of another, out of date."""
    async with AsyncExitStack() as stack:
        ours = Authority.make(ID)

        async def serve(folder: str, **how: Any) -> FakeHome:
            (tmp_path / folder).mkdir()
            return await stack.enter_async_context(open_home(tmp_path / folder, **how))

        yield {
            "ours": await serve("ours", authority=ours),
            "another": await serve("another", authority=Authority.make(ID)),
            "named": await serve("named", authority=ours, name="ira-000000.local"),
            "late": await serve("late", authority=ours, age=timedelta(days=398)),
            "early": await serve("early", authority=ours, age=timedelta(days=-1)),
        }


WRONG = ["another", "named", "late", "early"]


@requirement("lan.found")
@pytest.mark.parametrize("wrong", WRONG)
async def test_an_impostor_that_is_announced_gets_nothing_and_hides_nobody(
    impostors: dict[str, FakeHome], store: Store, network: Network, wrong: str
) -> None:
    ours, impostor = impostors["ours"], impostors[wrong]
    device = Device("Lamp", kind="linux", store=store, ask=network.ask)
    await device.pair(ours.link())
    network.announce(impostor.port)
    assert await find_again(lost(device), network.ask) is None
    network.announce(ours.port)
    async with at_work(device):
        await connected(ours)
    assert impostor.met_nobody()
    assert device.store.load().port == ours.port


@requirement("lan.pinned")
@pytest.mark.parametrize("wrong", WRONG)
async def test_an_impostor_where_the_server_was_gets_no_token(
    impostors: dict[str, FakeHome], store: Store, network: Network, wrong: str
) -> None:
    ours, impostor = impostors["ours"], impostors[wrong]
    device = Device("Lamp", kind="linux", store=store, ask=network.ask)
    store.save(
        msgspec.structs.replace(await device.pair(ours.link()), port=impostor.port), "irad_secret"
    )
    network.announce(ours.port)
    async with at_work(device):
        await connected(ours)
    assert impostor.met_nobody()


@requirement("lan.pinned")
@pytest.mark.parametrize("wrong", WRONG)
async def test_an_impostor_gets_no_code(
    impostors: dict[str, FakeHome], store: Store, wrong: str
) -> None:
    ours, impostor = impostors["ours"], impostors[wrong]
    # The certificate of an authority is public: an impostor can show it.
    impostor.ca_crt = ours.ca_crt
    device = Device("Lamp", kind="linux", store=store)
    with pytest.raises(Exception, match="nothing was sent to it"):
        await device.pair(ours.link(port=impostor.port))
    assert impostor.met_nobody()
    assert not store.is_paired()


async def test_one_of_another_id_is_not_tried(device: Device, network: Network) -> None:
    network.announce(1, install_id="000000")
    network.announce(1, install_id="")
    assert await find_again(lost(device), network.ask) is None


async def test_nobody_there_sends_a_device_out_into_the_world(
    device: Device, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled: list[str] = []

    async def dial(host: str, *_: Any, **__: Any) -> None:
        dialled.append(host)
        raise OSError

    monkeypatch.setattr(asyncio, "open_connection", dial)
    far = [
        "8.8.8.8",
        "2606:4700::1111",
        "224.0.0.251",
        "ff02::fb",
        "0.0.0.0",
        "::",
        "ira.example",
        "",
    ]
    near = ["192.168.1.23", "100.64.0.9", "fd00::1"]
    network.announce(8443, *far, *near)
    network.announce(0, "192.168.1.99")
    paired = lost(device)
    assert await find_again(paired, network.ask) is None
    assert dialled == [paired.host, *near]


async def test_one_that_names_a_hundred_addresses_keeps_no_other_out(
    home: FakeHome, device: Device, network: Network
) -> None:
    network.announce(free_port(), *(f"127.0.1.{number}" for number in range(1, 101)))
    network.announce(home.port)
    assert TRIED_MAX < 100
    found = await find_again(lost(device), network.ask)
    assert found is not None
    assert found.port == home.port


async def test_many_that_say_our_id_cannot_keep_the_server_out_for_ever(
    home: FakeHome, device: Device
) -> None:
    paired, nowhere = lost(device), free_port()
    crowd = [Server(f"A{one}", ID, "x.local", nowhere, (HERE, f"127.0.0.{one}")) for one in range(2, 42)]  # fmt: skip

    async def ask() -> list[Server]:
        return [*crowd, Server("Home", ID, "x.local", home.port, (HERE,))]

    found = None
    for _look in range(100):
        found = found or await find_again(paired, ask)
    assert found is not None
    assert found.port == home.port


async def test_where_the_network_cannot_be_asked_the_systems_own_names_are(
    home: FakeHome, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused() -> list[Server]:
        raise CommandFailed

    real = socket.getaddrinfo

    def resolve(host: Any, *rest: Any, **more: Any) -> Any:
        return real(HERE if host == f"ira-{ID}.local" else host, *rest, **more)

    paired = msgspec.structs.replace(device.store.load(), host="127.0.0.9")
    assert await find_again(paired, refused) is None
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    found = await find_again(paired, refused)
    assert found is not None
    assert found.address == Address(f"ira-{ID}.local", home.port)


async def test_it_is_found_on_a_real_network(tmp_path: Path, store: Store) -> None:
    mine = secrets.token_hex(4)
    async with open_home(tmp_path, authority=Authority.make(mine)) as home:
        device = Device("Lamp", kind="linux", store=store)
        await device.pair(home.link())
        async with announced(mine, port=home.port):
            found = await find_again(lost(device), ask_network)
    assert found is not None
    assert found.port == home.port


async def test_a_device_that_leaves_finds_the_server_that_moved(
    home: FakeHome, device: Device, network: Network
) -> None:
    lost(device)
    network.announce(home.port)
    leaving = asyncio.create_task(device.unpair())
    line = await home.line()
    await line.frame("bye")
    await line.close(1000)
    await leaving
    assert not device.store.is_paired()
