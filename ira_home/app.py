"""The composition root: settings become one wired house, which is opened, served and closed here."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
import logging
import os
import signal
import socket
import ssl
import sys
from typing import Any

from ira_home import __version__
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
from ira_home.base.log import field
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.channels.live import Live
from ira_home.config.load import Loaded
from ira_home.config.settings import Settings
from ira_home.config.time_zone import local_zone
from ira_home.control.operation import perform
from ira_home.control.server import ControlServer
from ira_home.control.wire import Request
from ira_home.devices.events import Events
from ira_home.devices.hub import Hub
from ira_home.devices.pairing import Pairings
from ira_home.devices.registry import Registry
from ira_home.devices.roster import Roster
from ira_home.domain.facts import HouseChanged
from ira_home.domain.house import ModelChoice
from ira_home.household import demo
from ira_home.household.backups import Backups
from ira_home.household.companion import Companion
from ira_home.household.deletion import Deletion
from ira_home.household.export import Export
from ira_home.household.first_run import FirstRun
from ira_home.household.house import House, Overrides
from ira_home.net.addresses import lan_addresses
from ira_home.net.certificates import Authority
from ira_home.net.links import LanPairingLink
from ira_home.net.names import identity
from ira_home.net.ports import free_port, port_words
from ira_home.net.qr import terminal
from ira_home.providers.brains import make_brain
from ira_home.storage.storage import Storage
from ira_home.tools.log import ToolLog
from ira_home.tools.workshop import Workshop
from ira_home.web.server import open_http, open_https
from ira_home.web.services import Addresses, Services, Trust

log = logging.getLogger(__name__)
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - what is compared, not bound
PKI, TOOLS, BACKUPS = "pki", "tools", "backups"
_MODEL_FIELDS = ("model_provider", "model_url", "model_name", "model_key")


class Core:
    """An opened house without listeners: what a command needs, and what the server adds doors to."""

    def __init__(self, services: Services, context: Callable[[], ssl.SSLContext]) -> None:
        """Use `opened`."""
        self.services = services
        self.context = context


@asynccontextmanager
async def opened(loaded: Loaded, clock: Clock | None = None) -> AsyncIterator[Core]:
    """The house of the settings' data folder, locked and wired; closed on leaving.

    Raises DataFolderError (and its kinds) or ConfigError; nothing is left open then.
    """
    clock, settings = clock or SystemClock(), loaded.settings
    for name in loaded.unknown:
        log.warning("%s names no setting; is it misspelled?", field(name))
    async with AsyncExitStack() as stack:
        storage = await Storage.open(settings.data_dir, clock)
        stack.push_async_callback(storage.close)
        authority = await _authority(settings, storage, clock)
        services = await _wire(loaded, storage, authority, clock=clock, stack=stack)
        yield Core(services, authority.server_context)


async def _authority(settings: Settings, storage: Storage, clock: Clock) -> Authority:
    addresses = await asyncio.to_thread(_own_addresses, settings)
    return await asyncio.to_thread(
        Authority.open,
        settings.data_dir / PKI,
        install_id=storage.install_id,
        clock=clock,
        addresses=addresses,
        hostname=socket.gethostname(),
        extra_names=settings.hosts,
    )


def _own_addresses(settings: Settings) -> list[str]:
    """Where this server is reached, the best address first."""
    found = lan_addresses() if settings.bind in ANY_ADDRESS else [settings.bind]
    return [settings.advertise, *found] if settings.advertise else found


def _best_address(settings: Settings, certified: frozenset[str]) -> str:
    """The best own address that the certificate vouches for; this computer's own without one."""
    own = [one for one in _own_addresses(settings) if one in certified]
    return own[0] if own else "127.0.0.1"


async def _wire(
    loaded: Loaded, storage: Storage, authority: Authority, *, clock: Clock, stack: AsyncExitStack
) -> Services:
    settings, bus = loaded.settings, Bus()
    changes = Changes(storage, clock)
    hasher = Hasher(storage.secret)
    stack.callback(hasher.close)
    throttle = await Throttle.open(storage, clock)
    accounts = Accounts(storage, changes, clock=clock, bus=bus, hasher=hasher, throttle=throttle)
    sessions = Sessions(
        storage, accounts, clock=clock, bus=bus, hasher=hasher, throttle=throttle, changes=changes
    )
    api_tokens = ApiTokens(storage, accounts, clock=clock, bus=bus, changes=changes)
    house = House(
        storage, changes, bus=bus, overrides=_overrides(loaded), local_zone=local_zone(os.environ)
    )
    backups = Backups(settings.data_dir / BACKUPS)
    roster, events = Roster(storage, bus), Events(storage, clock=clock, bus=bus)
    hub = Hub(storage, clock=clock, bus=bus, roster=roster, events=events)
    workshop = Workshop.put_together(
        storage, clock, bus, devices=hub, folder=settings.data_dir / TOOLS, house=house.get
    )
    brain = _brain_of(await house.model())
    assistant = Assistant(
        storage, accounts, workshop, clock=clock, bus=bus, brain=lambda: services.brain, house=house.get
    )  # fmt: skip
    services = Services(
        clock=clock,
        bus=bus,
        live=Live(bus),
        addresses=_addresses(settings, authority),
        trust=Trust(
            ca_der=authority.ca_der,
            fingerprint=authority.fingerprint,
            identity=identity(storage.install_id),
        ),
        version=__version__,
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
        pairing_link=_pairing_link(settings, storage, authority),
        registry=Registry(
            storage,
            accounts,
            clock=clock,
            bus=bus,
            changes=changes,
            roster=roster,
            hub=hub,
            house_tools=lambda: workshop.toolboxes.names,
        ),
        hub=hub,
        events=events,
        assistant=assistant,
        proposals=workshop.proposals,
        tool_log=ToolLog(storage),
        library=workshop.library,
        export=Export(storage, accounts, clock=clock, changes=changes).export,
        delete_data=Deletion(
            storage, accounts, clock=clock, bus=bus, changes=changes, backups=backups
        ).delete_data,
        ready=False,
        loopback_setup=settings.loopback_setup,
    )
    keeper = BrainKeeper(services, house)
    stack.push_async_callback(keeper.close)
    bus.subscribe(HouseChanged, keeper.house_changed)
    return services


def _overrides(loaded: Loaded) -> Overrides:
    """What was set outside the house goes before what the house keeps."""
    settings = loaded.settings
    fixed = {name for name in (*_MODEL_FIELDS, "time_zone") if loaded.origin(name) != "default"}
    values = {
        "model_provider": settings.model_provider,
        "model_url": settings.model_url,
        "model_name": settings.model_name,
        "model_key": settings.model_key.reveal(),
    }
    model = {name: value for name, value in values.items() if name in fixed}
    return Overrides(settings.time_zone if "time_zone" in fixed else None, model)


def _addresses(settings: Settings, authority: Authority) -> Addresses:
    return Addresses(
        https_port=settings.port,
        http_port=settings.http_port,
        names=authority.names | authority.addresses,
        extra=settings.hosts,
    )


def _pairing_link(settings: Settings, storage: Storage, authority: Authority) -> LanPairingLink:
    host = _best_address(settings, authority.addresses | authority.names)
    return LanPairingLink(host, settings.port, pin=authority.pin, install_id=storage.install_id)


def _brain_of(choice: ModelChoice) -> Any:
    return make_brain(choice.provider, choice.url, choice.name, choice.key)


class BrainKeeper:
    """Puts another brain in place when the house chose one; a turn under way keeps the old one."""

    def __init__(self, services: Services, house: House) -> None:
        """The brain in `services` is in place."""
        self._services, self._house = services, house
        self._tasks = Tasks("brain")

    def house_changed(self, fact: HouseChanged) -> None:  # noqa: ARG002 - the fact says no more
        """Look what was chosen."""
        _ = self._tasks.start(self._replace(), "replace")

    async def _replace(self) -> None:
        self._services.brain = _brain_of(await self._house.model())

    async def close(self) -> None:
        """Let go of the brain's connections."""
        await self._tasks.close()
        await self._services.brain.close()


class Server:
    """The house with its doors open."""

    def __init__(self, core: Core, settings: Settings) -> None:
        """Not open yet."""
        self._core, self._settings = core, settings
        self._closing = AsyncExitStack()

    @property
    def services(self) -> Services:
        """What is served."""
        return self._core.services

    @property
    def address(self) -> str:
        """The https address on this computer or, where it listens on all, on the network."""
        host = _best_address(self._settings, self.services.addresses.names)
        return f"https://{f'[{host}]' if ':' in host else host}:{self._settings.port}"

    async def open(self) -> None:
        """Take commands, devices and people; raises CommandFailed with the remedy when a port is taken."""
        services, settings = self._core.services, self._settings
        for broken in services.library.broken:
            log.warning("tool file %s is left out: %s", field(broken.file), field(broken.sentence))
        await services.assistant.start()
        self._closing.push_async_callback(services.assistant.close)
        services.hub.start()
        self._closing.push_async_callback(services.hub.close_all)
        control = ControlServer(services, settings.data_dir)
        await control.start()
        self._closing.push_async_callback(control.close)
        with port_words(settings.bind, settings.port, "--port"):
            https = await open_https(
                services, host=settings.bind, port=settings.port, context=self._core.context()
            )
        self._closing.push_async_callback(https.close)
        with port_words(settings.bind, settings.http_port, "--http-port"):
            http = await open_http(services, host=settings.bind, port=settings.http_port)
        self._closing.push_async_callback(http.close)
        services.ready = True

    async def close(self) -> None:
        """Close every device with 1001, save the runs, and close the doors."""
        services = self._core.services
        services.ready = False
        await services.hub.close_all()
        await services.assistant.close()
        await services.live.close()
        await self._closing.aclose()


async def operate_alone(loaded: Loaded, request: Request) -> Any:
    """Open the house, carry one operation out and close it again; raises IraError."""
    async with opened(loaded) as core:
        return await perform(core.services, request)


def with_ports(settings: Settings) -> Settings:
    """The settings with a free port in place of each 0, since links and the Host list need the number."""
    port = settings.port or free_port(settings.bind)
    http_port = settings.http_port or free_port(settings.bind)
    return replace(settings, port=port, http_port=http_port)


async def serve(loaded: Loaded, ready: Callable[[Server], Awaitable[None]]) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is awaited once the server answers."""
    loaded = replace(loaded, settings=with_ports(loaded.settings))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        if os.name == "nt":
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))
        else:
            loop.add_signal_handler(name, stop.set)
    async with opened(loaded) as core:
        server = Server(core, loaded.settings)
        try:
            await server.open()
            await ready(server)
            await stop.wait()
        finally:
            await server.close()


@dataclass(frozen=True, slots=True)
class DemoHouse:
    """What the demo prints once it runs."""

    address: str
    sign_in: demo.SignIn
    qr: str


async def serve_demo(
    loaded: Loaded, ready: Callable[[DemoHouse], None], *, companion: bool
) -> None:
    """Serve the demo household, with this computer paired as a real device where `companion` says so."""
    data = loaded.settings.data_dir
    await asyncio.to_thread(demo.lay_out, data)
    sign_in = demo.sign_in_of(data)
    async with AsyncExitStack() as stack:

        async def furnish(server: Server) -> None:
            services = server.services
            owner = await demo.furnish(services.accounts, services.house, sign_in)
            if companion:
                helper = Companion(data, loaded.settings.port)
                if not await helper.is_paired():
                    kind = demo.kind_of(sys.platform)
                    code = await demo.companion_code(services.pairings, owner, sign_in, kind)
                    await helper.pair(code, data / demo.DOWNLOADS)
                helper.start()
                stack.push_async_callback(helper.close)
            ready(DemoHouse(server.address, sign_in, terminal(server.address)))

        await serve(loaded, furnish)
