"""The composition root: settings become one wired house, which is opened, served and closed here."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
import logging
import os
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
from ira_home.base.addresses import this_computer
from ira_home.base.clock import Clock, SystemClock
from ira_home.base.discover import modules
from ira_home.base.log import field
from ira_home.base.pubsub import Bus
from ira_home.base.signals import stop_event
from ira_home.channels.live import Live
from ira_home.config.load import Loaded
from ira_home.config.settings import Settings
from ira_home.config.time_zone import local_zone
from ira_home.control.operation import operations, perform
from ira_home.control.server import ControlServer
from ira_home.control.wire import Request
from ira_home.devices.events import Events
from ira_home.devices.hub import Hub
from ira_home.devices.pairing import Pairings
from ira_home.devices.registry import Registry
from ira_home.devices.roster import Roster
from ira_home.domain.devices import DeviceKind
from ira_home.domain.facts import HouseChanged
from ira_home.domain.house import ModelChoice
from ira_home.domain.ports import LanguageModel
from ira_home.household import demo
from ira_home.household.authority import check_authority
from ira_home.household.backups import Backups
from ira_home.household.brain import BrainKeeper
from ira_home.household.companion import Companion
from ira_home.household.deletion import Deletion
from ira_home.household.export import Export
from ira_home.household.first_run import FirstRun
from ira_home.household.house import House
from ira_home.household.usage import Usage
from ira_home.net.addresses import Entrance, Reach, listening, own_addresses, own_networks
from ira_home.net.certificates import Authority
from ira_home.net.links import LanPairingLink
from ira_home.net.names import identity
from ira_home.net.ports import DEMO_FLAGS, FLAGS, Flags, chosen_ports, port_words
from ira_home.net.qr import terminal
from ira_home.providers.addresses import AddressPolicy
from ira_home.providers.brains import make_brain, providers
from ira_home.providers.internet import PublicInternet
from ira_home.storage.migrate import shipped
from ira_home.storage.probe import Probe
from ira_home.storage.storage import Storage
from ira_home.tools.declare import tools_in
from ira_home.tools.library import BUILTIN
from ira_home.tools.log import ToolLog
from ira_home.tools.workshop import Workshop
from ira_home.web.pages.assets import assets
from ira_home.web.pages.view import environment
from ira_home.web.pages.words import FOLDER as LOCALES
from ira_home.web.server import all_routes, open_http, open_https
from ira_home.web.services import Addresses, Services, Trust

log = logging.getLogger(__name__)
PKI, TOOLS, BACKUPS = "pki", "tools", "backups"


@dataclass(frozen=True, slots=True)
class Core:
    """An opened house without listeners: what a command needs, and what the server adds doors to."""

    services: Services
    storage: Storage
    context: Callable[[], ssl.SSLContext]
    reach: Reach


@asynccontextmanager
async def opened(
    loaded: Loaded, clock: Clock | None = None, *, make: bool = True, new_ca: bool = False,
    policy: AddressPolicy | None = None,
) -> AsyncIterator[Core]:  # fmt: skip
    """The house of the settings' data folder, locked and wired; closed on leaving.

    `make`: where there is none, one is made. `new_ca`: a lost certificate authority is replaced
    although paired devices know the old one. `policy`: where search and feeds may go, by default to
    public addresses outside this house. Raises DataFolderError (and its kinds, NoHouse among
    them), CommandFailed or ConfigError; nothing is left open then.
    """
    clock, settings = clock or SystemClock(), loaded.settings
    for name in loaded.unknown:
        log.warning("%s names no setting; is it misspelled?", field(name))
    async with AsyncExitStack() as stack:
        storage = await Storage.open(settings.data_dir, clock, make=make)
        stack.push_async_callback(storage.close)
        own = await asyncio.to_thread(own_addresses, settings.bind, settings.advertise)
        pki = settings.data_dir / PKI
        await check_authority(
            storage, pki, is_there=Authority.is_in(pki), may_make=make, new_ca=new_ca
        )
        authority = await asyncio.to_thread(
            Authority.open,
            pki,
            install_id=storage.install_id,
            clock=clock,
            addresses=own,
            hostname=socket.gethostname(),
            extra_names=settings.hosts,
        )
        reach = Reach.of(own, certified=authority.addresses, bind=settings.bind)
        services = await _wire(
            loaded, storage, authority, host=reach.link, clock=clock, stack=stack,
            policy=policy or AddressPolicy(own_networks),
        )  # fmt: skip
        yield Core(services, storage, authority.server_context, reach)


async def _wire(
    loaded: Loaded,
    storage: Storage,
    authority: Authority,
    *,
    host: str,
    clock: Clock,
    stack: AsyncExitStack,
    policy: AddressPolicy,
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
        storage, changes, bus=bus, in_force=loaded.in_force, local_zone=local_zone(os.environ),
        feeds_named=settings.feeds,
    )  # fmt: skip
    internet = PublicInternet(policy, clock, house)
    stack.push_async_callback(internet.close)
    backups = Backups(settings.data_dir / BACKUPS)
    roster, events = Roster(storage, bus), Events(storage, clock=clock, bus=bus)
    hub = Hub(storage, clock=clock, bus=bus, roster=roster, events=events)
    workshop = Workshop.put_together(
        storage, clock, bus, devices=hub, folder=settings.data_dir / TOOLS, house=house,
        internet=internet,
    )  # fmt: skip
    usage = Usage(storage, clock)
    stack.push_async_callback(usage.close)
    brain = usage.counted(_brain_of(await house.model()))
    assistant = Assistant(
        storage, accounts, workshop, clock=clock, bus=bus, brain=lambda: services.brain, house=house.get
    )  # fmt: skip
    services = Services(
        clock=clock,
        bus=bus,
        live=Live(bus),
        addresses=Addresses(
            https_port=settings.port,
            http_port=settings.http_port,
            names=authority.names | authority.addresses,
            extra=settings.hosts,
        ),
        trust=Trust(
            ca_der=authority.ca_der,
            fingerprint=authority.fingerprint,
            identity=identity(storage.install_id),
        ),
        version=__version__,
        brain=brain,
        usage=usage,
        search=internet.search,
        feeds=internet.feeds,
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
            host, settings.port, pin=authority.pin, install_id=storage.install_id
        ),
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
        check_writing=Probe(storage, settings.data_dir, clock).check,
        ready=False,
        loopback_setup=settings.loopback_setup,
    )
    keeper = BrainKeeper(services, house, lambda choice: usage.counted(_brain_of(choice)))
    stack.push_async_callback(keeper.close)
    bus.subscribe(HouseChanged, keeper.house_changed)
    return services


def _brain_of(choice: ModelChoice) -> LanguageModel:
    return make_brain(choice.provider, choice.url, choice.name, choice.key)


class Server:
    """The house with its doors open."""

    def __init__(self, core: Core, settings: Settings, flags: Flags = FLAGS) -> None:
        """Not open yet; `flags` tell in the sentence on a taken port how another is chosen."""
        self._core, self._settings, self._flags = core, settings, flags
        self.entrance = Entrance(core.reach, settings.port, settings.http_port)
        self._closing = AsyncExitStack()

    @property
    def services(self) -> Services:
        """What is served."""
        return self._core.services

    @property
    def storage(self) -> Storage:
        """Where it is kept."""
        return self._core.storage

    async def open(self) -> None:
        """Take commands, devices and people; raises CommandFailed with the remedy when a port is taken."""
        services, settings = self._core.services, self._settings
        for broken in services.library.broken:
            log.warning("%s", field(broken.sentence))
        await services.assistant.start()
        self._closing.push_async_callback(services.assistant.close)
        services.hub.start()
        self._closing.push_async_callback(services.hub.close_all)
        control = ControlServer(services, settings.data_dir)
        await control.start()
        self._closing.push_async_callback(control.close)
        hosts = listening(settings.bind)
        with port_words(settings.bind, settings.port, self._flags.port):
            https = await open_https(
                services, hosts=hosts, port=settings.port, context=self._core.context()
            )
        self._closing.push_async_callback(https.close)
        with port_words(settings.bind, settings.http_port, self._flags.http_port):
            http = await open_http(services, hosts=hosts, port=settings.http_port)
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


async def operate_alone(loaded: Loaded, request: Request, *, make: bool = False) -> Any:
    """Open the house, carry one operation out and close it again; raises IraError.

    Where there is no house, only `make` lets one be made.
    """
    async with opened(loaded, make=make) as core:
        return await perform(core.services, request)


def with_ports(settings: Settings) -> Settings:
    """The settings with a free port in place of each 0, since links and the Host list need the number."""
    port, http_port = chosen_ports(settings.bind, settings.port, settings.http_port)
    return replace(settings, port=port, http_port=http_port)


async def serve(
    loaded: Loaded,
    ready: Callable[[Server], Awaitable[None]],
    *,
    new_ca: bool = False,
    flags: Flags = FLAGS,
) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is awaited once the server answers."""
    loaded = replace(loaded, settings=with_ports(loaded.settings))
    stop = stop_event()
    async with opened(loaded, new_ca=new_ca) as core:
        server = Server(core, loaded.settings, flags)
        try:
            await server.open()
            await ready(server)
            await stop.wait()
        finally:
            await server.close()


@dataclass(frozen=True, slots=True)
class DemoHouse:
    """What the demo prints once it runs; the QR code leads to the server's address."""

    server: Server
    sign_in: demo.SignIn
    qr: str


async def serve_demo(
    loaded: Loaded, ready: Callable[[DemoHouse], None], *, companion: bool
) -> None:
    """Serve the demo household, with this computer paired as a real device where `companion` says so."""
    settings = with_ports(loaded.settings)
    loaded, data = replace(loaded, settings=settings), settings.data_dir
    await asyncio.to_thread(demo.lay_out, data)
    sign_in = demo.sign_in_of(data)
    async with AsyncExitStack() as stack:

        async def furnish(server: Server) -> None:
            services = server.services
            owner = await demo.furnish(
                services.accounts, services.house, server.storage, services.clock, sign_in
            )
            if companion:
                helper = Companion(data, this_computer(settings.bind), settings.port)
                if not await helper.is_paired():
                    kind = demo.kind_of(sys.platform)
                    code = await demo.companion_code(services.pairings, owner, sign_in, kind)
                    await helper.pair(code, data / demo.DOWNLOADS)
                await helper.start(services.bus)
                stack.push_async_callback(helper.close)
            ready(DemoHouse(server, sign_in, terminal(server.entrance.shown)))

        await serve(loaded, furnish, flags=DEMO_FLAGS)


def parts() -> dict[str, int]:
    """How many there are of what is found at run time; a broken installation has none of something.

    Raises DataFolderError or OSError where a part cannot even be looked for.
    """
    return {
        "tools": sum(len(tools_in(module)) for module in modules(BUILTIN)),
        "kinds": len(DeviceKind),
        "channels": len(list(modules("ira_home.channels"))),
        "brains": len(providers()),
        "operations": len(operations()),
        "routes": len(all_routes()),
        "pages": len(environment().list_templates()),
        "assets": len(assets().files),
        "locales": len(list(LOCALES.glob("*.json"))),
        "migrations": len(shipped()),
    }


@asynccontextmanager
async def built_in_brain() -> AsyncIterator[LanguageModel]:
    """The brain that needs no key, without a house around it."""
    brain = make_brain("none", None, None, None)
    try:
        yield brain
    finally:
        await brain.close()
