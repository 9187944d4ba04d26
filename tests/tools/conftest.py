"""The talking house of one test, and a gate in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.talk import Talk, open_talk
from tests.tools.gating import Bench, held


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    async with open_talk(tmp_path) as opened:
        yield opened


@pytest.fixture
async def bench(talk: Talk) -> Bench:
    asha = await talk.house.person()
    await talk.house.paired(asha)
    await talk.house.paired(asha)
    made = Bench(talk, asha)
    made.hub.give(asha.person.id, held("files_read"))
    return made
