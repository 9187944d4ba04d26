"""The pages over the real floors below them, spoken to over HTTP as a browser without scripts does."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
import re
from typing import Any

import aiohttp
from multidict import CIMultiDictProxy

from ira_home.config.load import load
from ira_home.devices.events import Events
from ira_home.devices.hub import Hub
from ira_home.devices.pairing import Pairings
from ira_home.devices.registry import Registry
from ira_home.devices.roster import Roster
from ira_home.household.backups import Backups
from ira_home.household.deletion import Deletion
from ira_home.household.export import Export
from ira_home.household.first_run import FirstRun
from ira_home.household.house import House
from ira_home.net.links import LanPairingLink
from ira_home.tools.library import Library
from ira_home.tools.log import ToolLog
from ira_home.web.door import Door
from ira_home.web.guard import COOKIE
from ira_home.web.pages import (
    add_device,
    assets,
    connect,
    devices,
    did,
    events as events_page,
    front,
    install,
    invite,
    join,
    me,
    pair,
    people as people_pages,
    problem,
    setup,
    signin,
    tokens,
    trust,
    worker,
)
from ira_home.web.problems import PROBLEM_PAGE
from ira_home.web.server import build_app
from ira_home.web.services import Services
from tests.support.people import PASSWORD, PIN, People, open_people
from tests.support.ports import free_port
from tests.support.web import fake_services

MODULES = (
    front, setup, signin, devices, add_device, pair, me, tokens, did, events_page, assets, trust, worker, connect,
    people_pages, install, invite, join,
)  # fmt: skip
EMAIL = "owner@example.com"


class Reader(HTMLParser):
    """What a page says, and where its forms and links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.forms: list[str] = []
        self.links: list[str] = []
        self.inputs: dict[str, str] = {}
        self._hidden = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self._hidden += tag in {"script", "style"}
        if tag == "form":
            self.forms.append(found.get("action", ""))
        if tag == "a":
            self.links.append(found.get("href", ""))
        if tag == "input":
            self.inputs[found.get("name", "")] = found.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in {"script", "style"}

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.text += " " + data


@dataclass
class Shown:
    """An answer as it was read."""

    status: int
    headers: CIMultiDictProxy[str]
    html: str

    @property
    def page(self) -> Reader:
        return Reader(self.html)

    @property
    def text(self) -> str:
        return " ".join(self.page.text.split())

    @property
    def code(self) -> str:
        """The pairing code on it."""
        found = re.search(r'class="code-big"[^>]*>([A-Z0-9-]+)<', self.html)
        assert found is not None, self.text
        return found[1]

    @property
    def to(self) -> str:
        """Where a redirect leads."""
        assert self.status == 303, (self.status, self.text)
        return self.headers["Location"]


@dataclass
class Visitor:
    """A browser without scripts: keeps cookies, follows nothing by itself."""

    base: str
    origin: str
    http: aiohttp.ClientSession
    cookies: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str, **headers: str) -> Shown:
        return await self._call("GET", path, headers)

    async def post(
        self, path: str, form: Mapping[str, str] | Sequence[tuple[str, str]] = (), **headers: str
    ) -> Shown:
        data = list(form.items()) if isinstance(form, Mapping) else list(form)
        return await self._call("POST", path, headers, aiohttp.FormData(data))

    async def _call(
        self, method: str, path: str, headers: Mapping[str, str], data: Any = None
    ) -> Shown:
        sent = {"Accept": "text/html", "Origin": self.origin} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        if method == "POST":
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        async with self.http.request(
            method, self.base + path, headers=sent, data=data, allow_redirects=False
        ) as reply:
            for name, morsel in reply.cookies.items():
                self.cookies[name] = morsel.value
                if not morsel.value:
                    del self.cookies[name]
            return Shown(reply.status, reply.headers, await reply.text())


@dataclass
class Pages:
    """The house with its pages on a port."""

    people: People
    services: Services
    visitor: Visitor
    port: int

    async def sign_in(self, email: str = EMAIL) -> None:
        self.visitor.cookies[COOKIE], _ = await self.people.token(email)

    async def owner(self) -> None:
        """The owner, signed in."""
        await self.people.owner()
        await self.sign_in()

    async def another(self, email: str) -> Visitor:
        """Somebody else of the house in a browser of their own."""
        await self.people.add(email)
        cookies = {COOKIE: (await self.people.token(email))[0]}
        return Visitor(self.visitor.base, self.visitor.origin, self.visitor.http, cookies)

    async def add_device(self, kind: str = "mac", label: str = "Office Mac") -> str:
        """Make a code by the form; the path of its page."""
        form = [("kind", kind), ("label", label), ("skill", "files"), ("pin", PIN)]
        return (await self.visitor.post("/devices/add", form)).to

    async def code(self, **more: str) -> tuple[str, str]:
        """The path and the code of a fresh pairing, as its page shows it."""
        path = await self.add_device(**more)
        return path, (await self.visitor.get(path)).code

    async def claim(self, code: str, kind: str = "mac") -> int:
        """A device claims the code."""
        claimed = await self.services.pairings.claim(code=code, kind=kind, address="192.168.1.34")
        return claimed.device.id


@asynccontextmanager
async def open_pages(folder: Path) -> AsyncIterator[Pages]:
    async with open_people(folder) as people:
        port = free_port()
        services = _services(people, folder, port)
        app = build_app(services, [route for module in MODULES for route in module.ROUTES])
        app[PROBLEM_PAGE] = problem.PROBLEM_PAGE
        door = await Door.open(app, host="127.0.0.1", port=port)
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
            visitor = Visitor(f"http://127.0.0.1:{port}", f"https://127.0.0.1:{port}", http)
            try:
                yield Pages(people, services, visitor, port)
            finally:
                await services.live.close()
                await services.hub.close_all()
                await door.close()


def _services(people: People, folder: Path, port: int) -> Services:
    storage, clock, bus, changes = people.storage, people.clock, people.bus, people.changes
    roster = Roster(storage, bus)
    house = House(
        storage,
        changes,
        bus=bus,
        in_force=load({"data_dir": folder}, {}).in_force,
        local_zone="Asia/Kolkata",
    )
    events = Events(storage, clock=clock, bus=bus, house_zone=house.zone)
    hub = Hub(storage, clock=clock, bus=bus, roster=roster, events=events)
    shared: dict[str, Any] = {"clock": clock, "bus": bus, "changes": changes}
    backups = Backups(folder / "backups")
    return fake_services(
        port,
        **shared,
        accounts=people.accounts,
        sessions=people.sessions,
        credentials=people.credentials,
        api_tokens=people.api_tokens,
        person_settings=people.settings,
        invitations=people.invitations,
        loopback_setup=True,
        first_run=FirstRun(people.storage, people.accounts, people.throttle),
        house=house,
        pairings=Pairings(storage, people.accounts, **shared, throttle=people.throttle),
        pairing_link=LanPairingLink("192.168.1.20", 8443, pin="p" * 43, install_id="7f3a9c"),
        registry=Registry(storage, people.accounts, **shared, roster=roster, hub=hub),
        hub=hub,
        events=events,
        tool_log=ToolLog(storage),
        library=Library((), ()),
        export=Export(storage, people.accounts, clock=clock, changes=changes).export,
        delete_data=Deletion(storage, people.accounts, **shared, backups=backups).delete_data,
    )


__all__ = ["EMAIL", "PASSWORD", "PIN", "Pages", "Shown", "Visitor", "open_pages"]
