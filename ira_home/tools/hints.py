"""From a function's type hints to a JSON Schema, and from JSON values back to what the hints say."""

from collections.abc import Callable
from datetime import date, datetime, time
from enum import Enum
import inspect
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from ira_home.base.errors import Invalid

# The format of JSON Schema, what it is in words, and how it is written (ISO 8601).
_MOMENTS: dict[Any, tuple[str, str, str]] = {
    date: ("date", "a date", "2026-11-30"),
    datetime: ("date-time", "a date and time", "2026-11-30T17:30"),
    time: ("time", "a time of day", "17:30"),
}
_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list: {"type": "array"},
    dict: {"type": "object"},
    Any: {},
} | {
    hint: {"type": "string", "format": form, "description": f"{what}, like {example}"}
    for hint, (form, what, example) in _MOMENTS.items()
}


class UnknownHint(TypeError):
    """A parameter's type has no JSON Schema here; the message names the parameter."""


def parameters_of(function: Callable[..., Any], *, skip_first: bool) -> dict[str, Any]:
    """The JSON Schema of a function's arguments; nothing else is let in."""
    hints = get_type_hints(function, include_extras=True)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in _arguments(function, skip_first=skip_first):
        if name not in hints:
            message = f"argument {name} of {function.__name__} has no type"
            raise UnknownHint(message)
        properties[name] = _schema(hints[name], name)
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema | {"additionalProperties": False}


def arguments_of(
    function: Callable[..., Any], given: dict[str, Any], *, skip_first: bool
) -> dict[str, Any]:
    """Validated JSON arguments as the values that the function's hints promise it."""
    hints = get_type_hints(function, include_extras=True)
    names = [name for name, _parameter in _arguments(function, skip_first=skip_first)]
    return {name: _value(hints[name], given[name], name) for name in names if name in given}


def _arguments(
    function: Callable[..., Any], *, skip_first: bool
) -> list[tuple[str, inspect.Parameter]]:
    found = list(inspect.signature(function).parameters.items())
    for name, parameter in found:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            message = f"{function.__name__} takes *{name}; name its arguments"
            raise UnknownHint(message)
    return found[1:] if skip_first else found


def _schema(hint: Any, name: str) -> dict[str, Any]:
    origin = get_origin(hint)
    if origin is Annotated:
        inner, *notes = get_args(hint)
        said = next((note for note in notes if isinstance(note, str)), None)
        return _schema(inner, name) | ({} if said is None else {"description": said})
    if origin in (Union, UnionType):
        return _union(hint, name)
    return _container(hint, name) if origin in (list, dict) else _single(hint, name)


def _container(hint: Any, name: str) -> dict[str, Any]:
    inner = get_args(hint)
    if get_origin(hint) is list:
        return {"type": "array", "items": _schema(inner[0], name)}
    return {"type": "object", "additionalProperties": _schema(inner[1], name)}


def _single(hint: Any, name: str) -> dict[str, Any]:
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if hint not in _PLAIN:
        message = f"argument {name} has a type that is not known here: {hint!r}"
        raise UnknownHint(message)
    return dict(_PLAIN[hint])


def _union(hint: Any, name: str) -> dict[str, Any]:
    inner = [one for one in get_args(hint) if one is not NoneType]
    choices = [_schema(one, name) for one in inner]
    if len(inner) < len(get_args(hint)):
        choices.append({"type": "null"})
    return {"anyOf": choices}


def _value(hint: Any, value: Any, name: str) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _value(inner[0], value, name)
    if origin in (Union, UnionType):
        return _first_that_fits(hint, value, name)
    if origin is list:
        return [_value(inner[0], one, name) for one in value]
    if origin is dict:
        return {key: _value(inner[1], one, name) for key, one in value.items()}
    return _plain_value(hint, value, name)


def _plain_value(hint: Any, value: Any, name: str) -> Any:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if hint in _MOMENTS:
        return _moment(hint, value, name)
    # In JSON 3 and 3.0 are one number, for a schema too; a function counts on its own kind.
    return hint(value) if hint in (int, float) and type(value) in (int, float) else value


def _first_that_fits(hint: Any, value: Any, name: str) -> Any:
    if value is None:
        return None
    for one in get_args(hint):
        if one is not NoneType and _may_be(one, value):
            return _value(one, value, name)
    return value


def _may_be(hint: Any, value: Any) -> bool:
    """Whether a JSON value can be one of this hint: only told apart as far as unions need it."""
    try:
        _value(hint, value, "")
    except (Invalid, ValueError, TypeError, AttributeError):
        return False
    plain = get_origin(hint) or hint
    if plain is Literal:
        return value in get_args(hint)
    return plain not in (str, int, bool, list, dict) or type(value) is plain


def _moment(hint: type[date | time], value: str, name: str) -> date | time:
    _form, what, example = _MOMENTS[hint]
    try:
        moment = hint.fromisoformat(value)
    except ValueError:
        moment = None
    # A day alone would become its midnight, which nobody said.
    if moment is None or (hint is datetime and len(value) <= len("2026-11-30")):
        message = f"{name} is not {what} that can be read: write it like {example}."
        raise Invalid(message, field=name)
    return moment
