"""A tool as a model is shown it: a device's own prose only inside the untrusted wrapper."""

from collections.abc import Iterator, Mapping
from typing import Any

from ira_home.base.limits import DESCRIPTION_CHARS
from ira_home.base.text import cut, one_line
from ira_home.domain.tools import OfferedTool
from ira_home.domain.trust import escape, wrap

_ARGUMENT_CHARS = 200  # of one argument's description
_EXAMPLE_CHARS = 120
_EXAMPLES = 5
_KEPT_TEXT_CHARS = 200  # a pattern or allowed value longer than this is prose in disguise
_DEEPEST = 12
# The words of JSON Schema that say what fits; all others are left out, prose goes into the description.
_SUBSCHEMAS = frozenset({"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"})  # fmt: skip
_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_MAPS = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
_VALUES = frozenset(
    "type required enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern "
    "format minItems maxItems uniqueItems minProperties maxProperties $ref dependentRequired".split()
)


def tools_of(tools: tuple[OfferedTool, ...]) -> list[dict[str, Any]]:
    """The tools as functions of the chat completions API."""
    return [{"type": "function", "function": _function(tool)} for tool in tools]


def _function(tool: OfferedTool) -> dict[str, Any]:
    if tool.label.is_trusted:
        described = tool.description
        parameters = dict(tool.parameters)
    else:
        source = ", ".join(target.label for target in tool.targets)
        described = wrap(_prose(tool), tool.label, source, DESCRIPTION_CHARS)
        parameters = _with_device_argument(tool, _bare(tool.parameters))
    parameters.setdefault("type", "object")
    parameters.setdefault("properties", {})
    return {"name": tool.name, "description": described, "parameters": parameters}


def _with_device_argument(tool: OfferedTool, parameters: dict[str, Any]) -> dict[str, Any]:
    """The argument that chooses the device is the house's own, so it keeps its words."""
    name = tool.device_argument
    if name is None:
        return parameters
    own = tool.parameters.get("properties", {}).get(name)
    return {**parameters, "properties": {name: own, **parameters.get("properties", {})}}


def _prose(tool: OfferedTool) -> str:
    """Everything a device wrote for the eye: title, description, arguments, examples."""
    lines = [one_line(tool.title), tool.description]
    lines += [f"{name}: {text}" for name, text in _told(tool.parameters, tool.device_argument)]
    lines += [f"e.g. {cut(one_line(one), _EXAMPLE_CHARS)}" for one in tool.examples[:_EXAMPLES]]
    return "\n".join(line for line in lines if line)


def _told(
    schema: Any, skipped: str | None, prefix: str = "", depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Each argument's description, arguments within arguments as "a.b"."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping) or depth > 4:
        return
    for name, inner in properties.items():
        if not isinstance(inner, Mapping) or name == skipped:
            continue
        text = inner.get("description") or inner.get("title")
        if isinstance(text, str) and text.strip():
            yield prefix + one_line(str(name)), cut(one_line(text), _ARGUMENT_CHARS)
        yield from _told(inner, None, f"{prefix}{one_line(str(name))}.", depth + 1)


def _bare(schema: Any, depth: int = 0) -> dict[str, Any]:
    """The schema with nothing but what a value must be like."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return {}
    made: dict[str, Any] = {}
    for word, value in schema.items():
        kept = _kept(word, value, depth)
        if kept is not None:
            made[word] = kept
    return made


def _kept(word: str, value: Any, depth: int) -> Any:
    if word in _VALUES:
        return value if _is_plain(value) else None
    if word in _SUBSCHEMAS:
        return value if isinstance(value, bool) else _bare(value, depth + 1)
    if word in _LISTS and isinstance(value, list):
        return [one if isinstance(one, bool) else _bare(one, depth + 1) for one in value]
    if word in _MAPS and isinstance(value, Mapping):
        return {
            str(name): inner if isinstance(inner, bool) else _bare(inner, depth + 1)
            for name, inner in value.items()
            if _is_plain(str(name))
        }
    return None


def _is_plain(value: Any) -> bool:
    """Whether a value can stand outside the wrapper: short, and without a sign that could close one."""
    if isinstance(value, str):
        return len(value) <= _KEPT_TEXT_CHARS and escape(value) == value
    if isinstance(value, list):
        return all(_is_plain(one) for one in value)
    if isinstance(value, Mapping):
        return all(_is_plain(str(name)) and _is_plain(one) for name, one in value.items())
    return True
