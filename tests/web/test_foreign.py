"""Who calls by another name, or from another site's page: every route of both listeners, from their routers."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
import re
from urllib.parse import urlsplit

from aiohttp import web
import pytest
import pytest_asyncio

from ira_home.web.body import FORM
from ira_home.web.plain import build_plain_app
from ira_home.web.routes import UNSAFE
from ira_home.web.server import all_routes, build_app
from tests.support.callers import Member
from tests.support.home import Home, open_home
from tests.support.requirements import requirement

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}  # fmt: skip


@dataclass
class Doors:
    """Both listeners of a running home, and somebody who is signed in."""

    home: Home
    member: Member

    @property
    def listeners(self) -> tuple[tuple[str, web.Application], ...]:
        """Address and application, made anew from the same services: their routers are the same."""
        services = self.home.services
        return (self.home.base, build_app(services)), (self.home.plain, build_plain_app(services))

    async def status(self, method: str, url: str, headers: dict[str, str]) -> tuple[int, str]:
        """The status of an answer, and its code."""
        async with self.member.http.request(
            method, url, headers=headers, allow_redirects=False
        ) as reply:
            text = (await reply.read()).decode(errors="replace")
            found = re.search(r'"code":"([a-z_]+)"', text)
            assert not [one for one in reply.headers if one.startswith("Access-Control-")], url
            return reply.status, found[1] if found else ""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def doors(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Doors]:
    async with open_home(tmp_path_factory.mktemp("doors") / "data") as home:
        yield Doors(home, await home.owner())


pytestmark = pytest.mark.asyncio(loop_scope="module")


def knocks(app: web.Application) -> Iterator[tuple[str, str]]:
    """Every (method, path) that the router of a listener matches, and one that it does not."""
    for route in app.router.routes():
        assert route.resource is not None
        path = re.sub(r"\{[^}]*\}", "1", route.resource.canonical)
        for method in METHODS if route.method == "*" else (route.method,):
            yield method, path
    yield "GET", "/nothing/here"


def foreign_hosts(base: str) -> list[str]:
    port = urlsplit(base).port
    return ["evil.example", f"localhost.evil.example:{port}", f"127.0.0.2:{port}", f"127.0.0.1:{(port or 0) + 1}"]  # fmt: skip


def foreign_origins(base: str) -> list[str]:
    port = urlsplit(base).port
    # The first two are those that a browser really sends.
    return ["https://evil.example", "null", f"http://127.0.0.1:{port}", "https://127.0.0.1",
            f"https://127.0.0.1:{(port or 0) + 1}", f"https://127.0.0.1:{port}.evil.example", ""]  # fmt: skip


@requirement("lan.host")
async def test_by_a_foreign_name_every_route_of_both_listeners_is_421(doors: Doors) -> None:
    tried = 0
    for base, app in doors.listeners:
        for method, path in set(knocks(app)):
            for host in foreign_hosts(base):
                headers = doors.member.headers(method) | {"Host": host}
                status, code = await doors.status(method, base + path, headers)
                assert status == 421, (method, path, host, status)
                assert code in ("wrong_host", ""), (method, path, host)
                tried += 1
    assert tried > 500


@requirement("lan.origin")
async def test_from_a_foreign_page_no_unsafe_route_is_reached_with_any_credential(
    doors: Doors,
) -> None:
    device = (await doors.member.pair()).caller
    base, app = doors.listeners[0]
    for method, path in {one for one in knocks(app) if one[0] in UNSAFE}:
        for sent in (doors.member.headers(method), device.headers(method), {}):
            for origin in foreign_origins(base)[: 7 if sent == {} else 2]:
                headers = sent | {"Origin": origin, "Content-Type": FORM}
                status, code = await doors.status(method, base + path, headers)
                assert (status, code) in ((403, "foreign_origin"), (403, "")), (
                    method,
                    path,
                    origin,
                )
            for site in ("cross-site", "same-site"):
                headers = sent | {"Origin": base, "Sec-Fetch-Site": site}
                assert (await doors.status(method, base + path, headers))[0] == 403, (method, path)
    assert (await doors.member.call("GET", "/v1/me")).status == 200
    await device.close()


@requirement("lan.origin")
async def test_from_a_foreign_page_no_upgrade_is_taken_on_any_route(doors: Doors) -> None:
    """An upgrade is a GET, which what guards forms alone lets pass."""
    device = (await doors.member.pair()).caller
    base, app = doors.listeners[0]
    for method, path in {one for one in knocks(app) if one[0] == "GET"}:
        for sent in (doors.member.headers(method), device.headers(method)):
            for origin in foreign_origins(base)[:3]:
                headers = sent | UPGRADE | {"Origin": origin}
                assert (await doors.status(method, base + path, headers))[0] == 403, (path, origin)
            headers = sent | UPGRADE | {"Sec-Fetch-Site": "cross-site"}
            assert (await doors.status(method, base + path, headers))[0] == 403, path
        # Whoever has a cookie is a browser, and a browser says where it comes from.
        headers = doors.member.headers(method) | UPGRADE
        assert (await doors.status(method, base + path, headers))[0] == 403, path
    await device.close()


@requirement("lan.http")
async def test_the_plain_listener_has_its_four_addresses_and_403_for_all_else(doors: Doors) -> None:
    base, app = doors.listeners[1]
    for method, path in {*knocks(app), *knocks(doors.listeners[0][1])}:
        status, _code = await doors.status(method, base + path, {})
        is_open = path in ("/", "/trust", "/pair", "/ca.crt") and method in ("GET", "HEAD")
        assert status == (200 if is_open else 403), (method, path, status)


async def test_addresses_that_change_while_it_runs_hold_from_the_next_request(
    doors: Doors,
) -> None:
    services, before = doors.home.services, doors.home.services.addresses
    port, http_port = before.https_port, before.http_port
    named = [(doors.home.base, f"ira.lan:{port}"), (doors.home.plain, f"ira.lan:{http_port}")]
    for base, host in named:
        assert (await doors.status("GET", base + "/trust", {"Host": host}))[0] == 421
    services.addresses = replace(before, names=before.names | {"ira.lan"})
    try:
        for base, host in named:
            assert (await doors.status("GET", base + "/trust", {"Host": host}))[0] == 200
        own = {"Origin": f"https://ira.lan:{port}", "Host": f"ira.lan:{port}"}
        sent = doors.member.headers("GET") | own
        assert (await doors.status("GET", f"{doors.home.base}/v1/me", sent))[0] == 200
    finally:
        services.addresses = before
    for base, host in named:
        assert (await doors.status("GET", base + "/trust", {"Host": host}))[0] == 421


async def test_a_certificate_that_changes_while_it_runs_is_the_one_that_is_given(
    doors: Doors,
) -> None:
    services, before = doors.home.services, doors.home.services.trust
    following = replace(before.cas[0], der=b"\x30\x01next", fingerprint="56 78")
    services.trust = replace(
        before, ca_der=b"\x30\x01new", fingerprint="12 34", cas=(before.cas[0], following)
    )
    try:
        for base in (doors.home.base, doors.home.plain):
            for path, body in (("/ca.crt", b"\x30\x01new"), ("/next-ca.crt", b"\x30\x01next")):
                async with doors.member.http.get(base + path) as reply:
                    assert (reply.status, await reply.read()) == (200, body)
                    assert reply.headers["Content-Type"] == "application/x-x509-ca-cert"
            async with doors.member.http.get(base + "/trust") as reply:
                text = await reply.text()
            assert [
                one for one in ("12 34", "56 78", 'href="/next-ca.crt"') if one not in text
            ] == []
    finally:
        services.trust = before
    async with doors.member.http.get(doors.home.base + "/next-ca.crt") as reply:
        assert reply.status == 404


async def test_all_routes_that_take_a_pairing_code_count_wrong_ones_together(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A second road to the same codes must not have tries of its own."""
    taking = [r for r in all_routes() if r.body is not None and "code" in r.body.__struct_fields__]
    assert [r.path for r in taking] == ["/v1/devices/pair"]
    for first in taking:
        async with open_home(tmp_path_factory.mktemp("codes") / "data") as home:
            caller = home.caller()
            body = {"code": "ABCDEFGH", "kind": "mac"}
            for _ in range(5):
                assert (await caller.call(first.method, first.path, body)).status == 410
            for other in taking:
                reply = await caller.call(other.method, other.path, body)
                assert (reply.status, "Retry-After" in reply.headers) == (429, True), other.path
