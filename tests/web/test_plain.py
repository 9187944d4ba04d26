"""The plain port: static first steps, and nothing else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from ira_home.web.door import Door
from ira_home.web.plain import build_plain_app
from ira_home.web.services import Addresses
from tests.support.ports import free_port
from tests.support.requirements import requirement
from tests.support.web import TRUST, fake_services


@asynccontextmanager
async def plain() -> AsyncIterator[tuple[str, aiohttp.ClientSession]]:
    port = free_port()
    addresses = Addresses(
        https_port=8443, http_port=port, names=frozenset({"localhost", "ira-7f3a9c.local"})
    )
    app = build_plain_app(fake_services(port, addresses=addresses))
    door = await Door.open(app, host="127.0.0.1", port=port)
    async with aiohttp.ClientSession() as http:
        try:
            yield f"http://127.0.0.1:{port}", http
        finally:
            await door.close()


@requirement("lan.http.pair")
@pytest.mark.parametrize("path", ["/", "/trust", "/pair", "/pair?code=ABCDEFGH"])
async def test_the_first_steps_are_static_pages(path: str) -> None:
    async with plain() as (base, http), http.get(base + path) as reply:
        text = (await reply.text()).lower()
        assert reply.status == 200
        assert not [word for word in ("<script", "<form", "<input", "abcdefgh") if word in text]
        assert "ab cd" in text
        assert "https://127.0.0.1:8443/" in text
        assert "Set-Cookie" not in reply.headers
        assert "Strict-Transport-Security" not in reply.headers
        assert "script-src" not in reply.headers["Content-Security-Policy"]


async def test_the_certificate_is_der_without_a_login() -> None:
    async with plain() as (base, http), http.get(base + "/ca.crt") as reply:
        assert (reply.status, await reply.read()) == (200, TRUST.ca_der)
        assert reply.headers["Content-Type"] == "application/x-x509-ca-cert"
        assert "Content-Disposition" not in reply.headers


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/healthz"),
        ("GET", "/v1/me"),
        ("GET", "/v1/devices/ws"),
        ("POST", "/v1/session"),
        ("POST", "/v1/devices/pair"),
        ("POST", "/pair"),
        ("POST", "/"),
        ("OPTIONS", "/trust"),
        ("DELETE", "/ca.crt"),
        ("GET", "/static/app.js"),
        ("GET", "/nothing/at/all"),
    ],
)
async def test_everything_else_is_403_and_never_a_redirect(method: str, path: str) -> None:
    async with (
        plain() as (base, http),
        http.request(method, base + path, allow_redirects=False) as reply,
    ):
        body = await reply.json(content_type=None)
        assert (reply.status, body["code"]) == (403, "https_required")
        assert "Location" not in reply.headers


async def test_a_foreign_host_is_421() -> None:
    foreign = {"Host": "evil.example"}
    async with plain() as (base, http), http.get(base, headers=foreign) as reply:
        assert reply.status == 421
