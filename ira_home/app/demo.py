"""The demo household, served."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
import sys

from ira_home.app.server import Server, serve, with_ports
from ira_home.base.addresses import this_computer
from ira_home.config.load import Loaded
from ira_home.household import demo
from ira_home.household.companion import Companion
from ira_home.net.ports import DEMO_FLAGS
from ira_home.net.qr import terminal


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
