from typing import Any

from ira_home.protocol.schemas import shared, validate
from ira_home.tools.merge import device_argument_of, merged_parameters
from tests.support.requirements import requirement

LABELS = ["Study", "Attic"]


def schema(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def merged(*schemas: dict[str, Any]) -> dict[str, Any]:
    argument = device_argument_of(schemas)
    made = merged_parameters(schemas, argument=argument, labels=LABELS)
    shared(made)
    return made


@requirement("tools.device_arg")
def test_equal_schemas_gain_a_required_device_argument() -> None:
    path = schema("path", path={"type": "string"})
    made = merged(path, path)
    assert made["properties"]["device"]["enum"] == LABELS
    assert made["required"] == ["device", "path"]
    assert path["required"] == ["path"]


def test_a_tool_with_a_device_of_its_own_gets_another_name() -> None:
    own = schema(device={"type": "integer"})
    assert device_argument_of([own, schema()]) == "on_device"
    assert device_argument_of([own, schema(on_device={})]) == "on_device_2"


def test_differing_schemas_are_merged_and_require_what_all_require() -> None:
    one = schema("path", "page", path={"type": "string"}, page={"type": "integer"})
    two = schema("path", path={"type": "string"}, deep={"type": "boolean"})
    made = merged(one, two)
    assert set(made["properties"]) == {"device", "path", "page", "deep"}
    assert made["required"] == ["device", "path"]
    assert validate((made,), {"device": "Attic", "path": "x", "page": 2}) is None


def test_a_property_that_differs_allows_what_either_device_takes() -> None:
    made = merged(schema(n={"type": "integer"}), schema(n={"type": "string"}))
    for value in (1, "one"):
        assert validate((made,), {"device": "Study", "n": value}) is None


def test_references_of_differing_schemas_are_not_carried_over() -> None:
    one = schema(x={"$ref": "#/$defs/a"}) | {"$defs": {"a": {"type": "string"}}}
    made = merged(one, schema(y={"type": "string"}))
    assert "$ref" not in str(made)


def test_equal_schemas_keep_their_references() -> None:
    one = schema(x={"$ref": "#/$defs/a"}) | {"$defs": {"a": {"type": "string"}}}
    made = merged(one, one)
    assert validate((made,), {"device": "Study", "x": 5}) is not None
