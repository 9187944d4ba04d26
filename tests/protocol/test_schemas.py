"""Schemas of tools: refused when unsafe, and arguments checked against those that are taken."""

import json
import time

from hypothesis import given, settings, strategies as st
import pytest

from ira_home.base.errors import ProtocolError
from ira_home.protocol.schemas import shared, validate
from tests.support.requirements import requirement

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def schema_of(size: int) -> dict[str, object]:
    made: dict[str, object] = {"type": "object", "properties": {}, "description": ""}
    made["description"] = "d" * (size - len(json.dumps(made, separators=(",", ":"))))
    return made


@requirement("ws.tool.parameters")
@pytest.mark.parametrize(
    "wrong",
    [
        None, "text", [], 5, True, {"type": 7}, {"type": "nonsense"}, {"type": "string"}, {"type": ["object", "null"]},
        {"type": "object", "properties": []}, {"properties": {"a": {"type": "nonsense"}}}, {"required": "path"},
        {"properties": {"a": {"pattern": "("}}}, {"properties": {"a": {"minLength": -1}}}, {"enum": 5},
    ],
)  # fmt: skip
def test_what_is_no_json_schema_object_is_refused(wrong: object) -> None:
    with pytest.raises(ProtocolError):
        shared(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"$ref": "http://127.0.0.1:9/x"}, {"properties": {"a": {"$ref": "https://example.com/s.json"}}},
        {"$ref": "file:///etc/passwd"}, {"$ref": "other.json"}, {"$ref": "#name"}, {"$ref": "#/nowhere"}, {"$ref": 5},
        {"$dynamicRef": "#x"}, {"$id": "http://127.0.0.1:9/", "type": "object"}, {"$schema": "http://127.0.0.1:9/s"},
        {"$schema": 5}, {"items": [{"anyOf": [{"$ref": "http://127.0.0.1:9/x"}]}]},
        {"$defs": {"a": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/%61"}}},
    ],
)  # fmt: skip
def test_only_references_into_the_same_schema_are_taken(wrong: object) -> None:
    with pytest.raises(ProtocolError):
        shared(wrong)


@pytest.mark.parametrize(
    "circle",
    [
        {"$ref": "#"}, {"allOf": [{"$ref": "#"}]}, {"properties": {"a": {"$ref": "#"}}},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "properties": {"x": {"$ref": "#/$defs/a"}}},
    ],
)  # fmt: skip
def test_references_in_a_circle_are_refused(circle: object) -> None:
    with pytest.raises(ProtocolError):
        shared(circle)


def doubling(levels: int) -> dict[str, object]:
    defs: dict[str, object] = {
        f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(levels)
    }
    return {"$ref": "#/$defs/a0", "$defs": defs | {f"a{levels}": {"type": "object"}}}


def chain(links: int) -> dict[str, object]:
    defs: dict[str, object] = {f"a{n}": {"$ref": f"#/$defs/a{n + 1}"} for n in range(links)}
    return {"$ref": "#/$defs/a0", "$defs": defs | {f"a{links}": {"type": "object"}}}


def test_a_schema_that_doubles_with_every_reference_is_refused_at_once() -> None:
    began = time.process_time()
    for schema in (doubling(20), doubling(100), chain(200)):
        with pytest.raises(ProtocolError):
            shared(schema)
    assert time.process_time() - began < 1
    shared(doubling(4))
    shared(chain(8))


def test_local_references_are_taken_and_hold() -> None:
    schema = {"$defs": {"a/b": {"type": "integer"}}, "properties": {"n": {"$ref": "#/$defs/a~1b"}}}
    shared(schema)
    assert validate([schema], {"n": 1}) is None
    assert validate([schema], {"n": "x"}) is not None


def test_names_that_look_like_keywords_are_names() -> None:
    schema = {
        "properties": {
            "$ref": {"type": "string"},
            "pattern": {"type": "string"},
            "$id": {},
            "enum": {},
        }
    }
    shared(schema)
    shared({"properties": {"a": {"enum": [{"$ref": "http://example.com"}]}}})


@requirement("ws.tool.parameters.8kb")
def test_eight_kilobytes_are_taken_and_one_byte_more_is_not() -> None:
    shared(schema_of(8_192))
    for size in (8_193, 60_000):
        with pytest.raises(ProtocolError):
            shared(schema_of(size))


def test_the_size_is_that_of_compact_utf_8() -> None:
    base = {"type": "object", "description": ""}
    room = 8_192 - len(json.dumps(base, separators=(",", ":")))
    shared(base | {"description": "श" * (room // 3)})
    with pytest.raises(ProtocolError):
        shared(base | {"description": "श" * (room // 3 + 1)})


@pytest.mark.parametrize("pattern", ["(a+)+$", "(.*a){20}", "(a|a)*b", "([a-z]+)*[0-9]"])
def test_a_hostile_pattern_takes_no_time(pattern: str) -> None:
    schema = {"properties": {"a": {"pattern": pattern}}}
    shared(schema)
    began = time.process_time()
    validate([schema], {"a": "a" * 50_000 + "!"})
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "(.{1000}){1000}"])
def test_patterns_that_could_take_long_or_grow_are_refused(pattern: str) -> None:
    with pytest.raises(ProtocolError):
        shared({"properties": {"a": {"pattern": pattern}}})


def test_more_patterns_than_can_be_compiled_quickly_are_refused() -> None:
    def with_patterns(count: int) -> dict[str, object]:
        return {"properties": {f"p{n}": {"pattern": f"^{n}$"} for n in range(count)}}

    shared(with_patterns(16))
    with pytest.raises(ProtocolError):
        shared(with_patterns(17))


@requirement("call.frame")
def test_arguments_are_checked_and_the_fault_is_one_sentence() -> None:
    assert validate([PATH], {"path": "~/x"}) is None
    assert "path" in str(validate([PATH], {}))
    fault = validate([PATH], {"path": ["deep" * 4000]})
    assert fault is not None
    assert fault.startswith("path: ")
    assert len(fault) < 400


def test_arguments_must_fit_every_schema() -> None:
    wide = {"properties": {"n": {"type": "integer"}}}
    narrow = {"properties": {"n": {"maximum": 5}}}
    assert validate([wide, narrow], {"n": 5}) is None
    assert validate([wide, narrow], {"n": 6}) is not None
    assert validate([narrow, wide], {"n": 1.5}) is not None
    assert validate([], {"n": 6}) is None


def test_older_drafts_keep_their_meaning() -> None:
    draft7 = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"pair": {"items": [{"type": "string"}, {"type": "integer"}]}},
    }
    shared(draft7)
    assert validate([draft7], {"pair": ["a", 1]}) is None
    assert validate([draft7], {"pair": ["a", "b"]}) is not None


def test_equal_schemas_are_kept_once() -> None:
    assert shared(json.loads(json.dumps(PATH))) is shared(json.loads(json.dumps(PATH)))


keywords = st.sampled_from(
    [
        "type",
        "properties",
        "$ref",
        "items",
        "allOf",
        "pattern",
        "required",
        "enum",
        "$defs",
        "additionalProperties",
    ]
)
schemas = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["object", "string", "#", "#/$defs/a", "(", ".*"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keywords | st.just("a"), inner, max_size=4),
    max_leaves=15,
)  # fmt: skip


@given(st.dictionaries(keywords, schemas, max_size=5), schemas)
@settings(max_examples=300)
def test_any_value_is_taken_as_a_schema_or_refused_and_never_worse(
    schema: dict[str, object], value: object
) -> None:
    try:
        shared(schema)
    except ProtocolError:
        return
    assert validate([schema], {"a": value}) is None or isinstance(
        validate([schema], {"a": value}), str
    )
