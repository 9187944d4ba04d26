"""Tools as a device declares them, and the stricter definition that holds (DESIGN 4)."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import hashlib
from typing import Any

from msgspec import UNSET

from ira_home.base.errors import Invalid, ProtocolError
from ira_home.base.jsontext import canonical
from ira_home.base.limits import (
    DESCRIPTION_CHARS,
    EXAMPLE_CHARS,
    EXAMPLES_A_TOOL,
    LABEL_CHARS,
    SCHEMAS_CACHED,
    TOOL_TITLE_CHARS,
    TOOLS_A_HELLO,
    VERSION_CHARS,
)
from ira_home.base.text import clean, cut, one_line
from ira_home.domain.devices import (
    SKILL_NAME,
    TOOL_NAME,
    DeviceKind,
    ToolDefinition,
    is_freer,
)
from ira_home.domain.labels import good_label
from ira_home.domain.tools import Tier
from ira_home.protocol.frames import Hello, Tool
from ira_home.protocol.schemas import shared
from ira_home.storage.definitions import definition_json


@dataclass(frozen=True, slots=True, eq=False)
class HeldTool:
    """The definition of a device's tool that is in force: the stricter of agreed and declared.

    Arguments must fit every one of `schemas` and every one of `skills` must be switched on. Words
    and parameters are those agreed to. `digest` changes whenever either definition does.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    skill: str  # as declared now
    skills: frozenset[str]
    tier: Tier
    outward: bool
    schemas: tuple[Mapping[str, Any], ...]
    title: str
    examples: tuple[str, ...]
    digest: str
    freer: bool


def read_tools(frame: Hello, kind: DeviceKind) -> tuple[ToolDefinition, ...]:
    """The tools of a hello; raises ProtocolError with the rule that it breaks."""
    if frame.kind != kind:
        message = f"This device was paired as {kind}, and the hello says another kind."
        raise ProtocolError(message)
    _check_words(frame)
    if len(frame.tools) > TOOLS_A_HELLO:
        message = f"A hello offers {TOOLS_A_HELLO} tools at most."
        raise ProtocolError(message)
    found: dict[str, ToolDefinition] = {}
    for number, tool in enumerate(frame.tools):
        try:
            one = _definition(tool)
        except ProtocolError as error:
            message = f"tools[{number}]: {error.message}"
            raise ProtocolError(message) from None
        if one.name in found:
            message = f"tools[{number}]: the name {one.name} stands twice in this hello."
            raise ProtocolError(message)
        found[one.name] = one
    return tuple(found.values())


def version_of(frame: Hello) -> str:
    """The client's version as it is kept and shown."""
    return "" if frame.version is UNSET else one_line(frame.version)


def _check_words(frame: Hello) -> None:
    if frame.label is not UNSET:
        try:
            good_label(frame.label)
        except Invalid:
            message = f"label has 1 to {LABEL_CHARS} visible characters."
            raise ProtocolError(message) from None
    if frame.version is not UNSET and len(frame.version) > VERSION_CHARS:
        message = f"version has {VERSION_CHARS} characters at most."
        raise ProtocolError(message)


def _definition(tool: Tool) -> ToolDefinition:
    if not TOOL_NAME.fullmatch(tool.name):
        message = "a name matches ^[a-z][a-z0-9_]{2,40}$."
        raise ProtocolError(message)
    description = clean(tool.description).strip()
    if not description:
        message = "description is empty."
        raise ProtocolError(message)
    return ToolDefinition(
        name=tool.name,
        description=cut(description, DESCRIPTION_CHARS),
        parameters=shared(tool.parameters),
        skill=_skill(tool),
        tier=_tier(tool),
        outward=tool.outward is True,
        title=_title(tool),
        examples=_examples(tool),
    )


def _skill(tool: Tool) -> str:
    skill = tool.name.partition("_")[0] if tool.skill is UNSET else tool.skill
    if not SKILL_NAME.fullmatch(skill):
        message = "skill matches ^[a-z][a-z0-9_]{0,40}$."
        raise ProtocolError(message)
    return skill


def _tier(tool: Tool) -> Tier:
    if tool.tier is UNSET:
        return Tier.YES
    try:
        return Tier(tool.tier)
    except ValueError:
        message = "tier is 0, 1, 2 or 3."
        raise ProtocolError(message) from None


def _title(tool: Tool) -> str:
    title = "" if tool.title is UNSET else tool.title
    if len(title) > TOOL_TITLE_CHARS:
        message = f"title has {TOOL_TITLE_CHARS} characters at most."
        raise ProtocolError(message)
    return clean(title).strip()


def _examples(tool: Tool) -> tuple[str, ...]:
    examples = () if tool.examples is UNSET else tuple(tool.examples)
    if len(examples) > EXAMPLES_A_TOOL or any(len(one) > EXAMPLE_CHARS for one in examples):
        message = f"examples has {EXAMPLES_A_TOOL} texts of {EXAMPLE_CHARS} characters at most."
        raise ProtocolError(message)
    return tuple(clean(one) for one in examples)


def is_same(one: ToolDefinition, other: ToolDefinition) -> bool:
    """Whether two definitions are the same to the last byte of their JSON."""
    return one is other or _bytes_of(one) == _bytes_of(other)


def to_agree(agreed: ToolDefinition | None, declared: ToolDefinition) -> ToolDefinition | None:
    """The definition to remember as agreed when a device declares one; None keeps what is remembered.

    The first one is remembered, and one that is only stricter; a freer one waits for its person.
    """
    if agreed is None:
        return declared
    if is_same(agreed, declared) or is_freer(agreed, declared):
        return None
    return declared


def hold(agreed: ToolDefinition, declared: ToolDefinition) -> HeldTool:
    """The definition in force while one is agreed to and another declared."""
    if is_same(agreed, declared):
        return _plain.of(declared)
    return HeldTool(
        name=declared.name,
        description=agreed.description,
        parameters=agreed.parameters,
        skill=declared.skill,
        skills=frozenset({agreed.skill, declared.skill}),
        tier=max(agreed.tier, declared.tier),
        outward=agreed.outward or declared.outward,
        schemas=(agreed.parameters, declared.parameters),
        title=agreed.title,
        examples=agreed.examples,
        digest=_digest(agreed, declared),
        freer=is_freer(agreed, declared),
    )


def hold_all(
    agreed: Mapping[str, ToolDefinition], declared: Iterable[ToolDefinition]
) -> tuple[HeldTool, ...]:
    """What holds of every declared tool; one that was never remembered holds as it is declared."""
    return tuple(hold(agreed.get(one.name, one), one) for one in declared)


def skills_of(tools: Sequence[HeldTool]) -> frozenset[str]:
    """The skills that tools belong to."""
    return frozenset().union(*(tool.skills for tool in tools))


def _bytes_of(definition: ToolDefinition) -> bytes:
    return canonical(definition_json(definition))


def _digest(*definitions: ToolDefinition) -> str:
    return hashlib.sha256(b"\n".join(map(_bytes_of, definitions))).hexdigest()


class _Plain:
    """Tools held exactly as declared, by the identity of their definition: devices that offer the same share them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[ToolDefinition, HeldTool]] = OrderedDict()

    def of(self, definition: ToolDefinition) -> HeldTool:
        entry = self._kept.get(id(definition))
        if entry is None:
            entry = (definition, _as_declared(definition))
            self._kept[id(definition)] = entry
            while len(self._kept) > SCHEMAS_CACHED:
                self._kept.popitem(last=False)
        return entry[1]


def _as_declared(definition: ToolDefinition) -> HeldTool:
    return HeldTool(
        name=definition.name,
        description=definition.description,
        parameters=definition.parameters,
        skill=definition.skill,
        skills=frozenset({definition.skill}),
        tier=definition.tier,
        outward=definition.outward,
        schemas=(definition.parameters,),
        title=definition.title,
        examples=definition.examples,
        digest=_digest(definition),
        freer=False,
    )


_plain = _Plain()
