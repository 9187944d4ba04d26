"""A house whose network changes while it is open: certificate, links and what is told go with it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ira_home.app.announcing import Announcing
from ira_home.app.core import Core, opened
from ira_home.app.watch import Watch
from ira_home.config.load import load
from ira_home.domain.facts import NetworkChanged, TrustChanged
from ira_home.domain.network import NoQr
from ira_home.net import monitor
from ira_home.net.interfaces import Interface
from ira_home.net.mdns import Notice
from tests.support.announcing import Crier
from tests.support.clock import FakeClock
from tests.support.home import hands_of_now

FIRST = Interface("eth0", 2, "192.168.1.23")
SECOND = Interface("eth0", 2, "192.168.1.50")
THIRD = Interface("eth0", 2, "192.168.1.51")
OTHER_CARD = Interface("eth0", 9, SECOND.address)
TUNNEL = Interface("wg0", 3, "10.8.0.2")


@dataclass
class House:
    """An open house without doors, in a network that a test changes."""

    core: Core
    watch: Watch
    clock: FakeClock
    network: list[Interface]
    announcing: Announcing
    crier: Crier
    facts: list[str] = field(default_factory=list)

    async def looks(self, *found: Interface, times: int = 2) -> None:
        """The network is this, and is looked at in due time."""
        self.network[:] = found
        for _ in range(times):
            self.clock.advance(5)
            await self.watch.look()

    @property
    def link(self) -> str:
        return self.core.services.pairing_link.url("ABCDEFGH").partition("/pair")[0]

    def names(self, address: str) -> bool:
        """Whether the certificate names it, and the house knows."""
        services = self.core.services
        known = (address in services.addresses.names, address in services.network().certified)
        assert known == (address in services.authority.addresses,) * 2
        return known[0]


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    network, clock = [FIRST], hands_of_now()
    monkeypatch.setattr(monitor, "interfaces", lambda: iter(network))
    monkeypatch.setattr(monitor, "default_source", lambda: None)
    settings = {"data_dir": str(tmp_path), "bind": "all", "port": "8443", "http_port": "8080"}
    async with opened(load(settings, {}), clock) as core:
        services = core.services
        crier, there = Crier(), core.network

        async def notice() -> Notice:
            return Notice(
                name="Home", install_id="7f3a9c", port=8443, pin="p" * 43, may_pair=True,
                addresses=there.told, cards=there.seen.neighbourly,
            )  # fmt: skip

        announcing = Announcing(
            core.network, notice, clock=clock, bus=services.bus, announcer=crier
        )
        watch = Watch(core.network, services.certificates, clock, announcing)
        made = House(core, watch, clock, network, announcing, crier)
        services.bus.subscribe(NetworkChanged, lambda _: made.facts.append(made.link))
        services.bus.subscribe(TrustChanged, lambda _: made.facts.append("trust"))
        yield made


async def test_a_new_address_is_in_the_certificate_and_the_links_at_once(house: House) -> None:
    assert (house.link, house.names(FIRST.address)) == ("https://192.168.1.23:8443", True)
    pins = house.core.services.authority.pins
    await house.looks(SECOND)
    assert house.link == "https://192.168.1.50:8443"
    assert house.names(SECOND.address)
    assert house.names(FIRST.address), "it may come back, and costs nothing"
    assert house.core.services.authority.pins == pins
    assert "trust" in house.facts
    assert {one for one in house.facts if one != "trust"} == {house.link}, "links go before news"


async def test_nothing_is_told_while_nothing_changes(house: House) -> None:
    await house.looks(FIRST, times=30)
    assert house.facts == []


async def test_an_address_that_came_too_soon_after_another_waits_its_turn(house: House) -> None:
    await house.looks(SECOND)
    await house.looks(THIRD)
    assert house.link == "https://192.168.1.51:8443", "devices prove the server by its name"
    assert not house.names(THIRD.address)
    await house.looks(THIRD, times=12)
    assert house.names(THIRD.address)


async def test_without_a_network_it_says_why_there_is_no_link_and_comes_back(house: House) -> None:
    await house.looks()
    view = house.core.services.network()
    assert (view.addresses, view.chosen, view.why_no_qr) == ((), None, NoQr.NO_NETWORK)
    await house.looks(TUNNEL)
    view = house.core.services.network()
    assert (view.chosen, view.why_no_qr) == (None, NoQr.ONLY_TUNNEL)
    await house.looks(TUNNEL, SECOND)
    view = house.core.services.network()
    assert (view.chosen, view.why_no_qr) == (SECOND.address, None)
    assert house.link == "https://192.168.1.50:8443"


async def test_the_announcement_follows_an_address_a_card_and_a_sleep(house: House) -> None:
    house.announcing.start()
    try:
        async with asyncio.timeout(20):
            assert (await house.crier.heard.get()).cards == (FIRST,)
            await house.looks(SECOND)
            assert (await house.crier.heard.get()).cards == (SECOND,)
            await house.looks(OTHER_CARD)
            assert (await house.crier.heard.get()).cards == (OTHER_CARD,), "of the same address"
            house.clock.advance(3_600)
            await house.looks(OTHER_CARD)
            assert (await house.crier.heard.get()).cards == (OTHER_CARD,)
        await house.looks(OTHER_CARD, times=3)
        assert house.crier.heard.empty()
    finally:
        await house.announcing.close()


async def test_a_look_that_fails_after_a_sleep_is_followed_by_one_that_makes_it_good(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        message = "the system says nonsense"
        raise ValueError(message)

    house.clock.advance(3_600)

    with monkeypatch.context() as patch:
        patch.setattr(monitor, "interfaces", broken)
        with pytest.raises(ValueError, match="nonsense"):
            await house.watch.look()
    await house.looks(SECOND, times=1)
    assert house.link == "https://192.168.1.50:8443"
