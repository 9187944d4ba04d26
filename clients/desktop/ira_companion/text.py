"""Plain text: what it is encoded in, and its pages."""

import codecs

from ira_companion.limits import PAGE_CHARS

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ODD_CONTROLS = frozenset(range(32)) - {9, 10, 11, 12, 13, 27}


class NoText(Exception):
    """These bytes are no text."""


class UnknownEncoding(Exception):
    """Text perhaps, but in an encoding that does not say which it is."""


def decoded(content: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 or UTF-32 that says so; raises NoText or UnknownEncoding.

    Nothing is guessed: wrong letters are worse than none.
    """
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    if encoding in ("utf-8", "utf-8-sig") and _ODD_CONTROLS.intersection(content[:65_536]):
        raise NoText
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise UnknownEncoding from None


def pages_of(text: str) -> list[str]:
    """The text in pages of bounded length, broken between paragraphs, lines or words; never none."""
    pages = []
    while len(text) > PAGE_CHARS:
        end = _break_before(text, PAGE_CHARS)
        pages.append(text[:end].rstrip())
        text = text[end:].lstrip("\n")
    if text or not pages:
        pages.append(text)
    return pages


def _break_before(text: str, limit: int) -> int:
    """Where to break: as late as can be, and never in the first half."""
    for gap in ("\n\n", "\n", " "):
        end = text.rfind(gap, limit // 2, limit)
        if end != -1:
            return end + len(gap)
    return limit
