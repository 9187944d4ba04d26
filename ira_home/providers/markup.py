"""Words of strangers that come as HTML, as plain words on one line."""

import html
import re

import nh3
from yarl import URL

from ira_home.base.limits import HIT_URL_CHARS
from ira_home.base.text import cut, one_line

_READ = 12  # characters read for each one kept: markup can be most of it
_BLOCKS = re.compile(r"<(?=/?(?:address|article|blockquote|br|dd|div|dt|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul)\b)", re.IGNORECASE)  # fmt: skip


def words_of(markup: object, chars: int) -> str:
    """The visible words of HTML or text, decoded once, on one line of at most `chars`; "" for no text."""
    if not isinstance(markup, str):
        return ""
    read = _BLOCKS.sub(" <", markup[: chars * _READ])
    return cut(one_line(html.unescape(nh3.clean(read, tags=set()))), chars)


def web_address(text: object) -> tuple[str, str] | None:
    """(host, address) of an http(s) address that a person may be shown; None for any other.

    The host is whole, with its port where it has one of its own, as ASCII, so that no letter of it
    only looks like another.
    """
    if not isinstance(text, str) or not 0 < len(text) <= HIT_URL_CHARS:
        return None
    try:
        url = URL(one_line(text))
        port = url.explicit_port
    except ValueError:
        return None
    if url.scheme not in ("http", "https") or not url.raw_host or url.user or url.password:
        return None
    host = f"[{url.raw_host}]" if ":" in url.raw_host else url.raw_host
    return (host if port is None else f"{host}:{port}"), str(url)
