"""Credentials: each proof is good in its own place and opens what it may, no more."""

import pytest

from ira_home.access.permissions import require, require_session
from ira_home.base.errors import Forbidden, Unauthenticated
from ira_home.base.tokens import token_hash
from ira_home.domain.people import TOKEN_PERMISSIONS, Credential, Permission, Role
from tests.support.people import PIN, People
from tests.support.requirements import requirement
from tests.support.things import pair


@requirement("token.scope")
@pytest.mark.parametrize("role", list(Role))
async def test_a_device_token_has_at_most_ask_voice_and_actions_whatever_the_role(
    people: People, role: Role
) -> None:
    person = await people.add("someone@x.org", role)
    token, device = await pair(people.storage, person, "Office Mac", people.clock.now())
    principal = await people.credentials.bearer(token)
    assert principal.permissions == TOKEN_PERMISSIONS
    assert (principal.credential, principal.device_id) == (Credential.DEVICE_TOKEN, device.id)
    assert principal.person == person
    for permission in (Permission.CONSOLE, Permission.DEVICES):
        with pytest.raises(Forbidden):
            require(principal, permission)
    with pytest.raises(Forbidden):
        require_session(principal)


@requirement("token.revoke.at_once")
async def test_a_revoked_devices_token_is_dead(people: People) -> None:
    person = await people.add("someone@x.org")
    token, device = await pair(people.storage, person, "Office Mac", people.clock.now())
    await people.storage.write(
        lambda tx: people.storage.devices.revoke(tx, device.id, people.clock.now())
    )
    with pytest.raises(Unauthenticated):
        await people.credentials.bearer(token)


async def test_a_token_is_good_in_its_own_place_only(people: People) -> None:
    owner = await people.owner()
    session, _ = await people.token("owner@example.com")
    api, _ = await people.api_tokens.make(owner, name="S", scopes=["ask"], pin=PIN)
    device, _ = await pair(people.storage, owner.person, "Mac", people.clock.now())
    with pytest.raises(Unauthenticated):
        await people.credentials.bearer(session)
    for token in (api, device):
        with pytest.raises(Unauthenticated):
            await people.credentials.session(token)
        for changed in (token[:-1], token + "A", token.upper(), " " + token, token[5:]):
            with pytest.raises(Unauthenticated):
                await people.credentials.bearer(changed)
    for prefix in ("irat_", "irad_"):
        with pytest.raises(Unauthenticated):
            await people.credentials.bearer(prefix + session[5:])


@requirement("pair.token.hash")
async def test_the_hash_of_a_token_is_no_token(people: People) -> None:
    owner = await people.owner()
    token, _ = await pair(people.storage, owner.person, "Mac", people.clock.now())
    with pytest.raises(Unauthenticated):
        await people.credentials.bearer("irad_" + token_hash(token).hex())
