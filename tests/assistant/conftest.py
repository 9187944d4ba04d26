"""The talking house of one test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.talk import Talk, open_talk


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    async with open_talk(tmp_path) as opened:
        yield opened
