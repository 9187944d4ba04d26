"""Accounts: made, changed and removed by whoever may, and never without an owner."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ira_home.base.errors import (
    Forbidden,
    Invalid,
    LastOwner,
    NotFound,
    SetUpAlready,
    Taken,
    Unauthenticated,
    WeakPassword,
)
from ira_home.base.ids import PersonId
from ira_home.domain.facts import DeviceRevoked, PersonChanged, SessionEnded
from ira_home.domain.people import Credential, Permission, Person, Principal, Role
from tests.support.people import PASSWORD, PIN, People
from tests.support.requirements import requirement
from tests.support.things import pair

Step = Callable[[Principal, Person], Awaitable[object]]


async def test_the_first_owner_is_made_once_however_many_try_at_once(people: People) -> None:
    async def claim(number: int) -> Person:
        return await people.accounts.create_owner(
            email=f"o{number}@example.com", name="O", password=PASSWORD, pin=PIN
        )

    results = await asyncio.gather(*(claim(number) for number in range(6)), return_exceptions=True)
    assert sum(isinstance(one, SetUpAlready) for one in results) == 5
    assert [person.role for person in await people.accounts.list()] == [Role.OWNER]
    assert await people.accounts.is_set_up()


async def test_set_up_is_over_for_good_after_it(people: People) -> None:
    assert not await people.accounts.is_set_up()
    await people.owner()
    with pytest.raises(SetUpAlready):
        await people.owner()
    assert await people.logged() == [
        "owner@example.com signed_in owner@example.com",
        "operator set_up owner@example.com",
    ]


async def test_a_refused_first_owner_leaves_nothing(people: People) -> None:
    for bad in ({"email": "x"}, {"name": ""}, {"password": "password1"}, {"pin": "12"}):
        fields = {"email": "o@x.org", "name": "O", "password": PASSWORD, "pin": PIN} | bad
        with pytest.raises(Invalid):
            await people.accounts.create_owner(**fields, keep={"time_zone": "Asia/Kolkata"})
    assert not await people.accounts.is_set_up()
    assert await people.storage.settings.house("time_zone") is None
    assert await people.logged() == []


async def test_an_address_is_taken_in_every_spelling_of_case(people: People) -> None:
    await people.add("Asha@Example.com")
    for email in ("asha@example.com", "ASHA@EXAMPLE.COM", " asha@example.com "):
        with pytest.raises(Taken):
            await people.add(email)
        assert (await people.accounts.by_email(email)).email == "asha@example.com"


async def test_two_accounts_for_one_address_at_once_make_one(people: People) -> None:
    results = await asyncio.gather(
        *(people.add("asha@example.com") for _ in range(5)), return_exceptions=True
    )
    assert sum(isinstance(one, Taken) for one in results) == 4
    assert len(await people.accounts.list()) == 1


async def test_who_may_make_whose_account_follows_the_roles(people: People) -> None:
    actors = {"owner": await people.owner()}
    actors["admin"] = await people.added("admin@x.org", Role.ADMIN)
    actors["staff"] = await people.added("staff@x.org", Role.STAFF)
    allowed = set()
    for who, actor in actors.items():
        for role in Role:
            try:
                await people.accounts.add(
                    actor, email=f"{who}-{role}@x.org", name="N", role=role, password=PASSWORD
                )
            except Forbidden:
                continue
            allowed.add((who, role.value))
    assert allowed == {
        ("owner", "owner"),
        ("owner", "admin"),
        ("owner", "staff"),
        ("admin", "staff"),
    }


async def test_who_may_change_remove_or_reset_whom_follows_the_roles(people: People) -> None:
    owner = await people.owner()
    admin = await people.added("admin@x.org", Role.ADMIN)
    other = await people.add("admin2@x.org", Role.ADMIN)
    staff = await people.added("staff@x.org", Role.STAFF)
    steps: list[Step] = [
        lambda actor, person: people.accounts.change(actor, person.id, role=Role.STAFF),
        lambda actor, person: people.accounts.change(actor, person.id, name="Renamed"),
        lambda actor, person: people.accounts.remove(actor, person.id),
        lambda actor, person: people.accounts.reset_password(actor, person.id, "other-lantern-8"),
        lambda actor, person: people.accounts.reset_pin(actor, person.id, "123456"),
    ]
    for step in steps:
        for actor, person in (
            (admin, owner.person),
            (admin, other),
            (staff, other),
            (staff, owner.person),
        ):
            with pytest.raises(Forbidden):
                await step(actor, person)
    assert {person.name for person in await people.accounts.list()} == {
        "Olive Owner", "admin", "admin2", "staff"
    }  # fmt: skip


async def test_nobody_raises_anybody_above_what_they_may_manage(people: People) -> None:
    await people.owner()
    admin = await people.added("admin@x.org", Role.ADMIN)
    staff = await people.added("staff@x.org", Role.STAFF)
    for actor, person, role in (
        (admin, staff.person, Role.ADMIN),
        (admin, admin.person, Role.OWNER),
        (staff, staff.person, Role.ADMIN),
    ):
        with pytest.raises(Forbidden):
            await people.accounts.change(actor, person.id, role=role)


async def test_a_device_or_api_token_of_an_owner_manages_nobody(people: People) -> None:
    owner = await people.owner()
    staff = await people.add("staff@x.org")
    for credential in (Credential.DEVICE_TOKEN, Credential.API_TOKEN):
        weak = Principal(owner.person, credential, 1, frozenset({Permission.ASK}))
        for step in (
            people.accounts.change(weak, staff.id, role=Role.ADMIN),
            people.accounts.change(weak, owner.person.id, name="X"),
            people.accounts.remove(weak, staff.id),
            people.accounts.reset_pin(weak, staff.id, PIN),
        ):
            with pytest.raises(Forbidden):
                await step


async def test_a_demoted_admin_with_an_old_principal_manages_nobody_any_more(
    people: People,
) -> None:
    owner = await people.owner()
    admin = await people.added("admin@x.org", Role.ADMIN)
    staff = await people.add("staff@x.org")
    await people.accounts.change(owner, admin.person.id, role=Role.STAFF)
    with pytest.raises(Forbidden):
        await people.accounts.remove(admin, staff.id)
    await people.accounts.remove(owner, admin.person.id)
    with pytest.raises(Unauthenticated):
        await people.accounts.remove(admin, staff.id)


async def test_the_last_owner_is_neither_demoted_nor_removed_by_anyone(people: People) -> None:
    owner = await people.owner()
    for actor in (owner, None):
        with pytest.raises(LastOwner):
            await people.accounts.change(actor, owner.person.id, role=Role.ADMIN)
        with pytest.raises(LastOwner):
            await people.accounts.remove(actor, owner.person.id)
    assert (await people.accounts.get(owner.person.id)).role is Role.OWNER
    assert people.facts == []


async def test_two_owners_who_demote_each_other_at_once_leave_one(people: People) -> None:
    first = await people.owner()
    second = await people.added("second@x.org", Role.OWNER)
    results = await asyncio.gather(
        people.accounts.change(first, second.person.id, role=Role.STAFF),
        people.accounts.change(second, first.person.id, role=Role.STAFF),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Exception) for one in results) == 1
    assert [p.role for p in await people.accounts.list()].count(Role.OWNER) == 1


async def test_all_owners_who_remove_themselves_at_once_leave_one(people: People) -> None:
    await people.owner()
    for number in range(3):
        await people.add(f"o{number}@x.org", Role.OWNER)
    owners = await people.accounts.list()
    results = await asyncio.gather(
        *(people.accounts.remove(None, one.id) for one in owners), return_exceptions=True
    )
    assert sum(isinstance(one, LastOwner) for one in results) == 1
    assert len(await people.accounts.list()) == 1


async def test_a_change_of_role_holds_at_once_and_is_told_and_logged(people: People) -> None:
    owner = await people.owner()
    token, staff = await people.sessions.sign_in(
        email=(await people.add("staff@x.org")).email,
        password=PASSWORD,
        address="1.2.3.4",
        agent="",
    )
    await people.accounts.change(owner, staff.person.id, role=Role.ADMIN)
    now = await people.credentials.session(token)
    assert now.person.role is Role.ADMIN
    assert Permission.CONSOLE in now.permissions
    assert not await people.sessions.is_verified(now)
    assert people.heard(PersonChanged) == [PersonChanged(staff.person.id, removed=False)]
    assert (await people.logged())[0] == (
        "owner@example.com person_changed staff@x.org role staff to admin"
    )


async def test_a_change_to_what_is_already_so_is_neither_told_nor_logged(people: People) -> None:
    owner = await people.owner()
    before = await people.logged()
    after = await people.accounts.change(
        owner, owner.person.id, name=owner.person.name, role=Role.OWNER
    )
    assert after == owner.person
    assert people.facts == []
    assert await people.logged() == before


async def test_people_rename_themselves(people: People) -> None:
    await people.owner()
    staff = await people.added("staff@x.org")
    assert (
        await people.accounts.change(staff, staff.person.id, name=" Asha  Rao ")
    ).name == "Asha Rao"


@requirement("token.revoke.account")
async def test_a_removed_account_takes_every_credential_with_it_at_once(people: People) -> None:
    owner = await people.owner()
    session, staff = await people.token((await people.add("staff@x.org")).email)
    api, row = await people.api_tokens.make(staff, name="Script", scopes=["ask"], pin=PIN)
    tokens = [
        await pair(people.storage, staff.person, f"D{n}", people.clock.now()) for n in range(2)
    ]
    await people.accounts.remove(owner, staff.person.id)
    for token in (api, *(token for token, _ in tokens)):
        with pytest.raises(Unauthenticated):
            await people.credentials.bearer(token)
    with pytest.raises(Unauthenticated):
        await people.credentials.session(session)
    assert people.heard(DeviceRevoked) == [
        DeviceRevoked(staff.person.id, device.id) for _, device in tokens
    ]
    assert {fact.credential_id for fact in people.heard(SessionEnded)} == {
        staff.credential_id,
        row.id,
    }
    assert people.facts[-1] == PersonChanged(staff.person.id, removed=True)
    assert (await people.logged())[0] == "owner@example.com person_removed staff@x.org"


async def test_a_removed_account_leaves_no_row_in_any_table_of_people(people: People) -> None:
    owner = await people.owner()
    staff = await people.added("staff@x.org")
    await pair(people.storage, staff.person, "Phone", people.clock.now())
    await people.settings.change(staff, assistant_name="Asha")
    await people.api_tokens.make(staff, name="Script", scopes=["ask"], pin=PIN)
    await people.idempotency.begin(staff, "/v1/ask", "k", b"")
    await people.accounts.remove(owner, staff.person.id)
    rows = await people.storage.database.all(
        "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c "
        "WHERE m.type = 'table' AND c.name = 'user_id'"
    )
    assert len(rows) > 10
    for row in rows:
        sql = f'SELECT count(*) AS n FROM "{row["name"]}" WHERE user_id = ?'  # noqa: S608 - of the schema
        left = await people.storage.database.one(sql, (staff.person.id,))
        assert left is not None
        assert left["n"] == 0, row["name"]


async def test_what_is_not_there_is_not_found(people: People) -> None:
    await people.owner()
    nobody = PersonId(99)
    for step in (
        people.accounts.get(nobody),
        people.accounts.by_email("nobody@x.org"),
        people.accounts.change(None, nobody, name="X"),
        people.accounts.remove(None, nobody),
        people.accounts.reset_password(None, nobody, PASSWORD),
        people.accounts.reset_pin(None, nobody, PIN),
    ):
        with pytest.raises(NotFound):
            await step


async def test_no_password_pin_or_hash_stands_in_the_change_log(people: People) -> None:
    owner = await people.owner()
    await people.add("staff@x.org")
    await people.accounts.set_pin(owner, password=PASSWORD, pin="48291573")
    await people.accounts.change_password(owner, old=PASSWORD, new="other-lantern-8")
    text = "\n".join(await people.logged())
    for secret in (PASSWORD, PIN, "48291573", "other-lantern-8", "argon2"):
        assert secret not in text


async def test_a_weak_new_password_is_refused_everywhere(people: People) -> None:
    owner = await people.owner()
    staff = await people.add("staff@x.org")
    for step in (
        people.accounts.change_password(owner, old=PASSWORD, new="password1"),
        people.accounts.reset_password(owner, staff.id, "short"),
        people.accounts.add(
            owner, email="n@x.org", name="N", role=Role.STAFF, password="n@x.org.."[:7]
        ),
    ):
        with pytest.raises(WeakPassword):
            await step
