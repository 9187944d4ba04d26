"""Rules of a hello's tools, and the stricter of two definitions."""

import json
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from ira_home.base.errors import ProtocolError
from ira_home.devices.definitions import hold, is_same, read_tools, to_agree
from ira_home.domain.devices import DeviceKind, ToolDefinition, is_freer
from ira_home.domain.tools import Tier
from ira_home.protocol.codec import decode
from ira_home.protocol.frames import Hello
from ira_home.protocol.schemas import validate
from tests.support.device_house import LAMP
from tests.support.requirements import requirement


def read(*tools: dict[str, Any], **over: Any) -> tuple[ToolDefinition, ...]:
    frame = decode(json.dumps({"type": "hello", "kind": "mac", "tools": list(tools)} | over))
    assert isinstance(frame, Hello)
    return read_tools(frame, DeviceKind.MAC)


def refused(*tools: dict[str, Any], **over: Any) -> str:
    with pytest.raises(ProtocolError) as caught:
        read(*tools, **over)
    return caught.value.message


@requirement("ws.tool.name")
@pytest.mark.parametrize(
    "name",
    ["ab", "Lamp_colour", "1lamp", "_lamp", "lamp-colour", "lamp.colour", "lamp colour", "a" * 42, "", "lamp\n",
     "lämp", "lamp_\u0661", 7, None]
)  # fmt: skip
def test_a_misnamed_tool_breaks_a_rule(name: object) -> None:
    assert "name" in refused(LAMP | {"name": name})


@pytest.mark.parametrize("name", ["abc", "a" * 41, "a_2", "a12", "abc_def_9_", "a__"])
def test_good_names_are_taken(name: str) -> None:
    assert read(LAMP | {"name": name})[0].name == name


@requirement("ws.tool.description")
@pytest.mark.parametrize("description", [None, 5, ["text"], "", "  \n", "\u200b"])
def test_a_tool_without_description_breaks_a_rule(description: object) -> None:
    assert "description" in refused(LAMP | {"description": description})
    assert "description" in refused({k: v for k, v in LAMP.items() if k != "description"})


def test_a_long_description_is_cut_to_what_a_model_sees() -> None:
    assert len(read(LAMP | {"description": "d" * 5_000})[0].description) == 1_024


@requirement("ws.tool.skill", "ws.tool.skill.default")
def test_the_skill_is_the_one_said_or_the_name_up_to_the_first_underscore() -> None:
    found = read(LAMP, LAMP | {"name": "lamp"}, LAMP | {"name": "lamp_off_now", "skill": "harbour"})
    assert [one.skill for one in found] == ["lamp", "lamp", "harbour"]


@pytest.mark.parametrize("skill", [5, ["files"], "", "Files", "a-b", "x" * 42, "files\n", None])
def test_a_skill_that_is_no_word_breaks_a_rule(skill: object) -> None:
    assert "skill" in refused(LAMP | {"skill": skill})


@requirement("ws.tool.tier")
@pytest.mark.parametrize("tier", [4, -1, "0", 1.5, 1.0, True, [0], None, 10**30])
def test_any_other_tier_breaks_a_rule(tier: object) -> None:
    assert refused(LAMP | {"tier": tier})


@requirement("ws.tool.tier.default")
def test_a_tool_that_does_not_say_is_tier_2() -> None:
    assert read({k: v for k, v in LAMP.items() if k != "tier"})[0].tier is Tier.YES


@requirement("ws.tools.max")
def test_forty_tools_are_welcome_and_forty_one_break_a_rule() -> None:
    tools = [LAMP | {"name": f"lamp_{n}"} for n in range(41)]
    assert len(read(*tools[:40])) == 40
    assert "40" in refused(*tools)
    assert read() == ()


def test_a_name_twice_in_one_hello_breaks_a_rule() -> None:
    assert "twice" in refused(LAMP, LAMP | {"description": "Again."})


def test_the_message_says_which_tool() -> None:
    assert refused(LAMP, LAMP | {"name": "Bad"}).startswith("tools[1]")


@pytest.mark.parametrize(
    "over", [{"label": ""}, {"label": "\u202e"}, {"label": "x" * 61}, {"version": "x" * 41}, {"kind": "windows"}, {"kind": 5}]
)  # fmt: skip
def test_words_out_of_bounds_break_a_rule(over: dict[str, object]) -> None:
    assert refused(LAMP, **over)


def test_additions_are_taken_within_their_bounds() -> None:
    more = {"outward": True, "title": "Lamp colour", "examples": ["which colour is the lamp"]}
    found = read(LAMP | more)[0]
    assert (found.outward, found.title, found.examples) == (True, "Lamp colour", ("which colour is the lamp",))  # fmt: skip
    for wrong in ({"title": "x" * 121}, {"examples": ["x"] * 17}, {"examples": ["x" * 201]}):
        assert refused(LAMP | wrong)


# --- the stricter of two definitions

values = st.sampled_from(
    [{}, {"n": 1}, {"n": 6}, {"n": "x"}, {"m": 1}, {"n": 1, "m": 1}, {"n": True}]
)
schemas = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "properties": st.fixed_dictionaries(
            {"n": st.sampled_from([{}, {"type": "integer"}, {"maximum": 5}, {"const": 1}, {"const": True}])}
        ),
        "required": st.lists(st.sampled_from(["n", "m"]), unique=True),
        "additionalProperties": st.booleans(),
    },
)  # fmt: skip
definitions = st.builds(
    ToolDefinition,
    name=st.just("lamp_colour"),
    description=st.sampled_from(["Tell the colour.", "Break the lamp."]),
    parameters=schemas,
    skill=st.sampled_from(["lamp", "harbour"]),
    tier=st.sampled_from(Tier),
    outward=st.booleans(),
    title=st.sampled_from(["", "Lamp"]),
    examples=st.sampled_from([(), ("colour?",)]),
)


@given(definitions, definitions, values, st.sets(st.sampled_from(["lamp", "harbour"])))
@settings(max_examples=500)
def test_what_is_held_allows_nothing_that_either_definition_forbids(
    agreed: ToolDefinition, declared: ToolDefinition, args: dict[str, object], on: set[str]
) -> None:
    held = hold(agreed, declared)
    assert held.tier >= agreed.tier
    assert held.tier >= declared.tier
    assert held.outward >= (agreed.outward or declared.outward)
    if validate(held.schemas, args) is None:
        assert validate([agreed.parameters], args) is None
        assert validate([declared.parameters], args) is None
    if held.skills <= on:
        assert {agreed.skill, declared.skill} <= on
    assert held.description == agreed.description
    assert held.freer == is_freer(agreed, declared)


@given(definitions, definitions)
@settings(max_examples=300)
def test_what_is_agreed_to_never_becomes_freer_by_itself(
    agreed: ToolDefinition, declared: ToolDefinition
) -> None:
    kept = to_agree(agreed, declared) or agreed
    assert not is_freer(agreed, kept)
    assert kept.tier >= agreed.tier


@given(definitions, definitions)
def test_the_digest_tells_definitions_apart(one: ToolDefinition, other: ToolDefinition) -> None:
    same = hold(one, one).digest == hold(other, other).digest
    assert same == is_same(one, other)
    if not is_same(one, other):
        assert hold(one, other).digest not in {hold(one, one).digest, hold(other, other).digest}


def test_numbers_that_python_takes_for_equal_are_different_schemas() -> None:
    one = read(LAMP | {"parameters": {"properties": {"n": {"const": 1}}}})[0]
    other = read(LAMP | {"parameters": {"properties": {"n": {"const": True}}}})[0]
    assert is_freer(one, other)
    assert not is_same(one, other)
