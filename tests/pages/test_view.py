"""Where a page sends its visitor back to: never to another site."""

from urllib.parse import urlsplit

from hypothesis import given, strategies as st
import pytest

from ira_home.web.pages.view import browser, way_back


@pytest.mark.parametrize(
    "path", ["/", "/chat/12", "/devices/3/remove", "/did?cursor=17.3&limit=5", "/chats?q=%E0%A4%95"]
)
def test_a_path_of_this_server_is_gone_back_to(path: str) -> None:
    assert way_back(path) == path


@pytest.mark.parametrize(
    "path",
    ["", None, "//evil.example", "/\\evil.example", "https://evil.example", "chat", "/a\r\nSet-Cookie: x=1", "/a#b", "/a b", "/@evil", "/" + "a" * 300],
)  # fmt: skip
def test_anything_else_is_not(path: str | None) -> None:
    assert way_back(path, "/here") == "/here"


@given(st.text(alphabet="/\\.:@?#a%0dA\t\n ", max_size=12))
def test_no_way_back_leads_to_another_host(path: str) -> None:
    found = urlsplit(way_back(path))
    assert (found.scheme, found.netloc) == ("", "")


def test_a_browser_is_named_as_people_know_it() -> None:
    chrome = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
    assert browser(chrome) == "Chrome, Android"
    assert (
        browser("Mozilla/5.0 (Macintosh; Intel Mac OS X 14) Version/18 Safari/605") == "Safari, Mac"
    )
    assert browser("curl/8.0") == "curl/8.0"
    assert browser("") == "?"
