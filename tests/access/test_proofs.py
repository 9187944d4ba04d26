"""Passwords and PINs: one counter over all channels, and changes that end what they must."""

import asyncio
from pathlib import Path

import pytest

from ira_home.base.errors import (
    Forbidden,
    Invalid,
    PasswordWrong,
    PinLocked,
    PinNotSet,
    PinRequired,
    PinWrong,
    TooMany,
    Unauthenticated,
)
from ira_home.base.limits import WRONG_PASSWORDS
from ira_home.domain.facts import SessionEnded
from ira_home.domain.people import Credential, Permission, Person, Principal
from tests.support.clock import FakeClock
from tests.support.people import PASSWORD, PIN, People, open_people
from tests.support.things import bytes_in

NEW = "other-lantern-8"


async def wrong_pins(people: People, person: Person, count: int) -> None:
    for number in range(count):
        with pytest.raises(PinWrong):
            await people.accounts.check_pin(person.id, f"{300_000 + number}")


async def test_the_right_pin_passes_as_often_as_one_likes(people: People) -> None:
    person = await people.add("a@x.org")
    for _ in range(8):
        await people.accounts.check_pin(person.id, PIN)


async def test_a_missing_pin_and_a_pin_that_was_never_set_say_so(people: People) -> None:
    person, without = await people.add("a@x.org"), await people.add("b@x.org", pin=None)
    for missing in (None, ""):
        with pytest.raises(PinRequired):
            await people.accounts.check_pin(person.id, missing)
    with pytest.raises(PinNotSet):
        await people.accounts.check_pin(without.id, PIN)


async def test_five_wrong_pins_lock_for_fifteen_minutes_even_the_right_one(people: People) -> None:
    person, other = await people.add("a@x.org"), await people.add("b@x.org")
    await wrong_pins(people, person, 5)
    for pin in (PIN, "000000"):
        with pytest.raises(PinLocked) as caught:
            await people.accounts.check_pin(person.id, pin)
        assert caught.value.retry_after_s == 900
    await people.accounts.check_pin(other.id, PIN)
    people.clock.advance(900)
    await people.accounts.check_pin(person.id, PIN)


async def test_strange_pins_count_as_wrong_ones(people: People) -> None:
    person = await people.add("a@x.org")
    for pin in ("x", "1" * 100_000, "७३९१६४", "\ud800", "739 164"):
        with pytest.raises(PinWrong):
            await people.accounts.check_pin(person.id, pin)
    with pytest.raises(PinLocked):
        await people.accounts.check_pin(person.id, PIN)


async def test_a_right_pin_between_wrong_ones_gives_no_further_tries(people: People) -> None:
    person = await people.add("a@x.org")
    await wrong_pins(people, person, 4)
    await people.accounts.check_pin(person.id, PIN)
    await wrong_pins(people, person, 1)
    with pytest.raises(PinLocked):
        await people.accounts.check_pin(person.id, PIN)


async def test_a_hundred_pins_at_once_give_no_more_than_five_tries(people: People) -> None:
    person = await people.add("a@x.org")
    pins = [f"{number:06}" for number in range(100)]
    pins[60] = PIN
    results = await asyncio.gather(
        *(people.accounts.check_pin(person.id, pin) for pin in pins), return_exceptions=True
    )
    assert sum(isinstance(one, PinWrong) for one in results) == 5
    assert sum(isinstance(one, TooMany) for one in results) == 95
    with pytest.raises(PinLocked):
        await people.accounts.check_pin(person.id, PIN)


async def test_the_lock_survives_a_restart_and_a_turned_clock(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_people(tmp_path, clock) as first:
        person = await first.add("a@x.org")
        await wrong_pins(first, person, 5)
    async with open_people(tmp_path, clock) as second:
        clock.set_wall(clock.now().replace(year=2040))
        with pytest.raises(PinLocked):
            await second.accounts.check_pin(person.id, PIN)


async def test_a_new_pin_ends_no_lock_and_the_old_one_is_dead(people: People) -> None:
    owner = await people.owner()
    await wrong_pins(people, owner.person, 5)
    await people.accounts.set_pin(owner, password=PASSWORD, pin="4829")
    with pytest.raises(PinLocked):
        await people.accounts.check_pin(owner.person.id, "4829")
    people.clock.advance(900)
    await people.accounts.check_pin(owner.person.id, "4829")
    with pytest.raises(PinWrong):
        await people.accounts.check_pin(owner.person.id, PIN)


async def test_setting_a_pin_needs_the_password_and_a_good_pin(people: People) -> None:
    owner = await people.owner()
    with pytest.raises(PasswordWrong):
        await people.accounts.set_pin(owner, password="wrong-password-1", pin="4829")
    with pytest.raises(Invalid):
        await people.accounts.set_pin(owner, password=PASSWORD, pin="12")
    await people.accounts.check_pin(owner.person.id, PIN)


async def test_a_changed_password_ends_every_other_session_and_only_those(people: People) -> None:
    token, principal = await people.token((await people.owner()).person.email)
    elsewhere = [await people.token("owner@example.com") for _ in range(3)]
    staff_token, _ = await people.token((await people.add("staff@x.org")).email)
    await people.accounts.change_password(principal, old=PASSWORD, new=NEW)
    assert (await people.credentials.session(token)).person.email == "owner@example.com"
    await people.credentials.session(staff_token)
    for other, _ in elsewhere:
        with pytest.raises(Unauthenticated):
            await people.credentials.session(other)
    assert len(people.heard(SessionEnded)) == 4
    await people.sign_in("owner@example.com", NEW)


async def test_a_changed_password_needs_the_old_one(people: People) -> None:
    owner = await people.owner()
    with pytest.raises(PasswordWrong):
        await people.accounts.change_password(owner, old="wrong-password-1", new=NEW)
    await people.sign_in("owner@example.com")


async def test_of_two_password_changes_at_once_one_counts_and_the_other_is_told(
    people: People,
) -> None:
    owner = await people.owner()
    other = await people.sign_in("owner@example.com")
    results = await asyncio.gather(
        people.accounts.change_password(owner, old=PASSWORD, new=NEW),
        people.accounts.change_password(other, old=PASSWORD, new="third-lantern-9"),
        return_exceptions=True,
    )
    assert [type(one) for one in results if one is not None] == [PasswordWrong]


async def test_guessing_the_password_in_a_session_is_held_off(people: People) -> None:
    owner = await people.owner()
    for _ in range(WRONG_PASSWORDS):
        with pytest.raises(PasswordWrong):
            await people.accounts.check_password(owner.person.id, "wrong-password-1")
    with pytest.raises(TooMany):
        await people.accounts.check_password(owner.person.id, PASSWORD)
    await people.sign_in("owner@example.com")
    people.clock.advance(900)
    await people.accounts.check_password(owner.person.id, PASSWORD)


async def test_a_reset_password_ends_sessions_and_api_tokens(people: People) -> None:
    owner = await people.owner()
    token, staff = await people.token((await people.add("staff@x.org")).email)
    api, _ = await people.api_tokens.make(staff, name="Script", scopes=["ask"], pin=PIN)
    await people.accounts.reset_password(owner, staff.person.id, NEW)
    with pytest.raises(Unauthenticated):
        await people.credentials.session(token)
    with pytest.raises(Unauthenticated):
        await people.credentials.bearer(api)
    assert (await people.logged())[0].startswith("owner@example.com password_changed staff@x.org")
    await people.sign_in("staff@x.org", NEW)


async def test_ones_own_secrets_are_never_reset_without_the_old_password(people: People) -> None:
    owner = await people.owner()
    with pytest.raises(Forbidden):
        await people.accounts.reset_password(owner, owner.person.id, NEW)
    with pytest.raises(Forbidden):
        await people.accounts.reset_pin(owner, owner.person.id, "4829")
    await people.accounts.reset_password(None, owner.person.id, NEW)
    await people.accounts.reset_pin(None, owner.person.id, "4829")
    await people.accounts.check_pin(owner.person.id, "4829")


async def test_only_a_session_changes_secrets(people: People) -> None:
    owner = await people.owner()
    weak = Principal(owner.person, Credential.DEVICE_TOKEN, 1, frozenset(Permission))
    for step in (
        people.accounts.change_password(weak, old=PASSWORD, new=NEW),
        people.accounts.set_pin(weak, password=PASSWORD, pin="4829"),
    ):
        with pytest.raises(Forbidden):
            await step


async def test_secrets_lie_in_no_file_of_the_data_folder(people: People, tmp_path: Path) -> None:
    owner = await people.owner()
    token, _ = await people.token("owner@example.com")
    await people.accounts.set_pin(owner, password=PASSWORD, pin="48291573")
    api, _ = await people.api_tokens.make(owner, name="S", scopes=["ask"], pin="48291573")
    content = bytes_in(tmp_path)
    for secret in (PASSWORD, "48291573", token, token[5:], api, api[5:]):
        assert secret.encode() not in content


async def test_a_pin_of_a_removed_person_is_nobodys(people: People) -> None:
    await people.owner()
    staff = await people.add("staff@x.org")
    await wrong_pins(people, staff, 2)
    await people.accounts.remove(None, staff.id)
    with pytest.raises(Unauthenticated):
        await people.accounts.check_pin(staff.id, PIN)


async def test_a_person_removed_while_their_pin_is_checked_makes_no_stir(people: People) -> None:
    await people.owner()
    staff = await people.add("staff@x.org")
    results = await asyncio.gather(
        people.accounts.check_pin(staff.id, "000000"),
        people.accounts.remove(None, staff.id),
        people.accounts.check_pin(staff.id, PIN),
        return_exceptions=True,
    )
    assert all(one is None or isinstance(one, PinWrong | Unauthenticated) for one in results)
