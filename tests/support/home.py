"""A whole home on loopback: every real floor over real files, real TLS, the no-key brain."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
import ssl

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
from ira_home.assistant.assistant import Assistant
from ira_home.base.clock import Clock, SystemClock
from ira_home.base.limits import HEARTBEAT_S
from ira_home.base.pubsub import Bus
from ira_home.channels.live import Live
from ira_home.devices.events import Events
from ira_home.devices.hub import Hub
from ira_home.devices.pairing import Pairings
from ira_home.devices.registry import Registry
from ira_home.devices.roster import Roster
from ira_home.domain.people import Role
from ira_home.domain.ports import LanguageModel
from ira_home.household.backups import Backups
from ira_home.household.deletion import Deletion
from ira_home.household.export import Export
from ira_home.household.first_run import FirstRun
from ira_home.household.house import House, Overrides
from ira_home.net.certificates import Authority
from ira_home.net.links import LanPairingLink
from ira_home.net.names import identity
from ira_home.providers.brains import make_brain
from ira_home.storage.people import Hashes
from ira_home.storage.storage import Storage
from ira_home.tools.log import ToolLog
from ira_home.tools.workshop import Workshop
from ira_home.web.door import Door
from ira_home.web.server import open_http, open_https
from ira_home.web.services import Addresses, Services, Trust
from tests.support.callers import Caller, Member
from tests.support.ports import free_port

PASSWORD = "plain-harbour-lantern-7"
PIN = "739164"
HOST = "127.0.0.1"


@dataclass
class Home:
    """A running home; `services` are its real parts, `base` its https address."""

    folder: Path
    clock: Clock
    bus: Bus
    storage: Storage
    services: Services
    authority: Authority
    door: Door
    plain_port: int
    hashes: Hashes
    _callers: list[Caller] = field(default_factory=list)
    _people: int = 0

    @property
    def base(self) -> str:
        return f"https://{HOST}:{self.services.addresses.https_port}"

    @property
    def trust(self) -> ssl.SSLContext:
        """What trusts this home's own CA and nothing else."""
        return ssl.create_default_context(cadata=self.authority.ca_pem.decode())

    def caller(self, *, cookie: str = "", bearer: str = "") -> Caller:
        """Somebody at the door."""
        caller = Caller(self.base, self.trust, cookie=cookie, bearer=bearer)
        self._callers.append(caller)
        return caller

    async def person(self, role: Role = Role.STAFF) -> Member:
        """A new person with password and PIN, signed in."""
        self._people += 1
        email = f"{role}{self._people}@example.com"
        person = await self.storage.write(
            lambda tx: self.storage.people.add(
                tx,
                email=email,
                name=f"{role.title()} {self._people}",
                role=role,
                hashes=self.hashes,
                at=self.clock.now(),
            )
        )
        cookie, _principal = await self.services.sessions.sign_in(
            email=email, password=PASSWORD, address=HOST, agent="test"
        )
        member = Member(self.base, self.trust, person, cookie=cookie, pin=PIN)
        self._callers.append(member)
        return member

    async def owner(self) -> Member:
        """A signed-in owner."""
        return await self.person(Role.OWNER)

    async def hang_up(self) -> None:
        """Close every client."""
        for caller in self._callers:
            await caller.close()


@asynccontextmanager
async def open_home(
    folder: Path,
    *,
    brain: LanguageModel | None = None,
    clock: Clock | None = None,
    heartbeat_s: float = HEARTBEAT_S,
) -> AsyncIterator[Home]:
    """Start a home in `folder`; its devices and clients are gone at the end."""
    async with AsyncExitStack() as stack:
        home = await _build(
            stack,
            folder,
            brain=brain or make_brain("none", "", "", ""),
            clock=clock or SystemClock(),
            heartbeat_s=heartbeat_s,
        )
        stack.push_async_callback(home.hang_up)
        yield home


async def _build(
    stack: AsyncExitStack, folder: Path, *, brain: LanguageModel, clock: Clock, heartbeat_s: float
) -> Home:
    bus = Bus()
    storage = await Storage.open(folder, clock)
    stack.push_async_callback(storage.close)
    authority = Authority.open(
        folder / "pki",
        install_id=storage.install_id,
        clock=SystemClock(),
        addresses=[HOST],
        hostname="test-pc",
    )
    port, plain_port = free_port(), free_port()
    addresses = Addresses(
        https_port=port, http_port=plain_port, names=authority.names | authority.addresses
    )
    services, hashes = await _services(
        stack, storage, clock=clock, bus=bus, authority=authority, addresses=addresses,
        brain=brain, folder=folder, live=Live(bus, heartbeat_s=heartbeat_s),
    )  # fmt: skip
    context = authority.server_context()
    door = await open_https(services, host=HOST, port=port, context=context)
    stack.push_async_callback(door.close)
    plain = await open_http(services, host=HOST, port=plain_port)
    stack.push_async_callback(plain.close)
    stack.push_async_callback(services.live.close)
    stack.push_async_callback(services.hub.close_all)
    return Home(
        folder=folder,
        clock=clock,
        bus=bus,
        storage=storage,
        services=services,
        authority=authority,
        door=door,
        plain_port=plain_port,
        hashes=hashes,
    )


async def _services(
    stack: AsyncExitStack,
    storage: Storage,
    *,
    clock: Clock,
    bus: Bus,
    authority: Authority,
    addresses: Addresses,
    brain: LanguageModel,
    folder: Path,
    live: Live,
) -> tuple[Services, Hashes]:
    changes = Changes(storage, clock)
    hasher = Hasher(storage.secret)
    stack.callback(hasher.close)
    throttle = await Throttle.open(storage, clock)
    accounts = Accounts(storage, changes, clock=clock, bus=bus, hasher=hasher, throttle=throttle)
    sessions = Sessions(
        storage, accounts, clock=clock, bus=bus, hasher=hasher, throttle=throttle, changes=changes
    )
    api_tokens = ApiTokens(storage, accounts, clock=clock, bus=bus, changes=changes)
    house = House(storage, changes, bus=bus, overrides=Overrides(), local_zone="Asia/Kolkata")
    backups = Backups(folder / "backups")
    roster = Roster(storage, bus)
    events = Events(storage, clock=clock, bus=bus)
    hub = Hub(storage, clock=clock, bus=bus, roster=roster, events=events)
    shop = Workshop.put_together(
        storage, clock, bus, devices=hub, folder=folder / "tools", house=house.get
    )
    registry = Registry(
        storage, accounts, clock=clock, bus=bus, changes=changes, roster=roster, hub=hub,
        house_tools=lambda: shop.toolboxes.names,
    )  # fmt: skip
    deletion = Deletion(storage, accounts, clock=clock, bus=bus, changes=changes, backups=backups)
    assistant = Assistant(
        storage, accounts, shop, clock=clock, bus=bus, brain=lambda: brain, house=house.get
    )
    await assistant.start()
    stack.push_async_callback(assistant.close)
    services = Services(
        clock=clock,
        bus=bus,
        live=live,
        addresses=addresses,
        trust=Trust(
            ca_der=authority.ca_der,
            fingerprint=authority.fingerprint,
            identity=identity(storage.install_id),
        ),
        version="0.1.0",
        brain=brain,
        accounts=accounts,
        sessions=sessions,
        api_tokens=api_tokens,
        credentials=Credentials(storage, sessions, api_tokens),
        changes=changes,
        person_settings=PersonSettingsBook(storage, accounts, changes),
        idempotency=Idempotency(storage, clock),
        invitations=Invitations(storage, accounts, clock=clock, changes=changes),
        first_run=FirstRun(accounts, throttle),
        house=house,
        backups=backups,
        pairings=Pairings(
            storage, accounts, clock=clock, bus=bus, changes=changes, throttle=throttle
        ),
        pairing_link=LanPairingLink(
            HOST, addresses.https_port, pin=authority.pin, install_id=storage.install_id
        ),
        registry=registry,
        hub=hub,
        events=events,
        assistant=assistant,
        proposals=shop.proposals,
        library=shop.library,
        tool_log=ToolLog(storage),
        export=Export(storage, accounts, clock=clock, changes=changes).export,
        delete_data=deletion.delete_data,
    )
    hashes = Hashes(await hasher.hash_password(PASSWORD), await hasher.hash_pin(PIN))
    return services, hashes
