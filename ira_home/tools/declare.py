"""`@tool` and `@action`: a Python function becomes a tool of the house."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
import inspect
from types import ModuleType
from typing import Any, TypeVar, get_type_hints, overload

from ira_home.base.text import one_line
from ira_home.domain.devices import TOOL_NAME
from ira_home.domain.house import HouseSkill
from ira_home.domain.tools import Tier
from ira_home.domain.trust import TrustLabel
from ira_home.tools.context import ToolContext
from ira_home.tools.hints import arguments_of, parameters_of

Function = TypeVar("Function", bound=Callable[..., Any])
_MARK = "__ira_tool__"


class BadTool(TypeError):
    """A function cannot be a tool; the message says why, for whoever wrote it."""


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool of the house: what a brain is told of it, and the function that does it.

    `output` says whose words it gives back: HOUSE for what code wrote, WEB for what it fetched.
    `skill` is the skill of the house that a person must have switched on, None for what everybody has.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    tier: Tier
    outward: bool
    output: TrustLabel
    title: str
    examples: tuple[str, ...]
    function: Callable[..., Any] = field(repr=False)
    takes_context: bool
    skill: HouseSkill | None = None

    def bind(self, context: ToolContext, arguments: Mapping[str, Any]) -> Callable[[], Any]:
        """The call, ready to be made: what it returns may be awaitable."""
        values = arguments_of(self.function, dict(arguments), skip_first=self.takes_context)
        first = (context,) if self.takes_context else ()
        return lambda: self.function(*first, **values)

    @property
    def is_async(self) -> bool:
        """Whether the function runs on the event loop; a plain one gets a thread."""
        return inspect.iscoroutinefunction(self.function)


class Declarer:
    """Makes a function a tool: as a bare decorator, or called with what is to be declared.

    The function's name is the tool's, its docstring the description, its type hints the arguments.
    It stays an ordinary function. A first parameter typed `ToolContext` is filled by the house.
    """

    def __init__(self, tier: Tier) -> None:
        """`tier` is that of a tool which declares none."""
        self._tier = tier

    @overload
    def __call__(self, function: Function) -> Function: ...
    @overload
    def __call__(
        self,
        *,
        tier: int = ...,
        outward: bool = ...,
        output: TrustLabel = ...,
        title: str = ...,
        examples: tuple[str, ...] = ...,
        skill: HouseSkill | None = ...,
    ) -> Callable[[Function], Function]: ...
    def __call__(
        self,
        function: Function | None = None,
        *,
        tier: int | None = None,
        outward: bool = False,
        output: TrustLabel = TrustLabel.HOUSE,
        title: str = "",
        examples: tuple[str, ...] = (),
        skill: HouseSkill | None = None,
    ) -> Function | Callable[[Function], Function]:
        """Declare the function, or give the decorator that does; raises BadTool when it cannot be one."""

        def declare(made: Function) -> Function:
            declared = _declared(
                made,
                _tier(made, tier, self._tier),
                outward=outward,
                output=output,
                title=title,
                examples=examples,
                skill=skill,
            )
            setattr(made, _MARK, declared)
            return made

        return declare if function is None else declare(function)


# What looks something up, and what changes something.
tool = Declarer(Tier.LOOK)
action = Declarer(Tier.PIN)


def tools_in(module: ModuleType) -> tuple[DeclaredTool, ...]:
    """The tools that a module declares itself, in the order of their names."""
    found = (getattr(value, _MARK, None) for value in vars(module).values())
    own = [one for one in found if isinstance(one, DeclaredTool)]
    mine = {one.name: one for one in own if one.function.__module__ == module.__name__}
    return tuple(mine[name] for name in sorted(mine))


def _tier(function: Callable[..., Any], said: int | None, usual: Tier) -> Tier:
    try:
        return usual if said is None else Tier(said)
    except ValueError:
        message = f"{function.__name__}: {said!r} is no tier; it is 0, 1, 2 or 3"
        raise BadTool(message) from None


def _declared(
    function: Callable[..., Any],
    tier: Tier,
    *,
    outward: bool,
    output: TrustLabel,
    title: str,
    examples: tuple[str, ...],
    skill: HouseSkill | None,
) -> DeclaredTool:
    name = function.__name__
    if TOOL_NAME.fullmatch(name) is None:
        message = f"{name} cannot be a tool's name: use 3 to 41 of a-z, 0-9 and _"
        raise BadTool(message)
    description = one_line(inspect.getdoc(function) or "")
    if not description:
        message = f"{name} needs a docstring: it is how Ira knows when to use it"
        raise BadTool(message)
    takes_context = _takes_context(function)
    return DeclaredTool(
        name=name,
        description=description,
        parameters=parameters_of(function, skip_first=takes_context),
        tier=tier,
        outward=outward,
        output=output,
        title=title,
        examples=examples,
        function=function,
        takes_context=takes_context,
        skill=skill,
    )


def _takes_context(function: Callable[..., Any]) -> bool:
    names = list(inspect.signature(function).parameters)
    return bool(names) and get_type_hints(function).get(names[0]) is ToolContext
