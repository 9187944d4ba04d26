"""A server that is announced on loopback as Ira's are, without a server behind it; and an announcer that is silent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from ira_home.net.mdns import AnnouncementFailed, Announcer, Notice, Said
from ira_home.protocol.discovery import INSTALL_ID, SERVICE_TYPE

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def announced(
    install_id: str | None, *, name: str = "Test house", port: int = 8443
) -> AsyncIterator[None]:
    """Announce it for the time of the block; without an id nothing but its address is told."""
    properties = {} if install_id is None else {INSTALL_ID: install_id}
    info = ServiceInfo(
        SERVICE_TYPE,
        f"{name}.{SERVICE_TYPE}",
        port=port,
        server=f"ira-{install_id or 'x'}.local.",
        parsed_addresses=[LOOPBACK],
        properties=properties,
    )
    announcer = AsyncZeroconf(interfaces=[LOOPBACK])
    try:
        await (await announcer.async_register_service(info))
        yield
    finally:
        await announcer.async_unregister_all_services()
        await announcer.async_close()


class Crier(Announcer):
    """Says nothing aloud; fails as it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.cried: list[Notice] = []
        self.faults: list[AnnouncementFailed] = []
        self.everywhere, self.goodbyes = True, 0
        self.heard: asyncio.Queue[Notice] = asyncio.Queue()

    async def announce(self, notice: Notice) -> Said:
        self.cried.append(notice)
        self.heard.put_nowait(notice)
        if self.faults:
            raise self.faults.pop(0)
        return Said(notice.name, self.everywhere)

    async def withdraw(self) -> None:
        self.goodbyes += 1
