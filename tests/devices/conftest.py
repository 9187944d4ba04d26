"""A house with devices, one person, and one device of theirs."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ira_home.domain.devices import Device
from ira_home.domain.people import Principal
from tests.support.device_house import DeviceHouse, open_device_house
from tests.support.links import MemoryLink


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[DeviceHouse]:
    async with open_device_house(tmp_path / "data") as made:
        yield made


@pytest.fixture
async def person(house: DeviceHouse) -> Principal:
    return await house.person()


@pytest.fixture
async def device(house: DeviceHouse, person: Principal) -> Device:
    return await house.paired(person)


@pytest.fixture
async def link(house: DeviceHouse, device: Device) -> AsyncIterator[MemoryLink]:
    made = await house.online(device)
    yield made
    made.drop()
