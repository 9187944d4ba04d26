"""Ira's answers as blocks of plain text: paragraphs, lists, code; nothing in them is ever markup.

A link is its words and its whole address, to be read and not pressed; a picture is the same.
"""

from dataclasses import dataclass
import re

_BULLET = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)])\s+(.*)")
_NUMBERED = re.compile(r"\s*(\d{1,3})[.)]\s")
_INLINE = re.compile(
    r"\*\*(?P<strong>[^*\n]+)\*\*|`(?P<code>[^`\n]+)`"
    r"|!?\[(?P<words>[^\[\]\n]*)\]\((?P<to>[^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)"
)
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a line: `kind` is plain, strong, code or address."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """`kind` is p, ul, ol or pre; each line a tuple of spans; `start` the first number of an ol."""

    kind: str
    lines: tuple[tuple[Span, ...], ...]
    start: int = 1


def spans(line: str) -> tuple[Span, ...]:
    """The line with **strong**, `code` and [words](address) told apart."""
    found: list[Span] = []
    end = 0
    for match in _INLINE.finditer(line):
        if match.start() > end:
            found.append(Span("plain", line[end : match.start()]))
        found += _marked(match)
        end = match.end()
    if end < len(line):
        found.append(Span("plain", line[end:]))
    return tuple(found)


def _marked(match: re.Match[str]) -> list[Span]:
    kind = match.lastgroup
    if kind in {"strong", "code"}:
        return [Span(kind, match[kind])]
    words, to = match["words"].strip(), match["to"]
    if not words or words == to:
        return [Span("address", to)]
    return [Span("plain", f"{words} ("), Span("address", to), Span("plain", ")")]


def _kind(line: str) -> str:
    if _NUMBERED.match(line):
        return "ol"
    return "ul" if _BULLET.fullmatch(line) else "p"


def _block(kind: str, lines: list[str]) -> Block:
    if kind == "pre":
        return Block(kind, ((Span("plain", "\n".join(lines)),),))
    if kind == "p":
        return Block(kind, tuple(spans(line) for line in lines))
    items = (match[1] for line in lines if (match := _BULLET.fullmatch(line)))
    number = _NUMBERED.match(lines[0])
    return Block(kind, tuple(spans(item) for item in items), int(number[1]) if number else 1)


def blocks(text: str) -> list[Block]:
    """The blocks of an answer, in order; what cannot be read as anything else is a paragraph."""
    found: list[Block] = []
    kind, lines = "", list[str]()

    def end() -> None:
        if lines:
            found.append(_block(kind, lines))
        lines.clear()

    for line in text.split("\n"):
        fence = line.strip().startswith(_FENCE)
        if fence or kind == "pre":
            if fence:
                end()
                kind = "" if kind == "pre" else "pre"
            else:
                lines.append(line)
            continue
        now = _kind(line) if line.strip() else ""
        if now != kind:
            end()
        kind = now
        if now:
            lines.append(line)
    end()
    return found
