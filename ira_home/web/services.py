"""What a handler can reach: one attribute per class of the floors below, filled in by app."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ira_home.web.arrivals import Arrivals

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from ira_home.access.accounts import Accounts
    from ira_home.access.api_tokens import ApiTokens
    from ira_home.access.changes import Changes
    from ira_home.access.credentials import Credentials
    from ira_home.access.idempotency import Idempotency
    from ira_home.access.invitations import Invitations
    from ira_home.access.sessions import Sessions
    from ira_home.access.settings import PersonSettingsBook
    from ira_home.assistant.assistant import Assistant
    from ira_home.base.clock import Clock
    from ira_home.base.ids import PersonId
    from ira_home.base.pubsub import Bus
    from ira_home.channels.live import Live
    from ira_home.devices.events import Events
    from ira_home.devices.hub import Hub
    from ira_home.devices.pairing import Pairings
    from ira_home.devices.registry import Registry
    from ira_home.domain.diagnosis import Finding
    from ira_home.domain.house import ModelChoice
    from ira_home.domain.network import NetworkView
    from ira_home.domain.people import Principal
    from ira_home.domain.ports import LanguageModel, LocalBrains, NewsReader, PairingLink, WebSearch
    from ira_home.household.authority import AuthorityBook
    from ira_home.household.backups import Backups
    from ira_home.household.first_run import FirstRun
    from ira_home.household.health import HealthLook
    from ira_home.household.house import House
    from ira_home.household.server_log import LogReader
    from ira_home.household.support_bundle import SupportBundle
    from ira_home.household.usage import Usage
    from ira_home.net.certificates import Authority, CaShown, Keeper
    from ira_home.tools.library import Library
    from ira_home.tools.log import ToolLog
    from ira_home.tools.proposals import Proposals


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """By which names and ports this server may be called (reference: Host allow-list).

    `names` are host names and addresses in the certificate; `extra` further `name` or `name:port`
    of the operator. An IP literal is good when it is the connection's own local address.
    """

    https_port: int
    http_port: int
    names: frozenset[str]
    extra: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What a device needs to trust this server: the CA as DER, and its SHA-256 for the eye.

    `cas`: the authority in force, and after it the next one while there is one.
    """

    ca_der: bytes
    fingerprint: str
    identity: str  # ira-<id>.local
    cas: tuple[CaShown, ...] = ()

    @property
    def next_ca(self) -> CaShown | None:
        """The authority that will sign next, while one takes over from the other."""
        return self.cas[1] if len(self.cas) > 1 else None


@dataclass(slots=True, kw_only=True)
class Services:
    """The whole house below the web, as handlers see it.

    `network` gives the present state of the network; `addresses`, `trust` and `pairing_link` are
    replaced when that or the certificates change, so they are read anew at each use. `brain` is the
    model that answers now; `try_brain` asks another one, and raises like `LanguageModel.check`. `check_writing` raises Unavailable while nothing can be
    kept. `diagnose` looks why devices cannot connect. `ready` is false until the server has started and again while it stops. `here` maps page
    modules' own objects (templates, say) by name.
    """

    clock: Clock
    bus: Bus
    live: Live
    network: Callable[[], NetworkView]
    addresses: Addresses
    trust: Trust
    authority: Authority
    certificates: Keeper
    authority_book: AuthorityBook
    version: str
    data_dir: Path
    brain: LanguageModel
    try_brain: Callable[[ModelChoice], Awaitable[str]]
    local_brains: LocalBrains
    usage: Usage
    search: WebSearch
    feeds: NewsReader
    accounts: Accounts
    sessions: Sessions
    api_tokens: ApiTokens
    credentials: Credentials
    changes: Changes
    person_settings: PersonSettingsBook
    idempotency: Idempotency
    invitations: Invitations
    first_run: FirstRun
    house: House
    backups: Backups
    pairings: Pairings
    pairing_link: PairingLink
    registry: Registry
    hub: Hub
    events: Events
    assistant: Assistant
    proposals: Proposals
    tool_log: ToolLog
    server_log: LogReader
    health: HealthLook
    support: SupportBundle
    library: Library
    export: Callable[[PersonId], Awaitable[dict[str, Any]]]
    delete_data: Callable[[Principal, str], Awaitable[dict[str, Any]]]
    check_writing: Callable[[], Awaitable[None]]
    diagnose: Callable[[], Awaitable[tuple[Finding, ...]]]
    ready: bool = True
    loopback_setup: bool = True  # whether this machine itself makes the owner without the code
    arrivals: Arrivals = field(default_factory=Arrivals)
    here: dict[str, Any] = field(default_factory=dict)
