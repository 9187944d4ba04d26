from dataclasses import dataclass
from datetime import date

from hypothesis import given, strategies as st

from ira_home.tools.content import NOTHING, picture_of, text_of, text_of_result
from tests.support.pictures import JPEG, carried

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


def test_the_bytes_of_a_picture_are_taken_out_of_the_text() -> None:
    sent = carried(JPEG)
    rest, picture = picture_of({"summary": "Taken.", "place": "garden", "picture": sent})
    assert picture is not None
    assert picture.data == JPEG
    said = text_of(rest)
    assert said.startswith("Taken.\nPicture: 3 x 2, shown to the person")
    assert '"place": "garden"' in said
    assert sent["data"] not in said


def test_a_picture_that_is_none_is_taken_out_too_and_said_to_be_none() -> None:
    for summary in ({"summary": "Taken."}, {}, {"summary": {"en": "Taken."}}):
        data = "PHN2Zz48L3N2Zz4="
        rest, picture = picture_of(summary | {"picture": carried(JPEG) | {"data": data}})
        assert picture is None
        said = text_of(rest)
        assert data not in said
        assert "Picture: not shown, because it is no JPEG, PNG or WebP picture." in said
        assert ("Taken." in said) is bool(summary)


def test_a_result_without_one_stays_as_it_is() -> None:
    for content in ({"picture": "~/a.jpg"}, {"picture": {"path": "a"}}, ["data"], None, "data"):
        assert picture_of(content) == (content, None)
