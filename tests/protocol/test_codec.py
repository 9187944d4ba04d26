"""Frames: what is taken, what is refused, and that nothing but ProtocolError ever comes out."""

import contextlib
import json
import math
import time

from hypothesis import given, settings, strategies as st
from msgspec import UNSET
import pytest

from ira_home.base.errors import BadJson, ProtocolError
from ira_home.base.jsontext import parse
from ira_home.base.limits import FRAME_BYTES
from ira_home.domain.devices import DeviceKind
from ira_home.protocol.codec import decode, encode
from ira_home.protocol.frames import Bye, Call, Event, Hello, Ping, Pong, Result, Welcome
from ira_home.protocol.kinds import KINDS
from tests.support.requirements import requirement

TOOL: dict[str, object] = {
    "name": "file_read",
    "description": "Read the text of one file.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    "skill": "files",
    "tier": 0,
}
HELLO: dict[str, object] = {
    "type": "hello",
    "kind": "mac",
    "label": "Office Mac",
    "version": "0.3.0",
    "tools": [TOOL],
}

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
types = st.sampled_from(
    ["hello", "welcome", "call", "result", "event", "ping", "pong", "bye", "error"]
)
names = st.sampled_from(
    [
        "type",
        "kind",
        "tools",
        "label",
        "version",
        "id",
        "ok",
        "content",
        "error",
        "event",
        "title",
        "text",
        "data",
        "args",
    ]
)
frames_of_any_shape = st.dictionaries(names, json_values, max_size=8).flatmap(
    lambda body: types.map(lambda kind: body | {"type": kind})
)


def refused(text: str) -> str:
    with pytest.raises(ProtocolError) as caught:
        decode(text)
    return caught.value.message


@requirement("ws.hello.fields")
def test_a_hello_as_in_the_specification_is_read() -> None:
    frame = decode(json.dumps(HELLO))
    assert isinstance(frame, Hello)
    assert (frame.kind, frame.label, frame.version) == ("mac", "Office Mac", "0.3.0")
    assert frame.tools[0].name == "file_read"
    assert frame.tools[0].outward is UNSET


def test_unknown_fields_are_ignored() -> None:
    assert decode('{"type":"ping","pad":[1,{"a":2}]}') == Ping()
    tool = TOOL | {"colour": "blue"}
    assert isinstance(decode(json.dumps(HELLO | {"tools": [tool], "deviceId": 1})), Hello)


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "event", "event": "task_done", "title": "Done", "text": "All.", "data": {"id": "t1"}},
        {"type": "result", "id": "a", "ok": True, "content": None},
        {"type": "result", "id": "a", "ok": False, "error": "no such file"},
        {"type": "bye"},
        {"type": "pong"},
        {"type": "call", "id": "a", "tool": "file_read", "args": {"path": "x"}, "here": False},
        {"type": "welcome", "deviceId": 3, "label": "L", "skills": [], "assistant": "Ira",
         "wakePhrase": "Hey Ira", "maxTools": 40, "pv": 1, "limits": {"frame_bytes": 1}},
    ],
)  # fmt: skip
def test_a_frame_is_written_as_it_was_read(frame: dict[str, object]) -> None:
    assert json.loads(encode(decode(json.dumps(frame)))) == frame


def test_the_wire_is_spelled_in_camel_case() -> None:
    welcome = Welcome(
        device_id=3,
        label="L",
        skills=["files"],
        assistant="Ira",
        wake_phrase="Hey Ira",
        max_tools=40,
    )
    assert json.loads(encode(welcome)) == {
        "type": "welcome", "deviceId": 3, "label": "L", "skills": ["files"],
        "assistant": "Ira", "wakePhrase": "Hey Ira", "maxTools": 40,
    }  # fmt: skip


@requirement("ws.json")
@pytest.mark.parametrize(
    "text",
    [
        "", "not json", "[]", "{}", "null", '"hello"', "5", '{"type":5}', '{"type":["ping"]}', '{"type":"surprise"}',
        '{"type":"ping","a":NaN}', '{"type":"ping","a":Infinity}', '{"type":"ping","a":1e999}',
        '{"type":"surprise","type":"ping"}', "{'type':'ping'}", '{"type":"ping",}', '{"type":"ping"} x',
        '{"type":"ping","a":"\\ud800"}', '{"type":"ping","a":"\x01"}', '{"type":"ping","a":' + "9" * 5000 + "}",
        '{"type":"result"}', '{"type":"event"}', '{"type":"result","id":"a","ok":true}',
        '{"type":"result","id":"a","ok":false}', '{"type":"result","id":"a","ok":1,"content":1}',
        '{"type":"result","id":5,"ok":true,"content":1}', '{"type":"event","event":"task_done","title":5,"text":"x"}',
        '{"type":"event","event":"task_done","title":"x","text":"x","data":[]}',
        '{"type":"hello","kind":"mac","tools":{}}', '{"type":"hello","kind":"mac"}', '{"type":"hello","tools":[]}',
        '{"type":"hello","kind":"mac","tools":[5]}', '{"type":"hello","kind":"mac","tools":[],"label":5}',
        '{"type":"hello","kind":"mac","tools":[],"version":null}',
    ],
)  # fmt: skip
def test_what_is_no_frame_is_refused_with_words(text: str) -> None:
    assert len(refused(text)) > 8


@pytest.mark.parametrize("tier", ["true", "1.0", "1.5", '"0"', "null", "[0]"])
def test_a_tier_is_an_integer_and_nothing_like_one(tier: str) -> None:
    text = json.dumps(HELLO).replace('"tier": 0', f'"tier": {tier}')
    assert "tier" in refused(text)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("title", 5),
        ("title", None),
        ("examples", "one"),
        ("examples", [5]),
        ("outward", 1),
        ("outward", "yes"),
    ],
)
def test_a_wrong_shape_of_an_addition_breaks_a_rule(name: str, wrong: object) -> None:
    tool = TOOL | {name: wrong}
    assert name in refused(json.dumps(HELLO | {"tools": [tool]}))


def test_nesting_is_taken_to_32_and_refused_beyond() -> None:
    for deep in (33, 1_000, 100_000):
        refused('{"type":"ping","pad":' + "[" * deep + "]" * deep + "}")
    assert decode('{"type":"ping","pad":' + "[" * 31 + "]" * 31 + "}") == Ping()


@requirement("limit.frame")
@pytest.mark.parametrize("letter", ["x", "é", "श", "😀"])
def test_the_size_is_counted_in_bytes_and_taken_exactly(letter: str) -> None:
    empty = len(b'{"type":"ping","pad":""}')
    room = FRAME_BYTES - empty
    pad = letter * (room // len(letter.encode()))
    pad += "x" * (room - len(pad.encode()))
    text = '{"type":"ping","pad":"' + pad + '"}'
    assert len(text.encode()) == FRAME_BYTES
    assert decode(text) == Ping()
    assert str(FRAME_BYTES) in refused(
        text.replace("ping", "pings", 1).replace("pings", "ping ", 1) + " "
    )


def test_a_reason_never_echoes_a_whole_hostile_value() -> None:
    long = "x" * 100_000
    assert len(refused(json.dumps({"type": long}))) < 400
    assert len(refused(json.dumps({"type": "result", "id": "a", "ok": long}))) < 400
    assert len(refused(json.dumps(HELLO | {"tools": [{long: 5}]}))) < 400


@given(st.text())
def test_any_text_is_a_frame_or_a_protocol_error(text: str) -> None:
    with contextlib.suppress(ProtocolError):
        decode(text)


@given(frames_of_any_shape)
@settings(max_examples=300)
def test_any_object_is_a_frame_or_a_protocol_error(value: dict[str, object]) -> None:
    with contextlib.suppress(ProtocolError):
        frame = decode(json.dumps(value))
        assert decode(encode(frame)) == frame


@given(json_values)
def test_what_is_written_can_be_read(content: object) -> None:
    result = Result(id="a", ok=True, content=content)
    assert decode(encode(result)) == result


@pytest.mark.parametrize(
    "content",
    [object(), "\ud800", 2**70, {"a": [b"\xff", object()]}, {1: "a", "1": "b"}],
)
def test_content_that_is_no_json_is_refused_before_it_is_sent(content: object) -> None:
    with pytest.raises(ProtocolError):
        encode(Result(id="a", ok=True, content=content))


def test_a_number_that_json_has_not_is_never_sent_as_such() -> None:
    assert "NaN" not in encode(Result(id="a", ok=True, content=math.nan))


def test_arguments_nested_too_deep_are_never_sent() -> None:
    deep: dict[str, object] = {}
    inner = deep
    for _ in range(30):
        inner["a"] = {}
        inner = inner["a"]  # type: ignore[assignment]
    assert isinstance(decode(encode(Call(id="a", tool="t", args=deep, here=False))), Call)
    inner["a"] = {}
    with pytest.raises(ProtocolError):
        encode(Call(id="a", tool="t", args=deep, here=False))


def test_a_frame_over_the_size_is_never_sent() -> None:
    with pytest.raises(ProtocolError):
        encode(Result(id="a", ok=True, content="x" * FRAME_BYTES))
    with pytest.raises(ProtocolError):
        encode(Call(id="a", tool="t", args={"a": "x" * FRAME_BYTES}, here=False))


def test_small_frames_are_read_and_written_quickly() -> None:
    text = json.dumps(
        {"type": "result", "id": "a" * 22, "ok": True, "content": {"summary": "s" * 250}}
    )
    began = time.process_time()
    for _ in range(2_000):
        decode(text)
    assert (time.process_time() - began) / 2_000 < 0.0005


def test_bye_ping_and_pong_have_no_fields() -> None:
    assert [encode(one) for one in (Bye(), Ping(), Pong())] == [
        '{"type":"bye"}', '{"type":"ping"}', '{"type":"pong"}',
    ]  # fmt: skip


def test_an_event_down_to_a_phone_has_the_wires_spelling() -> None:
    event = Event(event="task_done", title="T", text="X", id=41, device_id=3, device="Office Mac", created_at="2026-11-30T10:00:00Z")  # fmt: skip
    assert json.loads(encode(event)) == {
        "type": "event", "event": "task_done", "title": "T", "text": "X", "id": 41,
        "deviceId": 3, "device": "Office Mac", "createdAt": "2026-11-30T10:00:00Z",
    }  # fmt: skip


def depth_of(value: object) -> int:
    if not isinstance(value, (dict, list)):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth_of, inner), default=0)


tricky = st.sampled_from(["a[", '{"]', '\\"', "]}", "\\", None, 1])
nests = st.recursive(
    tricky,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from('ab["{'), inner, max_size=3),
    max_leaves=20,
)  # fmt: skip


@given(nests, st.integers(1, 6))
@settings(max_examples=300)
def test_the_depth_seen_before_reading_is_the_depth_of_the_value(value: object, limit: int) -> None:
    try:
        parse(json.dumps(value), depth=limit)
        taken = True
    except BadJson:
        taken = False
    assert taken == (depth_of(value) <= limit)


@pytest.mark.parametrize(
    "hostile",
    ["[" * 40 + '"' + '\\"' * 500_000, "[" * 40 + '"x' * 400_000, "[" * 40 + '"' + "\\\\" * 250_000,
     "[" * 1_000_000, "[1,[]," * 150_000, "[" * 500_000 + "]" * 500_000, '{"a":' * 200_000]
)  # fmt: skip
def test_text_that_never_closes_takes_no_time(hostile: str) -> None:
    began = time.process_time()
    refused(hostile)
    assert time.process_time() - began < 1


def test_the_kinds_of_the_wire_are_those_of_the_house() -> None:
    assert tuple(kind.value for kind in DeviceKind) == KINDS
