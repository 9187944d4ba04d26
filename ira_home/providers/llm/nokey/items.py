"""The things that a result lists, so that a person can speak of "the second one"."""

from collections.abc import Mapping
import re
from typing import Any

from ira_home.base.jsontext import dump
from ira_home.domain.language.places import Form, pieces_of
from ira_home.providers.llm.nokey.content import parsed
from ira_home.providers.llm.nokey.roles import Role, Slot

_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s+(.+)$", re.MULTILINE)
# What follows the name in a line of a list: "invoice.pdf (12 kB)", "Asha Rao, 10:30".
_AFTER_NAME = re.compile(r"\s+[·|–—-]\s+|\s*[(,;:]|\s{2,}")
_NUMBER = re.compile(r"^\s*\d{1,3}[.)]\s+")
_FIELDS = {
    Role.PATH: ("path", "file", "name"),
    Role.FILE: ("name", "file", "filename", "path"),
    Role.PERSON: ("name", "person", "patient", "contact", "from", "sender", "number", "phone"),
    Role.URL: ("url", "link", "address"),
    Role.EMAIL: ("email", "mail"),
    Role.NAME: ("name", "title", "id"),
    Role.TEXT: ("title", "text", "name", "task"),
    Role.QUERY: ("name", "title", "query"),
    Role.CODE: ("number", "id", "code"),
    Role.NUMBER: ("number", "id"),
    Role.MOMENT: ("when", "at", "time", "date", "day"),
}
# These are known by their form alone.
_FORMS = {Role.URL: Form.URL, Role.EMAIL: Form.EMAIL}


def items_of(text: str) -> list[Any]:
    """The items of the first list in a result, as they came; numbered lines where it is plain text."""
    _head, gap, rest = text.partition("\n\n")
    for part in (text, rest if gap else ""):
        found = _first_list(parsed(part))
        if found:
            return found
    return [line.strip() for line in _NUMBERED.findall(text)]


def _first_list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping):
        return next((one for one in value.values() if isinstance(one, list) and one), [])
    return []


def item_text(item: Any) -> str:
    """An item as text that can be laid out like a result."""
    return item if isinstance(item, str) else dump(item)


def value_for(slot: Slot, item: Any) -> Any:
    """What the item gives for an argument; None when it has nothing of that kind."""
    if not isinstance(item, Mapping):
        return _typed(slot, _of_line(slot, str(item)))
    for name in (slot.name, *_FIELDS.get(slot.role, ())):
        value = item.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return _typed(slot, value)
    return None


def _of_line(slot: Slot, line: str) -> str | None:
    line = _NUMBER.sub("", line)
    if slot.role in (Role.PATH, Role.FILE):
        for piece in pieces_of(line):
            if piece.form in (Form.PATH, Form.FILE):
                return piece.value
    if slot.role in _FORMS:
        return next((one.value for one in pieces_of(line) if one.form is _FORMS[slot.role]), None)
    if slot.role in _FIELDS and slot.role is not Role.NUMBER:
        return _AFTER_NAME.split(line.strip(), maxsplit=1)[0] or None
    return None


def _typed(slot: Slot, value: Any) -> Any:
    kind = slot.schema.get("type")
    if value is None:
        return None
    if kind == "string":
        return value if isinstance(value, str) else dump(value)
    if kind in ("integer", "number"):
        return value if isinstance(value, int | float) else None
    return value
