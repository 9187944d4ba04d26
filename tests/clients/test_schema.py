"""Type hints become the schema of a tool's arguments."""

from typing import Annotated, Any, Literal

import pytest

from ira_device import Asked, Device, ToolFailed
from ira_device.schema import parameters_of
from ira_device.store import Store
from ira_device.tools import Declaration, declared


def test_every_known_hint_has_its_schema() -> None:
    def tool(  # noqa: PLR0917
        name: Annotated[str, "whose name"],
        count: int,
        share: float,
        is_on: bool,
        colour: Literal["red", "green"],
        tags: list[str],
        sizes: dict[str, int],
        anything: Any,
        note: str | None = None,
    ) -> None: ...

    schema = parameters_of(tool)
    assert schema["properties"] == {
        "name": {"type": "string", "description": "whose name"},
        "count": {"type": "integer"},
        "share": {"type": "number"},
        "is_on": {"type": "boolean"},
        "colour": {"enum": ["red", "green"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sizes": {"type": "object", "additionalProperties": {"type": "integer"}},
        "anything": {},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    }
    assert schema["required"] == [
        "name", "count", "share", "is_on", "colour", "tags", "sizes", "anything",
    ]  # fmt: skip
    assert schema["additionalProperties"] is False


def test_a_tool_without_arguments_takes_none() -> None:
    def tool() -> None: ...

    assert parameters_of(tool) == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


@pytest.mark.parametrize("hint", [set[str], bytes, dict[int, str], ToolFailed])
def test_a_hint_without_schema_is_refused_when_it_is_declared(hint: Any) -> None:
    def tool(value) -> None:  # type: ignore[no-untyped-def]
        """Take it."""

    tool.__annotations__["value"] = hint
    with pytest.raises(TypeError, match="value"):
        declared(tool, Declaration())


def test_arguments_must_have_names_and_types() -> None:
    def untyped(value) -> None: ...  # type: ignore[no-untyped-def]
    def many(*values: str) -> None: ...

    with pytest.raises(TypeError, match="value"):
        parameters_of(untyped)
    with pytest.raises(TypeError, match="values"):
        parameters_of(many)


def test_who_asked_is_no_argument_of_the_schema() -> None:
    def tool(asked: Asked, name: str) -> None:
        """Do it."""

    made = declared(tool, Declaration(tier=0))
    assert list(made.definition.parameters["properties"]) == ["name"]
    assert made.asked_argument == "asked"


def test_what_a_server_would_refuse_is_refused_at_declaration(store: Store) -> None:
    device = Device("Lamp", kind="linux", store=store)

    def no_words() -> None: ...
    def lamp() -> None:
        """Do it."""

    with pytest.raises(ValueError, match="docstring"):
        device.tool(no_words)
    with pytest.raises(ValueError, match="tool name"):
        device.tool(name="Lamp!")(lamp)
    with pytest.raises(ValueError, match="tier"):
        device.tool(tier=4)(lamp)
    with pytest.raises(ValueError, match="skill"):
        device.tool(skill="My Skill")(lamp)
    with pytest.raises(ValueError, match="#/"):
        device.tool(parameters={"type": "object", "$ref": "https://example.com"})(lamp)
    device.tool(tier=0)(lamp)
    with pytest.raises(ValueError, match="two tools"):
        device.tool(tier=0)(lamp)


def test_a_device_offers_forty_tools_at_most(store: Store) -> None:
    device = Device("Lamp", kind="linux", store=store)

    def lamp() -> None:
        """Do it."""

    for number in range(40):
        device.tool(name=f"lamp_{number}")(lamp)
    with pytest.raises(ValueError, match="40"):
        device.tool(name="lamp_40")(lamp)
