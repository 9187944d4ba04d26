"""Throttles: counted before looked at, kept over restarts, and nobody locks out somebody else."""

import asyncio
from pathlib import Path

from hypothesis import given, strategies as st
import pytest

from ira_home.access.throttle import Limit, Throttle, source
from ira_home.base.errors import PinLocked, TooMany
from tests.support.clock import START, FakeClock
from tests.support.people import People, open_people

FIVE = Limit("door", 5, 900.0, 900.0)


async def wrong() -> bool:
    return False


async def right() -> bool:
    return True


async def refused(throttle: Throttle, subject: str = "a", limit: Limit = FIVE) -> TooMany:
    with pytest.raises(TooMany) as caught:
        await throttle.guess([(limit, subject)], right)
    return caught.value


async def test_the_fifth_wrong_guess_begins_a_hold_of_fifteen_minutes(people: People) -> None:
    for _ in range(5):
        assert not await people.throttle.guess([(FIVE, "a")], wrong)
    assert (await refused(people.throttle)).retry_after_s == 900
    people.clock.advance(899)
    assert (await refused(people.throttle)).retry_after_s == 1
    people.clock.advance(1)
    assert await people.throttle.guess([(FIVE, "a")], right)


async def test_tries_while_held_off_do_not_lengthen_the_hold(people: People) -> None:
    for _ in range(5):
        await people.throttle.guess([(FIVE, "a")], wrong)
    for _ in range(20):
        people.clock.advance(40)
        await refused(people.throttle)
        await people.storage.write(lambda tx: people.throttle.fail_in(tx, FIVE, "a"))
    people.clock.advance(100)
    await people.throttle.check("door", "a")


async def test_wrong_guesses_older_than_the_window_are_forgotten(people: People) -> None:
    for _ in range(20):
        assert not await people.throttle.guess([(FIVE, "a")], wrong)
        people.clock.advance(226)


async def test_a_right_guess_counts_for_nothing_and_resets_nothing(people: People) -> None:
    for _ in range(4):
        await people.throttle.guess([(FIVE, "a")], wrong)
    for _ in range(10):
        assert await people.throttle.guess([(FIVE, "a")], right)
    await people.throttle.guess([(FIVE, "a")], wrong)
    await refused(people.throttle)


async def test_one_subject_never_holds_off_another(people: People) -> None:
    for _ in range(5):
        await people.throttle.guess([(FIVE, "a")], wrong)
    assert await people.throttle.guess([(FIVE, "b")], right)
    assert await people.throttle.guess([(Limit("window", 5, 900, 900), "a")], right)


async def test_a_hundred_guesses_at_once_are_looked_at_no_more_than_the_limit_allows(
    people: People,
) -> None:
    looked_at = 0

    async def slow() -> bool:
        nonlocal looked_at
        looked_at += 1
        await asyncio.sleep(0)
        return False

    results = await asyncio.gather(
        *(people.throttle.guess([(FIVE, "a")], slow) for _ in range(100)), return_exceptions=True
    )
    assert looked_at == 5
    assert results.count(False) == 5
    assert sum(isinstance(one, TooMany) for one in results) == 95
    await refused(people.throttle)


async def test_a_guess_whose_asker_goes_away_still_counts(people: People) -> None:
    started = asyncio.Event()

    async def never() -> bool:
        started.set()
        await asyncio.Event().wait()
        return True

    for _ in range(5):
        started.clear()
        task = asyncio.ensure_future(people.throttle.guess([(FIVE, "a")], never))
        await started.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await refused(people.throttle)
    people.clock.advance(900)
    assert await people.throttle.guess([(FIVE, "a")], right)


async def test_a_guess_that_could_not_be_looked_at_does_not_count(people: People) -> None:
    async def busy() -> bool:
        raise TooMany(retry_after_s=2)

    for _ in range(10):
        with pytest.raises(TooMany):
            await people.throttle.guess([(FIVE, "a")], busy)
    assert await people.throttle.guess([(FIVE, "a")], right)


async def test_of_two_limits_the_one_that_holds_says_so_and_nothing_is_counted(
    people: People,
) -> None:
    pins = Limit("pins", 1, 900, 900, PinLocked)
    await people.throttle.guess([(pins, "a")], wrong)
    for _ in range(10):
        with pytest.raises(PinLocked):
            await people.throttle.guess([(FIVE, "a"), (pins, "a")], wrong)
    assert await people.throttle.guess([(FIVE, "a")], right)


async def test_the_forms_for_a_callers_transaction_agree(people: People) -> None:
    for _ in range(5):
        await people.storage.write(lambda tx: people.throttle.fail_in(tx, FIVE, "a"))
    with pytest.raises(TooMany):
        await people.storage.write(lambda tx: people.throttle.check_in(tx, "door", "a"))
    with pytest.raises(TooMany):
        await people.throttle.check("door", "a")
    await people.storage.write(lambda tx: people.throttle.check_in(tx, "door", "b"))


async def test_a_restart_forgets_nothing(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_people(tmp_path, clock) as first:
        for _ in range(4):
            await first.throttle.guess([(FIVE, "a")], wrong)
        for _ in range(5):
            await first.throttle.guess([(FIVE, "b")], wrong)
    async with open_people(tmp_path, clock) as second:
        await refused(second.throttle, "b")
        await second.throttle.guess([(FIVE, "a")], wrong)
        await refused(second.throttle, "a")


@pytest.mark.parametrize("years", [0.0001, 1, 10])
async def test_a_clock_turned_back_between_two_starts_locks_nobody_out_for_longer(
    tmp_path: Path, years: float
) -> None:
    later = FakeClock()
    later.advance(years * 365 * 86_400)
    async with open_people(tmp_path, later) as first:
        for _ in range(4):
            await first.throttle.guess([(FIVE, "a")], wrong)
        for _ in range(5):
            await first.throttle.guess([(FIVE, "b")], wrong)
    clock = FakeClock(START)
    async with open_people(tmp_path, clock) as second:
        await refused(second.throttle, "b")
        clock.advance(901)
        assert await second.throttle.guess([(FIVE, "a")], right)
        assert await second.throttle.guess([(FIVE, "b")], right)


async def test_turning_the_wall_clock_frees_nobody(people: People) -> None:
    for _ in range(5):
        await people.throttle.guess([(FIVE, "a")], wrong)
    people.clock.set_wall(START.replace(year=2036))
    await refused(people.throttle)


async def test_subjects_lie_in_the_database_only_as_keyed_hashes(people: People) -> None:
    await people.throttle.guess([(FIVE, "owner@example.com 192.168.1.34")], wrong)
    rows = await people.storage.database.all("SELECT bucket, subject FROM throttle")
    assert [(row["bucket"], len(row["subject"])) for row in rows] == [("door", 64)]
    assert "owner" not in rows[0]["subject"]


@pytest.mark.parametrize(
    ("address", "who"),
    [
        ("192.168.1.34", "192.168.1.34"),
        ("::ffff:192.168.1.34", "192.168.1.34"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("not an address", "not an address"),
    ],
)
def test_an_address_is_itself_and_ipv6_its_network(address: str, who: str) -> None:
    assert source(address) == who


@given(st.text())
def test_any_text_is_somebody(text: str) -> None:
    assert isinstance(source(text), str)


async def test_a_throttle_opened_twice_counts_on(people: People) -> None:
    await people.throttle.guess([(FIVE, "a")], wrong)
    again = await Throttle.open(people.storage, people.clock)
    for _ in range(4):
        await again.guess([(FIVE, "a")], wrong)
    await refused(people.throttle)
