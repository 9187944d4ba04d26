"""The house with its doors open, until a signal closes them."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
import logging

from ira_home.app.announcing import Announcing
from ira_home.app.core import Core, opened
from ira_home.app.upkeep import Upkeep
from ira_home.app.watch import Watch
from ira_home.base.log import field
from ira_home.base.signals import stop_event
from ira_home.config.load import Loaded
from ira_home.config.settings import Settings
from ira_home.control.server import ControlServer
from ira_home.net.addresses import Entrance, listening
from ira_home.net.mdns import Notice
from ira_home.net.ports import FLAGS, Flags, chosen_ports, port_words
from ira_home.storage.storage import Storage
from ira_home.web.server import open_http, open_https
from ira_home.web.services import Services

log = logging.getLogger(__name__)


class Server:
    """The house with its doors open."""

    def __init__(self, core: Core, settings: Settings, flags: Flags = FLAGS) -> None:
        """Not open yet; `flags` tell in the sentence on a taken port how another is chosen."""
        self._core, self._settings, self._flags = core, settings, flags
        self.entrance = Entrance(core.network.reach, settings.port, settings.http_port)
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
        self._watch_network()
        upkeep = Upkeep(services.certificates, services.clock, self._write_up)
        upkeep.start()
        self._closing.push_async_callback(upkeep.close)

    async def _write_up(self) -> None:
        services = self._core.services
        await services.authority_book.write_up(services.authority.pins)

    def _watch_network(self) -> None:
        services, network = self._core.services, self._core.network
        announcing = None
        if self._settings.mdns:
            announcing = Announcing(network, self._notice, clock=services.clock, bus=services.bus)
            announcing.start()
            self._closing.push_async_callback(announcing.close)
        watch = Watch(network, services.certificates, services.clock, announcing)
        watch.start()
        self._closing.push_async_callback(watch.close)

    async def _notice(self) -> Notice:
        """What the neighbours are told of this server now."""
        services, network = self._core.services, self._core.network
        return Notice(
            name=(await services.house.get()).name,
            install_id=self.storage.install_id,
            port=self._settings.port,
            pin=services.authority.pin,
            may_pair=await services.accounts.is_set_up(),
            addresses=network.told,
            cards=network.seen.neighbourly,
        )

    async def close(self) -> None:
        """Close every device with 1001, save the runs, and close the doors."""
        services = self._core.services
        services.ready = False
        await services.hub.close_all()
        await services.assistant.close()
        await services.live.close()
        await self._closing.aclose()


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
