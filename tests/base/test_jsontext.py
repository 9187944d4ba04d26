"""Strict JSON: what is refused, what passes, and that nothing but BadJson ever comes out."""

import contextlib
import json
from typing import Any

from hypothesis import given, strategies as st
import pytest

from ira_home.base.errors import BadJson
from ira_home.base.jsontext import canonical, dump, parse
from ira_home.base.limits import JSON_DEPTH

scalars = (
    st.none() | st.booleans() | st.text() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
)  # fmt: skip
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(values)
def test_what_it_writes_it_reads_back(value: Any) -> None:
    assert parse(dump(value)) == value
    assert parse(canonical(value)) == value


@given(st.text() | st.binary())
def test_any_text_is_a_value_or_bad_json(text: str | bytes) -> None:
    # Any other error of the parser would fail the test.
    with contextlib.suppress(BadJson):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2}',
        '{"a":{"tier":3,"tier":0}}',
        '{"a":NaN}',
        "[Infinity]",
        "[-Infinity]",
        "[1e999]",
        "[" + "9" * 5000 + "]",
        "[9223372036854775808]",
        '["\\ud800"]',
        '{"\\udfff":1}',
        "[1,]",
        "{'a':1}",
        "",
        "\ufeff{}",
        b'["\xff"]',
        b'["\xed\xa0\x80"]',
    ],
)
def test_text_that_parsers_read_differently_is_refused(text: str | bytes) -> None:
    with pytest.raises(BadJson):
        parse(text)


def test_nesting_is_bounded_exactly() -> None:
    parse("[" * JSON_DEPTH + "]" * JSON_DEPTH)
    for depth in (JSON_DEPTH + 1, 1_000, 100_000):
        with pytest.raises(BadJson):
            parse("[" * depth + "]" * depth)
        with pytest.raises(BadJson):
            parse('{"a":' * depth + "1" + "}" * depth)


def test_brackets_inside_strings_do_not_count() -> None:
    text = json.dumps({"a": "[" * 500 + '"' + "{" * 500})
    assert parse(text)["a"].startswith("[[[")


def test_pairs_of_surrogates_are_one_character() -> None:
    assert parse('["\\ud83d\\ude00"]') == ["😀"]


@given(values)
def test_the_canonical_spelling_does_not_depend_on_order(value: Any) -> None:
    shuffled = {"z": value, "a": value}
    assert canonical(shuffled) == canonical(dict(reversed(list(shuffled.items()))))
