"""Requests made from the OpenAPI document: good ones, nearly good ones and nonsense."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from hypothesis import strategies as st
import msgspec

from tests.support.home import PASSWORD, PIN

# What the document calls a text and the house a word of its own: without these no request would get far.
WORDS = (
    PIN, PASSWORD, "mac", "android", "owner", "staff", "admin", "ask", "actions", "voice", "files", "lamp",
    "new.person@example.com", "Asia/Kolkata", "UTC", "en", "hi", "auto", "none", "openai", "dark", "off", "hello",
    "what time is it", "yes", "http://127.0.0.1:9/v1", "ABCD-EFGH", "irad_" + "A" * 43, "", " ", "0", "2026-12-01T00:00:00Z",
)  # fmt: skip
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)  # fmt: skip
_TEXT = st.sampled_from(WORDS) | st.text(max_size=40)
_NUMBER = st.integers(1, 9) | st.integers(-3, 2**63)
_OF_TYPE: Mapping[str, st.SearchStrategy[Any]] = {
    "string": _TEXT,
    "integer": _NUMBER,
    "number": st.floats(allow_nan=False),
    "boolean": st.booleans(),
    "null": st.none(),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """One request; `told` is what the document says of its answers."""

    method: str
    path: str
    target: str
    headers: Mapping[str, str]
    raw: bytes | None
    told: Mapping[str, Any] = field(repr=False)


def fitting(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a schema as msgspec writes it."""
    if "$ref" in schema:
        target = schemas[schema["$ref"].rpartition("/")[2]]
        return st.deferred(lambda: fitting(target, schemas))
    if "anyOf" in schema:
        return st.one_of([fitting(one, schemas) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return st.lists(fitting(schema.get("items", {}), schemas), max_size=3)
    if kind == "object":
        return _object(schema, schemas)
    return ANYTHING if kind is None else _OF_TYPE[kind]


def _object(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    known = schema.get("properties", {})
    if not known:
        return st.dictionaries(st.text(max_size=8), ANYTHING, max_size=2)
    needed = set(schema.get("required", ()))
    made = {name: fitting(one, schemas) for name, one in known.items()}
    return st.fixed_dictionaries(
        {name: one for name, one in made.items() if name in needed},
        optional={name: one for name, one in made.items() if name not in needed},
    )


def _bodies(told: Mapping[str, Any], schemas: Mapping[str, Any]) -> st.SearchStrategy[bytes | None]:
    content = told.get("requestBody", {}).get("content", {})
    if not content:
        return st.none() | st.just(b"{}")
    schema = content["application/json"]["schema"]
    known = schemas.get(schema.get("$ref", "").rpartition("/")[2], {}).get("properties", {"x": {}})
    odd = st.dictionaries(st.sampled_from(sorted(known)), ANYTHING)
    good = fitting(schema, schemas).map(msgspec.json.encode)
    return st.one_of(good, good, good, odd.map(msgspec.json.encode), st.binary(max_size=40))


def _places(parameters: list[Mapping[str, Any]]) -> st.SearchStrategy[dict[str, str]]:
    """Something for each part of the path: mostly what can be there."""
    return st.fixed_dictionaries(
        {
            one["name"]: (fitting(one["schema"], {}) | st.text(min_size=1, max_size=20)).map(str)
            for one in parameters
            if one["in"] == "path"
        }
    )


def _given(parameters: list[Mapping[str, Any]], place: str) -> st.SearchStrategy[dict[str, str]]:
    chosen = {
        one["name"]: fitting(one["schema"], {}).map(str) for one in parameters if one["in"] == place
    }
    return st.fixed_dictionaries({}, optional=chosen)


def _header(text: str) -> str:
    """The text as a header can hold it."""
    return "".join(one for one in text if 0x20 < ord(one) < 0x7F)


def wishes(document: Mapping[str, Any]) -> st.SearchStrategy[Wish]:
    """Requests of every operation of the document."""
    schemas = document["components"]["schemas"]
    operations = [
        (path, method, told)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    ]

    def of(operation: tuple[str, str, Mapping[str, Any]]) -> st.SearchStrategy[Wish]:
        path, method, told = operation
        parameters = list(told.get("parameters", ()))

        def made(parts: tuple[Any, ...]) -> Wish:
            places, query, headers, raw = parts
            target = path
            for name, text in places.items():
                target = target.replace(
                    f"{{{name}}}", quote(text, safe="", errors="replace") or "x"
                )
            if query:
                target = f"{target}?{urlencode(query, errors='replace')}"
            sent = {name: _header(text) for name, text in headers.items()}
            if raw is not None:
                sent["Content-Type"] = "application/json"
            return Wish(method.upper(), path, target, sent, raw, told)

        parts = st.tuples(
            _places(parameters), _given(parameters, "query"), _given(parameters, "header"), _bodies(told, schemas)
        )  # fmt: skip
        return parts.map(made)

    return st.sampled_from(operations).flatmap(of)
