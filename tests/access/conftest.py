"""The access floor in a folder of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.people import People, open_people


@pytest.fixture
async def people(tmp_path: Path) -> AsyncIterator[People]:
    async with open_people(tmp_path) as opened:
        yield opened
