"""The rule for names holds at every door of the web and of the device line."""

from typing import Any

import pytest

from ira_home.domain.people import Role
from tests.support.callers import Member, Reply
from tests.support.home import PASSWORD, PIN, Home

DIRTY, CLEAN = "\u2066Front\u202e\u200b desk\u2069\r\n\x1b", "Front desk"
HIDDEN = "\u202e\u200b\u2060"


async def pairing(member: Member, name: str) -> Reply:
    wish = {"kind": "mac", "label": name, "skills": [], "pin": PIN}
    return await member.call("POST", "/v1/me/pairings", wish)


async def rename(member: Member, name: str) -> Reply:
    device = await member.pair()
    return await member.call("PATCH", f"/v1/me/devices/{device.number}", {"label": name})


async def settings(member: Member, name: str) -> Reply:
    return await member.call("PATCH", "/v1/me/settings", {"assistant_name": name})


async def token(member: Member, name: str) -> Reply:
    return await member.call("POST", "/v1/me/tokens", {"name": name, "scopes": ["ask"], "pin": PIN})


async def house_name(member: Member, name: str) -> Reply:
    return await member.call("PATCH", "/v1/admin/settings", {"name": name})


async def add_person(member: Member, name: str) -> Reply:
    new = {"email": "new@example.com", "name": name, "role": "staff", "password": PASSWORD}
    return await member.call("POST", "/v1/admin/users", new)


async def change_person(member: Member, name: str) -> Reply:
    return await member.call("PATCH", f"/v1/admin/users/{member.person.id}", {"name": name})


DOORS: list[tuple[Any, str]] = [
    (pairing, "label"), (rename, "label"), (settings, "assistant_name"), (token, "name"),
    (house_name, "name"), (add_person, "name"), (change_person, "name"),
]  # fmt: skip


@pytest.mark.parametrize(("door", "field"), DOORS)
async def test_a_name_is_kept_and_shown_without_what_hides_in_it(
    house: Home, door: Any, field: str
) -> None:
    owner = await house.person(Role.OWNER)
    refused = await door(owner, HIDDEN)
    assert (refused.status, refused.body["code"], refused.body["field"]) == (422, "invalid", field)
    assert "visible" in refused.body["detail"]
    made = await door(owner, DIRTY)
    assert made.status in (200, 201)
    if door is pairing:
        claim = {"code": made.body["code"], "kind": "mac"}
        made = await house.caller().call("POST", "/v1/devices/pair", claim)
    assert made.body[field] == CLEAN


@pytest.mark.parametrize("door", ["setup", "invitation"])
async def test_the_doors_of_a_new_account_keep_the_rule_too(house: Home, door: str) -> None:
    who = {"name": HIDDEN, "password": PASSWORD, "pin": PIN}
    if door == "setup":
        path, who = "/v1/setup", who | {"email": "first@example.com"}
    else:
        owner = await house.owner()
        invited = {"email": "guest@example.com", "role": "staff"}
        made = await owner.call("POST", "/v1/admin/invitations", invited)
        path = f"/v1/invitations/{made.body['token']}"
    caller = house.caller()
    refused = await caller.call("POST", path, who, headers={"Origin": house.base})
    assert (refused.status, refused.body["field"]) == (422, "name")
    done = await caller.call("POST", path, who | {"name": DIRTY}, headers={"Origin": house.base})
    assert done.status == 201
    names = [person.name for person in await house.services.accounts.list()]
    assert CLEAN in names


async def test_a_hello_changes_no_label_and_hides_nothing_in_its_version(house: Home) -> None:
    member = await house.person()
    device = await member.online([], label=DIRTY)
    await device.hello([], label="\u202eother", version="1\u202e.0\n2")
    listed = await member.call("GET", "/v1/me/devices")
    assert [(one["label"], one["version"]) for one in listed.body["items"]] == [(CLEAN, "1.0 2")]
    await device.hang_up()
