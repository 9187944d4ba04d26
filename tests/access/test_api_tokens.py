"""API tokens: never broader than asked for, than the role, or than a token may be."""

import asyncio
from collections.abc import Sequence

import pytest

from ira_home.base.errors import (
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    PinRequired,
    PinWrong,
    Unauthenticated,
)
from ira_home.base.limits import TOKENS_A_PERSON
from ira_home.domain.api_tokens import ApiTokenRow
from ira_home.domain.facts import SessionEnded
from ira_home.domain.people import TOKEN_PERMISSIONS, Credential, Permission, Principal
from tests.support.people import PIN, People


async def make(
    people: People,
    principal: Principal,
    scopes: Sequence[str] = ("ask",),
    name: str = "Script",
    pin: str | None = PIN,
) -> tuple[str, ApiTokenRow]:
    return await people.api_tokens.make(principal, name=name, scopes=scopes, pin=pin)


async def test_a_token_has_its_scopes_and_no_more(people: People) -> None:
    owner = await people.owner()
    token, row = await make(people, owner, ["actions", "ask"])
    assert token.startswith("irat_")
    principal = await people.credentials.bearer(token)
    assert principal.permissions == {Permission.ASK, Permission.ACTIONS} == row.scopes
    assert (principal.credential, principal.credential_id) == (Credential.API_TOKEN, row.id)
    assert principal.device_id is None


@pytest.mark.parametrize(
    "scopes", [[], ["console"], ["devices"], ["ask", "console"], ["root"], [""]]
)
async def test_scopes_beyond_ask_voice_and_actions_are_refused(
    people: People, scopes: list[str]
) -> None:
    with pytest.raises(Invalid):
        await make(people, await people.owner(), scopes)


async def test_a_token_is_a_grant_and_needs_the_pin(people: People) -> None:
    owner = await people.owner()
    with pytest.raises(PinRequired):
        await make(people, owner, pin=None)
    with pytest.raises(PinWrong):
        await make(people, owner, pin="000000")
    assert await people.api_tokens.list(owner.person.id) == []


async def test_only_a_session_makes_lists_or_ends_tokens(people: People) -> None:
    owner = await people.owner()
    token, row = await make(people, owner, ["ask", "voice", "actions"])
    weak = await people.credentials.bearer(token)
    for step in (make(people, weak), people.api_tokens.end(weak, row.id)):
        with pytest.raises(Forbidden):
            await step


async def test_an_ended_token_opens_nothing(people: People) -> None:
    owner = await people.owner()
    token, row = await make(people, owner)
    other, _ = await make(people, owner)
    await people.api_tokens.end(owner, row.id)
    with pytest.raises(Unauthenticated):
        await people.credentials.bearer(token)
    await people.credentials.bearer(other)
    assert people.facts == [SessionEnded(owner.person.id, row.id)]
    assert "api_token_ended" in (await people.logged())[0]


async def test_another_persons_token_is_not_there(people: People) -> None:
    owner, staff = await people.owner(), await people.added("staff@x.org")
    token, row = await make(people, staff)
    with pytest.raises(NotFound):
        await people.api_tokens.end(owner, row.id)
    await people.credentials.bearer(token)
    assert await people.api_tokens.list(owner.person.id) == []


async def test_the_name_of_a_token_is_not_logged(people: People) -> None:
    await make(people, await people.owner(), ["ask", "voice"], name="My bank script")
    line = (await people.logged())[0]
    assert line == "owner@example.com api_token_made owner@example.com ask, voice"


async def test_a_person_has_so_many_tokens_and_no_more_even_at_once(people: People) -> None:
    owner = await people.owner()
    for _ in range(TOKENS_A_PERSON - 2):
        await make(people, owner)
    results = await asyncio.gather(*(make(people, owner) for _ in range(4)), return_exceptions=True)
    assert sum(isinstance(one, Conflict) for one in results) == 2
    assert len(await people.api_tokens.list(owner.person.id)) == TOKENS_A_PERSON


async def test_the_last_use_is_kept(people: People) -> None:
    owner = await people.owner()
    token, _ = await make(people, owner)
    assert (await people.api_tokens.list(owner.person.id))[0].used_at is None
    people.clock.advance(3_600)
    await people.credentials.bearer(token)
    assert (await people.api_tokens.list(owner.person.id))[0].used_at == people.clock.now()


async def test_a_session_with_fewer_permissions_gives_fewer_scopes(people: People) -> None:
    owner = await people.owner()
    narrow = Principal(
        owner.person, Credential.SESSION, owner.credential_id, frozenset({Permission.ASK})
    )
    with pytest.raises(Invalid):
        await make(people, narrow, ["voice"])
    assert {Permission.ASK} < TOKEN_PERMISSIONS
