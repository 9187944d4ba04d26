"""A device at work in the background."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ira_device import Device
from ira_home.base.errors import IraError


@asynccontextmanager
async def at_work(device: Device) -> AsyncIterator["asyncio.Task[None]"]:
    """The device stays connected until the block ends; the task tells how it ended by itself."""
    task = asyncio.ensure_future(device.serve())
    try:
        yield task
    finally:
        device.stop()
        with suppress(IraError):
            await task
