"""The access floor over a real data folder, with an owner and others to act as."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ira_home.access.accounts import Accounts
from ira_home.access.api_tokens import ApiTokens
from ira_home.access.changes import Changes
from ira_home.access.credentials import Credentials
from ira_home.access.hashing import Hasher
from ira_home.access.idempotency import Idempotency
from ira_home.access.invitations import Invitations
from ira_home.access.sessions import Sessions
from ira_home.access.settings import PersonSettingsBook
from ira_home.access.throttle import Throttle
from ira_home.base.pubsub import Bus
from ira_home.domain.facts import DataDeleted, DeviceRevoked, PersonChanged, SessionEnded
from ira_home.domain.people import Person, Principal, Role
from ira_home.storage.storage import Storage
from tests.support.clock import FakeClock

PASSWORD = "plain-harbour-lantern-7"
PIN = "739164"
ADDRESS = "192.168.1.34"
DATA_FOLDER = "data"


@dataclass
class People:
    """Everything of floor 4, and the facts that were published."""

    clock: FakeClock
    storage: Storage
    bus: Bus
    hasher: Hasher
    throttle: Throttle
    changes: Changes
    accounts: Accounts
    sessions: Sessions
    api_tokens: ApiTokens
    credentials: Credentials
    settings: PersonSettingsBook
    invitations: Invitations
    idempotency: Idempotency
    facts: list[Any] = field(default_factory=list)

    async def owner(self) -> Principal:
        await self.accounts.create_owner(
            email="owner@example.com", name="Olive Owner", password=PASSWORD, pin=PIN
        )
        return await self.sign_in("owner@example.com")

    async def add(self, email: str, role: Role = Role.STAFF, pin: str | None = PIN) -> Person:
        return await self.accounts.add(
            None, email=email, name=email.partition("@")[0], role=role, password=PASSWORD, pin=pin
        )

    async def added(self, email: str, role: Role = Role.STAFF) -> Principal:
        await self.add(email, role)
        return await self.sign_in(email)

    async def sign_in(
        self, email: str, password: str = PASSWORD, address: str = ADDRESS
    ) -> Principal:
        return (await self.token(email, password, address))[1]

    async def token(
        self, email: str, password: str = PASSWORD, address: str = ADDRESS
    ) -> tuple[str, Principal]:
        return await self.sessions.sign_in(
            email=email, password=password, address=address, agent="Firefox"
        )

    def heard(self, kind: type) -> list[Any]:
        return [fact for fact in self.facts if type(fact) is kind]

    async def logged(self) -> list[str]:
        """The change log, newest first, as words."""
        page = await self.changes.list(None, 100)
        return [
            f"{one.actor} {one.change} {one.subject} {one.detail}".strip() for one in page.items
        ]


@asynccontextmanager
async def open_people(folder: Path, clock: FakeClock | None = None) -> AsyncIterator[People]:
    clock = clock or FakeClock()
    storage = await Storage.open(folder / DATA_FOLDER, clock)
    hasher = Hasher(storage.secret)
    try:
        yield await _wired(storage, clock, hasher)
    finally:
        hasher.close()
        await storage.close()


async def _wired(storage: Storage, clock: FakeClock, hasher: Hasher) -> People:
    bus, changes = Bus(), Changes(storage, clock)
    throttle = await Throttle.open(storage, clock)
    accounts = Accounts(storage, changes, clock=clock, bus=bus, hasher=hasher, throttle=throttle)
    sessions = Sessions(
        storage,
        accounts,
        clock=clock,
        bus=bus,
        hasher=hasher,
        throttle=throttle,
        changes=changes,
    )
    api_tokens = ApiTokens(storage, accounts, clock=clock, bus=bus, changes=changes)
    people = People(
        clock=clock,
        storage=storage,
        bus=bus,
        hasher=hasher,
        throttle=throttle,
        changes=changes,
        accounts=accounts,
        sessions=sessions,
        api_tokens=api_tokens,
        credentials=Credentials(storage, sessions, api_tokens),
        settings=PersonSettingsBook(storage, accounts, changes),
        invitations=Invitations(storage, accounts, clock=clock, changes=changes),
        idempotency=Idempotency(storage, clock),
    )
    for kind in (DataDeleted, DeviceRevoked, PersonChanged, SessionEnded):
        bus.subscribe(kind, people.facts.append)
    return people
