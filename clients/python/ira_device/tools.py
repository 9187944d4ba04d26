"""The tools a device offers: declared from functions, run with arguments that fit their schema."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
import inspect
import re
from typing import Any, get_type_hints

from msgspec import UNSET

from ira_device.schema import parameters_of
from ira_device.threads import in_thread
from ira_home.base.errors import ProtocolError
from ira_home.base.limits import TOOLS_A_HELLO
from ira_home.protocol.frames import Tool
from ira_home.protocol.schemas import shared, validate

_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}")
_SKILL = re.compile(r"[a-z][a-z0-9_]{0,40}")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a tool may know of its call: an argument of this type gets it and is in no schema.

    `here`: the person asked on this very device.
    """

    here: bool


@dataclass(frozen=True, slots=True)
class DeviceTool:
    """A declared tool and the function behind it."""

    definition: Tool
    function: Callable[..., Any]
    asked_argument: str | None = None

    def misfit(self, arguments: Mapping[str, Any]) -> str | None:
        """Why the arguments do not fit, or None."""
        return validate([self.definition.parameters], dict(arguments))

    def start(self, arguments: Mapping[str, Any], asked: Asked) -> asyncio.Future[Any]:
        """Run with arguments that fit: a coroutine as a task, a plain function in a thread."""
        given = dict(arguments)
        if self.asked_argument is not None:
            given[self.asked_argument] = asked
        if inspect.iscoroutinefunction(self.function):
            work: Coroutine[Any, Any, Any] = self.function(**given)
            return asyncio.ensure_future(work)
        return in_thread(lambda: self.function(**given), f"tool-{self.definition.name}")


class Toolbox:
    """Every tool of the device, oldest first."""

    def __init__(self) -> None:
        """No tool yet."""
        self._tools: dict[str, DeviceTool] = {}

    def add(self, tool: DeviceTool) -> None:
        """Take one more; ValueError for a name that is there already, or for one too many."""
        name = tool.definition.name
        if name in self._tools:
            message = f"there are two tools called {name}"
            raise ValueError(message)
        if len(self._tools) >= TOOLS_A_HELLO:
            message = f"a device offers {TOOLS_A_HELLO} tools at most"
            raise ValueError(message)
        self._tools[name] = tool

    def get(self, name: str) -> DeviceTool | None:
        """The tool of this name."""
        return self._tools.get(name)

    def oldest(self, count: int) -> list[Tool]:
        """The definitions of the first `count` tools declared."""
        return [tool.definition for tool in self._tools.values()][:count]

    def __len__(self) -> int:
        return len(self._tools)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What `@device.tool` says beside the function itself."""

    tier: int = 2
    name: str | None = None
    skill: str | None = None
    outward: bool = False
    title: str = ""
    examples: Sequence[str] = ()
    parameters: Mapping[str, Any] | None = None


def declared(function: Callable[..., Any], said: Declaration) -> DeviceTool:
    """The tool of a function; ValueError or TypeError, at once, for what a server would refuse."""
    name = said.name or function.__name__
    description = inspect.cleandoc(function.__doc__ or "").strip()
    if not _NAME.fullmatch(name):
        message = f"{name} is no tool name: 3 to 41 of a-z, 0-9 and _, a letter first"
        raise ValueError(message)
    if not description:
        message = f"{name} needs a docstring: it is what Ira knows of the tool"
        raise ValueError(message)
    if said.tier not in (0, 1, 2, 3) or (said.skill and not _SKILL.fullmatch(said.skill)):
        message = f"{name}: the tier is 0, 1, 2 or 3, and a skill is a short word of a-z, 0-9 and _"
        raise ValueError(message)
    asked = _asked_argument(function)
    definition = Tool(
        name=name,
        description=description,
        parameters=_parameters(function, said, asked),
        skill=said.skill or UNSET,
        tier=said.tier,
        outward=said.outward or UNSET,
        title=said.title or UNSET,
        examples=list(said.examples) or UNSET,
    )
    return DeviceTool(definition, function, asked)


def _asked_argument(function: Callable[..., Any]) -> str | None:
    hints = get_type_hints(function)
    return next((n for n, hint in hints.items() if hint is Asked and n != "return"), None)


def _parameters(
    function: Callable[..., Any], said: Declaration, asked: str | None
) -> dict[str, Any]:
    given = said.parameters
    made = parameters_of(function, without=asked) if given is None else dict(given)
    try:
        return dict(shared(made))
    except ProtocolError as error:
        message = f"{function.__name__}: {error.message}"
        raise ValueError(message) from None
