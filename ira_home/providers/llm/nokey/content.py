"""What a tool gave back, as plain lines for a person, in pages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ira_home.base.errors import BadJson
from ira_home.base.jsontext import parse
from ira_home.base.text import clean
from ira_home.domain.language.words import Language
from ira_home.domain.pictures import without_size
from ira_home.providers.llm.nokey.sentences import say

PAGE_CHARS = 1_500  # what one answer reads out; the rest waits for "next page"
_DEEPEST = 4  # lists within lists beyond this are cut, nobody reads them
_EMPTY = frozenset({"", "(nothing)", "null", "{}", "[]"})
_TELLING = ("summary", "text", "content", "body", "items", "files")
# Fields that are the content itself: said without their name, and first.
_BODIES = ("summary", "text", "content", "body", "answer", "message")


def lines_of(text: str, language: Language) -> str:
    """The result as plain lines: the summary, then the rest, without JSON."""
    text = without_size(text)
    head, gap, rest = text.partition("\n\n")
    whole = parsed(text)
    if whole is not None:
        return _clean_lines(_plain(_told(whole), language))
    laid = parsed(rest) if gap else None
    if laid is None:
        return (
            _clean_lines(map(_undressed, text.splitlines()))
            if _is_cut_json(text)
            else clean(text).strip()
        )
    return _clean_lines(iter([head, "", *_plain(_told(laid, head), language)]))


def part_of(text: str) -> tuple[int, int] | None:
    """Which page of how many a result says that it is; None when it says nothing of the kind."""
    _head, gap, rest = text.partition("\n\n")
    for value in (parsed(text), parsed(rest) if gap else None):
        page, pages = (value.get("page"), value.get("pages")) if isinstance(value, Mapping) else (None, None)  # fmt: skip
        if isinstance(page, int) and isinstance(pages, int) and 0 < page <= pages:
            return page, pages
    return None


def _told(value: Any, head: str = "") -> Any:
    """A result without what says only how it was fetched: its page of one, the path its summary names."""
    if not isinstance(value, Mapping) or not any(name in value for name in _TELLING):
        return value
    said = f"{head} {value.get('summary', '')}"
    left = dict(value)
    if left.get("pages") in (0, 1):
        left.pop("page", None)
        left.pop("pages", None)
    path = left.get("path")
    if isinstance(path, str) and path.replace("\\", "/").rpartition("/")[2] in said:
        left.pop("path")
    return left


def is_empty(text: str) -> bool:
    """Whether nothing came back that could be said."""
    return text.strip() in _EMPTY


def parsed(text: str) -> Any:
    """The value of JSON text that has a shape to lay out; None for anything else, numbers included."""
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return None
    try:
        return parse(text)
    except BadJson:
        return None


def _is_cut_json(text: str) -> bool:
    """Whether the text began as JSON and lost its end to a bound."""
    return text.lstrip()[:1] in ("{", "[") and '"' in text


def _undressed(line: str) -> str:
    """A line of cut JSON without its signs."""
    plain = line.strip().strip("{}[],").replace("\\n", "\n").replace('\\"', "\u201d")
    return plain.replace('"', "")


def _clean_lines(lines: Iterable[str]) -> str:
    return clean("\n".join(lines)).strip()


def _plain(value: Any, language: Language, indent: int = 0) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _fields(value, language, indent)
    elif isinstance(value, list):
        yield from _items(value, language, indent)
    elif value is not None:
        yield " " * indent + _word(value, language)


def _fields(value: Mapping[str, Any], language: Language, indent: int) -> Iterator[str]:
    is_one_list = not indent and _is_one_list(value)
    for name in (
        *(one for one in _BODIES if one in value),
        *(one for one in value if one not in _BODIES),
    ):
        inner = value[name]
        if inner is None or inner in ("", [], {}):
            continue
        label = str(name).replace("_", " ")
        if name in _BODIES and not isinstance(inner, Mapping | list):
            yield " " * indent + _word(inner, language)
        elif is_one_list:
            yield from _plain(inner, language)
        elif isinstance(inner, Mapping | list):
            yield f"{' ' * indent}{label}:"
            if indent < 2 * _DEEPEST:
                yield from _plain(inner, language, indent + 2)
        else:
            yield f"{' ' * indent}{label}: {_word(inner, language)}"


def _is_one_list(value: Mapping[str, Any]) -> bool:
    """Whether a result is a single list, beside what introduces it: then its name tells nobody more."""
    named = [one for name, one in value.items() if name not in _BODIES and one not in (None, "", [], {})]  # fmt: skip
    return len(named) == 1 and isinstance(named[0], list)


def _items(value: list[Any], language: Language, indent: int) -> Iterator[str]:
    for number, item in enumerate(value, 1):
        line = _one_line(item, language)
        if line is not None:
            yield f"{' ' * indent}{number}. {line}"
        elif indent < 2 * _DEEPEST:
            yield f"{' ' * indent}{number}."
            yield from _plain(item, language, indent + 2)


def _one_line(item: Any, language: Language) -> str | None:
    """An item of a list in one line: itself, or its few plain fields; None when it needs more."""
    if not isinstance(item, Mapping | list):
        return "-" if item is None else _word(item, language)
    if isinstance(item, list) or any(isinstance(one, Mapping | list) for one in item.values()):
        return None
    fields = [(str(name), one) for name, one in item.items() if one is not None and one != ""]
    if not fields:
        return "-"
    first, rest = fields[0], fields[1:]
    said = [_word(first[1], language)] + [f"{name.replace('_', ' ')}: {_word(one, language)}" for name, one in rest]  # fmt: skip
    return ", ".join(said)


def _word(value: Any, language: Language) -> str:
    if isinstance(value, bool):
        return say("yes" if value else "no", language)
    return str(value)


def pages_of(text: str) -> list[str]:
    """The text in pages of about PAGE_CHARS, broken at a line or a sentence where there is one."""
    pages: list[str] = []
    while len(text) > PAGE_CHARS:
        place = _break(text)
        pages.append(text[:place].rstrip())
        text = text[place:].lstrip()
    return [*pages, text] if text or not pages else pages


def _break(text: str) -> int:
    least = PAGE_CHARS // 2
    for mark in ("\n\n", "\n", "\u0964 ", ". ", " "):
        place = text.rfind(mark, least, PAGE_CHARS)
        if place != -1:
            return place + len(mark)
    return PAGE_CHARS
