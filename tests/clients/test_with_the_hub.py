"""The SDK against the real pairing, device socket and hub, over the TLS of a real home's authority."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from ira_device import Device, DeviceRemoved, HelloRefused, PairingRefused
from ira_device.pinning import Witness
from ira_device.store import Store
from ira_home.access.credentials import Credentials
from ira_home.base.clock import SystemClock
from ira_home.base.errors import ToolFailed
from ira_home.devices.hub import DeviceOffer
from ira_home.domain.facts import DeviceChanged, DeviceRevoked, EventKept
from ira_home.domain.people import Principal
from ira_home.net.certificates import Authority
from ira_home.net.links import LanPairingLink
from ira_home.protocol.pairing_link import PairingLinkText
from ira_home.web.api import devices, pairings, trust
from ira_home.web.door import Door
from ira_home.web.server import build_app
from ira_home.web.services import Addresses, Trust
from tests.clients.serving import at_work
from tests.support.device_house import PIN, DeviceHouse, open_device_house
from tests.support.ports import free_port
from tests.support.web import fake_services

Fact = TypeVar("Fact")


@dataclass
class Server:
    """A home's device part behind a real door."""

    house: DeviceHouse
    authority: Authority
    port: int
    person: Principal

    async def code(self, kind: str = "linux") -> str:
        opened = await self.house.pairings.open(
            self.person, kind=kind, label="Lamp", skills=["lamp"], pin=PIN
        )
        return opened.code

    async def link(self, kind: str = "linux") -> str:
        link = LanPairingLink("127.0.0.1", self.port, pin=self.authority.pin, install_id="7f3a9c")
        return link.url(await self.code(kind))

    async def offer(self) -> DeviceOffer:
        """The one device of the person."""
        (offer,) = await self.house.hub.offers(self.person.person.id)
        return offer

    async def heard(self, kind: type[Fact]) -> Fact:
        """The next fact of this kind."""
        heard: asyncio.Future[Fact] = asyncio.get_running_loop().create_future()
        stop = self.house.bus.subscribe(kind, heard.set_result)
        try:
            return await heard
        finally:
            stop()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    port = free_port()
    authority = Authority.open(
        tmp_path / "pki", install_id="7f3a9c", clock=SystemClock(), addresses=[], hostname="pc"
    )
    async with open_device_house(tmp_path / "data") as house:
        person = await house.person_with_pin()
        nobody = cast("Any", None)
        services = fake_services(
            port,
            pairings=house.pairings,
            hub=house.hub,
            registry=house.registry,
            events=house.events,
            credentials=Credentials(house.storage, nobody, nobody),
            trust=Trust(
                ca_der=authority.ca_der,
                fingerprint=authority.fingerprint,
                identity="ira-7f3a9c.local",
            ),
            addresses=Addresses(
                https_port=port, http_port=port, names=authority.names | authority.addresses
            ),
        )
        routes = (*pairings.ROUTES, *devices.ROUTES, *trust.ROUTES)
        door = await Door.open(
            build_app(services, routes),
            host="127.0.0.1",
            port=port,
            context=authority.server_context(),
        )
        try:
            yield Server(house, authority, port, person)
        finally:
            await house.hub.close_all()
            await services.live.close()
            await door.close()


@pytest.fixture
def device(store: Store) -> Device:
    made = Device("Lamp", kind="linux", version="1.0", store=store)

    @made.tool(tier=0)
    async def lamp_state(room: str = "") -> dict[str, str]:
        """Tell whether the lamp is on."""
        if room == "cellar":
            message = "There is no lamp in the cellar."
            raise ToolFailed(message)
        return {"summary": f"The lamp is on. {room}"}

    return made


async def _offered(server: Server, count: int) -> DeviceOffer:
    """The device, once it is connected and offers so many tools."""
    changed = asyncio.Event()
    stop = server.house.bus.subscribe(DeviceChanged, lambda _fact: changed.set())
    try:
        while not (offer := await server.offer()).online or len(offer.tools) != count:
            await changed.wait()
            changed.clear()
    finally:
        stop()
    return offer


async def test_paired_by_link_it_is_called_and_removed(server: Server, device: Device) -> None:
    paired = await device.pair(await server.link())
    assert (paired.label, paired.kept_in) == ("Lamp", "file")
    async with at_work(device) as task:
        offer = await _offered(server, 1)
        assert [tool.name for tool in offer.tools] == ["lamp_state"]
        hub, number = server.house.hub, offer.device.id
        lamp: Any = {"person_id": offer.device.person_id, "tool": "lamp_state", "here": False}
        content = await hub.call(number, args={"room": "hall"}, **lamp)
        assert content == {"summary": "The lamp is on. hall"}
        with pytest.raises(ToolFailed, match="no lamp in the cellar"):
            await hub.call(number, args={"room": "cellar"}, **lamp)
        kept = asyncio.ensure_future(server.heard(EventKept))
        await asyncio.sleep(0)
        device.announce("task_done", "Bulb changed", "It was old.")
        assert (await kept).event.title == "Bulb changed"
        await server.house.registry.revoke(server.person, number)
        with pytest.raises(DeviceRemoved):
            await task
    assert not device.store.is_paired()


async def test_all_forty_tools_are_offered_in_a_second_hello(
    server: Server, device: Device
) -> None:
    for number in range(39):

        @device.tool(name=f"lamp_more_{number}")
        def lamp_more() -> None:
            """One more."""

    await device.pair(await server.link())
    async with at_work(device):
        await _offered(server, 40)


async def test_bye_revokes_the_token(server: Server, device: Device) -> None:
    await device.pair(await server.link())
    await device.unpair()
    assert len(server.house.told(DeviceRevoked)) == 1
    assert not device.store.is_paired()
    assert await server.house.hub.offers(server.person.person.id) == []


async def test_a_typed_code_is_confirmed_with_the_fingerprint_that_the_server_shows(
    server: Server, device: Device
) -> None:
    shown: list[str] = []
    link = PairingLinkText("127.0.0.1", server.port, await server.code())
    await device.pair(link, Witness(confirm=lambda text: not shown.append(text)))  # type: ignore[func-returns-value]
    assert shown == [server.authority.fingerprint]


async def test_refusals_of_the_real_server_are_told_in_its_words(
    server: Server, device: Device
) -> None:
    link = await server.link("mac")
    with pytest.raises(PairingRefused, match="mac"):
        await device.pair(link)
    used = await server.link()
    await device.pair(used)
    with pytest.raises(PairingRefused, match="wrong, used or too old"):
        await device.pair(used)
    for _ in range(5):
        with pytest.raises(PairingRefused):
            await device.pair(used)
    with pytest.raises(PairingRefused, match="Try again in 15 minutes"):
        await device.pair(used)


async def test_a_hello_that_breaks_a_rule_stops_the_device_with_the_reason(
    server: Server, device: Device
) -> None:
    await device.pair(await server.link())
    device.version = "v" * 100
    with pytest.raises(HelloRefused, match="version"):
        await device.serve()
