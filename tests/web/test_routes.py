"""Every route there is, generated from the router: who may call it, what it answers, whether it is told."""

from collections.abc import AsyncIterator
from pathlib import Path
import re
from urllib.parse import quote, urlencode

from hypothesis import HealthCheck, given, settings, strategies as st
import jsonschema_rs
import msgspec
import pytest
import pytest_asyncio

from ira_home.base.errors import REGISTRY
from ira_home.domain.people import Role
from ira_home.web.body import FORM
from ira_home.web.openapi import document, problems_of
from ira_home.web.problems import Problem
from ira_home.web.routes import Needs, Route
from ira_home.web.server import all_routes
from tests.support.callers import Caller, Member, Reply
from tests.support.home import Home, open_home
from tests.support.requirements import requirement

ROUTES = all_routes()
API = [route for route in ROUTES if route.path.startswith("/v1/")]
DOCS = Path(__file__).parents[2] / "docs" / "api.md"
# Spec, decided 6: what a device token may call; all else that needs a credential is 403.
DEVICES_MAY = {
    ("POST", "/v1/ask"),
    ("POST", "/v1/ask/stream"),
    ("GET", "/v1/runs/{id}/stream"),
    ("GET", "/v1/me/actions"),
    ("POST", "/v1/actions/{id}/confirm"),
    ("POST", "/v1/actions/{id}/cancel"),
    ("GET", "/v1/devices/ws"),
}
OPEN_TO_ALL = {
    ("POST", "/v1/devices/pair"),
    ("GET", "/v1/openapi.json"),
    ("GET", "/v1/downloads"),
    ("GET", "/v1/downloads/{name}"),
}
JSON = {"Content-Type": "application/json"}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Home]:
    async with open_home(tmp_path_factory.mktemp("home") / "data") as found:
        yield found


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def staff(home: Home) -> Member:
    return await home.person()


pytestmark = pytest.mark.asyncio(loop_scope="module")


def address(route: Route) -> str:
    """The route with something in each place."""
    return re.sub(r"\{[^}]*\}", "1", route.path)


async def knock(caller: Caller, route: Route, **headers: str) -> Reply:
    if route.takes_form:
        headers["Content-Type"] = FORM
    body: object = None if route.method == "GET" else b"" if route.takes_form else {}
    return await caller.call(route.method, address(route), body, headers=headers)


async def test_every_route_says_who_it_is_for_and_what_it_does() -> None:
    for route in ROUTES:
        assert isinstance(route.needs, Needs), route.path
        assert route.page or route.summary, route.path
        assert route.body is None or issubclass(route.body, msgspec.Struct)
        assert route.page or route.body is None or route.is_unsafe


@requirement("token.session_only.403")
async def test_a_device_token_gets_what_the_spec_lists_and_403_for_all_else(
    home: Home, staff: Member
) -> None:
    for member in (staff, await home.owner()):
        device = (await member.pair()).caller
        for route in API:
            reply = await knock(device, route)
            key = (route.method, route.path)
            if key in DEVICES_MAY | OPEN_TO_ALL:
                assert reply.status not in (401, 403), (key, reply)
            else:
                assert (reply.status, reply.body["code"]) == (403, "forbidden"), (key, reply)
        await device.close()


async def test_without_a_credential_every_guarded_route_is_401(home: Home) -> None:
    nobody = home.caller()
    for route in ROUTES:
        if route.needs.is_open:
            continue
        reply = await knock(nobody, route)
        if route.page:
            assert reply.status in (302, 303, 401), (route.path, reply)
        else:
            assert (reply.status, reply.body["code"]) == (401, "sign_in_needed"), route.path


async def test_staff_get_nothing_of_the_console(staff: Member) -> None:
    for route in API:
        if route.needs is Needs.CONSOLE:
            assert (await knock(staff, route)).status == 403, route.path


async def test_every_route_answers_with_the_security_headers(home: Home, staff: Member) -> None:
    for caller in (staff, home.caller()):
        for route in ROUTES:
            if route.media == "text/event-stream":
                continue
            headers = (await knock(caller, route)).headers
            assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], route.path
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Referrer-Policy"] == "same-origin"
            assert "Strict-Transport-Security" not in headers
            assert headers["Server"] == "Ira"


async def test_what_needs_a_credential_is_never_stored_by_a_browser(home: Home) -> None:
    member = await home.person()
    for route in ROUTES:
        if route.method == "GET" and not route.needs.is_open and route.media != "text/event-stream":
            reply = await knock(member, route)
            assert reply.headers["Cache-Control"] == "no-store", route.path


async def test_another_method_is_405_for_whoever_may_call_the_others(home: Home) -> None:
    owner = await home.owner()
    methods: dict[str, set[str]] = {}
    for route in API:
        methods.setdefault(address(route), set()).add(route.method)
    for path, known in methods.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - known:
            reply = await owner.call(method, path)
            assert reply.status in (403, 405), (method, path, reply)


@pytest.mark.parametrize(
    ("path", "codes"),
    [
        ("/v1/me/tokens", {"pin_required", "pin_not_set", "pin_wrong", "pin_locked", "in_progress", "idempotency_conflict"}),
        ("/v1/me/pairings", {"pin_locked", "pin_not_set", "in_progress", "idempotency_conflict"}),
        ("/v1/actions/{id}/confirm", {"pin_locked", "pin_not_set", "in_progress"}),
    ],
)  # fmt: skip
async def test_what_a_pin_and_a_repeated_request_can_meet_is_told(
    path: str, codes: set[str]
) -> None:
    route = next(one for one in ROUTES if (one.method, one.path) == ("POST", path))
    told = {code for status in problems_of(route).values() for code in status}
    assert codes <= told


async def test_the_document_is_openapi_3_1_and_whole(home: Home) -> None:
    found = (await home.caller().call("GET", "/v1/openapi.json")).body
    assert found["openapi"] == "3.1.0"
    told = {
        (method.upper(), path) for path, methods in found["paths"].items() for method in methods
    }
    assert told >= {(route.method, route.path) for route in API}
    schemas = found["components"]["schemas"]
    for name in re.findall(r'"#/components/schemas/([^"]+)"', msgspec.json.encode(found).decode()):
        assert name in schemas
    for schema in schemas.values():
        whole = schema | {"components": {"schemas": schemas}}
        jsonschema_rs.meta.validate(whole)


async def test_every_problem_that_is_told_has_a_code_of_its_own() -> None:
    for route in ROUTES:
        for status, codes in problems_of(route).items():
            for code in codes:
                assert REGISTRY.get(code) is None or REGISTRY[code].status == status


async def test_every_answer_of_a_list_and_of_a_thing_has_its_told_shape(home: Home) -> None:
    owner = await home.owner()
    paths = document(ROUTES, "1")
    components = {"components": paths["components"]}
    for route in API:
        if route.method != "GET" or "{" in route.path or route.reply is None:
            continue
        reply = await owner.call("GET", route.path)
        assert reply.status == 200, (route.path, reply)
        told = paths["paths"][route.path]["get"]["responses"]["200"]["content"]
        jsonschema_rs.validator_for(told[route.media]["schema"] | components).validate(reply.body)


async def test_the_page_about_the_interface_names_every_route() -> None:
    rows = set(
        re.findall(r"^\| (\w+) \| `([^`]+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert rows == {(route.method, route.path) for route in ROUTES if not route.page}


_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
_UNSAFE = [r for r in API if r.is_unsafe and r.path != "/v1/me/data"]
_FIELDS = {name for r in _UNSAFE if r.body for name in r.body.__struct_fields__}


def bodies(route: Route) -> st.SearchStrategy[bytes]:
    """Bytes, any JSON, and objects of this route's own fields with any values."""
    names = list(route.body.__struct_fields__) if route.body else sorted(_FIELDS)
    objects = st.dictionaries(st.sampled_from(names), _values)
    return st.binary(max_size=40) | (_values | objects).map(msgspec.json.encode)


_asks = st.sampled_from(_UNSAFE).flatmap(lambda r: st.tuples(st.just(r), bodies(r)))


@settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(ask=_asks, role=st.sampled_from([Role.OWNER, Role.STAFF]))
async def test_no_body_whatever_it_holds_is_an_error_of_the_server(
    home: Home, ask: tuple[Route, bytes], role: Role
) -> None:
    route, raw = ask
    caller = await fuzzer(home, role)
    reply = await caller.call(route.method, address(route), raw, headers=JSON)
    assert reply.status < 500, (route.method, route.path, raw, reply)
    if reply.status >= 400:
        problem = msgspec.convert(reply.body, Problem)
        told = problems_of(route).get(reply.status, [])
        assert problem.code in told, (route.method, route.path, raw, reply)


_fuzzers: dict[Role, Member] = {}


async def fuzzer(home: Home, role: Role) -> Member:
    """Somebody signed in, anew when a request has ended their session."""
    known = _fuzzers.get(role)
    if known is None or (await known.call("GET", "/v1/me")).status != 200:
        known = _fuzzers[role] = await home.person(role)
    return known


_queries = st.dictionaries(
    st.sampled_from(["cursor", "limit", "q", "after"]), st.text(max_size=12), max_size=2
)


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    route=st.sampled_from([r for r in API if r.method == "GET" and "stream" not in r.path]),
    query=_queries,
    place=st.text(min_size=1, max_size=30) | st.integers(-5, 10**30).map(str),
)
async def test_no_address_whatever_it_holds_is_an_error_of_the_server(
    home: Home, route: Route, query: dict[str, str], place: str
) -> None:
    caller = await fuzzer(home, Role.OWNER)
    spelled = quote(place, safe="", errors="replace")
    path = re.sub(r"\{[^}]*\}", lambda _match: spelled, route.path)
    text = urlencode(query, errors="replace")
    reply = await caller.call("GET", f"{path}?{text}")
    assert reply.status < 500, (path, text, reply)
