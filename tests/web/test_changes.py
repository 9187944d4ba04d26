"""Who changed what: each kind of change, made at a door, stands in the change log with who made it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ira_home.control.client import send
from ira_home.control.wire import Request
from ira_home.domain.audit import Change
from tests.support.callers import Caller, Member
from tests.support.home import PASSWORD, PIN, Home
from tests.web.holders import new_token, signed_in

LABEL = "Quince pad"  # a name that a person chose: in no line
NEW, NEW_PIN, KEY = "another-lantern-river-5", "602914", "sk-quince-key"
STAFF, OWNER, OPERATOR, NOBODY = "staff2@example.com", "owner1@example.com", "operator", ""
GUEST, COUSIN = "guest@example.com", "cousin@example.com"
TOOL: dict[str, Any] = {
    "name": "lamp_colour", "description": "Tell the colour.", "tier": 2,
    "parameters": {"type": "object", "properties": {}},
}  # fmt: skip


@dataclass
class Door:
    """A house with its owner and somebody else, and how its things are reached."""

    home: Home
    owner: Member
    staff: Member

    async def do(self, who: Caller, method: str, path: str, body: Any = None) -> Any:
        """What was answered; it has to be well."""
        reply = await who.call(method, path, body)
        assert reply.status < 300, (path, reply)
        return reply.body

    async def operate(self, name: str, /, **arguments: Any) -> Any:
        """What the operator's command does, over the control socket."""
        return await asyncio.to_thread(send, self.home.folder, Request(name, arguments))

    async def device(self) -> int:
        """A device of the staff's."""
        return (await self.staff.pair(label=LABEL, skills=("lamp",))).number

    async def proved(self) -> None:
        """The owner has given their password again."""
        await self.do(self.owner, "POST", "/v1/session/verify", {"password": PASSWORD})

    @property
    def theirs(self) -> str:
        """Where the owner changes the staff's account."""
        return f"/v1/admin/users/{self.staff.person.id}"


Line = tuple[Change, str, str, str]  # what, who, about what, and how its detail begins
Making = Callable[[Door], Awaitable[list[Line]]]
MAKINGS: dict[str, Making] = {}
MADE: set[Change] = set()


def makes(*changes: Change) -> Callable[[Making], Making]:
    """The decorated making makes changes of these kinds."""

    def note(making: Making) -> Making:
        MADE.update(changes)
        MAKINGS[making.__name__] = making
        return making

    return note


@makes(Change.PERSON_ADDED, Change.INVITATION_MADE)
async def people_come(at: Door) -> list[Line]:
    new = {"email": GUEST, "name": LABEL, "role": "staff", "password": PASSWORD}
    await at.do(at.owner, "POST", "/v1/admin/users", new)
    await at.operate("people.add", **new | {"email": "op@example.com"})
    invited = await at.do(
        at.owner, "POST", "/v1/admin/invitations", {"email": COUSIN, "role": "staff"}
    )
    chosen = {"name": LABEL, "password": PASSWORD, "pin": PIN}
    await at.do(at.home.caller(), "POST", f"/v1/invitations/{invited['token']}", chosen)
    return [
        (Change.PERSON_ADDED, OWNER, GUEST, "staff"),
        (Change.PERSON_ADDED, OPERATOR, "op@example.com", "staff"),
        (Change.INVITATION_MADE, OWNER, COUSIN, "staff"),
        (Change.PERSON_ADDED, OWNER, COUSIN, "staff, by invitation"),
    ]


@makes(Change.INVITATION_ENDED)
async def an_invitation_is_taken_back(at: Door) -> list[Line]:
    await at.do(at.owner, "POST", "/v1/admin/invitations", {"email": GUEST, "role": "staff"})
    (one,) = (await at.do(at.owner, "GET", "/v1/admin/invitations"))["items"]
    await at.do(at.owner, "DELETE", f"/v1/admin/invitations/{one['id']}")
    return [(Change.INVITATION_ENDED, OWNER, GUEST, "")]


@makes(Change.PERSON_CHANGED, Change.PERSON_REMOVED)
async def people_change_and_go(at: Door) -> list[Line]:
    await at.do(at.owner, "PATCH", at.theirs, {"role": "admin"})
    await at.do(at.owner, "PATCH", at.theirs, {"name": LABEL})
    await at.do(at.owner, "DELETE", at.theirs)
    other = (await at.home.person()).person.email
    await at.operate("people.remove", email=other)
    return [
        (Change.PERSON_CHANGED, OWNER, STAFF, "role staff to admin"),
        (Change.PERSON_CHANGED, OWNER, STAFF, "name"),
        (Change.PERSON_REMOVED, OWNER, STAFF, ""),
        (Change.PERSON_REMOVED, OPERATOR, other, ""),
    ]


@makes(Change.PASSWORD_CHANGED)
async def passwords_change(at: Door) -> list[Line]:
    await at.do(at.staff, "PUT", "/v1/me/password", {"old": PASSWORD, "new": NEW})
    await at.proved()
    await at.do(at.owner, "PATCH", at.theirs, {"password": PASSWORD})
    await at.operate("people.reset_password", email=STAFF, password=NEW)
    return [(Change.PASSWORD_CHANGED, who, STAFF, "") for who in (STAFF, OWNER, OPERATOR)]


@makes(Change.PIN_CHANGED)
async def pins_change(at: Door) -> list[Line]:
    await at.do(at.staff, "PUT", "/v1/me/pin", {"password": PASSWORD, "pin": NEW_PIN})
    await at.proved()
    await at.do(at.owner, "PATCH", at.theirs, {"pin": PIN})
    await at.operate("people.reset_pin", email=STAFF, pin=NEW_PIN)
    return [(Change.PIN_CHANGED, who, STAFF, "") for who in (STAFF, OWNER, OPERATOR)]


@makes(Change.SIGNED_IN, Change.SIGNED_OUT)
async def somebody_signs_in_and_out(at: Door) -> list[Line]:
    wish = {"email": STAFF.upper(), "password": PASSWORD}
    browser, found = at.home.caller(), ""
    for _ in range(2):  # the second time in the same browser: the first session ends
        browser.cookie = found
        reply = await browser.call("POST", "/v1/session", wish)
        found = reply.headers["Set-Cookie"].partition(";")[0].partition("=")[2]
    browser.cookie = found
    await at.do(browser, "DELETE", "/v1/session")
    into, out = (Change.SIGNED_IN, STAFF, STAFF, ""), (Change.SIGNED_OUT, STAFF, STAFF, "")
    return [into, into, out, out]


@makes(Change.PASSWORD_HELD)
async def somebody_guesses_passwords(at: Door) -> list[Line]:
    """Of an account that is there, from outside and from within; a made-up one leaves no line."""
    stranger = at.home.caller()
    for email in (STAFF, "nobody@example.com"):
        for wrong in range(11):
            wish = {"email": email, "password": f"{PASSWORD}-{wrong}"}
            assert (await stranger.call("POST", "/v1/session", wish)).status in (401, 429)
    for wrong in range(11):
        wish = {"password": f"{PASSWORD}-{wrong}"}
        assert (await at.staff.call("POST", "/v1/session/verify", wish)).status in (403, 429)
    return [(Change.PASSWORD_HELD, NOBODY, STAFF, "")] * 2


@makes(Change.PIN_HELD)
async def somebody_guesses_pins(at: Door) -> list[Line]:
    for wrong in range(6):
        wish = {"kind": "mac", "label": LABEL, "pin": f"00000{wrong}"}
        assert (await at.staff.call("POST", "/v1/me/pairings", wish)).status in (403, 429)
    return [(Change.PIN_HELD, NOBODY, STAFF, "")]


@makes(Change.SESSION_ENDED)
async def a_browser_is_signed_out_from_elsewhere(at: Door) -> list[Line]:
    await signed_in(at.home, at.staff)
    listed = (await at.do(at.staff, "GET", "/v1/me/sessions"))["items"]
    other = next(one["id"] for one in listed if not one["current"])
    await at.do(at.staff, "DELETE", f"/v1/me/sessions/{other}")
    return [(Change.SESSION_ENDED, STAFF, STAFF, "")]


@makes(Change.API_TOKEN_MADE, Change.API_TOKEN_ENDED)
async def a_script_comes_and_goes(at: Door) -> list[Line]:
    _token, number = await new_token(at.staff, "ask", "actions")
    await at.do(at.staff, "DELETE", f"/v1/me/tokens/{number}")
    return [
        (Change.API_TOKEN_MADE, STAFF, STAFF, "actions, ask"),
        (Change.API_TOKEN_ENDED, STAFF, STAFF, ""),
    ]


@makes(Change.PAIRING_MADE, Change.PAIRING_CANCELLED, Change.REVIEWER_CODE_MADE)
async def codes_are_made(at: Door) -> list[Line]:
    wish = {"kind": "mac", "label": LABEL, "pin": PIN}
    number = (await at.do(at.staff, "POST", "/v1/me/pairings", wish))["id"]
    await at.do(at.staff, "DELETE", f"/v1/me/pairings/{number}")
    await at.operate("devices.code", email=STAFF, kind="ios", days=3, uses=2, skills=[])
    return [
        (Change.PAIRING_MADE, STAFF, f"pairing {number}", "mac, uses 1"),
        (Change.PAIRING_CANCELLED, STAFF, f"pairing {number}", ""),
        (Change.REVIEWER_CODE_MADE, OPERATOR, STAFF, "ios, uses 2"),
    ]


@makes(Change.DEVICE_PAIRED, Change.DEVICE_RENAMED, Change.DEVICE_REVOKED, Change.DEVICE_BYE)
async def devices_come_and_go(at: Door) -> list[Line]:
    one, two, three = [await at.device() for _ in range(3)]
    line = await at.staff.online([], label=LABEL)
    await at.do(at.staff, "PATCH", f"/v1/me/devices/{one}", {"label": f"{LABEL} 2"})
    await at.do(at.staff, "DELETE", f"/v1/me/devices/{one}")
    await at.do(at.owner, "DELETE", f"/v1/admin/devices/{two}")
    await at.operate("devices.revoke", id=three)
    await line.send({"type": "bye"})
    await line.closed()
    await line.hang_up()
    paired = [
        (Change.DEVICE_PAIRED, STAFF, f"device {n}", "mac") for n in (one, two, three, line.number)
    ]
    return [
        *paired,
        (Change.DEVICE_RENAMED, STAFF, f"device {one}", ""),
        (Change.DEVICE_REVOKED, STAFF, f"device {one}", ""),
        (Change.DEVICE_REVOKED, OWNER, f"device {two}", ""),
        (Change.DEVICE_REVOKED, OPERATOR, f"device {three}", ""),
        (Change.DEVICE_BYE, STAFF, f"device {line.number}", ""),
    ]  # fmt: skip


@makes(Change.SKILL_ON, Change.SKILL_OFF, Change.TOOL_AGREED)
async def grants_are_given_and_taken(at: Door) -> list[Line]:
    line = await at.staff.online([TOOL], label=LABEL)
    await line.hello([TOOL | {"tier": 0}])
    own = f"/v1/me/devices/{line.number}"
    await at.do(at.staff, "PUT", f"{own}/skills/lamp", {"on": False})
    await at.do(at.staff, "PUT", f"{own}/skills/lamp", {"on": True, "pin": PIN})
    await at.do(at.staff, "POST", f"{own}/tools/lamp_colour/agree", {"pin": PIN})
    await at.do(at.owner, "PUT", f"/v1/admin/devices/{line.number}/skills/lamp", {"on": False})
    await line.hang_up()
    device = f"device {line.number}"
    return [
        (Change.SKILL_OFF, STAFF, device, "lamp"),
        (Change.SKILL_ON, STAFF, device, "lamp"),
        (Change.TOOL_AGREED, STAFF, device, "lamp_colour"),
        (Change.SKILL_OFF, OWNER, device, "lamp"),
    ]


@makes(Change.SETTINGS_CHANGED, Change.HOUSE_CHANGED)
async def settings_change(at: Door) -> list[Line]:
    change = {"assistant_name": LABEL, "web_search": True, "pin": PIN}
    await at.do(at.staff, "PATCH", "/v1/me/settings", change)
    await at.do(at.owner, "PATCH", "/v1/admin/settings", {"name": LABEL, "model_key": KEY})
    await at.operate("house.change", fields={"time_zone": "Asia/Kolkata"})
    return [
        (Change.SETTINGS_CHANGED, STAFF, STAFF, "assistant_name, web_search"),
        (Change.HOUSE_CHANGED, OWNER, "", "name, model_key"),
        (Change.HOUSE_CHANGED, OPERATOR, "", "time_zone"),
    ]


@makes(Change.DATA_EXPORTED, Change.DATA_DELETED)
async def data_is_taken_away(at: Door) -> list[Line]:
    await at.do(at.staff, "POST", "/v1/session/verify", {"password": PASSWORD})
    await at.do(at.staff, "GET", "/v1/me/export")
    await at.do(at.staff, "DELETE", "/v1/me/data", {"password": PASSWORD})
    return [(Change.DATA_EXPORTED, STAFF, STAFF, ""), (Change.DATA_DELETED, STAFF, STAFF, "")]


@makes(Change.AUTHORITY_CHANGED)
async def another_authority_comes(at: Door) -> list[Line]:
    await at.device()
    await at.operate("certificates.new_ca")
    await at.operate("certificates.give_up")
    await at.operate("certificates.new_ca", now=True)
    said = ("announced", "given up", "announced", "in force")
    return [(Change.AUTHORITY_CHANGED, OPERATOR, "", one) for one in said]


def test_every_kind_of_change_is_made_here() -> None:
    assert set(Change) == MADE | {Change.SET_UP}


@pytest.mark.parametrize("name", MAKINGS)
async def test_it_stands_in_the_change_log_with_who_made_it(house: Home, name: str) -> None:
    at = Door(house, await house.owner(), await house.person())
    before = len((await at.owner.call("GET", "/v1/admin/changes?limit=200")).body["items"])
    wanted = await MAKINGS[name](at)
    page = (await at.owner.call("GET", "/v1/admin/changes?limit=200")).body["items"]
    made = list(reversed(page))[before:]
    kinds = {line[0] for line in wanted}
    found = [one for one in made if one["change"] in kinds]
    assert [(one["change"], one["actor"], one["subject"]) for one in found] == [
        line[:3] for line in wanted
    ]
    for one, line in zip(found, wanted, strict=True):
        assert one["detail"].startswith(line[3])
    for secret in (LABEL, PASSWORD, NEW, PIN, NEW_PIN, KEY, "irat_", "irad_", "iras_", "irai_"):
        assert secret not in str(made)


async def test_making_the_owner_is_the_first_line(house: Home) -> None:
    owner = {"email": "first@example.com", "name": LABEL, "password": PASSWORD, "pin": PIN}
    assert (await house.caller().call("POST", "/v1/setup", owner)).status == 201
    page = await house.services.changes.list(None, 9)
    assert [(one.change, one.actor, one.subject) for one in page.items] == [
        (Change.SET_UP, OPERATOR, "first@example.com")
    ]
