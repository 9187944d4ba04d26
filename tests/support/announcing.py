"""A server that is announced on loopback as Ira's are, without a server behind it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

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
