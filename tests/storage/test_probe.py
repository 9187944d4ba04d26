"""Whether anything can be kept is found out by writing, seldom while all is well."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ira_home.base.errors import StorageFull, Unavailable
from ira_home.base.limits import PROBE_AGAIN_S, PROBE_S
from ira_home.storage.probe import Probe
from ira_home.storage.storage import Storage
from tests.support.clock import FakeClock


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    found = await Storage.open(tmp_path / "data", FakeClock())
    yield found
    await found.close()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def probe(storage: Storage, tmp_path: Path, clock: FakeClock) -> Probe:
    return Probe(storage, tmp_path / "data", clock)


async def limit(storage: Storage, spare: int) -> None:
    """Let the database grow by so many pages."""
    used = await storage.database.one("PRAGMA page_count")
    assert used is not None
    sql = f"PRAGMA max_page_count = {used[0] + spare}"
    await storage.database._alone(lambda connection: connection.execute(sql).fetchall())


async def test_it_writes_once_a_while_and_leaves_nothing(
    storage: Storage, probe: Probe, clock: FakeClock
) -> None:
    before = storage.database.commits
    for _ in range(5):
        await probe.check()
    assert storage.database.commits == before + 1
    clock.advance(PROBE_S)
    await probe.check()
    assert storage.database.commits == before + 2
    assert "probe" not in await storage.settings.house_all()


async def test_a_full_database_is_told_and_heals(
    storage: Storage, probe: Probe, clock: FakeClock
) -> None:
    await limit(storage, 1)
    for _ in range(2):
        with pytest.raises(StorageFull):
            await probe.check()
    await limit(storage, 1_000)
    clock.advance(PROBE_AGAIN_S)
    await probe.check()


async def test_a_write_that_failed_is_reason_to_look_again_at_once(
    storage: Storage, probe: Probe
) -> None:
    await probe.check()
    await limit(storage, 1)
    with pytest.raises(StorageFull):
        await storage.write(lambda tx: storage.settings.set_house(tx, "big", "x" * 200_000))
    with pytest.raises(StorageFull):
        await probe.check()


async def test_a_closed_database_is_told(storage: Storage, probe: Probe) -> None:
    await storage.close()
    with pytest.raises(Unavailable):
        await probe.check()
