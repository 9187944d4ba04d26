"""Export my data: all of it, of this person only, and no secret."""

import base64
import json

import pytest

from ira_home.base.errors import NotFound
from ira_home.base.ids import PersonId
from ira_home.base.tokens import token_hash
from ira_home.household.export import Export
from tests.support.people import PASSWORD, PIN, People
from tests.support.things import live, pair


@pytest.fixture
def export(people: People) -> Export:
    return Export(people.storage, people.accounts, clock=people.clock, changes=people.changes)


async def test_an_export_holds_conversations_devices_events_settings_and_log(
    people: People, export: Export
) -> None:
    owner = await people.owner()
    device = await live(people.storage, owner.person, "canary", people.clock.now())
    await people.settings.change(owner, assistant_name="Asha")
    made = await export.export(owner.person.id)
    assert json.loads(json.dumps(made)) == made
    (conversation,) = made["conversations"]
    assert conversation["title"] == "Title canary"
    assert [entry["text"] for entry in conversation["entries"]] == [
        "person canary", "call canary", "result canary", "ira canary"
    ]  # fmt: skip
    assert [entry["private"] for entry in conversation["entries"]] == [False, True, True, True]
    assert made["devices"][0]["label"] == "Label canary"
    assert made["devices"][0]["skills"] == ["files"]
    assert made["events"][0]["title"] == "Event canary"
    assert made["events"][0]["created_at"] == "2026-12-01T09:30:00.000Z"
    assert made["settings"]["assistant_name"] == "Asha"
    assert made["tool_log"][0] | {"id": 0} == {
        "id": 0, "channel": "web", "tool": "files_read", "device_id": device.id,
        "device": "Label canary", "tier": 0, "confirmed": "none", "outcome": "done", "seconds": 0.0,
        "created_at": "2026-12-01T09:30:00.000Z",
    }  # fmt: skip
    assert made["account"] == {
        "email": "owner@example.com", "name": "Olive Owner", "role": "owner",
        "created_at": "2026-12-01T09:30:00.000Z",
    }  # fmt: skip


async def test_a_new_account_exports_its_defaults(people: People, export: Export) -> None:
    person = await people.add("a@x.org")
    made = await export.export(person.id)
    assert made["conversations"] == made["devices"] == made["events"] == made["tool_log"] == []
    assert made["settings"]["assistant_name"] == "Ira"


async def test_an_export_holds_no_token_hash_password_or_pin(
    people: People, export: Export
) -> None:
    owner = await people.owner()
    session, _ = await people.token("owner@example.com")
    api, _ = await people.api_tokens.make(owner, name="S", scopes=["ask"], pin=PIN)
    device, _ = await pair(people.storage, owner.person, "Mac", people.clock.now())
    text = json.dumps(await export.export(owner.person.id))
    secrets = [PASSWORD, PIN, "argon2"]
    for token in (session, api, device):
        hashed = token_hash(token)
        secrets += [token[5:], hashed.hex(), base64.b64encode(hashed).decode()]
    assert not [secret for secret in secrets if secret in text]


async def test_an_export_holds_nothing_of_others(people: People, export: Export) -> None:
    owner, staff = await people.owner(), await people.add("staff@x.org")
    await live(people.storage, staff, "canary", people.clock.now())
    text = json.dumps(await export.export(owner.person.id))
    assert "canary" not in text
    assert "staff" not in text


async def test_that_it_was_exported_stands_in_the_change_log(
    people: People, export: Export
) -> None:
    owner = await people.owner()
    await export.export(owner.person.id)
    assert (await people.logged())[0] == ("owner@example.com data_exported owner@example.com")


async def test_nobody_has_no_data(people: People, export: Export) -> None:
    with pytest.raises(NotFound):
        await export.export(PersonId(9))
