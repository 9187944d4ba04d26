"""Codes: made with the PIN, claimed once for each use, counted when wrong."""

import asyncio
import hashlib
from pathlib import Path
import re

import pytest

from ira_home.base.errors import (
    CodeGone,
    Invalid,
    IraError,
    KindMismatch,
    NotFound,
    PinRequired,
    PinWrong,
    TooMany,
)
from ira_home.base.limits import CODE_ALPHABET
from ira_home.base.tokens import token_hash
from ira_home.devices.pairing import Claimed, OpenedCode
from ira_home.domain.facts import DeviceJoined
from ira_home.domain.people import Principal
from tests.support.device_house import PIN, DeviceHouse
from tests.support.requirements import requirement

HERE, ELSEWHERE = "192.168.1.34", "192.168.1.35"


@pytest.fixture
async def person(house: DeviceHouse) -> Principal:
    return await house.person_with_pin()


async def code(house: DeviceHouse, person: Principal, kind: str = "mac") -> OpenedCode:
    return await house.pairings.open(
        person, kind=kind, label="Office Mac", skills=["files"], pin=PIN
    )


async def claim(house: DeviceHouse, text: str, kind: str = "mac", address: str = HERE) -> Claimed:
    return await house.pairings.claim(code=text, kind=kind, address=address)


def files_hold(folder: Path, *needles: bytes) -> bool:
    return any(
        needle in path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
        for needle in needles
    )


@requirement("pair.pin")
async def test_no_code_without_the_right_pin(house: DeviceHouse, person: Principal) -> None:
    for pin, error in ((None, PinRequired), ("999999", PinWrong)):
        with pytest.raises(error):
            await house.pairings.open(person, kind="mac", label="x", skills=[], pin=pin)
    assert await house.pairings.list_open(person.person.id) == []
    opened = await code(house, person)
    assert await house.pairings.list_open(person.person.id) == [opened.pairing]


@requirement("pair.kinds")
@pytest.mark.parametrize("wrong", [{"kind": "toaster"}, {"kind": ""}, {"kind": "MAC"}, {"label": ""}, {"label": " "},
                                   {"label": "x" * 61}, {"skills": ["Bad"]}, {"skills": [f"s{n}" for n in range(65)]}])  # fmt: skip
async def test_a_wish_out_of_bounds_is_invalid_before_the_pin_is_looked_at(
    house: DeviceHouse, person: Principal, wrong: dict[str, object]
) -> None:
    wish = {"kind": "mac", "label": "x", "skills": [], "pin": "999999"} | wrong
    with pytest.raises(Invalid):
        await house.pairings.open(person, **wish)  # type: ignore[arg-type]


@requirement("pair.claim.values", "pair.skills", "pair.claim.person", "pair.token.form")
async def test_a_claim_makes_the_device_that_was_chosen(
    house: DeviceHouse, person: Principal
) -> None:
    opened = await code(house, person)
    assert re.fullmatch(rf"[{CODE_ALPHABET}]{{8}}", opened.code)
    claimed = await claim(house, opened.code)
    device = claimed.device
    assert re.fullmatch(r"irad_[A-Za-z0-9_-]{43}", claimed.token)
    assert (device.kind.value, device.label, set(device.skills), device.paired_from) == (
        "mac",
        "Office Mac",
        {"files"},
        HERE,
    )
    assert (device.person_id, claimed.assistant) == (person.person.id, "Ira")
    assert await house.storage.devices.by_token(token_hash(claimed.token)) == device
    assert house.told(DeviceJoined) == [DeviceJoined(person.person.id, device.id, HERE)]
    assert [one.device.id for one in await house.registry.list(person.person.id)] == [device.id]


@requirement("pair.code.once", "pair.used.410")
async def test_a_code_works_once(house: DeviceHouse, person: Principal) -> None:
    opened = await code(house, person)
    await claim(house, opened.code)
    with pytest.raises(CodeGone):
        await claim(house, opened.code)
    assert len(await house.registry.list(person.person.id)) == 1


@requirement("pair.code.expiry", "pair.expired.410")
async def test_a_code_works_for_ten_minutes_whatever_the_wall_clock_says(house: DeviceHouse, person: Principal) -> None:  # fmt: skip
    first, second = await code(house, person), await code(house, person)
    house.clock.set_wall(house.clock.now().replace(year=2020))
    house.clock.advance(599.9)
    await claim(house, first.code)
    house.clock.advance(0.1)
    with pytest.raises(CodeGone):
        await claim(house, second.code)
    assert await house.pairings.list_open(person.person.id) == []


@requirement("pair.code.spelling")
async def test_a_code_may_be_spelled_in_many_ways(house: DeviceHouse, person: Principal) -> None:
    for spell in (
        str.lower,
        lambda c: f"{c[:4]}-{c[4:]}",
        lambda c: f" {c[:4]} {c[4:]} ",
        lambda c: f"{c}&fp=abc&id=7f",
    ):
        await claim(house, spell((await code(house, person)).code))


@requirement("pair.unknown.410", "pair.wrong.429")
async def test_the_fifth_wrong_code_holds_an_address_off_for_15_minutes(house: DeviceHouse, person: Principal) -> None:  # fmt: skip
    for wrong in ("WXYZ-WXYZ", "short", "", "WXYZ-WXYO", "&"):
        with pytest.raises(CodeGone):
            await claim(house, wrong)
    opened = await code(house, person)
    with pytest.raises(TooMany) as held:
        await claim(house, opened.code)
    assert held.value.retry_after_s == 900
    with pytest.raises(TooMany):
        await house.pairings.check(HERE)
    await house.pairings.check(ELSEWHERE)
    house.clock.advance(899)
    with pytest.raises(TooMany):
        await claim(house, "WXYZ-WXYZ")
    house.clock.advance(1)
    await claim(house, (await code(house, person)).code)


async def test_of_two_right_claims_of_one_use_the_loser_counts_as_one_wrong_code(house: DeviceHouse, person: Principal) -> None:  # fmt: skip
    """What counts is that a claim ended in 410: a used code looks like any other wrong one."""
    opened = await code(house, person)
    said = await asyncio.gather(
        *(claim(house, opened.code) for _ in range(2)), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in said) == ["Claimed", "CodeGone"]
    for _ in range(3):
        with pytest.raises(CodeGone):
            await claim(house, "WXYZ-WXYZ")
    await claim(house, (await code(house, person)).code)
    with pytest.raises(CodeGone):
        await claim(house, "WXYZ-WXYZ")
    with pytest.raises(TooMany):
        await claim(house, (await code(house, person)).code)


async def test_four_wrong_codes_hold_nobody_off_and_success_resets_nothing(house: DeviceHouse, person: Principal) -> None:  # fmt: skip
    for _ in range(4):
        with pytest.raises(CodeGone):
            await claim(house, "WXYZ-WXYZ")
    await claim(house, (await code(house, person)).code)
    with pytest.raises(CodeGone):
        await claim(house, "WXYZ-WXYZ")
    with pytest.raises(TooMany):
        await claim(house, (await code(house, person)).code)


async def test_a_hundred_guesses_at_once_are_five_guesses(
    house: DeviceHouse, person: Principal
) -> None:
    async def guess() -> type[IraError]:
        with pytest.raises(IraError) as caught:
            await claim(house, "WXYZ-WXYZ")
        return caught.type

    said = await asyncio.gather(*(guess() for _ in range(100)))
    assert said.count(CodeGone) == 5
    assert said.count(TooMany) == 95


async def test_an_ipv6_address_counts_by_its_network(house: DeviceHouse) -> None:
    for number in range(5):
        with pytest.raises(CodeGone):
            await claim(house, "WXYZ-WXYZ", address=f"fd00:1:2:3::{number}")
    with pytest.raises(TooMany):
        await house.pairings.check("fd00:1:2:3:ffff::1")
    await house.pairings.check("fd00:1:2:4::1")


async def test_a_code_of_another_kind_is_kept_and_not_counted(
    house: DeviceHouse, person: Principal
) -> None:
    opened = await code(house, person)
    for _ in range(6):
        with pytest.raises(KindMismatch, match="mac"):
            await claim(house, opened.code, "android")
    with pytest.raises(Invalid):
        await claim(house, opened.code, "toaster")
    await claim(house, opened.code)


@requirement("pair.code.hash", "pair.token.hash")
async def test_neither_code_nor_token_nor_a_bare_hash_of_the_code_is_in_any_file(
    house: DeviceHouse, person: Principal, tmp_path: Path
) -> None:
    used, unused = await code(house, person), await code(house, person)
    claimed = await claim(house, used.code)
    for made in (used, unused):
        bare = hashlib.sha256(made.code.encode())
        assert not files_hold(
            tmp_path, made.code.encode(), bare.digest(), bare.hexdigest().encode()
        )
    assert not files_hold(tmp_path, claimed.token[5:].encode())
    assert files_hold(tmp_path, token_hash(claimed.token))


async def test_a_code_can_be_cancelled_by_its_person_only(
    house: DeviceHouse, person: Principal
) -> None:
    opened, other = await code(house, person), await house.person()
    with pytest.raises(NotFound):
        await house.pairings.cancel(other, opened.pairing.id)
    await house.pairings.cancel(person, opened.pairing.id)
    with pytest.raises(NotFound):
        await house.pairings.cancel(person, opened.pairing.id)
    with pytest.raises(CodeGone):
        await claim(house, opened.code)


@pytest.mark.parametrize("uses", [1, 3])
@requirement("review.each")
async def test_claims_at_once_make_exactly_as_many_devices_as_there_are_uses(
    house: DeviceHouse, person: Principal, uses: int
) -> None:
    opened = await house.pairings.open_for_reviewers(
        email=person.person.email, kind="android", days=7, uses=uses, skills=["calls", "contacts"]
    )

    async def one(number: int) -> object:
        try:
            return await claim(house, opened.code, "android", f"10.0.0.{number}")
        except IraError as error:
            return type(error)

    said = await asyncio.gather(*(one(number) for number in range(20)))
    made = [one for one in said if isinstance(one, Claimed)]
    assert len(made) == uses
    assert said.count(CodeGone) == 20 - uses
    assert len({one.token for one in made}) == len({one.device.id for one in made}) == uses
    assert all(one.device.skills == {"calls", "contacts"} for one in made)
    assert len(await house.registry.list(person.person.id)) == uses


@requirement("review.days", "review.uses")
@pytest.mark.parametrize(("days", "uses"), [(15, 1), (1, 11), (0, 1), (1, 0), (-1, 1), (1, -1)])
async def test_a_reviewers_code_out_of_bounds_is_not_made(
    house: DeviceHouse, person: Principal, days: int, uses: int
) -> None:
    with pytest.raises(Invalid):
        await house.pairings.open_for_reviewers(
            email=person.person.email, kind="mac", days=days, uses=uses, skills=[]
        )
    assert await house.pairings.list_open(person.person.id) == []


@requirement("review.change_log")
async def test_a_reviewers_code_lasts_its_days_and_is_in_the_change_log(house: DeviceHouse, person: Principal) -> None:  # fmt: skip
    opened = await house.pairings.open_for_reviewers(
        email=f" {person.person.email.upper()} ", kind="ios", days=14, uses=10, skills=["calls"]
    )
    line = (await house.storage.changes.list(None, 1))[0]
    assert (line.actor, line.change, line.subject) == (
        "operator",
        "reviewer_code_made",
        person.person.email,
    )
    assert opened.code not in line.detail
    house.clock.advance(14 * 86_400 - 1)
    await claim(house, opened.code, "ios")
    house.clock.advance(1)
    with pytest.raises(CodeGone):
        await claim(house, opened.code, "ios")
    with pytest.raises(NotFound):
        await house.pairings.open_for_reviewers(
            email="nobody@example.com", kind="ios", days=1, uses=1, skills=[]
        )


async def test_a_code_goes_with_its_persons_account(house: DeviceHouse, person: Principal) -> None:
    opened = await code(house, person)
    await house.accounts.remove(None, person.person.id)
    with pytest.raises(CodeGone):
        await claim(house, opened.code)


async def test_open_codes_are_bounded(
    house: DeviceHouse, person: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ira_home.devices.pairing.PAIRINGS_A_PERSON", 2)
    for _ in range(2):
        await code(house, person)
    with pytest.raises(IraError):
        await code(house, person)
    house.clock.advance(600)
    await code(house, person)
