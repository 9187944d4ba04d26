"""Devices over HTTP: pairing, the list, skills, revocation, events and the live stream."""

from datetime import datetime
from io import StringIO
import logging
import re

import aiohttp
import pytest

from ira_home.base.log import set_up
from ira_home.domain.people import Role
from tests.support.callers import DeviceLine, Member
from tests.support.clock import FakeClock
from tests.support.home import PIN, Home
from tests.support.requirements import requirement

LAMP = {
    "name": "lamp_colour",
    "description": "Tell the colour of the lamp.",
    "parameters": {"type": "object", "properties": {}},
    "tier": 0,
}
WISH = {"kind": "mac", "label": "Office Mac", "skills": ["files"], "pin": PIN}


@requirement("pair.pin", "pair.code.format", "pair.qr")
async def test_a_code_is_made_with_the_pin(house: Home) -> None:
    member = await house.person()
    for pin, code in ((None, "pin_required"), ("1111", "pin_wrong")):
        refused = await member.call("POST", "/v1/me/pairings", WISH | {"pin": pin})
        assert (refused.status, refused.body["code"]) == (403, code)
    made = await member.call("POST", "/v1/me/pairings", WISH)
    assert made.status == 201
    assert set(made.body) == {"id", "code", "url", "qr_svg", "why_no_qr", "expires_at"}
    code = made.body["code"].replace("-", "")
    assert re.fullmatch(r"[A-Z2-9]{4}-[A-Z2-9]{4}", made.body["code"])
    link = re.escape(f"{house.base}/pair#code={code}") + r"&fp=[\w-]{43}&id=[0-9a-f]{6}"
    assert re.fullmatch(link, made.body["url"])
    assert made.body["qr_svg"].startswith("<svg")
    left = datetime.fromisoformat(made.body["expires_at"]) - house.clock.steady()
    assert left.total_seconds() == pytest.approx(600, abs=1)


@requirement("pair.kinds")
@pytest.mark.parametrize("kind", ["toaster", "", "MAC", None, 3])
async def test_a_kind_that_there_is_none_of_is_refused(house: Home, kind: object) -> None:
    reply = await (await house.person()).call("POST", "/v1/me/pairings", WISH | {"kind": kind})
    assert (reply.status, reply.body["field"]) == (422, "kind")


@requirement("pair.claim.route", "pair.claim.reply", "pair.claim.values", "pair.token.once")
async def test_a_claim_answers_with_the_device_and_its_token_once(house: Home) -> None:
    member = await house.person()
    code = (await member.call("POST", "/v1/me/pairings", WISH)).body["code"]
    claimed = await house.caller().call(
        "POST", "/v1/devices/pair", {"code": code.lower().replace("-", " "), "kind": "mac"}
    )
    assert claimed.status == 201
    number, token = claimed.body.pop("device_id"), claimed.body.pop("token")
    assert claimed.body == {
        "kind": "mac",
        "label": "Office Mac",
        "skills": ["files"],
        "name": "Ira",
        "websocket": "/v1/devices/ws",
    }
    listed = await member.call("GET", "/v1/me/devices")
    assert [one["id"] for one in listed.body["items"]] == [number]
    exported = await member.call("GET", "/v1/me/export")
    assert token not in listed.text + exported.text


@requirement("pair.used.410", "pair.unknown.410", "pair.expired.410", "pair.code.expiry")
async def test_a_code_that_is_over_is_410(house: Home, hands: FakeClock) -> None:
    member, stranger = await house.person(), house.caller()
    used, late = [
        (await member.call("POST", "/v1/me/pairings", WISH)).body["code"] for _ in range(2)
    ]
    claim = {"code": used, "kind": "mac"}
    assert (await stranger.call("POST", "/v1/devices/pair", claim)).status == 201
    hands.advance(601)
    for code in (used, late, "WXYZ-WXYZ", "nonsense"):
        reply = await stranger.call("POST", "/v1/devices/pair", claim | {"code": code})
        assert (reply.status, reply.body["code"]) == (410, "code_gone")


@requirement("pair.wrong.429")
async def test_five_wrong_codes_hold_the_address_off_before_the_body_is_read(
    house: Home, hands: FakeClock
) -> None:
    member, stranger = await house.person(), house.caller()
    code = (await member.call("POST", "/v1/me/pairings", WISH)).body["code"]
    for _ in range(5):
        wrong = {"code": "WXYZ-WXYZ", "kind": "mac"}
        assert (await stranger.call("POST", "/v1/devices/pair", wrong)).status == 410
    for body in ({"code": code, "kind": "mac"}, {}, b"{"):
        json = {"Content-Type": "application/json"}
        reply = await stranger.call("POST", "/v1/devices/pair", body, headers=json)
        assert reply.status == 429
        assert 800 < int(reply.headers["Retry-After"]) <= 900
    hands.advance(901)
    assert (await stranger.call("POST", "/v1/devices/pair", {})).status == 422


async def test_a_code_of_another_kind_is_409_and_stays(house: Home) -> None:
    code = (await (await house.person()).call("POST", "/v1/me/pairings", WISH)).body["code"]
    stranger = house.caller()
    reply = await stranger.call("POST", "/v1/devices/pair", {"code": code, "kind": "ios"})
    assert (reply.status, reply.body["code"]) == (409, "kind_mismatch")
    claim = {"code": code, "kind": "mac"}
    assert (await stranger.call("POST", "/v1/devices/pair", claim)).status == 201


@requirement("review.no_web")
async def test_no_field_of_a_request_makes_a_long_code(house: Home, hands: FakeClock) -> None:
    member, stranger = await house.person(), house.caller()
    wish = WISH | {"days": 7, "uses": 5}
    code = (await member.call("POST", "/v1/me/pairings", wish)).body["code"]
    claim = {"code": code, "kind": "mac"}
    assert (await stranger.call("POST", "/v1/devices/pair", claim)).status == 201
    assert (await stranger.call("POST", "/v1/devices/pair", claim)).status == 410
    late = (await member.call("POST", "/v1/me/pairings", wish)).body["code"]
    hands.advance(601)
    claim = {"code": late, "kind": "mac"}
    assert (await stranger.call("POST", "/v1/devices/pair", claim)).status == 410


async def test_an_open_code_is_listed_without_itself_and_cancelled(house: Home) -> None:
    member, other = await house.person(), await house.person()
    made = (await member.call("POST", "/v1/me/pairings", WISH)).body
    listed = await member.call("GET", "/v1/me/pairings")
    assert [one["id"] for one in listed.body["items"]] == [made["id"]]
    assert made["code"] not in listed.text
    address = f"/v1/me/pairings/{made['id']}"
    assert (await other.call("DELETE", address)).status == 404
    assert (await member.call("DELETE", address)).status == 204
    claim = {"code": made["code"], "kind": "mac"}
    assert (await house.caller().call("POST", "/v1/devices/pair", claim)).status == 410


@requirement("pair.skills", "grant.off.known")
async def test_the_list_tells_skills_tools_and_presence(house: Home) -> None:
    member = await house.person()
    device = await member.online([LAMP], skills=("files",))
    shown = (await member.call("GET", "/v1/me/devices")).body["items"][0]
    assert shown["skills"] == ["files"]
    assert shown["skills_known"] == ["files", "lamp"]
    assert shown["online"] is True
    assert shown["paired_from"] == "127.0.0.1"
    assert shown["tools"] == [
        {
            "name": "lamp_colour",
            "title": "",
            "tier": 0,
            "outward": False,
            "skill": "lamp",
            "state": "new",
        }
    ]
    await device.hang_up()


@requirement("grant.on.pin", "grant.off.no_pin", "grant.on.own", "grant.on.not_admin")
async def test_a_skill_goes_on_with_its_persons_pin_and_off_without(house: Home) -> None:
    member, other, owner = await house.person(), await house.person(), await house.owner()
    device = await member.pair()
    address = f"/v1/me/devices/{device.number}/skills/files"
    for pin, code in ((None, "pin_required"), ("1111", "pin_wrong")):
        refused = await member.call("PUT", address, {"on": True, "pin": pin})
        assert (refused.status, refused.body["code"]) == (403, code)
    on = await member.call("PUT", address, {"on": True, "pin": PIN})
    assert on.body["skills"] == ["files"]
    for someone in (other, owner):
        assert (await someone.call("PUT", address, {"on": True, "pin": PIN})).status == 404
    assert (await member.call("PUT", address, {"on": False})).body["skills"] == []


@requirement("grant.off.admin", "grant.on.not_admin")
async def test_an_admin_switches_off_and_never_on(house: Home) -> None:
    member, admin, other = (
        await house.person(),
        await house.person(Role.ADMIN),
        await house.person(),
    )
    device = await member.pair(skills=("files",))
    address = f"/v1/admin/devices/{device.number}/skills/files"
    assert (await other.call("PUT", address, {"on": False})).status == 403
    assert (await admin.call("PUT", address, {"on": True, "pin": PIN})).status == 403
    assert (await admin.call("PUT", address, {"on": False})).status == 204
    shown = (await member.call("GET", f"/v1/me/devices/{device.number}")).body
    assert shown["skills"] == []
    nothing = "/v1/admin/devices/999/skills/files"
    assert (await admin.call("PUT", nothing, {"on": False})).status == 404


async def test_another_persons_device_is_as_one_that_is_not_there(house: Home) -> None:
    member, other = await house.person(), await house.person()
    device = await member.pair()
    for method, tail, body in (
        ("GET", "", None),
        ("PATCH", "", {"label": "Mine"}),
        ("PATCH", "", {"label": 5}),
        ("DELETE", "", None),
        ("PUT", "/skills/files", {"on": False}),
        ("POST", "/tools/lamp_colour/agree", {"pin": PIN}),
    ):
        theirs = await other.call(method, f"/v1/me/devices/{device.number}{tail}", body)
        nobodys = await other.call(method, f"/v1/me/devices/99999{tail}", body)
        assert theirs.status == nobodys.status == 404
        assert theirs.text == nobodys.text


async def test_two_pages_that_rename_see_each_other(house: Home) -> None:
    member = await house.person()
    address = f"/v1/me/devices/{(await member.pair()).number}"
    seen = {"If-Match": (await member.call("GET", address)).headers["ETag"]}
    renamed = await member.call("PATCH", address, {"label": "Desk"}, headers=seen)
    assert (renamed.status, renamed.body["label"]) == (200, "Desk")
    assert (await member.call("PATCH", address, {"label": "X"}, headers=seen)).status == 412
    fresh = {"If-Match": renamed.headers["ETag"]}
    assert (await member.call("PATCH", address, {"label": "X"}, headers=fresh)).status == 200
    assert (await member.call("PATCH", address, {"label": ""})).status == 422


@requirement("token.revoke.own", "token.revoke.at_once", "token.revoke.4403")
async def test_revoking_closes_the_line_and_kills_the_token(house: Home) -> None:
    member = await house.person()
    device = await member.online([LAMP])
    await revoked_by(member, f"/v1/me/devices/{device.number}", device)
    assert (await member.call("GET", "/v1/me/devices")).body["items"] == []
    assert (await member.call("DELETE", f"/v1/me/devices/{device.number}")).status == 404


async def revoked_by(who: Member, address: str, device: DeviceLine) -> None:
    assert (await who.call("DELETE", address)).status == 204
    assert await device.closed() == 4403
    assert (await device.caller.ask("Hello")).status == 401
    with pytest.raises(aiohttp.WSServerHandshakeError, match="401"):
        await device.connect()
    await device.hang_up()


@requirement("token.revoke.admin")
async def test_an_admin_revokes_anyones_device_and_staff_does_not(house: Home) -> None:
    member, other, admin = (
        await house.person(),
        await house.person(),
        await house.person(Role.ADMIN),
    )
    device = await member.online([LAMP])
    address = f"/v1/admin/devices/{device.number}"
    assert (await other.call("DELETE", address)).status == 403
    listed = (await admin.call("GET", "/v1/admin/devices")).body["items"][0]
    assert (listed["id"], listed["email"], listed["online"]) == (
        device.number,
        member.person.email,
        True,
    )
    assert "tools" not in listed
    await revoked_by(admin, address, device)


@requirement("limit.one.4000")
async def test_a_new_line_replaces_the_old(house: Home) -> None:
    device = await (await house.person()).online([LAMP])
    twin = DeviceLine(house.base, house.trust, device.token, device.number, "mac")
    await twin.connect()
    await twin.hello([LAMP])
    assert await device.closed() == 4000
    await device.hang_up()
    await twin.hang_up()


@requirement("token.query.masked")
async def test_the_token_of_a_query_is_in_no_line_of_the_log(house: Home) -> None:
    written = StringIO()
    kept = logging.getLogger().handlers[:], logging.getLogger().level
    set_up(level="DEBUG", stream=written)
    try:
        device = await (await house.person()).pair()
        query = f"?token={device.token}"
        for path in ("/v1/me", "/v1/ask", "/healthz", "/pair", "/nothing", "/v1/devices/ws"):
            for method in ("GET", "POST"):
                await house.caller().call(method, path + query)
        await device.caller.call("GET", f"/{device.token}")
        line = await house.caller().http.ws_connect(f"{house.base}/v1/devices/ws{query}")
        await line.close()
    finally:
        logging.getLogger().handlers[:], logging.getLogger().level = kept
    assert "/v1/devices/ws" in written.getvalue()
    assert device.token[5:] not in written.getvalue()
    await device.hang_up()
