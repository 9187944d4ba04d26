"""A house opened from its settings, without listeners."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
import logging
from pathlib import Path
import socket
import ssl
from typing import Any

from ira_home.app.network import Network
from ira_home.app.wiring import Around, wire
from ira_home.base.clock import Clock, SystemClock
from ira_home.base.errors import ConfigError, IraError
from ira_home.base.log import field
from ira_home.base.server_log import ServerLog
from ira_home.config.load import Loaded
from ira_home.config.settings import Settings
from ira_home.control.operation import perform
from ira_home.control.wire import Request
from ira_home.household.authority import check_authority
from ira_home.net.certificates import Authority, OwnCertificate
from ira_home.net.interfaces import own_networks
from ira_home.providers.addresses import AddressPolicy
from ira_home.storage.storage import Storage
from ira_home.web.services import Services

log = logging.getLogger(__name__)
PKI = "pki"


@dataclass(frozen=True, slots=True)
class Core:
    """An opened house without listeners: what a command needs, and what the server adds doors to."""

    services: Services
    storage: Storage
    context: Callable[[], ssl.SSLContext]
    network: Network


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
        server_log = stack.enter_context(ServerLog())
        storage = await Storage.open(settings.data_dir, clock, make=make)
        stack.push_async_callback(storage.close)
        network = await Network.look(settings.bind, settings.advertise, clock)
        pki = settings.data_dir / PKI
        await check_authority(
            storage, pki, is_there=Authority.is_in(pki), may_make=make, new_ca=new_ca
        )
        authority = await asyncio.to_thread(
            Authority.open,
            pki,
            install_id=storage.install_id,
            clock=clock,
            addresses=network.addresses,
            hostname=socket.gethostname(),
            extra_names=[one.partition(":")[0] for one in settings.hosts],
            constrained=settings.name_constraints,
        )
        if (own := _own(settings, clock)) is not None:
            await asyncio.to_thread(authority.serve_own, own)
        network.certified(authority.addresses)
        services = await wire(
            loaded,
            storage,
            authority,
            Around(
                clock=clock, network=network, server_log=server_log,
                policy=policy or AddressPolicy(own_networks),
            ),
            stack=stack,
        )  # fmt: skip
        try:
            await services.authority_book.write_up(authority.pins)
        except IraError as error:
            # It is written down at a later look; a full disk must not keep the house closed.
            log.warning("the change log is behind: %s", error.message)
        yield Core(services, storage, authority.server_context, network)


def _own(settings: Settings, clock: Clock) -> OwnCertificate | None:
    if not settings.tls_cert:
        if settings.tls_key:
            message = "tls_key is the key of tls_cert, which is not set. Set both, or none."
            raise ConfigError(message)
        return None
    return OwnCertificate(
        Path(settings.tls_cert), Path(settings.tls_key or settings.tls_cert), clock
    )


async def operate_alone(loaded: Loaded, request: Request, *, make: bool = False) -> Any:
    """Open the house, carry one operation out and close it again; raises IraError.

    Where there is no house, only `make` lets one be made.
    """
    async with opened(loaded, make=make) as core:
        return await perform(core.services, request)
