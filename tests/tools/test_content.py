from dataclasses import dataclass
from datetime import date

from hypothesis import given, strategies as st

from ira_home.tools.content import NOTHING, text_of, text_of_result

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def test_the_summary_comes_first_and_the_rest_after_a_blank_line() -> None:
    content = {"summary": "Read invoice.pdf.", "text": "Total: 300\n\nThank you."}
    assert text_of(content) == "Read invoice.pdf.\n\nTotal: 300\n\nThank you."


def test_a_summary_has_no_blank_line_in_itself() -> None:
    assert text_of({"summary": "one\n\n\ntwo", "text": "rest"}) == "one\ntwo\n\nrest"


def test_what_is_no_text_is_shown_as_readable_json() -> None:
    assert text_of({"summary": "Two.", "files": ["a", "ख"]}) == 'Two.\n\n{\n "files": [\n  "a",\n  "ख"\n ]\n}'  # fmt: skip
    assert text_of(42) == "42"
    assert text_of("words") == "words"


def test_nothing_is_said_to_be_nothing() -> None:
    assert text_of(None) == text_of("") == text_of_result(None) == NOTHING


@given(JSON)
def test_any_content_becomes_some_text(content: object) -> None:
    assert text_of(content)


@dataclass
class Slot:
    day: date
    names: tuple[str, ...]


def test_a_function_s_own_values_are_readable_too() -> None:
    assert '"day": "2026-11-30"' in text_of_result([Slot(date(2026, 11, 30), ("Asha",))])
