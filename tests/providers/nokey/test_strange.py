"""Whatever is said, offered or returned, the brain answers and raises nothing."""

from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st

from ira_home.domain.tools import Outcome
from tests.providers.nokey.talk import step
from tests.support.views import call_and_result, device_tool, ira, person, view

words = st.lists(
    st.sampled_from(
        ["read", "the", "file", "bell", "strike", "and", "then", "to", "Amit", "ko", "bhejo", "padho", "फ़ाइल", "पढ़ो", "in", "Downloads", "a.pdf", "'", '"x y"',
         "12", "on", "off", "Barn", ",", ".", "?", "mat", "that", "ki", "named", "here", "second", "next", "page", "\u0000", "<b>", "https://a.b"]
    ),
    max_size=14,
).map(" ".join)  # fmt: skip
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=10,
)
schema_words = st.sampled_from(
    ["type", "enum", "items", "anyOf", "format", "description", "properties", "title"]
)
schemas = st.dictionaries(
    st.sampled_from(["path", "to", "body", "name", "query", "state", "minutes", "when", "items", "device"]),
    st.dictionaries(schema_words, st.sampled_from(["string", "integer", "array", "boolean", ["string", "null"], "date-time", {"type": "string"}, [1, "on", None], {}]) | values, max_size=3) | values,
    max_size=4,
)  # fmt: skip
quiet = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quiet
@given(words | st.text(max_size=80), schemas, st.booleans(), words)
async def test_any_request_to_any_tool(
    text: str, properties: dict[str, Any], two: bool, before: str
) -> None:
    schema = {"type": "object", "properties": properties, "required": list(properties)[:2]}
    on = ("Barn", "Old mill") if two else ("Barn",)
    tools = (
        device_tool("bell_strike", "Strike the bell", schema, on=on),
        device_tool("file_read", "Read a file", schema, tier=2),
    )
    history = (person(before), ira("Which?"))
    answer = await step(view(text, *tools, history=history))
    assert set(answer.arguments) <= set(properties) | {"device", "on_device"}


@quiet
@given(st.text(max_size=300), st.sampled_from(list(Outcome)), st.text(max_size=20))
async def test_any_result(text: str, outcome: Outcome, source: str) -> None:
    bell = device_tool("bell_strike", "Strike the bell")
    steps = call_and_result("bell_strike", text, outcome=outcome, source=source)
    await step(view("Strike the bell", bell, steps=steps))
