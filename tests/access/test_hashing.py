"""Argon2id: keyed PINs, bounded work, and the same effort for people who are not there."""

import asyncio
from collections.abc import AsyncIterator
import time

import pytest

from ira_home.access.hashing import Hasher
from ira_home.base.errors import TooMany
from ira_home.base.limits import HASHES_AT_ONCE, HASHES_WAITING
from ira_home.storage.vault import SecretFile


@pytest.fixture
async def hasher() -> AsyncIterator[Hasher]:
    made = Hasher(SecretFile(b"k" * 32))
    yield made
    made.close()


async def test_only_the_exact_password_is_right(hasher: Hasher) -> None:
    kept = await hasher.hash_password("café au lait ")
    assert kept.startswith("$argon2id$")
    assert await hasher.verify_password(kept, "café au lait ")
    for other in (
        "café au lait",
        "cafe\u0301 au lait ",
        "Café au lait ",
        "",
        "café au lait \x00",
        "\ud800",
    ):
        assert not await hasher.verify_password(kept, other)


async def test_a_pin_hash_is_worth_nothing_without_the_secret_file(hasher: Hasher) -> None:
    kept = await hasher.hash_pin("739164")
    other = Hasher(SecretFile(b"x" * 32))
    assert await hasher.verify_pin(kept, "739164")
    assert not await hasher.verify_pin(kept, "739165")
    assert not await other.verify_pin(kept, "739164")
    assert not await hasher.verify_password(kept, "739164")
    other.close()


async def test_what_is_far_too_long_is_not_hashed_at_all(hasher: Hasher) -> None:
    kept = await hasher.hash_password("x" * 256)
    assert not await hasher.verify_password(kept, "x" * 257)
    assert not await hasher.verify_password(kept, "x" * 1_000_000)
    assert not await hasher.verify_pin(kept, "1" * 1_000_000)


async def test_an_unknown_person_costs_what_a_known_one_does(hasher: Hasher) -> None:
    kept = await hasher.hash_password("plain-harbour-lantern-7")

    async def seconds(against: str | None) -> float:
        # Of all threads of this process, so that what else the machine does counts for nothing.
        began = time.process_time()
        assert not await hasher.verify_password(against, "wrong")
        return time.process_time() - began

    known = min([await seconds(kept) for _ in range(5)])
    unknown = min([await seconds(None) for _ in range(5)])
    assert known / 3 < unknown < known * 3


async def test_a_damaged_hash_lets_nobody_in(hasher: Hasher) -> None:
    assert not await hasher.verify_password("$argon2id$nonsense", "anything")
    assert not await hasher.verify_password("", "")


async def test_more_hashes_than_may_wait_are_refused_at_once(hasher: Hasher) -> None:
    bound = HASHES_AT_ONCE + HASHES_WAITING
    results = await asyncio.gather(
        *(hasher.verify_password(None, "wrong") for _ in range(bound + 20)), return_exceptions=True
    )
    refused = [one for one in results if isinstance(one, TooMany)]
    assert len(refused) == 20
    assert all(one.retry_after_s for one in refused)
    assert not await hasher.verify_password(None, "wrong")


async def test_leaving_early_frees_no_place(hasher: Hasher) -> None:
    bound = HASHES_AT_ONCE + HASHES_WAITING
    waiting = [asyncio.ensure_future(hasher.hash_password("x" * 20)) for _ in range(bound)]
    await asyncio.sleep(0)
    for one in waiting:
        one.cancel()
    refused = await asyncio.gather(hasher.hash_password("y" * 20), return_exceptions=True)
    assert isinstance(refused[0], TooMany)
    await asyncio.gather(*waiting, return_exceptions=True)
