"""Who may call what: every kind of need against every kind of credential."""

from itertools import product

from aiohttp import web
import pytest

from ira_home.domain.people import Credential, Role
from ira_home.web.call import Call
from ira_home.web.guard import COOKIE, drop_session, set_session
from ira_home.web.routes import Needs, Route
from tests.support.requirements import requirement
from tests.support.web import Site, principal, site


async def who(call: Call) -> dict[str, object]:
    return {"who": None if call.visitor is None else call.visitor.credential.value}


def address(needs: Needs) -> str:
    return f"/v1/{needs.name.lower()}"


ROUTES = [Route("GET", address(needs), who, needs) for needs in Needs]
TALKING = {Needs.ASK, Needs.ACTIONS}
SIGNED_IN = {Needs.SESSION, Needs.DEVICES}
ALLOWED = {
    "nobody": {Needs.OPEN, Needs.GUEST},
    "staff": {Needs.OPEN, Needs.GUEST} | SIGNED_IN | TALKING,
    "owner": {Needs.OPEN, Needs.GUEST, Needs.CONSOLE} | SIGNED_IN | TALKING,
    "admin": {Needs.OPEN, Needs.GUEST, Needs.CONSOLE} | SIGNED_IN | TALKING,
    "api token": {Needs.OPEN} | TALKING,
    "device": {Needs.OPEN, Needs.DEVICE_SOCKET} | TALKING,
    "owner's device": {Needs.OPEN, Needs.DEVICE_SOCKET} | TALKING,
}


def headers_of(at: Site, caller: str) -> dict[str, str]:
    if caller == "nobody":
        return {}
    if caller == "api token":
        return at.with_token(Credential.API_TOKEN)
    if caller.endswith("device"):
        role = Role.OWNER if caller.startswith("owner") else Role.STAFF
        return at.with_token(Credential.DEVICE_TOKEN, role)
    return at.signed_in(Role(caller))


@requirement("token.scope", "token.session_only.403")
async def test_each_need_admits_exactly_its_callers() -> None:
    async with site(ROUTES) as at:
        for caller, needs in product(ALLOWED, Needs):
            status, _headers, body = await at.call(
                "GET", address(needs), headers=headers_of(at, caller)
            )
            if needs in ALLOWED[caller]:
                assert status == 200, (caller, needs)
            elif caller == "nobody":
                assert (status, body["code"]) == (401, "sign_in_needed"), (caller, needs)
            else:
                assert (status, body["code"]) == (403, "forbidden"), (caller, needs)


async def test_a_narrow_token_opens_only_its_scopes() -> None:
    async with site(ROUTES) as at:
        narrow = principal(Credential.API_TOKEN)
        at.credentials.bearers["token"] = type(narrow)(
            narrow.person, narrow.credential, 1, frozenset()
        )
        for needs in TALKING:
            status, _headers, _body = await at.call(
                "GET", address(needs), headers={"Authorization": "Bearer token"}
            )
            assert status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer unknown"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer"},
        {"Authorization": "Basic dG9rZW46"},
        {"Authorization": "token"},
        {"X-API-Key": "token"},
        {"Cookie": f"{COOKIE}=unknown"},
        {"Cookie": "ira=token"},
        {"Sec-WebSocket-Protocol": "token"},
    ],
)
async def test_a_credential_in_a_wrong_place_or_unknown_is_401(headers: dict[str, str]) -> None:
    async with site(ROUTES) as at:
        at.with_token(Credential.DEVICE_TOKEN)
        for needs in (Needs.ASK, Needs.DEVICE_SOCKET):
            status, found, _body = await at.call("GET", address(needs), headers=headers)
            assert status == 401
            assert found["WWW-Authenticate"].startswith("Bearer")


@requirement("token.query")
async def test_a_token_in_the_query_counts_on_the_socket_only() -> None:
    async with site(ROUTES) as at:
        at.with_token(Credential.DEVICE_TOKEN)
        for needs in Needs:
            status, _headers, _body = await at.call("GET", f"{address(needs)}?token=token")
            assert status == (200 if needs.is_open or needs is Needs.DEVICE_SOCKET else 401)


async def test_a_page_sends_its_token_behind_the_subprotocol_on_the_socket_only() -> None:
    async with site(ROUTES) as at:
        at.with_token(Credential.DEVICE_TOKEN, token="irad_page")
        offered = {"Sec-WebSocket-Protocol": "ira.device, irad_page"}
        for needs in Needs:
            status, _, _ = await at.call("GET", address(needs), headers=offered)
            assert status == (200 if needs.is_open or needs is Needs.DEVICE_SOCKET else 401)
        socket = address(Needs.DEVICE_SOCKET)
        assert (await at.call("GET", socket, headers=offered | at.signed_in()))[0] == 200
        for other in ("irad_page", "irad_page, ira.device", "other, irad_page", "ira.device"):
            headers = {"Sec-WebSocket-Protocol": other}
            assert (await at.call("GET", socket, headers=headers))[0] == 401


async def test_two_tokens_are_400() -> None:
    async with site(ROUTES) as at:
        header = at.with_token(Credential.DEVICE_TOKEN)
        socket = address(Needs.DEVICE_SOCKET)
        offered = {"Sec-WebSocket-Protocol": "ira.device, irad_page"}
        for path, headers in (
            (f"{socket}?token=token", header),
            (f"{socket}?token=token&token=token", {}),
            (f"{socket}?token=token", offered),
            (socket, header | offered),
            (socket, {"Sec-WebSocket-Protocol": "ira.device, irad_page, irad_page"}),
        ):
            assert (await at.call("GET", path, headers=headers))[0] == 400
        twice = [("Authorization", "Bearer token"), ("Authorization", "Bearer token")]
        assert (await at.call("GET", address(Needs.ASK), headers=twice))[0] == 400


async def test_a_browsers_cookie_beside_its_device_token_does_no_harm() -> None:
    async with site(ROUTES) as at:
        at.with_token(Credential.DEVICE_TOKEN)
        path = f"{address(Needs.DEVICE_SOCKET)}?token=token"
        assert (await at.call("GET", path, headers=at.signed_in()))[0] == 200


async def test_a_guest_is_recognised_by_a_good_session_and_welcome_with_a_dead_one() -> None:
    async with site(ROUTES) as at:
        path = address(Needs.GUEST)
        assert (await at.call("GET", path, headers=at.signed_in()))[2] == {"who": "session"}
        dead = {"Cookie": f"{COOKIE}=dead"}
        assert (await at.call("GET", path, headers=dead))[2] == {"who": None}


async def test_another_method_of_a_guarded_address_is_refused_before_it_is_405() -> None:
    async with site(ROUTES) as at:
        path = address(Needs.CONSOLE)
        assert (await at.call("POST", path))[0] == 401
        device = at.with_token(Credential.DEVICE_TOKEN)
        assert (await at.call("POST", path, headers=device))[0] == 403
        status, headers, body = await at.call("POST", path, headers=at.signed_in(Role.OWNER))
        assert (status, body["code"], headers["Allow"]) == (405, "method_not_allowed", "GET")
        assert (await at.call("POST", address(Needs.OPEN)))[0] == 405


async def test_the_session_cookie_is_bound_to_this_host_and_no_script_reads_it() -> None:
    async def sign_in(_call: Call) -> object:
        return set_session(web.Response(), "iras_new")

    async def sign_out(_call: Call) -> object:
        return drop_session(web.Response())

    routes = [
        Route("POST", "/v1/in", sign_in, Needs.OPEN),
        Route("POST", "/v1/out", sign_out, Needs.OPEN),
    ]
    async with site(routes) as at:
        for path, value in (("/v1/in", "iras_new"), ("/v1/out", '""')):
            _status, headers, _body = await at.call("POST", path)
            name, *parts = headers["Set-Cookie"].split("; ")
            marks = {part.lower() for part in parts}
            assert name == f"{COOKIE}={value}"
            assert {"secure", "httponly", "samesite=strict", "path=/"} <= marks
            assert not [mark for mark in marks if mark.startswith("domain")]
