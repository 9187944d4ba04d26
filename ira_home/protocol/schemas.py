"""JSON Schemas of tools: which are taken, and whether arguments fit them."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
import hashlib
from typing import Any, Final, TypeAlias, cast

import jsonschema_rs

from ira_home.base.errors import ProtocolError
from ira_home.base.jsontext import dump
from ira_home.base.limits import (
    PARAMETERS_BYTES,
    SCHEMA_NODES,
    SCHEMA_PATTERNS,
    SCHEMAS_CACHED,
)
from ira_home.base.text import cut
from ira_home.protocol.schema_walk import SchemaRefused, check_shape

Schema: TypeAlias = Mapping[str, Any]

_FAULT_CHARS = 300
# A linear engine: no pattern can take long, and none can grow large when compiled.
_PATTERNS: Final = jsonschema_rs.RegexOptions(size_limit=262_144, dfa_size_limit=1_048_576)
_DRAFTS: Final = {
    "http://json-schema.org/draft-06/schema": jsonschema_rs.Draft6Validator,
    "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema_rs.Draft202012Validator,
}


def shared(parameters: object) -> Schema:
    """A JSON Schema object that is safe to use; raises ProtocolError, saying why, for another.

    Safe: 8 KB at most as compact JSON, describing an object, with references that begin with `#`
    and lead in no circle, patterns of a linear regular expression language. Equal ones are one
    object, so that many devices with the same tools share it.
    """
    if not isinstance(parameters, dict):
        message = "parameters is not a JSON Schema object."
        raise ProtocolError(message)
    try:
        text = dump(parameters).encode()
    except (TypeError, ValueError, RecursionError):
        message = "parameters is not JSON."
        raise ProtocolError(message) from None
    if len(text) > PARAMETERS_BYTES:
        message = f"parameters is larger than {PARAMETERS_BYTES} bytes."
        raise ProtocolError(message)
    key = hashlib.sha256(text).digest()
    known = _accepted.get(key)
    if known is None:
        known = _checked(parameters)
        _accepted.put(key, known)
    return known


@dataclass(frozen=True, slots=True)
class Misfit:
    """Where arguments do not fit a schema, and which of JSON Schema's own words they break there.

    `place` are names and numbers that lead there; of what is missing its own name is the last.
    `said` repeats values and words of the schema, so it is as little to be trusted as both.
    """

    place: tuple[str, ...]
    word: str
    said: str

    @property
    def sentence(self) -> str:
        """All of it, for whoever wrote the schema or the value."""
        where = ".".join(self.place) if self.word != "required" else ".".join(self.place[:-1])
        return f"{where}: {self.said}" if where else self.said


def validate(schemas: Iterable[Schema], value: object) -> str | None:
    """None when the arguments fit every schema, else one sentence on the first that does not."""
    wrong = misfit(schemas, value)
    return None if wrong is None else wrong.sentence


def misfit(schemas: Iterable[Schema], value: object) -> Misfit | None:
    """None when the arguments fit every schema, else where the first does not hold.

    The schemas have been checked before. Nothing is ever fetched.
    """
    for schema in schemas:
        validator = _compiled.of(schema)
        if not validator.is_valid(value):
            return _misfit(validator, value)
    return None


def _checked(parameters: dict[str, Any]) -> Schema:
    if parameters.get("type", "object") != "object":
        message = "parameters must describe an object."
        raise ProtocolError(message)
    try:
        check_shape(parameters, nodes=SCHEMA_NODES, patterns=SCHEMA_PATTERNS)
        _build(parameters)
    except SchemaRefused as error:
        message = f"parameters cannot be used: {error}"
        raise ProtocolError(message) from None
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        reason = cut(str(error).partition("\n")[0], _FAULT_CHARS)
        message = f"parameters is no valid JSON Schema: {reason}"
        raise ProtocolError(message) from None
    return parameters


def _refuse(uri: str) -> Any:
    message = f"{uri} is not fetched"
    raise ValueError(message)


def _build(schema: Schema) -> jsonschema_rs.Validator:
    name = schema.get("$schema")
    draft = _DRAFTS.get(name.rstrip("#")) if isinstance(name, str) else None
    if name is not None and draft is None:
        message = "this $schema is not known here"
        raise ValueError(message)
    make = draft or jsonschema_rs.Draft202012Validator
    return make(cast("dict[str, Any]", schema), retriever=_refuse, pattern_options=_PATTERNS)


def _misfit(validator: jsonschema_rs.Validator, value: object) -> Misfit:
    fault = next(validator.iter_errors(value), None)
    if fault is None:
        return Misfit((), "schema", "The arguments do not fit the tool.")
    place = tuple(str(step) for step in fault.instance_path)
    if isinstance(fault.kind, jsonschema_rs.ValidationErrorKind.Required):
        place = (*place, str(fault.kind.property))
    return Misfit(place, fault.kind.name, cut(fault.message, _FAULT_CHARS))


class _Accepted:
    """The schemas taken lately, by the digest of their text."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, Schema] = OrderedDict()

    def get(self, key: bytes) -> Schema | None:
        return self._kept.get(key)

    def put(self, key: bytes, schema: Schema) -> None:
        self._kept[key] = schema
        while len(self._kept) > SCHEMAS_CACHED:
            self._kept.popitem(last=False)


class _Compiled:
    """Validators by the identity of their schema, which each entry holds on to."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[Schema, jsonschema_rs.Validator]] = OrderedDict()

    def of(self, schema: Schema) -> jsonschema_rs.Validator:
        entry = self._kept.get(id(schema))
        if entry is None:
            entry = (schema, _build(schema))
            self._kept[id(schema)] = entry
            while len(self._kept) > SCHEMAS_CACHED:
                self._kept.popitem(last=False)
        return entry[1]


_accepted = _Accepted()
_compiled = _Compiled()
