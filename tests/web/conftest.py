"""A home for every test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.clock import FakeClock
from tests.support.home import Home, hands_of_now, open_home


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Home]:
    """A running home whose clock is the test's."""
    async with open_home(tmp_path / "data", clock=hands_of_now()) as found:
        yield found


@pytest.fixture
def hands(house: Home) -> FakeClock:
    """The home's clock."""
    assert isinstance(house.clock, FakeClock)
    return house.clock
