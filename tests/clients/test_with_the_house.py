"""A device of the SDK at a whole house: at an address that no certificate names, and through a change of authority."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
import sys

import pytest

from ira_device import Device
from ira_device.http import Address
from ira_device.store import Store
from ira_home.control.client import send
from ira_home.control.wire import Request
from ira_home.domain.facts import TrustChanged
from ira_home.protocol.pairing_link import PairingLinkText
from tests.clients.network import Network
from tests.clients.serving import at_work
from tests.support.home import Home, open_home
from tests.support.requirements import requirement

UNNAMED = "127.0.0.9"
WAIT_S = 30.0


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Home]:
    async with open_home(tmp_path / "house", settings={"bind": "0.0.0.0"}) as opened:
        yield opened


class Watched:
    """A device, and what it says of its connection."""

    def __init__(self, store: Store, network: Network) -> None:
        self.words: asyncio.Queue[str] = asyncio.Queue()
        self.device = Device(
            "Lamp", kind="linux", store=store, ask=network.ask, changed=self._changed
        )

    def _changed(self, connected: bool, words: str) -> None:
        self.words.put_nowait(words)

    async def says(self, beginning: str) -> None:
        """Wait until it says so."""
        async with asyncio.timeout(WAIT_S):
            while not (await self.words.get()).startswith(beginning):
                pass


async def pair(house: Home, device: Device, host: str) -> None:
    """Pair with the code of the owner's page and the house's own pin."""
    owner = await house.owner()
    wish = {"kind": "linux", "label": "Lamp", "skills": [], "pin": owner.pin}
    made = await owner.call("POST", "/v1/me/pairings", wish)
    authority = house.services.authority
    link = PairingLinkText(
        host,
        house.services.addresses.https_port,
        made.body["code"],
        authority.pin,
        authority.identity.removeprefix("ira-").removesuffix(".local"),
    )
    await device.pair(link.url())


@requirement("lan.pinned")
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.9 is no address of its own")
async def test_it_pairs_and_connects_at_an_address_that_is_in_no_certificate(
    house: Home, store: Store, network: Network
) -> None:
    assert UNNAMED not in house.services.authority.addresses
    lamp = Watched(store, network)
    await pair(house, lamp.device, UNNAMED)
    async with at_work(lamp.device):
        await lamp.says("connected as device")
    assert store.load().address == Address(UNNAMED, house.services.addresses.https_port)


@requirement("lan.roll_over")
async def test_it_hears_of_the_next_authority_and_follows_without_being_paired_again(
    house: Home, store: Store, network: Network
) -> None:
    lamp = Watched(store, network)
    await pair(house, lamp.device, "127.0.0.1")
    old = store.load()
    async with at_work(lamp.device):
        await lamp.says("connected as device")
        changed: asyncio.Queue[TrustChanged] = asyncio.Queue()
        house.bus.subscribe(TrustChanged, changed.put_nowait)
        told = await asyncio.to_thread(send, house.folder, Request("certificates.new_ca", {}))
        async with asyncio.timeout(WAIT_S):
            # Both for a time, then the new one alone: the only device has heard.
            while (await changed.get()).pins != (told["next"]["pin"],):
                pass
    async with at_work(Device("Lamp", kind="linux", store=store, changed=lamp._changed)):
        await lamp.says("connected as device")
    assert store.load().ca_pem == house.services.authority.ca_pem.decode() != old.ca_pem
    assert store.load().next_pins == ()
