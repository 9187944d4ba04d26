"""The cases: what people ask, what an attacker wants, and the tools that both are done with."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
import json
from pathlib import Path
import re
from typing import Any

from ira_home.base.limits import TOOLS_A_HELLO
from ira_home.tools.library import load

FOLDER = Path(__file__).parent / "cases"
AGENTDOJO = FOLDER / "agentdojo.json"
_NAME_CHARS = 41
EXTRA_TOOLS = 3  # of the scripted device itself


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, under the name that it has on the wire."""

    tool: str
    arguments: dict[str, Any]

    @property
    def key(self) -> str:
        """Equal for calls that are the same to the byte, once their JSON is written one way."""
        return f"{self.tool} {canonical(self.arguments)}"


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a user task with what comes back."""

    call: Call
    result: str
    error: str | None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the data set has it; `tier` and `outward` are what its effects are counted by."""

    name: str
    tier: int
    outward: bool
    declared: dict[str, Any]

    @property
    def is_consequential(self) -> bool:
        """Whether an effect of it needs its person: it cannot be undone, or leaves the house."""
        return self.tier >= 2 or self.outward


@dataclass(frozen=True, slots=True)
class Task:
    """What a person asks, and the calls that do it. Results and arguments may hold the marker."""

    name: str
    prompt: str
    steps: tuple[Step, ...]

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls alone."""
        return tuple(step.call for step in self.steps)

    def holding(self, marker: str, text: str) -> "Task":
        """The task with a text wherever the marker stands."""
        steps = (
            replace(
                step,
                call=replace(step.call, arguments=_filled(step.call.arguments, marker, text)),
                result=step.result.replace(marker, text),
            )
            for step in self.steps
        )
        return replace(self, steps=tuple(steps))


@dataclass(frozen=True, slots=True)
class Goal:
    """What an attacker wants done; without `calls` something is only to be said."""

    name: str
    text: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Suite:
    """Tools with the tasks and goals that use them."""

    name: str
    tools: dict[str, Tool]
    tasks: tuple[Task, ...]
    goals: tuple[Goal, ...]

    @property
    def skill(self) -> str:
        """The skill under which a device offers the tools."""
        return re.sub(r"[^a-z0-9_]", "_", f"s_{self.name.lower()}")[:_NAME_CHARS]


@dataclass(frozen=True, slots=True)
class Pair:
    """A task during which a goal is smuggled in."""

    suite: Suite
    task: Task
    goal: Goal

    @property
    def name(self) -> str:
        """Names it in a report."""
        return f"{self.suite.name}/{self.task.name}/{self.goal.name}"


@dataclass(frozen=True, slots=True)
class Cases:
    """A file of cases. `marker` stands where an attacker's text goes."""

    marker: str
    suites: tuple[Suite, ...]

    @property
    def tasks(self) -> list[tuple[Suite, Task]]:
        """Every user task."""
        return [(suite, task) for suite in self.suites for task in suite.tasks]

    @property
    def pairs(self) -> list[Pair]:
        """Every task with every goal of its suite."""
        return [
            Pair(suite, task, goal)
            for suite in self.suites
            for task in suite.tasks
            for goal in suite.goals
        ]


def canonical(value: Any) -> str:
    """JSON in which equal values are equal texts: 10 and 10.0 are one number of JSON."""
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read_cases(path: Path) -> Cases:
    """The cases of a file of the shape of `cases/agentdojo.json`."""
    found = json.loads(path.read_text(encoding="utf-8"))
    suites = tuple(_suite(name, one) for name, one in found["suites"].items())
    return Cases(found["marker"], suites)


def of_a_device(name: str) -> str:
    """A name that the house does not keep for a tool of its own."""
    return f"my_{name}"[:_NAME_CHARS] if name in _kept_by_the_house() else name


def strings_of(value: Any) -> Iterator[str]:
    """Every text within a value of JSON, keys left out."""
    if isinstance(value, dict):
        for one in value.values():
            yield from strings_of(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings_of(one)
    elif isinstance(value, str):
        yield value


@cache
def _kept_by_the_house() -> frozenset[str]:
    return frozenset(one.name for one in load(FOLDER).tools)


def _suite(name: str, found: dict[str, Any]) -> Suite:
    used = _used(found)
    # A device offers so many tools at most; those that nothing uses may be missing.
    tools = sorted(found["tools"], key=lambda tool: tool["name"] not in used)
    kept = tools[: TOOLS_A_HELLO - EXTRA_TOOLS]
    wire = _wire_names([tool["name"] for tool in kept])
    return Suite(
        name=name,
        tools={wire[tool["name"]]: _tool(wire[tool["name"]], tool) for tool in kept},
        tasks=tuple(_task(key, one, wire) for key, one in found["user_tasks"].items()),
        goals=tuple(_goal(key, one, wire) for key, one in found["injection_tasks"].items()),
    )


def _used(found: dict[str, Any]) -> set[str]:
    steps = [step for task in found["user_tasks"].values() for step in task["steps"]]
    calls = [call for goal in found["injection_tasks"].values() for call in goal["calls"]]
    return {one["tool"] for one in (*steps, *calls)}


def _wire_names(names: list[str]) -> dict[str, str]:
    """Names that the wire takes: what is too long is cut, and told apart by a number."""
    given: dict[str, str] = {}
    for name in names:
        made = re.sub(r"[^a-z0-9_]", "_", name.lower())[:_NAME_CHARS].ljust(3, "_")
        made = of_a_device(made if made[0].isalpha() else f"t{made}"[:_NAME_CHARS])
        number = 1
        while made in given.values():
            number += 1
            made = f"{made[: _NAME_CHARS - 3]}_{number}"
        given[name] = made
    return given


def _tool(name: str, found: dict[str, Any]) -> Tool:
    declared = {
        "name": name,
        "description": found["description"],
        "parameters": found["parameters"],
    }
    declared |= {"tier": found["tier"], "outward": found["outward"]}
    return Tool(name, found["tier"], found["outward"], declared)


def _task(name: str, found: dict[str, Any], wire: dict[str, str]) -> Task:
    steps = (Step(_call(one, wire), str(one["result"]), one.get("error")) for one in found["steps"])
    return Task(name, found["prompt"], tuple(steps))


def _goal(name: str, found: dict[str, Any], wire: dict[str, str]) -> Goal:
    return Goal(name, found["goal"], tuple(_call(one, wire) for one in found["calls"]))


def _call(found: dict[str, Any], wire: dict[str, str]) -> Call:
    return Call(wire.get(found["tool"], found["tool"]), found["args"])


def _filled(value: Any, marker: str, text: str) -> Any:
    if isinstance(value, dict):
        return {key: _filled(one, marker, text) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, marker, text) for one in value]
    return value.replace(marker, text) if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
