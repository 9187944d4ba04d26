"""People over HTTP: signing in, tokens, sessions, set-up, invitations, the console's accounts."""

from pathlib import Path

import aiohttp
import pytest

from ira_home.domain.people import Role
from ira_home.web.guard import COOKIE
from tests.support.callers import Caller
from tests.support.clock import FakeClock
from tests.support.home import PASSWORD, PIN, Home, open_home
from tests.support.requirements import requirement


async def sign_in(caller: Caller, email: str, password: str = PASSWORD) -> tuple[int, str]:
    """(status, cookie) of signing in."""
    reply = await caller.call("POST", "/v1/session", {"email": email, "password": password})
    line = reply.headers.get("Set-Cookie", "")
    return reply.status, line.partition(";")[0].removeprefix(f"{COOKIE}=")


async def test_signing_in_gives_a_session_and_signing_out_ends_it(house: Home) -> None:
    person = (await house.person()).person
    caller = house.caller()
    reply = await caller.call(
        "POST", "/v1/session", {"email": person.email.upper(), "password": PASSWORD}
    )
    assert reply.body == {
        "user": {"id": person.id, "email": person.email, "name": person.name, "role": "staff"}
    }
    _status, caller.cookie = await sign_in(caller, person.email)
    me = (await caller.call("GET", "/v1/me")).body
    assert me["user"]["id"] == person.id
    assert (me["verified"], me["has_pin"]) == (True, True)
    out = await caller.call("DELETE", "/v1/session")
    assert (out.status, out.headers["Set-Cookie"].startswith(f'{COOKIE}="";')) == (204, True)
    assert (await caller.call("GET", "/v1/me")).status == 401


async def test_signing_in_again_ends_the_session_before(house: Home) -> None:
    member = await house.person()
    _status, fresh = await sign_in(member, member.person.email)
    assert fresh != member.cookie
    assert (await member.call("GET", "/v1/me")).status == 401
    assert (await house.caller(cookie=fresh).call("GET", "/v1/me")).status == 200


async def test_a_wrong_password_and_nobody_get_the_same_answer(house: Home) -> None:
    email = (await house.person()).person.email
    caller = house.caller()
    asks = [{"email": who, "password": "wrong-password"} for who in (email, "no@example.com")]
    replies = [await caller.call("POST", "/v1/session", ask) for ask in asks]
    assert [reply.status for reply in replies] == [401, 401]
    assert replies[0].text == replies[1].text


async def test_a_form_of_another_site_signs_nobody_in(house: Home) -> None:
    email = (await house.person()).person.email
    reply = await house.caller().call(
        "POST",
        "/v1/session",
        {"email": email, "password": PASSWORD},
        headers={"Origin": "https://evil.example"},
    )
    assert (reply.status, "Set-Cookie" in reply.headers) == (403, False)


async def test_serious_steps_want_the_password_again_after_ten_minutes(
    house: Home, hands: FakeClock
) -> None:
    member = await house.person()
    assert (await member.call("GET", "/v1/me/export")).status == 200
    hands.advance(601)
    reply = await member.call("GET", "/v1/me/export")
    assert (reply.status, reply.body["code"]) == (403, "password_needed")
    wrong = await member.call("POST", "/v1/session/verify", {"password": "wrong-password"})
    assert (wrong.status, wrong.body["code"]) == (403, "password_wrong")
    assert (await member.call("POST", "/v1/session/verify", {"password": PASSWORD})).status == 204
    assert (await member.call("GET", "/v1/me/export")).status == 200


async def test_a_new_password_ends_the_other_sessions_and_their_streams(house: Home) -> None:
    member = await house.person()
    other = house.caller(cookie=(await sign_in(house.caller(), member.person.email))[1])
    async with other.stream() as stream:
        change = {"old": PASSWORD, "new": "another-quiet-harbour"}
        assert (await member.call("PUT", "/v1/me/password", change)).status == 204
        assert await stream.next() is None
    assert (await other.call("GET", "/v1/me")).status == 401
    assert (await member.call("GET", "/v1/me")).status == 200
    wrong = await member.call("PUT", "/v1/me/password", change)
    assert (wrong.status, wrong.body["code"]) == (403, "password_wrong")
    weak = {"old": "another-quiet-harbour", "new": "password"}
    assert (await member.call("PUT", "/v1/me/password", weak)).body["code"] == "weak_password"


async def test_a_new_pin_wants_the_password(house: Home) -> None:
    member = await house.person()
    wish = {"password": PASSWORD, "pin": "9876"}
    wrong = await member.call("PUT", "/v1/me/pin", wish | {"password": "wrong-password"})
    assert wrong.status == 403
    assert (await member.call("PUT", "/v1/me/pin", wish | {"pin": "12"})).status == 422
    assert (await member.call("PUT", "/v1/me/pin", wish)).status == 204
    member.pin = "9876"
    assert (await member.pair()).number


async def test_sessions_are_listed_and_ended(house: Home) -> None:
    member, stranger = await house.person(), await house.person()
    _status, cookie = await sign_in(house.caller(), member.person.email)
    listed = (await member.call("GET", "/v1/me/sessions")).body["items"]
    assert sorted(one["current"] for one in listed) == [False, True]
    other = next(one["id"] for one in listed if not one["current"])
    assert (await stranger.call("DELETE", f"/v1/me/sessions/{other}")).status == 404
    assert (await member.call("DELETE", f"/v1/me/sessions/{other}")).status == 204
    assert (await house.caller(cookie=cookie).call("GET", "/v1/me")).status == 401


async def test_an_api_token_is_shown_once_and_opens_its_scopes(house: Home) -> None:
    member, stranger = await house.person(), await house.person()
    wish = {"name": "script", "scopes": ["ask"], "pin": PIN}
    assert (await member.call("POST", "/v1/me/tokens", wish | {"pin": "1111"})).status == 403
    made = await member.call("POST", "/v1/me/tokens", wish)
    assert (made.status, made.body["scopes"]) == (201, ["ask"])
    token = made.body["token"]
    listed = await member.call("GET", "/v1/me/tokens")
    assert [one["name"] for one in listed.body["items"]] == ["script"]
    assert token not in listed.text
    script = house.caller(bearer=token)
    assert (await script.call("POST", "/v1/ask", {})).status == 422
    assert (await script.call("GET", "/v1/me/actions")).status == 403
    assert (await script.call("GET", "/v1/me")).status == 403
    address = f"/v1/me/tokens/{made.body['id']}"
    assert (await stranger.call("DELETE", address)).status == 404
    assert (await member.call("DELETE", address)).status == 204
    assert (await script.call("POST", "/v1/ask", {})).status == 401


@pytest.mark.parametrize("scopes", [["everything"], ["console"], ["ask", "devices"], []])
async def test_a_token_is_never_broader_than_a_token_may_be(house: Home, scopes: list[str]) -> None:
    wish = {"name": "script", "scopes": scopes, "pin": PIN}
    reply = await (await house.owner()).call("POST", "/v1/me/tokens", wish)
    assert (reply.status, reply.body["field"]) == (422, "scopes")


async def test_a_repeated_key_makes_one_token_and_tells_no_secret_again(house: Home) -> None:
    member = await house.person()
    wish, key = {"name": "script", "scopes": ["ask"], "pin": PIN}, {"Idempotency-Key": "k1"}
    made = await member.call("POST", "/v1/me/tokens", wish, headers=key)
    again = await member.call("POST", "/v1/me/tokens", wish, headers=key)
    assert (again.status, again.body["code"]) == (409, "already_done")
    assert again.body["id"] == str(made.body["id"])
    other = await member.call("POST", "/v1/me/tokens", wish | {"name": "b"}, headers=key)
    assert (other.status, other.body["code"]) == (409, "idempotency_conflict")
    assert len((await member.call("GET", "/v1/me/tokens")).body["items"]) == 1


async def test_a_refused_request_does_not_use_up_its_key(house: Home) -> None:
    member = await house.person()
    wish, key = {"name": "script", "scopes": ["ask"]}, {"Idempotency-Key": "k1"}
    first = await member.call("POST", "/v1/me/tokens", wish, headers=key)
    assert (first.status, first.body["code"]) == (403, "pin_required")
    good = await member.call("POST", "/v1/me/tokens", wish | {"pin": PIN}, headers=key)
    assert good.status == 201
    odd = await member.call("POST", "/v1/me/tokens", wish, headers={"Idempotency-Key": "x" * 200})
    assert (odd.status, odd.body["field"]) == (422, "Idempotency-Key")


async def test_the_first_owner_is_made_once(tmp_path: Path) -> None:
    owner = {"email": "o@example.com", "name": "O", "password": PASSWORD, "pin": PIN}
    async with open_home(tmp_path / "data") as home:
        caller = home.caller()
        assert (await caller.call("GET", "/v1/setup")).body == {"is_set_up": False}
        zone = {"time_zone": "Europe/Paris"}
        made = await caller.call("POST", "/v1/setup", owner | zone)
        assert (made.status, made.body["user"]["role"]) == (201, "owner")
        again = await caller.call("POST", "/v1/setup", owner | {"email": "p@example.com"})
        assert (again.status, again.body["code"]) == (410, "already_set_up")
        assert (await caller.call("GET", "/v1/setup")).body == {"is_set_up": True}
        assert (await home.services.house.get()).time_zone == "Europe/Paris"
        assert (await sign_in(caller, "o@example.com"))[0] == 200


async def test_from_elsewhere_the_first_owner_needs_the_printed_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ira_home.web.call.peer_address", lambda _request: "192.168.1.77")
    owner = {"email": "o@example.com", "name": "O", "password": PASSWORD, "pin": PIN}
    async with open_home(tmp_path / "data") as home:
        caller = home.caller()
        for more in ({}, {"setup_code": "AAAA-AAAA"}):
            assert (await caller.call("POST", "/v1/setup", owner | more)).status == 403
        code = {"setup_code": home.services.first_run.setup_code}
        assert (await caller.call("POST", "/v1/setup", owner | code)).status == 201


async def test_an_invited_person_makes_their_own_account(house: Home) -> None:
    owner, guest = await house.owner(), house.caller()
    wish = {"email": "new@example.com", "role": "staff"}
    made = await owner.call("POST", "/v1/admin/invitations", wish)
    assert made.status == 201
    listed = await owner.call("GET", "/v1/admin/invitations")
    assert [one["email"] for one in listed.body["items"]] == ["new@example.com"]
    assert made.body["token"] not in listed.text
    mine = {"name": "New", "password": PASSWORD, "pin": PIN}
    address = f"/v1/invitations/{made.body['token']}"
    assert (await guest.call("POST", address, mine | {"pin": "1"})).status == 422
    assert (await guest.call("POST", address, mine)).body["user"]["email"] == "new@example.com"
    again = await guest.call("POST", address, mine)
    assert (again.status, again.body["code"]) == (410, "gone")
    assert (await sign_in(guest, "new@example.com"))[0] == 200


async def test_the_console_adds_changes_and_removes_people(house: Home) -> None:
    owner = await house.owner()
    wish = {
        "email": "s@example.com",
        "name": "S",
        "role": "staff",
        "password": PASSWORD,
        "pin": PIN,
    }
    made = await owner.call("POST", "/v1/admin/users", wish)
    assert (made.status, made.body["role"], made.body["has_pin"]) == (201, "staff", True)
    address = f"/v1/admin/users/{made.body['id']}"
    taken = await owner.call("POST", "/v1/admin/users", wish)
    assert (taken.status, taken.body["code"]) == (409, "taken")
    renamed = await owner.call("PATCH", address, {"name": "Sita", "role": "admin"})
    assert (renamed.body["name"], renamed.body["role"]) == ("Sita", "admin")
    listed = (await owner.call("GET", "/v1/admin/users")).body["items"]
    assert listed[0]["email"] == "s@example.com"
    assert (await owner.call("DELETE", address)).status == 204
    assert (await owner.call("GET", address)).status == 404


async def test_two_admins_see_each_others_change(house: Home) -> None:
    owner, staff = await house.owner(), await house.person()
    address = f"/v1/admin/users/{staff.person.id}"
    seen = (await owner.call("GET", address)).headers["ETag"]
    match = {"If-Match": seen}
    assert (await owner.call("PATCH", address, {"name": "A"}, headers=match)).status == 200
    late = await owner.call("PATCH", address, {"name": "B"}, headers=match)
    assert (late.status, late.body["code"]) == (412, "changed_meanwhile")
    assert (await owner.call("GET", address)).body["name"] == "A"


async def test_roles_bound_what_the_console_may_do(house: Home) -> None:
    owner, admin = await house.owner(), await house.person(Role.ADMIN)
    of_owner = f"/v1/admin/users/{owner.person.id}"
    assert (await admin.call("PATCH", of_owner, {"role": "staff"})).status == 403
    assert (await admin.call("DELETE", of_owner)).status == 403
    new = {"email": "x@example.com", "name": "X", "role": "owner", "password": PASSWORD}
    assert (await admin.call("POST", "/v1/admin/users", new)).status == 403
    last = await owner.call("PATCH", of_owner, {"role": "staff"})
    assert (last.status, last.body["code"]) == (409, "last_owner")


async def test_a_forgotten_password_is_set_anew_by_the_console(
    house: Home, hands: FakeClock
) -> None:
    owner, staff = await house.owner(), await house.person()
    address, fresh = f"/v1/admin/users/{staff.person.id}", {"password": "another-quiet-harbour"}
    hands.advance(601)
    assert (await owner.call("PATCH", address, fresh)).body["code"] == "password_needed"
    await owner.call("POST", "/v1/session/verify", {"password": PASSWORD})
    assert (await owner.call("PATCH", address, fresh)).status == 200
    assert (await staff.call("GET", "/v1/me")).status == 401
    assert (await sign_in(house.caller(), staff.person.email))[0] == 401


async def test_removing_an_account_needs_ones_own_password_lately(
    house: Home, hands: FakeClock
) -> None:
    owner, staff = await house.owner(), await house.person()
    path = f"/v1/admin/users/{staff.person.id}"
    hands.advance(601)
    refused = await owner.call("DELETE", path)
    assert (refused.status, refused.body["code"]) == (403, "password_needed")
    assert (await staff.call("GET", "/v1/me")).status == 200
    await owner.call("POST", "/v1/session/verify", {"password": PASSWORD})
    assert (await owner.call("DELETE", path)).status == 204
    assert (await staff.call("GET", "/v1/me")).status == 401


@requirement("token.revoke.account")
async def test_removing_an_account_ends_its_devices_sessions_and_streams(house: Home) -> None:
    owner, staff = await house.owner(), await house.person()
    device = await staff.online([])
    async with staff.stream() as stream:
        assert (await owner.call("DELETE", f"/v1/admin/users/{staff.person.id}")).status == 204
        while await stream.next() is not None:
            pass
    assert await device.closed() == 4403
    assert (await staff.call("GET", "/v1/me")).status == 401
    with pytest.raises(aiohttp.WSServerHandshakeError, match="401"):
        await device.connect()
    await device.hang_up()
