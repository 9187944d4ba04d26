"""The part of the house around devices, on real files, with devices on in-memory lines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ira_home.access.accounts import Accounts
from ira_home.access.changes import Changes
from ira_home.access.hashing import Hasher
from ira_home.access.permissions import session_principal
from ira_home.access.throttle import Throttle
from ira_home.base.errors import IraError
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.base.tokens import SESSION, mint_token, token_hash
from ira_home.devices.events import Events
from ira_home.devices.hub import Hub
from ira_home.devices.pairing import Pairings
from ira_home.devices.registry import Registry
from ira_home.devices.roster import Roster
from ira_home.domain.devices import Device, DeviceKind
from ira_home.domain.people import Person, Principal, Role
from ira_home.storage.pairings import PairingTerms
from ira_home.storage.people import Hashes
from ira_home.storage.storage import Storage
from tests.support.clock import FakeClock
from tests.support.links import MemoryLink

Fact = TypeVar("Fact")
PIN = "246813"
LAMP: dict[str, Any] = {
    "name": "lamp_colour",
    "description": "Tell the colour of the lamp.",
    "parameters": {"type": "object", "properties": {"room": {"type": "string"}}},
    "tier": 0,
}


@dataclass
class DeviceHouse:
    storage: Storage
    clock: FakeClock
    bus: Bus
    accounts: Accounts
    roster: Roster
    events: Events
    hub: Hub
    pairings: Pairings
    registry: Registry
    tasks: Tasks
    facts: list[object] = field(default_factory=list)
    serving: dict[MemoryLink, asyncio.Task[None]] = field(default_factory=dict)
    _people: int = 0

    async def person(self, role: Role = Role.STAFF) -> Principal:
        """A person whose PIN is nowhere: fast to make."""
        self._people += 1
        person = await self.storage.write(
            lambda tx: self.storage.people.add(
                tx,
                email=f"person{self._people}@example.com",
                name=f"Person {self._people}",
                role=role,
                hashes=Hashes(password="-", pin=None),
                at=self.clock.now(),
            )
        )
        return await self.signed_in(person)

    async def person_with_pin(self, role: Role = Role.STAFF) -> Principal:
        self._people += 1
        person: Person = await self.accounts.add(
            None,
            email=f"person{self._people}@example.com",
            name=f"Person {self._people}",
            role=role,
            password="correct horse battery",
            pin=PIN,
        )
        return await self.signed_in(person)

    async def signed_in(self, person: Person) -> Principal:
        """The person in a session of theirs that is really there."""
        token = token_hash(mint_token(SESSION))
        session_id = await self.storage.write(
            lambda tx: self.storage.sessions.add(
                tx, person_id=person.id, token_hash=token, agent="", address="", at=self.clock.now()
            )
        )
        return session_principal(person, session_id)

    async def paired(
        self,
        principal: Principal,
        kind: DeviceKind = DeviceKind.MAC,
        *,
        skills: tuple[str, ...] = ("lamp",),
        label: str = "Office Mac",
    ) -> Device:
        """A device of the person, made past the code."""
        terms = PairingTerms(
            principal.person.id, kind, label, skills, uses=1, expires_at=self.clock.steady()
        )

        def work(tx: Any) -> Device:
            code_hash = mint_token("").encode()
            pairing = self.storage.pairings.add(
                tx, terms, code_hash=code_hash, now=self.clock.now()
            )
            self.storage.pairings.use(tx, pairing)
            token = token_hash(mint_token("irad_"))
            return self.storage.devices.add(
                tx, pairing, token_hash=token, address="192.168.1.34", at=self.clock.now()
            )

        device = await self.storage.write(work)
        self.roster.forget(principal.person.id)
        return device

    async def connect(self, device: Device) -> MemoryLink:
        """A line of the device, open, without a hello."""
        link = MemoryLink()
        task = self.serving[link] = self.tasks.start(self.hub.serve(link, device), "serve")
        for _ in range(200):
            if any(s._link is link for s in self.hub._sessions.values()) or task.done():
                break
            await asyncio.sleep(0.005)
        return link

    async def online(
        self, device: Device, tools: list[dict[str, Any]] | None = None, **over: Any
    ) -> MemoryLink:
        """A line of the device with its welcome."""
        link = await self.connect(device)
        link.say(hello(device, tools, **over))
        await link.hear("welcome")
        return link

    def told(self, kind: type[Fact]) -> list[Fact]:
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def advance(self, seconds: float) -> None:
        """Time passes and every deadline with it."""
        self.clock.advance(seconds)
        self.hub.tick()


def hello(device: Device, tools: list[dict[str, Any]] | None = None, **over: Any) -> dict[str, Any]:
    offered = [LAMP] if tools is None else tools
    frame = {"type": "hello", "kind": device.kind.value, "label": "x", "version": "1.0", "tools": offered}  # fmt: skip
    return frame | over


def asking(house: DeviceHouse, device: Device, **args: Any) -> "asyncio.Task[Any]":
    call = house.hub.call(
        device.id, person_id=device.person_id, tool="lamp_colour", args=args, here=False
    )
    return house.tasks.start(call, "call")


async def outcome(task: "asyncio.Task[Any]") -> object:
    """What came of a call: its content, or the type of its error."""
    async with asyncio.timeout(5):
        try:
            return await task
        except IraError as error:
            return type(error)


@asynccontextmanager
async def open_device_house(folder: Path) -> AsyncIterator[DeviceHouse]:
    clock, bus = FakeClock(), Bus()
    storage = await Storage.open(folder, clock)
    hasher = Hasher(storage.secret)
    changes, throttle = Changes(storage, clock), await Throttle.open(storage, clock)
    accounts = Accounts(storage, changes, clock=clock, bus=bus, hasher=hasher, throttle=throttle)
    roster = Roster(storage, bus)
    events = Events(storage, clock=clock, bus=bus, house_zone=_house_zone)
    hub = Hub(storage, clock=clock, bus=bus, roster=roster, events=events)
    pairings = Pairings(storage, accounts, clock=clock, bus=bus, changes=changes, throttle=throttle)
    registry = Registry(
        storage, accounts, clock=clock, bus=bus, changes=changes, roster=roster, hub=hub
    )
    tasks = Tasks("test devices")
    house = DeviceHouse(
        storage, clock, bus, accounts, roster, events, hub, pairings, registry, tasks
    )
    _listen_to_everything(house)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(storage.close)
        stack.callback(hasher.close)
        stack.push_async_callback(tasks.close)
        stack.push_async_callback(hub.close_all)
        yield house


async def _house_zone() -> str:
    return "Asia/Kolkata"


def _listen_to_everything(house: DeviceHouse) -> None:
    publish = house.bus.publish

    def heard(fact: object) -> None:
        house.facts.append(fact)
        publish(fact)

    house.bus.publish = heard  # type: ignore[method-assign]
