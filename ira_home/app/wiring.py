"""What is made of the settings, and who is handed what: the one place that knows every class."""

from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
import os

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
from ira_home.app.network import Network
from ira_home.app.trust import follow, public_facts, trust_of
from ira_home.assistant.assistant import Assistant
from ira_home.base.addresses import in_url
from ira_home.base.clock import Clock
from ira_home.base.pubsub import Bus
from ira_home.base.server_log import ServerLog
from ira_home.channels.live import Live
from ira_home.config.load import Loaded
from ira_home.config.time_zone import local_zone
from ira_home.devices.events import Events
from ira_home.devices.hub import Hub
from ira_home.devices.pairing import Pairings
from ira_home.devices.registry import Registry
from ira_home.devices.roster import Roster
from ira_home.domain.facts import AddressPicked, HouseChanged
from ira_home.domain.house import ModelChoice
from ira_home.domain.ports import LanguageModel
from ira_home.household.authority import AuthorityBook
from ira_home.household.backups import Backups
from ira_home.household.brain import BrainKeeper, try_out
from ira_home.household.deletion import Deletion
from ira_home.household.export import Export
from ira_home.household.first_run import FirstRun
from ira_home.household.health import HealthLook
from ira_home.household.house import House
from ira_home.household.server_log import LogReader
from ira_home.household.support_bundle import Sources, SupportBundle
from ira_home.household.usage import Usage
from ira_home.net.certificates import Authority, Keeper
from ira_home.net.diagnosis import Diagnosis, Ground
from ira_home.net.links import LanPairingLink
from ira_home.providers.addresses import AddressPolicy
from ira_home.providers.brains import make_brain
from ira_home.providers.internet import PublicInternet
from ira_home.providers.llm.local import LocalServers
from ira_home.storage.probe import Probe
from ira_home.storage.storage import Storage
from ira_home.tools.log import ToolLog
from ira_home.tools.workshop import Workshop
from ira_home.web.services import Addresses, Services

TOOLS, BACKUPS = "tools", "backups"


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a house stands in; `policy` says where search and feeds may go."""

    clock: Clock
    network: Network
    policy: AddressPolicy
    server_log: ServerLog


async def wire(
    loaded: Loaded,
    storage: Storage,
    authority: Authority,
    around: Around,
    *,
    stack: AsyncExitStack,
) -> Services:
    """Everything that handlers reach, wired; what must be closed is left with `stack`."""
    settings, bus = loaded.settings, Bus()
    clock, network = around.clock, around.network
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
        feeds_named=settings.feeds, addresses=lambda: network.addresses,
        set_outside=loaded.set_outside,
    )  # fmt: skip
    network.pick(await house.picked())
    internet = PublicInternet(around.policy, clock, house)
    stack.push_async_callback(internet.close)
    backups = Backups(settings.data_dir / BACKUPS)
    roster, events = (
        Roster(storage, bus),
        Events(storage, clock=clock, bus=bus, house_zone=house.zone),
    )
    hub = Hub(storage, clock=clock, bus=bus, roster=roster, events=events)
    hub.pins = authority.pins
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

    def link() -> LanPairingLink:
        return LanPairingLink(
            network.link, settings.port, pin=authority.pin, install_id=storage.install_id
        )

    diagnosis = Diagnosis(
        Ground(
            bind=settings.bind, port=settings.port, http_port=settings.http_port,
            install_id=storage.install_id, clock=clock, authority=authority, network=network.view,
            serving=lambda: services.ready,
        )
    )  # fmt: skip
    registry = Registry(
        storage,
        accounts,
        clock=clock,
        bus=bus,
        changes=changes,
        roster=roster,
        hub=hub,
        house_tools=lambda: workshop.toolboxes.names,
    )
    health = HealthLook(storage, clock)
    support = SupportBundle(
        storage, house, health, backups=backups, registry=registry, clock=clock,
        sources=Sources(
            version=__version__, settings=lambda kept: loaded.with_stored(kept).rows(),
            diagnose=diagnosis.look, certificates=lambda: public_facts(authority),
            log=around.server_log.lines, tools=len(workshop.library.tools),
            broken=len(workshop.library.broken),
        ),
    )  # fmt: skip
    services = Services(
        clock=clock,
        bus=bus,
        live=Live(bus),
        network=network.view,
        addresses=Addresses(
            https_port=settings.port,
            http_port=settings.http_port,
            names=authority.names | authority.addresses,
            # What was given may be a router's or a container's computer's: calls come in by another.
            extra=(*settings.hosts, *map(in_url, network.doors.given)),
        ),
        trust=trust_of(authority),
        authority=authority,
        certificates=Keeper(authority, bus, storage.devices.ids),
        authority_book=AuthorityBook(storage, changes),
        version=__version__,
        data_dir=settings.data_dir,
        brain=brain,
        try_brain=lambda choice: try_out(usage.counted(_brain_of(choice))),
        local_brains=LocalServers(),
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
        first_run=FirstRun(storage, accounts, throttle),
        house=house,
        backups=backups,
        pairings=Pairings(
            storage, accounts, clock=clock, bus=bus, changes=changes, throttle=throttle
        ),
        pairing_link=link(),
        registry=registry,
        hub=hub,
        events=events,
        assistant=assistant,
        proposals=workshop.proposals,
        tool_log=ToolLog(storage),
        server_log=stack.enter_context(closing(LogReader(around.server_log, clock=clock, bus=bus))),
        health=health,
        support=support,
        library=workshop.library,
        export=Export(storage, accounts, clock=clock, changes=changes).export,
        delete_data=Deletion(
            storage, accounts, clock=clock, bus=bus, changes=changes, backups=backups
        ).delete_data,
        check_writing=Probe(storage, settings.data_dir, clock).check,
        diagnose=diagnosis.look,
        ready=False,
        loopback_setup=settings.loopback_setup,
    )
    follow(services, authority, network, link)
    bus.subscribe(AddressPicked, lambda fact: network.pick(fact.address))
    keeper = BrainKeeper(services, house, lambda choice: usage.counted(_brain_of(choice)))
    stack.push_async_callback(keeper.close)
    bus.subscribe(HouseChanged, keeper.house_changed)
    return services


def _brain_of(choice: ModelChoice) -> LanguageModel:
    return make_brain(choice.provider, choice.url, choice.name, choice.key)
