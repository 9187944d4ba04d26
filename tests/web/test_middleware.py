"""Host, Origin, headers and the access log: what every request passes."""

import logging

import pytest

from ira_home.domain.people import Credential
from ira_home.web.call import Call
from ira_home.web.guard import COOKIE
from ira_home.web.routes import Needs, Route
from tests.support.web import Site, site


async def nothing(_call: Call) -> None:
    return None


ROUTES = [
    Route("GET", "/page", nothing, Needs.OPEN),
    Route("POST", "/v1/open", nothing, Needs.OPEN),
    Route("POST", "/v1/mine", nothing, Needs.SESSION),
    Route("GET", "/v1/mine", nothing, Needs.SESSION),
    Route("POST", "/v1/ask", nothing, Needs.ASK),
    Route("GET", "/v1/secret/{token}", nothing, Needs.OPEN),
]


@pytest.mark.parametrize("path", ["/page", "/v1/mine", "/nothing", "/v1/nothing"])
@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.2:{port}", "[::1]:{port}",
     "localhost.evil.example:{port}", "localhost:{port}@evil.example", "localhost:{port}x", "", "a b"],
)  # fmt: skip
async def test_a_foreign_host_is_421_whatever_the_path(path: str, host: str) -> None:
    async with site(ROUTES) as at:
        status, _headers, body = await at.call(
            "GET", path, headers={"Host": host.format(port=at.port)}
        )
    assert (status, body["code"]) == (421, "wrong_host")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "ira-7f3a9c.local"])
async def test_own_names_are_welcome(host: str) -> None:
    async with site(ROUTES) as at:
        status, _headers, _body = await at.call(
            "GET", "/page", headers={"Host": f"{host}:{at.port}"}
        )
    assert status == 204


def foreign(at: Site) -> list[str]:
    """Origins that are not this server's."""
    return [
        "https://evil.example",
        "null",
        f"http://127.0.0.1:{at.port}",
        "https://127.0.0.1",
        f"https://127.0.0.1:{at.port + 1}",
        f"{at.origin}.evil.example",
        f"{at.origin}/",
        f"https://sub.localhost:{at.port}",
        "",
    ]


async def test_a_foreign_origin_is_403_with_any_credential_or_none() -> None:
    async with site(ROUTES) as at:
        senders = [
            ("/v1/open", {}),
            ("/v1/mine", at.signed_in()),
            ("/v1/ask", at.with_token(Credential.DEVICE_TOKEN)),
        ]
        for path, headers in senders:
            for origin in foreign(at):
                status, _headers, body = await at.call(
                    "POST", path, headers=headers | {"Origin": origin}
                )
                assert (status, body["code"]) == (403, "foreign_origin"), (path, origin)


@pytest.mark.parametrize("where", ["cross-site", "same-site"])
async def test_a_request_that_the_browser_calls_foreign_is_403(where: str) -> None:
    async with site(ROUTES) as at:
        for method in ("GET", "POST"):
            headers = at.signed_in() | {"Sec-Fetch-Site": where}
            status, _headers, _body = await at.call(method, "/v1/mine", headers=headers)
            assert status == 403


async def test_a_cookie_without_origin_changes_nothing() -> None:
    async with site(ROUTES) as at:
        cookie = {"Cookie": at.signed_in()["Cookie"]}
        assert (await at.call("POST", "/v1/mine", headers=cookie))[0] == 403
        assert (await at.call("GET", "/v1/mine", headers=cookie))[0] == 204


async def test_own_origins_and_programs_pass() -> None:
    async with site(ROUTES) as at:
        assert (await at.call("POST", "/v1/mine", headers=at.signed_in()))[0] == 204
        by_name = at.signed_in() | {"Origin": f"https://localhost:{at.port}"}
        assert (await at.call("POST", "/v1/mine", headers=by_name))[0] == 204
        token = at.with_token(Credential.API_TOKEN)
        assert (await at.call("POST", "/v1/ask", headers=token))[0] == 204


async def test_there_is_no_cors() -> None:
    async with site(ROUTES) as at:
        for method in ("OPTIONS", "GET", "POST"):
            _status, headers, _body = await at.call(
                method, "/v1/open", headers={"Origin": "https://evil.example"}
            )
            assert not [name for name in headers if name.lower().startswith("access-control-")]


async def test_every_answer_carries_the_security_headers() -> None:
    async with site(ROUTES) as at:
        asks = [
            ("GET", "/page", {}),
            ("GET", "/nothing", {}),
            ("PUT", "/page", {}),
            ("GET", "/v1/mine", {}),
            ("GET", "/page", {"Host": "evil.example"}),
            ("GET", "/page", {"Expect": "wonders"}),
        ]
        for method, path, more in asks:
            _status, headers, _body = await at.call(method, path, headers=more)
            policy = headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "require-trusted-types-for 'script'" in policy
            assert "frame-ancestors 'none'" in policy
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Referrer-Policy"] == "same-origin"
            assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert headers["Cache-Control"] == "no-store"
            assert headers["Server"] == "Ira"
            assert "Strict-Transport-Security" not in headers


async def test_a_refused_host_is_not_named_in_the_policy() -> None:
    async with site(ROUTES) as at:
        _status, headers, _body = await at.call("GET", "/page", headers={"Host": "evil.example"})
    assert "evil" not in headers["Content-Security-Policy"]


async def test_the_access_log_has_no_query_and_no_secret_of_a_path(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    async with site(ROUTES) as at:
        await at.call("GET", "/page?token=irad_abcdefghijklmnop&q=private")
        await at.call("GET", "/v1/secret/the-invitation")
        await at.call("GET", "/odd%0d%0aINFO%20forged%1b[31m")
        await at.call("GET", "/" + "a" * 5000)
    lines = [r.getMessage() for r in caplog.records if r.name == "ira_home.web.access"]
    text = "\n".join(lines)
    assert len(lines) == 4
    assert "GET /page 204" in text
    assert "/v1/secret/{token}" in text
    for bad in ("irad_", "private", "the-invitation", "\x1b", "\r"):
        assert bad not in text
    assert max(map(len, lines)) < 300


async def test_two_cookies_or_two_credentials_are_400() -> None:
    async with site(ROUTES) as at:
        cookie = at.signed_in()["Cookie"]
        token = at.with_token(Credential.API_TOKEN)["Authorization"]
        for headers in (
            {"Cookie": f"{cookie}; {COOKIE}=other", "Origin": at.origin},
            {"Cookie": cookie, "Authorization": token, "Origin": at.origin},
        ):
            status, _headers, body = await at.call("POST", "/v1/ask", headers=headers)
            assert (status, body["code"]) == (400, "two_credentials")
