"""A real listener on loopback for routes of a test's own, over whatever stands in for the house."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import aiohttp

from ira_home.base.clock import SystemClock
from ira_home.base.errors import Unauthenticated
from ira_home.base.ids import DeviceId, PersonId
from ira_home.base.pubsub import Bus
from ira_home.channels.live import Live
from ira_home.domain.network import (
    Address,
    AddressKind,
    Announcement,
    AnnouncementState,
    NetworkView,
)
from ira_home.domain.people import (
    ROLE_PERMISSIONS,
    TOKEN_PERMISSIONS,
    Credential,
    Person,
    Principal,
    Role,
)
from ira_home.web.arrivals import Arrivals
from ira_home.web.door import Door
from ira_home.web.guard import COOKIE
from ira_home.web.routes import Route
from ira_home.web.server import build_app
from ira_home.web.services import Addresses, Services, Trust
from tests.support.clock import START
from tests.support.ports import free_port

TRUST = Trust(ca_der=b"\x30\x82certificate", fingerprint="AB CD", identity="ira-7f3a9c.local")
NETWORK = NetworkView(
    addresses=(Address("192.168.1.20", "eth0", AddressKind.HOME),),
    chosen="192.168.1.20",
    picked=None,
    set_outside=None,
    why_no_qr=None,
    certified=frozenset({"192.168.1.20", "127.0.0.1", "::1"}),
    announcement=Announcement(AnnouncementState.ANNOUNCED, "Home", START),
    changed_at=START,
)


def principal(
    credential: Credential = Credential.SESSION, role: Role = Role.STAFF, number: int = 1
) -> Principal:
    """Somebody who comes with a credential."""
    person = Person(PersonId(7), "asha@example.com", "Asha", role, START, has_pin=True)
    allowed = ROLE_PERMISSIONS[role]
    if credential is not Credential.SESSION:
        allowed &= TOKEN_PERMISSIONS
    device = DeviceId(number) if credential is Credential.DEVICE_TOKEN else None
    return Principal(person, credential, number, allowed, device)


class FakeCredentials:
    """Knows the tokens it is told."""

    def __init__(self) -> None:
        self.sessions: dict[str, Principal] = {}
        self.bearers: dict[str, Principal] = {}

    async def session(self, token: str) -> Principal:
        return self._of(self.sessions, token)

    async def bearer(self, token: str) -> Principal:
        return self._of(self.bearers, token)

    def _of(self, known: dict[str, Principal], token: str) -> Principal:
        if token not in known:
            raise Unauthenticated
        return known[token]


def fake_services(port: int, **more: Any) -> Services:
    """Just enough of the house for the web's own machinery; `more` adds or replaces."""
    bus = Bus()
    made = {
        "clock": SystemClock(),
        "bus": bus,
        "live": Live(bus),
        "network": lambda: NETWORK,
        "addresses": Addresses(
            https_port=port, http_port=port, names=frozenset({"localhost", "ira-7f3a9c.local"})
        ),
        "trust": TRUST,
        "version": "0.1.0",
        "credentials": FakeCredentials(),
        "arrivals": Arrivals(),
        "here": {},
    }
    return cast("Services", SimpleNamespace(**(made | more)))


@dataclass
class Site:
    """A listener with its client; `base` is the address over plain TCP, `origin` the https one."""

    port: int
    services: Services
    http: aiohttp.ClientSession
    door: Door

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def credentials(self) -> FakeCredentials:
        return cast("FakeCredentials", self.services.credentials)

    def signed_in(self, role: Role = Role.STAFF, number: int = 1) -> dict[str, str]:
        """Headers of a browser with a session."""
        self.credentials.sessions["iras_good"] = principal(Credential.SESSION, role, number)
        return {"Cookie": f"{COOKIE}=iras_good", "Origin": self.origin}

    def with_token(
        self,
        credential: Credential,
        role: Role = Role.STAFF,
        token: str = "token",  # noqa: S107
    ) -> dict[str, str]:
        """Headers of a program with a token."""
        self.credentials.bearers[token] = principal(credential, role)
        return {"Authorization": f"Bearer {token}"}

    async def call(self, method: str, path: str, **more: Any) -> tuple[int, Any, Any]:
        """(status, headers, body: JSON where it is JSON, else text)."""
        async with self.http.request(
            method, self.base + path, allow_redirects=False, **more
        ) as reply:
            is_json = "json" in reply.headers.get("Content-Type", "")
            body = await (reply.json(content_type=None) if is_json else reply.text())
            return reply.status, reply.headers, body


@asynccontextmanager
async def site(routes: Sequence[Route], **more: Any) -> AsyncIterator[Site]:
    """Serve the routes on loopback without TLS."""
    port = free_port()
    services = fake_services(port, **more)
    door = await Door.open(build_app(services, routes), host="127.0.0.1", port=port)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        try:
            yield Site(port, services, http, door)
        finally:
            await services.live.close()
            await door.close()
