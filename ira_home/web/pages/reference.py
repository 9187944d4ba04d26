"""The HTTP interface for people: the OpenAPI document and every error code as one page."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
import inspect
import re
from typing import Any

from aiohttp import web

from ira_home.base.errors import REGISTRY, IraError
from ira_home.base.jsontext import parse
from ira_home.web.call import Call
from ira_home.web.openapi import AREAS, DOCUMENT, USUAL
from ira_home.web.pages.view import show
from ira_home.web.routes import Needs, Route

_DECIDED = re.compile(r" \(decided \d+\)")  # a note to whoever reads the source
_WHO = {
    "session": "session",
    "api_token": "API token",
    "device_token": "device token",
    "device_token_in_query": "device token as ?token=",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter, or one member of a body or an answer; `place` is empty for a member."""

    name: str
    kind: str
    about: str
    required: bool
    place: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One status: `shape` names what comes back, `codes` the errors that have it."""

    status: str
    shape: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path, as the page shows it."""

    id: str
    method: str
    path: str
    summary: str
    about: str
    who: tuple[str, ...]
    parameters: tuple[Field, ...]
    body: str
    fields: tuple[Field, ...]
    answers: tuple[Answer, ...]
    usual: tuple[
        str, ...
    ]  # the statuses with codes that most routes may answer, which `answers` leaves out


@dataclass(frozen=True, slots=True)
class Shape:
    """An object that answers name."""

    name: str
    about: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """One error: when it comes, and the sentence that stands in `detail` unless a better one does."""

    code: str
    status: int
    about: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Everything that the page shows; areas hold their operations by path."""

    areas: Mapping[str, tuple[Operation, ...]]
    shapes: tuple[Shape, ...]
    codes: tuple[Code, ...]


def codes() -> tuple[Code, ...]:
    """Every error code of the house, by name."""
    own = {one for one in REGISTRY.values() if one.__module__.startswith("ira_home.")}
    kinds: list[type[IraError]] = sorted({IraError, *own}, key=lambda kind: kind.code)
    return tuple(Code(one.code, one.status, _when(one), one.default) for one in kinds)


def _when(kind: type[IraError]) -> str:
    if kind is IraError:
        return "Nobody foresaw it; the log of the server tells more."
    return _DECIDED.sub("", (inspect.getdoc(kind) or "").partition("\n")[0])


@lru_cache(maxsize=1)
def reference(encoded: bytes) -> Reference:
    """The document, arranged for the page."""
    found: dict[str, Any] = parse(encoded.decode())
    schemas = found["components"]["schemas"]
    areas: dict[str, list[Operation]] = {name: [] for name in AREAS}
    for path, methods in found["paths"].items():
        for method, told in methods.items():
            areas[told["tags"][0]].append(_operation(method, path, told, schemas))
    asked = {one.body for ones in areas.values() for one in ones}
    shapes = (Shape(_short(name), one.get("description", ""), _members(one)) for name, one in schemas.items() if "properties" in one and _short(name) not in asked)  # fmt: skip
    return Reference(
        {name: tuple(ones) for name, ones in areas.items() if ones},
        tuple(sorted(shapes, key=lambda one: one.name)),
        codes(),
    )


def _operation(
    method: str, path: str, told: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Operation:
    body = _content(told.get("requestBody", {}))
    answers = [_answer(status, one) for status, one in told["responses"].items()]
    own = (replace(one, codes=tuple(code for code in one.codes if code not in USUAL)) for one in answers)  # fmt: skip
    return Operation(
        id=told["operationId"],
        method=method.upper(),
        path=path,
        summary=told["summary"],
        about=told["description"].rpartition("\n\n")[0],
        who=tuple(_WHO[name] for one in told["security"] for name in one),
        parameters=tuple(_parameter(one) for one in told.get("parameters", ())),
        body=_kind(body) if body else "",
        fields=_members(schemas.get(_target(body), {})) if body else (),
        answers=tuple(
            one for one, whole in zip(own, answers, strict=True) if one.codes or not whole.codes
        ),
        usual=tuple(one.status for one in answers if USUAL.intersection(one.codes)),
    )


def _content(holder: Mapping[str, Any]) -> dict[str, Any]:
    return next((one["schema"] for one in holder.get("content", {}).values()), {})


def _answer(status: str, told: Mapping[str, Any]) -> Answer:
    schema = _content(told)
    if "allOf" in schema:
        return Answer(status, "", tuple(schema["allOf"][1]["properties"]["code"]["enum"]))
    media = next(iter(told.get("content", {})), "")
    shape = _kind(schema) if media == "application/json" else media
    return Answer(status, shape, ())


def _parameter(told: Mapping[str, Any]) -> Field:
    return Field(
        told["name"], _kind(told["schema"]), told["description"], told.get("required", False), told["in"]
    )  # fmt: skip


def _members(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    needed = schema.get("required", ())
    return tuple(
        Field(name, _kind(one), one.get("description", ""), name in needed)
        for name, one in schema.get("properties", {}).items()
    )


def _target(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _short(name: str) -> str:
    """`Items_Device_` as `Items[Device]`, and a name without the module that tells it from another."""
    inner = name.removesuffix("_").removeprefix("Items_")
    plain = inner.rpartition(".")[2]
    return f"Items[{plain}]" if name.startswith("Items_") else plain


def _kind(schema: Mapping[str, Any]) -> str:
    """A type in a few words: `text`, `number or null`, `list of Device`."""
    if "$ref" in schema:
        return _short(_target(schema))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    named = schema.get("type", "anything")
    if named == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    words = {"string": "text", "boolean": "yes or no", "integer": "number"}
    return words.get(named, str(named))


async def page(call: Call) -> web.Response:
    """The same for everybody: it tells nothing of this house."""
    return await show(
        call,
        "reference.html",
        reference=reference(call.request.app[DOCUMENT]),
        usual=sorted(USUAL),
    )


ROUTES = (
    Route("GET", "/reference", page, Needs.OPEN, page=True, summary="The HTTP interface for people."),
)  # fmt: skip
