"""A person asks over HTTPS, the built-in brain calls a tool of a device, the answer comes back."""

from contextlib import AsyncExitStack
from pathlib import Path
import time

import aiohttp

from ira_home.web.guard import COOKIE
from tests.bench.calls import open_house
from tests.bench.child import Child
from tests.bench.lag import lagging
from tests.bench.machine import Cores, quantile, quarter_core
from tests.bench.sizes import Sizes
from tests.bench.wire import TOOL, Devices, trust_of

QUESTION = "What colour is the lamp in the kitchen?"
_WARM = 3


class Person:
    """A signed-in person with one connected device."""

    def __init__(self, house: Child, folder: Path, port: int) -> None:
        """Of this house."""
        self._house, self._folder, self._port = house, folder, port
        self._base = f"https://127.0.0.1:{port}"
        self._session: aiohttp.ClientSession | None = None
        self._headers: dict[str, str] = {}

    async def enter(self, stack: AsyncExitStack, *, through: int | None = None) -> None:
        """Sign in, and connect the device, `through` another port where one is given."""
        found = (await self._house.do("people", count=1, devices=1))[0]
        cookie = await self._house.do("sign_in", email=found["email"])
        self._headers = {
            "Cookie": f"{COOKIE}={cookie}",
            "Origin": self._base,
            "Sec-Fetch-Site": "same-origin",
        }
        connector = aiohttp.TCPConnector(ssl=trust_of(self._folder))
        self._session = aiohttp.ClientSession(connector=connector)
        stack.push_async_callback(self._session.close)
        token = found["devices"][0]["token"]
        devices = Devices(self._folder, self._port, [token], through=through)
        await devices.open()
        stack.push_async_callback(devices.close)

    async def ask(self) -> float:
        """Seconds until the whole answer of `/v1/ask` is there."""
        assert self._session is not None
        began = time.perf_counter()
        async with self._session.post(
            f"{self._base}/v1/ask", json={"text": QUESTION}, headers=self._headers
        ) as reply:
            answer = await reply.json()
        took = time.perf_counter() - began
        assert [(use["tool"], use["outcome"]) for use in answer["tools"]] == [(TOOL, "done")], (
            answer
        )
        return took


async def measure(folder: Path, cores: Cores, sizes: Sizes) -> dict[str, float]:
    """The figures of asking, plain and under bad conditions."""
    async with AsyncExitStack() as stack:
        house, port = await open_house(stack, folder / "asks", cores)
        near, far = Person(house, folder / "asks", port), Person(house, folder / "asks", port)
        await near.enter(stack)
        await far.enter(stack, through=await stack.enter_async_context(lagging(port)))
        for _ in range(_WARM):
            await near.ask()
            await far.ask()
        before = await house.do("cpu")
        plain = [await near.ask() for _ in range(sizes.asks)]
        cpu = await house.do("cpu") - before
        async with quarter_core(house.pid):
            shaped = [await far.ask() for _ in range(sizes.shaped_asks)]
    return {
        "ask_p50_ms": quantile(plain, 0.5) * 1e3,
        "ask_p99_ms": quantile(plain, 0.99) * 1e3,
        "ask_cpu_ms": cpu / sizes.asks * 1e3,
        "ask_p50_ms_shaped": quantile(shaped, 0.5) * 1e3,
        "ask_p95_ms_shaped": quantile(shaped, 0.95) * 1e3,
    }
