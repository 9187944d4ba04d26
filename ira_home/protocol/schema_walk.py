"""Which JSON Schemas are safe to validate against: bounded work, no circles, nothing remote."""

from dataclasses import dataclass, field
import re
from typing import Any, Final

# Keywords whose value is a map from names to schemas: the names are the tool's, not keywords.
_MAPS: Final = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
# Keywords whose value is data and no schema.
_DATA: Final = {"const", "enum", "default", "examples"}
# Keywords that change where references lead.
_REFUSED: Final = {
    "$id",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
}
_LOCAL: Final = re.compile(r"#(/[^%]*)?")
_CHAIN: Final = 64  # references leading to references, nesting included


class SchemaRefused(Exception):
    """Why a schema is not taken, in words."""


def check_shape(schema: dict[str, Any], *, nodes: int, patterns: int) -> None:
    """Raise SchemaRefused unless every reference is local and the schema, spread out, has at most `nodes` parts.

    Spread out: with each reference replaced by what it leads to. That bounds the work of one
    validation; a circle has no end and is refused.
    """
    walk = _Walk(schema, nodes=nodes)
    walk.cost(schema, 0)
    if walk.patterns > patterns:
        message = f"it has more than {patterns} patterns"
        raise SchemaRefused(message)


@dataclass(slots=True)
class _Walk:
    root: dict[str, Any]
    nodes: int
    patterns: int = 0
    done: dict[int, int] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)

    def cost(self, schema: Any, depth: int) -> int:
        """The number of parts of a schema, spread out."""
        if isinstance(schema, list):
            return self._bounded(sum(self.cost(one, depth + 1) for one in schema))
        if not isinstance(schema, dict):
            return 0
        known = self.done.get(id(schema))
        if known is not None:
            return known
        if id(schema) in self.open or depth > _CHAIN:
            message = "a reference leads back to where it stands, or too far"
            raise SchemaRefused(message)
        self.open.add(id(schema))
        total = self._bounded(1 + sum(self._part(k, v, depth + 1) for k, v in schema.items()))
        self.open.discard(id(schema))
        self.done[id(schema)] = total
        return total

    def _part(self, key: str, value: Any, depth: int) -> int:
        if key in _REFUSED:
            message = f"{key} is not taken, only $ref to a place in the same schema"
            raise SchemaRefused(message)
        if key == "$ref":
            return self.cost(self._target(value), depth)
        if key == "pattern":
            self.patterns += 1
            return 1
        if key in _DATA:
            return 0
        if key in _MAPS:
            return self._map(key, value, depth)
        return self.cost(value, depth)

    def _map(self, key: str, value: Any, depth: int) -> int:
        if not isinstance(value, dict):
            return 0  # the meta-schema refuses it
        if key == "patternProperties":
            self.patterns += len(value)
        return sum(self.cost(one, depth + 1) for one in value.values())

    def _bounded(self, total: int) -> int:
        if total > self.nodes:
            message = "it describes too much"
            raise SchemaRefused(message)
        return total

    def _target(self, reference: Any) -> Any:
        # A percent sign would let a validator read another place than this walk.
        if not isinstance(reference, str) or not _LOCAL.fullmatch(reference):
            message = "only references to a place in the same schema (#/…) are taken"
            raise SchemaRefused(message)
        place: Any = self.root
        for raw in reference.split("/")[1:]:
            step = raw.replace("~1", "/").replace("~0", "~")
            place = _step(place, step)
        return place


def _step(place: Any, step: str) -> Any:
    if isinstance(place, dict) and step in place:
        return place[step]
    if isinstance(place, list) and step.isdecimal() and len(step) < 5 and int(step) < len(place):
        return place[int(step)]
    message = "a reference leads nowhere"
    raise SchemaRefused(message)
