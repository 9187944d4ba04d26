"""The words of a text without its HTML and Markdown, so that nothing nested or encoded comes back."""

import html
import re
from typing import Final

from ira_home.base.text import clean

# No event needs more to fill its bounds with words.
_READ_CHARS: Final = 8_192
_ROUNDS: Final = 16

_Step = tuple[re.Pattern[str], str]
# Every repetition is bounded or stops at a character it cannot cross, so that none runs long.
_HTML: Final[tuple[_Step, ...]] = (
    (re.compile(r"<((?:https?|mailto):[^\s<>]+)>", re.IGNORECASE), r"\1"),
    (re.compile(r"<!--[^<]{0,4000}?-->"), " "),
    (re.compile(r"<(script|style)\b[^<>]{0,2000}>[^<]{0,4000}</\1\s*>", re.IGNORECASE), " "),
    (re.compile(r"<(?:br|/p|/div|/li|/h[1-6]|/tr)\b[^<>]{0,2000}>", re.IGNORECASE), "\n"),
    (
        re.compile(
            r"""<[a-z/!?](?:[^<>"']|"[^"<]{0,2000}"|'[^'<]{0,2000}'){0,4000}>""", re.IGNORECASE
        ),
        "",
    ),
    (re.compile(r"<[a-z/!?][^<>]{0,4000}>", re.IGNORECASE), ""),
)
_MARKDOWN: Final[tuple[_Step, ...]] = (
    (re.compile(r"!?\[([^\[\]]{0,2000})\]\((?:[^()]|\([^()]{0,2000}\)){0,2000}\)"), r"\1"),
    (re.compile(r"!?\[([^\[\]]{0,2000})\]\[[^\[\]]{0,2000}\]"), r"\1"),
    (re.compile(r"^[ \t]{0,3}\[[^\[\]\n]{1,200}\]:[ \t]*\S+.*$", re.MULTILINE), ""),
    (re.compile(r"^[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*[\w+-]*[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"^[ \t]{0,3}(?:[-=_*][ \t]?){3,}$", re.MULTILINE), ""),
    (re.compile(r"^[ \t]{0,12}(?:#{1,6}|>|[*+-])[ \t]+", re.MULTILINE), ""),
    (re.compile(r"^(?:[ \t]{0,3}>)+", re.MULTILINE), ""),
    (re.compile(r"`|~~|\*{2,}"), ""),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{0,300}[^\s*])\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])(.{0,300}?[^\s_])\1(?!\w)"), r"\2"),
    (re.compile(r"\\([*_`~\[\]()#>!|<{}+-])"), r"\1"),
    (re.compile(r"[ \t]#{1,6}[ \t]*$", re.MULTILINE), ""),
)
_ENTITY: Final = re.compile(
    r"&(?:#[0-9]{1,8};?|#x[0-9a-f]{1,8};?|[a-z][a-z0-9]{1,31};|lt|gt|amp|quot)", re.IGNORECASE
)
# What marks are made of, for a text that keeps on unfolding.
_MARKS: Final = re.compile(r"[&<>*_`~\[\]()#\\|!=+-]")
_BLANKS: Final = re.compile(r"[ \t\u00a0]+")
_EDGES: Final = re.compile(r" ?\n ?")
_LINES: Final = re.compile(r"\n{3,}")
_OPENING: Final = re.compile(r"<(?=[a-z/!?])", re.IGNORECASE)


def plain(text: str) -> str:
    """The text's words: no tag, no entity, no Markdown mark, and doing it again changes nothing.

    A `<` that begins no tag, a lone `*` and an underscore inside a word stay.
    """
    text = clean(text[:_READ_CHARS])
    for _ in range(_ROUNDS):
        before = text
        text = _once(text)
        if text == before:
            text = _closed(text)
        if text == before:
            return text
    return _tidy(_MARKS.sub("", text))


def _once(text: str) -> str:
    for pattern, words in (*_HTML, *_MARKDOWN):
        text = pattern.sub(words, text)
    return _tidy(clean(_ENTITY.sub(_decoded, text)))


def _closed(text: str) -> str:
    """What is still open here never closes: it was no tag or link, and must not become one."""
    return _tidy(_OPENING.sub("", text).replace("](", "("))


def _decoded(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def _tidy(text: str) -> str:
    text = _LINES.sub("\n\n", _EDGES.sub("\n", _BLANKS.sub(" ", text)))
    return text.strip()
