"""Invitations: one account each, in no higher role than their maker may give."""

import asyncio
from pathlib import Path

import pytest

from ira_home.base.errors import (
    Conflict,
    Forbidden,
    Gone,
    Invalid,
    NotFound,
    Taken,
    WeakPassword,
)
from ira_home.base.limits import INVITATION_S, INVITATIONS_OPEN
from ira_home.domain.people import Person, Role
from tests.support.people import PASSWORD, PIN, People
from tests.support.things import bytes_in


async def accept(
    people: People, token: str, name: str = "Asha", password: str = PASSWORD, pin: str = PIN
) -> Person:
    return await people.invitations.accept(token, name, password, pin)


async def test_an_invited_person_makes_their_own_account(people: People) -> None:
    owner = await people.owner()
    token = await people.invitations.make(owner, "Asha@X.org", Role.ADMIN)
    person = await accept(people, token)
    assert (person.email, person.role, person.has_pin) == ("asha@x.org", Role.ADMIN, True)
    await people.sign_in("asha@x.org")
    await people.accounts.check_pin(person.id, PIN)
    assert await people.invitations.list() == []
    assert (await people.logged())[1:3] == [
        "owner@example.com person_added asha@x.org admin, by invitation",
        "owner@example.com invitation_made asha@x.org admin",
    ]


async def test_an_invitation_is_good_once_however_many_use_it_at_once(people: People) -> None:
    token = await people.invitations.make(await people.owner(), "asha@x.org", Role.STAFF)
    results = await asyncio.gather(
        *(accept(people, token) for _ in range(5)), return_exceptions=True
    )
    assert sum(isinstance(one, Gone) for one in results) == 4
    with pytest.raises(Gone):
        await accept(people, token)


async def test_unknown_used_and_expired_ones_are_alike(people: People) -> None:
    owner = await people.owner()
    token = await people.invitations.make(owner, "asha@x.org", Role.STAFF)
    people.clock.advance(INVITATION_S)
    said = set()
    for one in (token, "", "irai_" + "A" * 43, "\ud800", "x" * 10_000):
        with pytest.raises(Gone) as caught:
            await accept(people, one)
        said.add(caught.value.message)
    assert len(said) == 1
    assert await people.invitations.list() == []


async def test_a_refused_acceptance_leaves_the_invitation_open(people: People) -> None:
    token = await people.invitations.make(await people.owner(), "asha@x.org", Role.STAFF)
    for bad in ({"password": "password1"}, {"pin": "12"}, {"name": ""}):
        with pytest.raises((WeakPassword, Invalid)):
            await accept(people, token, **bad)
    await accept(people, token)


async def test_nobody_invites_into_a_role_they_may_not_manage(people: People) -> None:
    await people.owner()
    admin = await people.added("admin@x.org", Role.ADMIN)
    staff = await people.added("staff@x.org")
    for actor, role in ((admin, Role.OWNER), (admin, Role.ADMIN), (staff, Role.STAFF)):
        with pytest.raises(Forbidden):
            await people.invitations.make(actor, "n@x.org", role)
    await people.invitations.make(admin, "n@x.org", Role.STAFF)


async def test_an_invitation_is_worth_what_its_maker_is_worth_when_it_is_used(
    people: People,
) -> None:
    owner = await people.owner()
    admin = await people.added("admin@x.org", Role.ADMIN)
    demoted = await people.invitations.make(admin, "a@x.org", Role.STAFF)
    await people.accounts.change(owner, admin.person.id, role=Role.STAFF)
    with pytest.raises(Gone):
        await accept(people, demoted)
    gone = await people.added("gone@x.org", Role.ADMIN)
    orphan = await people.invitations.make(gone, "b@x.org", Role.STAFF)
    await people.accounts.remove(owner, gone.person.id)
    with pytest.raises(Gone):
        await accept(people, orphan)


async def test_a_later_invitation_replaces_an_earlier_one(people: People) -> None:
    owner = await people.owner()
    first = await people.invitations.make(owner, "asha@x.org", Role.ADMIN)
    second = await people.invitations.make(owner, "ASHA@x.org", Role.STAFF)
    with pytest.raises(Gone):
        await accept(people, first)
    assert (await accept(people, second)).role is Role.STAFF


async def test_whoever_has_an_account_is_not_invited(people: People) -> None:
    owner = await people.owner()
    token = await people.invitations.make(owner, "asha@x.org", Role.STAFF)
    await people.add("asha@x.org")
    with pytest.raises(Gone):
        await accept(people, token)
    with pytest.raises(Taken):
        await people.invitations.make(owner, "asha@x.org", Role.STAFF)


async def test_an_invitation_can_be_taken_back_by_who_may(people: People) -> None:
    owner = await people.owner()
    admin = await people.added("admin@x.org", Role.ADMIN)
    token = await people.invitations.make(owner, "asha@x.org", Role.ADMIN)
    (found,) = await people.invitations.list()
    assert (found.email, found.role, found.made_by) == ("asha@x.org", Role.ADMIN, owner.person.id)
    with pytest.raises(Forbidden):
        await people.invitations.cancel(admin, found.id)
    await people.invitations.cancel(owner, found.id)
    with pytest.raises(NotFound):
        await people.invitations.cancel(owner, found.id)
    with pytest.raises(Gone):
        await accept(people, token)


async def test_there_are_so_many_open_invitations_and_no_more(people: People) -> None:
    owner = await people.owner()
    for number in range(INVITATIONS_OPEN):
        await people.invitations.make(owner, f"n{number}@x.org", Role.STAFF)
    with pytest.raises(Conflict):
        await people.invitations.make(owner, "more@x.org", Role.STAFF)
    people.clock.advance(INVITATION_S)
    await people.invitations.make(owner, "more@x.org", Role.STAFF)


async def test_of_an_invitation_only_the_hash_is_kept(people: People, tmp_path: Path) -> None:
    token = await people.invitations.make(await people.owner(), "asha@x.org", Role.STAFF)
    content = bytes_in(tmp_path)
    assert token[5:].encode() not in content
