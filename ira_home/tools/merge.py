"""One offered schema for a tool that several devices have (spec, decided 21)."""

from collections.abc import Mapping, Sequence
from typing import Any

from ira_home.base.jsontext import canonical

Schema = Mapping[str, Any]
_KEPT = ("type", "description", "enum", "format", "title")


def device_argument_of(schemas: Sequence[Schema]) -> str:
    """The name of the argument that chooses the device: one that no tool has itself."""
    taken = {name for schema in schemas for name in _properties(schema)}
    names = ("device", "on_device", *(f"on_device_{number}" for number in range(2, 100)))
    return next(name for name in names if name not in taken)


def merged_parameters(
    schemas: Sequence[Schema], *, argument: str, labels: Sequence[str]
) -> dict[str, Any]:
    """What is offered to a brain; the chosen device's own schema is what arguments must fit."""
    merged = dict(schemas[0]) if _all_equal(schemas) else _union(schemas)
    device = {
        "type": "string",
        "enum": list(labels),
        "description": "the device that is meant; ask the person when they did not say which",
    }
    required = [name for name in merged.get("required", []) if name != argument]
    properties = {argument: device} | _properties(merged)
    return merged | {"type": "object", "properties": properties, "required": [argument, *required]}


def _properties(schema: Schema) -> dict[str, Any]:
    found = schema.get("properties")
    return dict(found) if isinstance(found, Mapping) else {}


def _all_equal(schemas: Sequence[Schema]) -> bool:
    return len({canonical(schema) for schema in schemas}) == 1


def _union(schemas: Sequence[Schema]) -> dict[str, Any]:
    """All arguments of all devices; required are those that every device requires."""
    names = dict.fromkeys(name for schema in schemas for name in _properties(schema))
    return {
        "type": "object",
        "properties": {name: _one_of(schemas, name) for name in names},
        "required": [name for name in names if all(_requires(schema, name) for schema in schemas)],
    }


def _requires(schema: Schema, name: str) -> bool:
    required = schema.get("required")
    return isinstance(required, list) and name in required


def _one_of(schemas: Sequence[Schema], name: str) -> Any:
    found = [_properties(schema)[name] for schema in schemas if name in _properties(schema)]
    # A reference points into the schema that it came from, so it cannot move into another one.
    if _all_equal([{"schema": one} for one in found]) and b'"$ref"' not in canonical(found[0]):
        return found[0]
    plain = [one if isinstance(one, Mapping) else {} for one in found]
    return {key: plain[0][key] for key in _KEPT if key in plain[0] and all(one.get(key) == plain[0][key] for one in plain)}  # fmt: skip
