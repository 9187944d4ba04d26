"""Idempotency keys: the same request twice acts once, and keeps no secret."""

import asyncio
import hashlib
from pathlib import Path

import pytest

from ira_home.base.errors import IdempotencyConflict, InProgress, Invalid
from ira_home.base.limits import IDEMPOTENCY_S
from tests.support.clock import FakeClock
from tests.support.people import People, open_people

ROUTE = "POST /v1/ask"


async def test_the_same_request_again_gives_what_came_of_the_first(people: People) -> None:
    owner = await people.owner()
    assert await people.idempotency.begin(owner, ROUTE, "k", b"{}") is None
    await people.idempotency.finish(owner, ROUTE, "k", "run_1")
    for _ in range(3):
        assert await people.idempotency.begin(owner, ROUTE, "k", b"{}") == "run_1"


async def test_another_body_under_the_same_key_is_refused(people: People) -> None:
    owner = await people.owner()
    await people.idempotency.begin(owner, ROUTE, "k", b"{}")
    for _ in range(2):
        with pytest.raises(IdempotencyConflict):
            await people.idempotency.begin(owner, ROUTE, "k", b'{"a":1}')
        await people.idempotency.finish(owner, ROUTE, "k", "run_1")


async def test_of_many_at_once_one_is_carried_out(people: People) -> None:
    owner = await people.owner()
    results = await asyncio.gather(
        *(people.idempotency.begin(owner, ROUTE, "k", b"{}") for _ in range(10)),
        return_exceptions=True,
    )
    assert results.count(None) == 1
    others = [one for one in results if one is not None]
    assert all(isinstance(one, InProgress) and one.retry_after_s == 1 for one in others)


async def test_keys_are_each_persons_and_each_routes_own(people: People) -> None:
    owner, staff = await people.owner(), await people.added("staff@x.org")
    await people.idempotency.begin(owner, ROUTE, "k", b"{}")
    assert await people.idempotency.begin(staff, ROUTE, "k", b"other") is None
    assert await people.idempotency.begin(owner, "POST /v1/me/pairings", "k", b"other") is None


async def test_a_request_that_did_nothing_can_be_made_again(people: People) -> None:
    owner = await people.owner()
    await people.idempotency.begin(owner, ROUTE, "k", b"bad")
    await people.idempotency.drop(owner, ROUTE, "k")
    assert await people.idempotency.begin(owner, ROUTE, "k", b"good") is None


async def test_a_key_is_good_again_after_a_day(people: People) -> None:
    owner = await people.owner()
    await people.idempotency.begin(owner, ROUTE, "k", b"{}")
    people.clock.advance(IDEMPOTENCY_S + 1)
    assert await people.idempotency.begin(owner, ROUTE, "k", b"other") is None


async def test_after_a_crash_the_outcome_is_said_to_be_unknown(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_people(tmp_path, clock) as first:
        owner = await first.owner()
        await first.idempotency.begin(owner, ROUTE, "k", b"{}")
        await first.idempotency.begin(owner, ROUTE, "done", b"{}")
        await first.idempotency.finish(owner, ROUTE, "done", "run_1")
    clock.advance(5)
    async with open_people(tmp_path, clock) as second:
        with pytest.raises(InProgress, match="not known"):
            await second.idempotency.begin(owner, ROUTE, "k", b"{}")
        assert await second.idempotency.begin(owner, ROUTE, "done", b"{}") == "run_1"


async def test_a_request_that_is_kept_with_its_work_is_never_in_doubt(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_people(tmp_path, clock) as first:
        owner = await first.owner()
        for key in ("cut off", "kept"):
            assert await first.idempotency.begin(owner, ROUTE, key, b"{}", is_whole=True) is None
        keep = first.idempotency.keeping(owner, ROUTE, "kept")
        await first.storage.write(lambda tx: keep(tx, "7.9"))
        with pytest.raises(InProgress):
            await first.idempotency.begin(owner, ROUTE, "cut off", b"{}", is_whole=True)
    clock.advance(5)
    async with open_people(tmp_path, clock) as second:
        begin = second.idempotency.begin
        with pytest.raises(IdempotencyConflict):
            await begin(owner, ROUTE, "cut off", b"other", is_whole=True)
        assert await begin(owner, ROUTE, "cut off", b"{}", is_whole=True) is None
        assert await begin(owner, ROUTE, "kept", b"{}", is_whole=True) == "7.9"


@pytest.mark.parametrize("key", ["", "x" * 129, "a\nb", "a\x00"])
async def test_a_bad_key_is_refused(people: People, key: str) -> None:
    with pytest.raises(Invalid):
        await people.idempotency.begin(await people.owner(), ROUTE, key, b"{}")


async def test_a_body_with_a_pin_cannot_be_guessed_from_what_is_kept(people: People) -> None:
    owner, body = await people.owner(), b'{"pin":"7391"}'
    await people.idempotency.begin(owner, ROUTE, "k", body)
    row = await people.storage.database.one("SELECT * FROM idempotency")
    assert row is not None
    for kept in (bytes(row["key_hash"]), bytes(row["request_hash"])):
        assert kept not in (
            hashlib.sha256(body).digest(),
            hashlib.sha256(b"body\n" + body).digest(),
        )
    assert row["result"] == ""
