"""From a function's type hints to the JSON Schema of its arguments."""

from collections.abc import Callable
import inspect
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list: {"type": "array"},
    dict: {"type": "object"},
    Any: {},
}


def parameters_of(function: Callable[..., Any], *, without: str | None = None) -> dict[str, Any]:
    """The schema of all arguments but `without`; TypeError for a hint that has none.

    Known are str, int, float, bool, list, dict, Literal, `X | None` and `Annotated[X, "what it is"]`.
    """
    hints = get_type_hints(function, include_extras=True)
    properties: dict[str, Any] = {}
    required = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name == without:
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or name not in hints:
            message = f"{function.__name__}: argument {name} needs a name and a type of its own"
            raise TypeError(message)
        properties[name] = _schema(hints[name], name)
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return schema | ({"required": required} if required else {}) | {"additionalProperties": False}


def _schema(hint: Any, name: str) -> dict[str, Any]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        said = [note for note in inner[1:] if isinstance(note, str)]
        return _schema(inner[0], name) | ({"description": said[0]} if said else {})
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return {
            "anyOf": [{"type": "null"} if one is NoneType else _schema(one, name) for one in inner]
        }
    if origin is list:
        return {"type": "array", "items": _schema(inner[0], name)}
    if origin is dict and inner[0] is str:
        return {"type": "object", "additionalProperties": _schema(inner[1], name)}
    if origin is None and hint in _PLAIN:
        return dict(_PLAIN[hint])
    message = f"argument {name}: {hint!r} has no JSON Schema here; give `parameters` yourself"
    raise TypeError(message)
