"""Sessions: one refusal for every wrong sign-in, and tokens that end when they must."""

import asyncio
from pathlib import Path

import pytest

from ira_home.base.errors import (
    Forbidden,
    IraError,
    NotFound,
    PasswordWrong,
    TooMany,
    Unauthenticated,
    WrongCredentials,
)
from ira_home.base.ids import SessionId
from ira_home.base.limits import (
    SESSION_IDLE_S,
    SESSION_TOTAL_S,
    SESSIONS_A_PERSON,
    VERIFIED_S,
    WRONG_PASSWORDS,
    WRONG_PASSWORDS_ADDRESS,
)
from ira_home.base.tokens import SESSION, mint_token, token_hash
from ira_home.domain.facts import SessionEnded
from ira_home.domain.people import ROLE_PERMISSIONS, Credential, Principal, Role
from ira_home.storage.database import Transaction
from tests.support.clock import START, FakeClock
from tests.support.people import PASSWORD, People, open_people

DAY = 86_400.0
WRONG = "wrong-password-1"


async def refusal(
    people: People, email: str, password: str = WRONG, address: str = "10.0.0.1"
) -> IraError:
    with pytest.raises(IraError) as caught:
        await people.token(email, password, address)
    return caught.value


async def test_signing_in_opens_a_session_with_a_new_token_each_time(people: People) -> None:
    await people.owner()
    tokens = {(await people.token("Owner@Example.com"))[0] for _ in range(3)}
    assert len(tokens) == 3
    for token in tokens:
        assert token.startswith("iras_")
        assert len(token) == 48
        principal = await people.credentials.session(token)
        assert principal.credential is Credential.SESSION
        assert principal.permissions == ROLE_PERMISSIONS[Role.OWNER]


async def test_of_a_token_only_its_hash_is_kept(people: People) -> None:
    await people.owner()
    token, _ = await people.token("owner@example.com")
    rows = await people.storage.database.all("SELECT * FROM sessions")
    assert token_hash(token) in {bytes(row["token_hash"]) for row in rows}


async def test_unknown_person_and_wrong_password_are_refused_alike_throttle_included(
    people: People,
) -> None:
    await people.owner()
    for number in range(WRONG_PASSWORDS + 2):
        known = await refusal(people, "owner@example.com", address="10.0.0.1")
        unknown = await refusal(people, "nobody@example.com", address="10.0.0.2")
        assert (
            type(known)
            is type(unknown)
            is (WrongCredentials if number < WRONG_PASSWORDS else TooMany)
        )
        assert (known.message, known.details, known.retry_after_s) == (
            unknown.message, unknown.details, unknown.retry_after_s
        )  # fmt: skip


async def test_failing_on_purpose_elsewhere_never_locks_the_owner_out(people: People) -> None:
    await people.owner()
    for number in range(8):
        for _ in range(WRONG_PASSWORDS):
            await refusal(people, "owner@example.com", address=f"10.0.0.{number}")
    await people.sign_in("owner@example.com", address="192.168.1.34")


async def test_one_address_that_tries_many_accounts_is_held_off(people: People) -> None:
    await people.owner()
    for number in range(WRONG_PASSWORDS_ADDRESS):
        assert isinstance(await refusal(people, f"n{number}@x.org"), WrongCredentials)
    held = await refusal(people, "owner@example.com", PASSWORD)
    assert isinstance(held, TooMany)
    assert held.retry_after_s == 900
    await people.sign_in("owner@example.com", address="10.0.0.2")
    people.clock.advance(900)
    await people.sign_in("owner@example.com", address="10.0.0.1")


async def test_an_ipv6_network_is_one_address(people: People) -> None:
    await people.owner()
    for number in range(WRONG_PASSWORDS):
        await refusal(people, "owner@example.com", address=f"2001:db8::{number}")
    assert isinstance(await refusal(people, "owner@example.com", PASSWORD, "2001:db8::ff"), TooMany)
    await people.sign_in("owner@example.com", address="2001:db8:0:1::1")


async def test_sign_in_throttles_survive_a_restart(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_people(tmp_path, clock) as first:
        await first.owner()
        for _ in range(WRONG_PASSWORDS):
            await refusal(first, "owner@example.com")
    async with open_people(tmp_path, clock) as second:
        assert isinstance(await refusal(second, "owner@example.com", PASSWORD), TooMany)


async def test_many_guesses_at_once_are_not_looked_at_beyond_the_limit(people: People) -> None:
    await people.owner()
    results = await asyncio.gather(*(refusal(people, "owner@example.com") for _ in range(40)))
    assert sum(isinstance(one, WrongCredentials) for one in results) == WRONG_PASSWORDS


@pytest.mark.parametrize(
    "email", ["", "x" * 100_000, "a\x00b@x.org", "\ud800@x.org", "' OR 1=1 --"]
)
async def test_strange_addresses_are_only_unknown(people: People, email: str) -> None:
    await people.owner()
    assert type(await refusal(people, email)) is WrongCredentials


@pytest.mark.parametrize(
    "token", ["", "iras_", "iras_" + "A" * 43, "irad_x", "\ud800", "x" * 100_000]
)
async def test_an_unknown_token_opens_nothing(people: People, token: str) -> None:
    await people.owner()
    with pytest.raises(Unauthenticated):
        await people.credentials.session(token)
    with pytest.raises(Unauthenticated):
        await people.credentials.bearer(token)


async def test_a_session_lives_on_while_used_and_ends_thirty_days_after(people: People) -> None:
    await people.owner()
    token, _ = await people.token("owner@example.com")
    for _ in range(4):
        people.clock.advance(SESSION_IDLE_S - 1)
        await people.credentials.session(token)
    people.clock.advance(SESSION_IDLE_S)
    with pytest.raises(Unauthenticated):
        await people.credentials.session(token)


async def test_a_session_ends_after_a_hundred_and_eighty_days_however_often_used(
    people: People,
) -> None:
    await people.owner()
    token, _ = await people.token("owner@example.com")
    for _ in range(179):
        people.clock.advance(DAY)
        await people.credentials.session(token)
    people.clock.advance(SESSION_TOTAL_S - 179 * DAY)
    with pytest.raises(Unauthenticated):
        await people.credentials.session(token)
    assert await people.sessions.list((await people.accounts.list())[0].id) == []


async def test_turning_the_wall_clock_neither_ends_nor_revives_a_session(people: People) -> None:
    await people.owner()
    token, _ = await people.token("owner@example.com")
    people.clock.set_wall(START.replace(year=2040))
    await people.credentials.session(token)
    people.clock.advance(SESSION_IDLE_S)
    people.clock.set_wall(START)
    with pytest.raises(Unauthenticated):
        await people.credentials.session(token)


async def test_using_a_session_writes_at_most_once_a_minute(people: People) -> None:
    await people.owner()
    token, _ = await people.token("owner@example.com")
    before = people.storage.database.commits
    for _ in range(10):
        people.clock.advance(5)
        await people.credentials.session(token)
    assert people.storage.database.commits == before
    people.clock.advance(10)
    await people.credentials.session(token)
    assert people.storage.database.commits == before + 1


async def test_signing_out_ends_this_session_only(people: People) -> None:
    await people.owner()
    token, principal = await people.token("owner@example.com")
    other, _ = await people.token("owner@example.com")
    await people.sessions.sign_out(principal)
    with pytest.raises(Unauthenticated):
        await people.credentials.session(token)
    await people.credentials.session(other)
    assert people.facts == [SessionEnded(principal.person.id, principal.credential_id)]


async def test_a_person_ends_their_own_sessions_and_nobody_elses(people: People) -> None:
    owner = await people.owner()
    token, staff = await people.token((await people.add("staff@x.org")).email)
    with pytest.raises(NotFound):
        await people.sessions.end(owner, SessionId(staff.credential_id))
    other = await people.sign_in("staff@x.org")
    await people.sessions.end(other, SessionId(staff.credential_id))
    with pytest.raises(Unauthenticated):
        await people.credentials.session(token)
    assert [row.id for row in await people.sessions.list(staff.person.id)] == [other.credential_id]
    assert (await people.logged())[0] == "staff@x.org session_ended staff@x.org"


async def test_the_list_of_sessions_says_where_and_since_when(people: People) -> None:
    owner = await people.owner()
    row = (await people.sessions.list(owner.person.id))[0]
    assert (row.agent, row.address, row.created_at) == ("Firefox", "192.168.1.34", START)


async def test_the_longest_unused_session_makes_room_for_one_too_many(people: People) -> None:
    await people.owner()
    first, oldest = await people.token("owner@example.com")
    for _ in range(SESSIONS_A_PERSON - 2):
        await people.storage.write(lambda tx: _insert(people, tx, oldest))
    people.clock.advance(120)
    await people.credentials.session(first)
    kept = await people.sign_in("owner@example.com")
    assert len(people.heard(SessionEnded)) == 1
    assert len(await people.sessions.list(kept.person.id)) == SESSIONS_A_PERSON
    await people.credentials.session(first)


def _insert(people: People, tx: Transaction, principal: Principal) -> None:
    people.storage.sessions.add(
        tx,
        person_id=principal.person.id,
        token_hash=token_hash(mint_token(SESSION)),
        agent="",
        address="",
        at=people.clock.steady(),
    )


async def test_the_password_opens_serious_steps_for_ten_minutes(people: People) -> None:
    principal = await people.owner()
    assert await people.sessions.is_verified(principal)
    people.clock.advance(VERIFIED_S)
    assert not await people.sessions.is_verified(principal)
    with pytest.raises(PasswordWrong):
        await people.sessions.verify(principal, "wrong-password-1")
    assert not await people.sessions.is_verified(principal)
    await people.sessions.verify(principal, PASSWORD)
    other = await people.sign_in("owner@example.com")
    people.clock.advance(VERIFIED_S - 1)
    assert await people.sessions.is_verified(principal)
    people.clock.advance(1)
    assert not await people.sessions.is_verified(principal)
    assert not await people.sessions.is_verified(other)


async def test_other_credentials_have_no_session_to_verify_or_end(people: People) -> None:
    owner = await people.owner()
    weak = Principal(owner.person, Credential.API_TOKEN, owner.credential_id, owner.permissions)
    for step in (
        people.sessions.verify(weak, PASSWORD),
        people.sessions.is_verified(weak),
        people.sessions.sign_out(weak),
        people.sessions.end(weak, SessionId(owner.credential_id)),
    ):
        with pytest.raises(Forbidden):
            await step


async def test_a_password_changed_while_signing_in_lets_nobody_in_with_the_old_one(
    people: People,
) -> None:
    owner = await people.owner()
    results = await asyncio.gather(
        people.token("owner@example.com"),
        people.accounts.change_password(owner, old=PASSWORD, new="other-lantern-8"),
        return_exceptions=True,
    )
    if not isinstance(results[0], BaseException):
        with pytest.raises(Unauthenticated):
            await people.credentials.session(results[0][0])
    with pytest.raises(WrongCredentials):
        await people.token("owner@example.com")
