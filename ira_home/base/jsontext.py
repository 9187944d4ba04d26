"""Strict JSON (RFC 8259): bounded depth, no NaN, no duplicate keys, no lone surrogates."""

from collections.abc import Iterator, Mapping
import json
import math
import re
from typing import Any

from ira_home.base.errors import BadJson
from ira_home.base.limits import JSON_DEPTH

# One that never ends goes to the end of the text, so that no scan begins twice.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_ALL_SQUARE = bytes.maketrans(b"{}", b"[]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SAFE_INTEGER = 2**63


def _check_depth(text: str, limit: int) -> None:
    """Refuse deep nesting before anything recurses; brackets that do not match are refused too."""
    if text.count("[") + text.count("{") <= limit:
        return  # most texts have too few brackets to be deep
    bare = _STRING.sub("", text).encode("utf-8", "surrogatepass")
    brackets = bare.translate(_ALL_SQUARE, _NO_BRACKETS)
    for _ in range(limit):
        if not brackets or b"[" * (limit + 1) in brackets:
            break
        brackets = brackets.replace(b"[]", b"")  # the innermost ones
    if brackets:
        message = f"JSON is nested deeper than {limit}, or its brackets do not match."
        raise BadJson(message)


def _constant(name: str) -> Any:
    message = f"JSON has no {name}."
    raise BadJson(message)


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        message = "A number is out of range."
        raise BadJson(message)
    return value


def _integer(text: str) -> int:
    # The length is checked first: Python refuses more than 4,300 digits with another error.
    if len(text) > 20 or not -_SAFE_INTEGER <= (value := int(text)) < _SAFE_INTEGER:
        message = "A number is out of range."
        raise BadJson(message)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        message = "A key stands twice in one JSON object."
        raise BadJson(message)
    return made


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_integer
)


def _refuse_surrogates(value: Any) -> None:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            if _SURROGATE.search(one):
                message = "A text holds half a character."
                raise BadJson(message)
        elif isinstance(one, dict):
            stack.extend(one)
            stack.extend(one.values())
        elif isinstance(one, list):
            stack.extend(one)


def parse(text: str | bytes, *, depth: int = JSON_DEPTH) -> Any:
    """The value of a strict JSON text; raises BadJson and nothing else. The caller bounds the size."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            message = "The text is not UTF-8."
            raise BadJson(message) from None
    _check_depth(text, depth)
    try:
        value = _DECODER.decode(text)
    except BadJson:
        raise
    except (ValueError, RecursionError):
        raise BadJson from None
    if _ESCAPED_SURROGATE.search(text) or (not text.isascii() and _SURROGATE.search(text)):
        _refuse_surrogates(value)
    return value


def dump(value: Any) -> str:
    """Compact JSON text that any parser reads back; raises ValueError for NaN."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def canonical(value: Any) -> bytes:
    """The one spelling of a JSON value (sorted keys, compact, UTF-8): what digests are made of."""
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True
    ).encode()


def texts_in(value: Any) -> Iterator[str]:
    """Every string in a JSON value, the names of its objects among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield str(name)
            yield from texts_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts_in(one)
