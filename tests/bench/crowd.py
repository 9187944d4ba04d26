"""Aim 4: what a connected device costs in memory, when it comes back, and while nothing happens."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
import time

from tests.bench.calls import open_house
from tests.bench.child import Child
from tests.bench.machine import Cores
from tests.bench.sizes import Sizes
from tests.bench.wire import Devices

_A_PERSON = 4  # devices of one person
_FIRST = 16  # connected before memory is read, so that what all share is there already


async def measure(folder: Path, cores: Cores, sizes: Sizes) -> dict[str, float]:
    """The figures of a crowd of devices, all with their tools."""
    async with AsyncExitStack() as stack:
        house, port = await open_house(stack, folder / "crowd", cores)
        first = await _devices(house, folder / "crowd", port, _FIRST)
        await first.open()
        stack.push_async_callback(first.close)
        crowd = await _devices(house, folder / "crowd", port, sizes.devices)
        before = await _memory(house)
        await crowd.open()
        stack.push_async_callback(crowd.close)
        memory = await _memory(house) - before
        idle = await _idle(house, sizes)
        back = await _devices(house, folder / "crowd", port, sizes.reconnects)
        reconnect_s = await _reconnect(house, back)
    return {
        "device_kib": memory / sizes.devices,
        "reconnect_cpu_ms": reconnect_s / sizes.reconnects * 1e3,
        "idle_1000_cpu_percent": idle * 100,
    }


async def _devices(house: Child, folder: Path, port: int, count: int) -> Devices:
    people = await house.do("people", count=-(-count // _A_PERSON), devices=_A_PERSON)
    tokens = [device["token"] for person in people for device in person["devices"]]
    return Devices(folder, port, tokens[:count])


async def _memory(house: Child) -> int:
    await house.do("settle")
    return house.rss_kib


async def _reconnect(house: Child, devices: Devices) -> float:
    """Seconds of the server's CPU for all of them to leave and to come back, as known devices."""
    await devices.open()
    await devices.close()
    before = await house.do("cpu")
    await devices.open()
    used: float = await house.do("cpu") - before
    await devices.close()
    return used


async def _idle(house: Child, sizes: Sizes) -> float:
    """The share of a core that the server uses for 1,000 idle devices."""
    before, began = await house.do("cpu"), time.perf_counter()
    await asyncio.sleep(sizes.idle_s)
    used: float = await house.do("cpu") - before
    return used / (time.perf_counter() - began) / sizes.devices * 1_000
