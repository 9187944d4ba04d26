"""A house, a device of it, and time under the test's hand."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ira_device import Device
from ira_device.store import Store
from tests.clients.fake_home import FakeHome, open_home
from tests.clients.hand import Hand
from tests.clients.network import Network


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[FakeHome]:
    folder = tmp_path / "pki"
    folder.mkdir()
    async with open_home(folder) as house:
        yield house


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "device", keyring=None)


@pytest.fixture
def network() -> Network:
    return Network()


@pytest.fixture
async def device(home: FakeHome, hand: Hand, store: Store, network: Network) -> Device:
    """A paired device without tools, not connected yet."""
    made = Device("Lamp", kind="linux", version="1.0", store=store, pace=hand.pace, ask=network.ask)
    await made.pair(home.link())
    return made
