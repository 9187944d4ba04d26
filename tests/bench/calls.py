"""Aims 1 and 2: a call of a device beside an echo, in turns."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.bench.child import Child, child
from tests.bench.echo import IN_FLIGHT, LINES, EchoClient
from tests.bench.machine import Cores, median
from tests.bench.sizes import Sizes
from tests.bench.wire import Devices
from tests.support.ports import free_port

Round = dict[str, float]
_WARM = 8  # of how many a round's calls one part is, made before the first round


async def open_house(stack: AsyncExitStack, folder: Path, cores: Cores) -> tuple[Child, int]:
    """A running server on a fresh folder, and its port."""
    port = free_port()
    house = await stack.enter_async_context(
        child(
            "tests.bench.house", folder, port, free_port(), core=cores.server, folder=folder.parent
        )
    )
    return house, port


@dataclass
class Contest:
    """Echo and Ira, both running and connected."""

    client: EchoClient
    house: Child
    people: list[int]

    async def round(self, sizes: Sizes, part: int = 1) -> tuple[Round, Round]:
        """One round of each."""
        single, many = sizes.single // part, max(sizes.many // part, LINES * IN_FLIGHT)
        echo = await self.client.one_at_a_time(single)
        ira = await self.house.do("one_at_a_time", person=self.people[0], count=single)
        echo_many = await self.client.many(many)
        ira_many = await self.house.do("many", people=self.people, lanes=IN_FLIGHT, count=many)
        one_line = await self.client.many(many, lines=1)
        echo |= {"cpu_us_64": echo_many["cpu_us"], "per_s_64": echo_many["per_s"]}
        echo["cpu_us_64_one_line"] = one_line["cpu_us"]
        ira |= {"cpu_us_64": ira_many["cpu_us"], "per_s_64": ira_many["per_s"]}
        return echo, ira


async def measure(folder: Path, cores: Cores, sizes: Sizes) -> Round:
    """The figures of the calls: ratios are medians of the rounds' ratios."""
    async with AsyncExitStack() as stack:
        port = free_port()
        server = await stack.enter_async_context(
            child("tests.bench.echo", folder / "echo", port, core=cores.server, folder=folder)
        )
        client = EchoClient(server, folder / "echo", port)
        await client.open()
        stack.push_async_callback(client.close)
        house, port = await open_house(stack, folder / "calls", cores)
        people = await house.do("people", count=LINES, devices=1)
        tokens = [device["token"] for person in people for device in person["devices"]]
        devices = Devices(folder / "calls", port, tokens)
        await devices.open()
        stack.push_async_callback(devices.close)
        contest = Contest(client, house, [person["person"] for person in people])
        await contest.round(sizes, _WARM)
        return _figures([await contest.round(sizes) for _ in range(sizes.rounds)])


def _figures(rounds: list[tuple[Round, Round]]) -> Round:
    def ratio(of_ira: str, of_echo: str) -> float:
        return median([ira[of_ira] / echo[of_echo] for echo, ira in rounds])

    figures = {
        "call_p50_ratio": ratio("p50_us", "p50_us"),
        "call_p99_ratio": ratio("p99_us", "p99_us"),
        "gate_ratio": ratio("own_us", "p50_us"),
        "call_cpu_ratio": ratio("cpu_us", "cpu_us"),
        "call_cpu_ratio_64": ratio("cpu_us_64", "cpu_us_64"),
        "call_cpu_ratio_64_one_line": ratio("cpu_us_64", "cpu_us_64_one_line"),
        "calls_per_core_64": 1e6 / median([ira["cpu_us_64"] for _, ira in rounds]),
    }
    for place, name in enumerate(("echo", "call")):
        for key in rounds[0][place]:
            figures[f"{name}_{key}"] = median([both[place][key] for both in rounds])
    return figures
