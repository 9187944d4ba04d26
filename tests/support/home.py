"""A whole home on loopback: the real server over real files and real TLS, with people at its doors."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
import ssl

from ira_home.access.hashing import Hasher
from ira_home.app.core import opened
from ira_home.app.server import Server
from ira_home.base.clock import Clock, SystemClock
from ira_home.base.pubsub import Bus
from ira_home.config.load import load
from ira_home.domain.people import Role
from ira_home.domain.ports import LanguageModel
from ira_home.providers.addresses import AddressPolicy
from ira_home.storage.people import Hashes
from ira_home.storage.storage import Storage
from ira_home.web.services import Services
from tests.support.callers import Caller, Member
from tests.support.clock import FakeClock
from tests.support.ports import free_port

PASSWORD = "plain-harbour-lantern-7"
PIN = "739164"
HOST = "127.0.0.1"
CA_FILE = "pki/ca.crt.pem"


def hands_of_now() -> FakeClock:
    """A clock under a test's hand that starts now: certificates are checked by the machine's own."""
    return FakeClock(SystemClock().now())


@dataclass
class Home:
    """A running home; `services` are its real parts, `base` its https address."""

    folder: Path
    services: Services
    storage: Storage
    hashes: Hashes
    _callers: list[Caller] = field(default_factory=list)
    _people: int = 0

    @property
    def clock(self) -> Clock:
        return self.services.clock

    @property
    def bus(self) -> Bus:
        return self.services.bus

    @property
    def base(self) -> str:
        return f"https://{HOST}:{self.services.addresses.https_port}"

    @property
    def stable(self) -> str:
        """The https address under the name that stays."""
        return f"https://{self.services.trust.identity}:{self.services.addresses.https_port}"

    @property
    def plain(self) -> str:
        """The plain http address."""
        return f"http://{HOST}:{self.services.addresses.http_port}"

    @property
    def trust(self) -> ssl.SSLContext:
        """What trusts this home's own CA and nothing else."""
        return ssl.create_default_context(cafile=str(self.folder / CA_FILE))

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
    policy: AddressPolicy | None = None,
    settings: Mapping[str, object] | None = None,
) -> AsyncIterator[Home]:
    """Start a home in `folder`, with the no-key brain unless another is given; stop it at the end.

    `policy` says where search and feeds may go, by default where they may in earnest. `settings` are
    given to the server as its operator would.
    """
    flags = {
        "data_dir": str(folder),
        "bind": HOST,
        "port": str(free_port()),
        "http_port": str(free_port()),
        "mdns": "false",
    }
    loaded = load(flags | dict(settings or {}), {})
    async with opened(loaded, clock, policy=policy) as core:
        server = Server(core, loaded.settings)
        if brain is not None:
            core.services.brain = brain
        try:
            await server.open()
            home = await _home(folder, core.services)
            try:
                yield home
            finally:
                await home.hang_up()
        finally:
            await server.close()


async def _home(folder: Path, services: Services) -> Home:
    storage = services.accounts._storage
    hasher = Hasher(storage.secret)
    hashes = Hashes(await hasher.hash_password(PASSWORD), await hasher.hash_pin(PIN))
    hasher.close()
    return Home(folder, services, storage, hashes)
