import pytest

from ira_home.base.errors import Invalid
from ira_home.domain.pages import page_of, read_cursor


def test_a_page_knows_whether_more_follows() -> None:
    assert page_of([3, 2, 1], 2, str).next_cursor == "2"
    assert page_of([3, 2], 2, str).next_cursor is None
    assert page_of([], 2, str).items == ()


@pytest.mark.parametrize("cursor", ["x", "-1", "1.2", "1e3", "²", "9" * 30, "1.", " 1"])
def test_a_cursor_from_elsewhere_is_refused(cursor: str) -> None:
    with pytest.raises(Invalid):
        read_cursor(cursor)


def test_a_cursor_goes_back_as_it_came() -> None:
    assert read_cursor("17") == (17,)
    assert read_cursor("17.4", parts=2) == (17, 4)
    assert read_cursor(None) is None
    assert read_cursor("") is None
