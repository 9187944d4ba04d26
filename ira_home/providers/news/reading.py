"""From the bytes of a feed to its items: no DTD, no fetching, nothing but text and dates comes out."""

import calendar
import codecs
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
import io
import re
from typing import Any

from ira_home.base.errors import FetchFailed
from ira_home.base.limits import (
    FEED_ITEMS,
    FEED_ITEMS_READ,
    FEED_MARKS,
    HIT_TEXT_CHARS,
    HIT_TITLE_CHARS,
)
from ira_home.domain.feeds import NewsItem
from ira_home.providers.markup import web_address, words_of

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ENCODINGS = re.compile(
    r"(?:us-?ascii|latin-?1|iso-?8859-?\d{1,2}|(?:windows-?|cp)125\d|utf-?16(?:[lb]e)?|gb\w{1,6}|big5|shift_jis|euc-\w{2}|koi8-[ru])",
    re.IGNORECASE,
)
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,200}\sencoding=["']([\w-]{1,20})["']""")
_CHARSET = re.compile(r"""charset=["']?([\w-]{1,20})""", re.IGNORECASE)
# What may stand before a feed's first element; a DOCTYPE may not.
_BEFORE = re.compile(r"(?:\s|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
_ROOT = re.compile(r"<(?:\w+:)?(?:rss|feed|rdf)[\s>]", re.IGNORECASE)
_DECLARATION = re.compile(r"<!\s*(?:doctype|entity|element|attlist|notation)", re.IGNORECASE)
_DATES = ("published_parsed", "updated_parsed", "created_parsed")


def read_feed(body: bytes, *, url: str, host: str, content_type: str = "") -> list[NewsItem]:
    """The feed's items in their order; raises FetchFailed. Blocks: call it in a thread.

    `url` is what relative addresses are relative to, `host` the feed's own.
    """
    xml = _without_prolog(_decoded(body, content_type), host)
    if xml.count("<") > FEED_MARKS:
        message = f"The feed of {host} is too large."
        raise FetchFailed(message)
    found = _parsed(xml, url)
    title = words_of(found.feed.get("title"), HIT_TITLE_CHARS) or host
    items: dict[str, NewsItem] = {}
    for entry in found.entries[:FEED_ITEMS_READ]:
        item = _item(dict(entry), title, host)
        if item is not None and len(items) < FEED_ITEMS:
            items.setdefault(item.url or item.title, item)
    return list(items.values())


def _decoded(body: bytes, content_type: str) -> str:
    """The text, by what the bytes say of themselves first; what cannot be read is replaced."""
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    if b"\0" in body[:4]:
        return body.decode("utf-16-be" if body[:1] == b"\0" else "utf-16-le", "replace")
    for encoding in ("utf-8", *_told(body, content_type)):
        try:
            return body.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return body.decode("utf-8", "replace")


def _told(body: bytes, content_type: str) -> Iterator[str]:
    declared = _DECLARED.match(body[:400])
    if declared and _ENCODINGS.fullmatch(name := declared[1].decode("ascii")):
        yield name
    charset = _CHARSET.search(content_type[:200])
    if charset and _ENCODINGS.fullmatch(charset[1]):
        yield charset[1]


def _without_prolog(text: str, host: str) -> str:
    """The feed from its first element on; raises FetchFailed for a DOCTYPE and for what is no feed.

    A DTD is refused before any parser sees it: it can make a small text huge, or nest deeper than
    the parser's stack.
    """
    start = text.find("<")
    root = _BEFORE.match(text, max(start, 0))
    place = root.end() if root else 0
    if start < 0 or _DECLARATION.search(text, start, place + 20):
        message = (
            f"What {host} sent is no feed, or one that declares a document type, which is refused."
        )
        raise FetchFailed(message)
    if not _ROOT.match(text, place):
        message = f"What {host} sent is no feed."
        raise FetchFailed(message)
    return text[place:].replace("\0", "")


def _parsed(xml: str, url: str) -> Any:
    import feedparser  # takes a fifth of a second

    try:
        return feedparser.parse(
            io.BytesIO(
                xml.encode("utf-8", "replace")
            ),  # a text would be taken for an address or a path
            response_headers={
                "content-type": "application/xml; charset=utf-8",
                "content-location": url,
            },
            sanitize_html=False,  # nothing but words is taken from it
        )
    except Exception as error:
        # A boundary: no text of a stranger may end more than its own reading.
        message = "The feed cannot be read."
        raise FetchFailed(message) from error


def _item(entry: Mapping[str, Any], feed: str, host: str) -> NewsItem | None:
    title = words_of(entry.get("title"), HIT_TITLE_CHARS)
    text = words_of(entry.get("summary") or _content(entry), HIT_TEXT_CHARS)
    place = web_address(entry.get("link"))
    if not title and not text:
        return None
    return NewsItem(
        title=title or text[:HIT_TITLE_CHARS],
        text="" if text == title else text,
        feed=feed,
        host=host if place is None else place[0],
        url="" if place is None else place[1],
        at=_moment(entry),
    )


def _content(entry: Mapping[str, Any]) -> object:
    parts = entry.get("content")
    first = parts[0] if isinstance(parts, list) and parts else None
    return first.get("value") if isinstance(first, Mapping) else None


def _moment(entry: Mapping[str, Any]) -> datetime | None:
    """When it was published; None where the feed says nothing that is a time."""
    for name in _DATES:
        try:
            told = entry.get(name)
            if told is not None:
                return datetime.fromtimestamp(calendar.timegm(tuple(told)), UTC)
        except (ValueError, OverflowError, OSError, TypeError):
            continue
    return None
