"""What an argument of a tool is for, by its name, its description and its schema."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
import re
from typing import Any

from ira_home.domain.language.words import spaced, split, stem
from ira_home.domain.tools import OfferedTool


class Role(StrEnum):
    """What kind of thing an argument takes."""

    CHOICE = "choice"
    SWITCH = "switch"
    NUMBER = "number"
    MOMENT = "moment"
    URL = "url"
    EMAIL = "email"
    PATH = "path"
    FOLDER = "folder"
    FILE = "file"
    QUERY = "query"
    TEXT = "text"
    PERSON = "person"
    PLACE = "place"
    CODE = "code"  # a registration, a reference, a telephone number: letters and digits
    NOTE = "note"  # a reason or remark: what else was said
    NAME = "name"
    OTHER = "other"  # an object or a list of objects: nothing that a sentence can fill


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument to fill."""

    name: str
    role: Role
    required: bool
    schema: Mapping[str, Any]
    is_list: bool = False

    @property
    def words(self) -> str:
        """The argument's name as words for a person."""
        return spaced(self.name)

    @property
    def told(self) -> str:
        """The argument's description."""
        told = self.schema.get("description")
        return told if isinstance(told, str) else ""

    @property
    def stems(self) -> frozenset[str]:
        """Stems of the argument's name."""
        return stems_of(self.words)

    @property
    def told_stems(self) -> frozenset[str]:
        """Stems of the argument's name and description."""
        return self.stems | stems_of(self.told)


@lru_cache(maxsize=4_096)
def stems_of(text: str) -> frozenset[str]:
    """Stems of the words of a name or description."""
    return frozenset(stem(one.folded) for one in split(text))


_BY_NAME: tuple[tuple[Role, frozenset[str]], ...] = (
    (Role.URL, frozenset({"url", "link", "uri", "website"})),
    (Role.EMAIL, frozenset({"email", "emails", "mail"})),
    (Role.PATH, frozenset({"path", "filepath", "pathname"})),
    (Role.FOLDER, frozenset({"folder", "directory", "dir"})),
    (Role.FILE, frozenset({"file", "filename", "document"})),
    (Role.QUERY, frozenset({"query", "keyword", "keywords", "search", "term", "q"})),
    (Role.CODE, frozenset({"number", "no", "code", "id", "pnr", "registration", "plate", "reference", "otp", "account", "flat", "roll", "phone", "mobile", "telephone"})),
    (Role.PLACE, frozenset({
        "place", "city", "location", "town", "room", "address", "station", "destination", "origin", "area", "village", "stop",
        "airport", "pickup", "drop", "locality",
    })),
    (Role.PERSON, frozenset({
        "to", "recipient", "recipients", "contact", "person", "patient", "who", "whom", "receiver", "customer", "client",
        "student", "child", "member", "visitor", "guest", "devotee", "doctor", "teacher", "driver", "tenant", "employee", "staff",
        "owner", "sender", "payee", "borrower", "attendee", "candidate", "passenger", "worker", "maid", "supplier", "vendor",
        "party", "caller", "people",
        "farmer", "milkman", "tailor", "cook", "plumber", "electrician", "carpenter", "mechanic", "priest", "pandit", "donor", "friend",
        "relative", "parent", "mother", "father", "buyer", "seller", "lender", "landlord", "resident", "helper", "agent", "author",
        "artist", "singer", "player", "host", "applicant", "holder", "subscriber", "assignee", "colleague", "manager", "beneficiary",
        "pupil", "neighbour", "neighbor", "labourer", "nurse", "coach", "trainer", "guardian", "bride", "groom",
    })),
    (Role.TEXT, frozenset({"body", "text", "message", "content", "reply", "caption", "subject", "prompt", "sentence", "post", "title", "task", "todo", "activity"})),
    (Role.NOTE, frozenset({
        "reason", "note", "notes", "remark", "remarks", "purpose", "comment", "details", "symptom", "symptoms", "complaint",
        "label", "issue", "problem",
    })),
    (Role.MOMENT, frozenset({"when", "date", "time", "datetime", "day", "at", "due", "start", "end", "until", "till", "since", "deadline"})),
)  # fmt: skip
_FORMATS = {
    "date-time": Role.MOMENT,
    "date": Role.MOMENT,
    "time": Role.MOMENT,
    "uri": Role.URL,
    "url": Role.URL,
    "email": Role.EMAIL,
}
_BY_DESCRIPTION: tuple[tuple[Role, frozenset[str]], ...] = (
    (Role.PATH, frozenset({"path"})),
    (Role.URL, frozenset({"url"})),
    (Role.EMAIL, frozenset({"email"})),
    (Role.FILE, frozenset({"file", "filename"})),
    (Role.PERSON, frozenset({"person", "contact", "recipient", "patient"})),
)
_NAMING = frozenset({"name", "id"})
# A tool about these has somebody's name in "name".
_PEOPLE = frozenset(map(stem, "customer client patient person contact member student employee tenant guest visitor worker".split()))  # fmt: skip
# Names that say only how an argument stands to the rest; its description tells what it takes.
_SMALL_NAMES = frozenset({"from", "to", "with", "for", "by", "of", "at", "in"})
_BY_KIND_TOLD: tuple[tuple[Role, frozenset[str]], ...] = (
    (Role.MOMENT, frozenset({"date", "day", "time", "hour", "moment"})),
    (Role.PLACE, frozenset({"place", "city", "station", "stop", "airport", "town", "village", "location", "room", "address", "area", "where", "destination", "origin"})),
    (Role.PERSON, frozenset({"sender", "person", "contact", "who", "whom", "recipient", "receiver", "caller", "somebody", "someone", "name", "patient", "customer", "doctor"})),
)  # fmt: skip


# The arguments of tools as they were last seen: every step asks for those of all tools.
_SEEN: OrderedDict[tuple[str, str | None], tuple[Mapping[str, Any], tuple[Slot, ...]]] = (
    OrderedDict()
)
_SEEN_MAX = 1_024


def slots_of(tool: OfferedTool) -> tuple[Slot, ...]:
    """The arguments of the tool, required ones first; the one that chooses a device is not among them."""
    key = (tool.name, tool.device_argument)
    parameters, slots = _SEEN.pop(key, (None, ()))
    if parameters is not tool.parameters and parameters != tool.parameters:
        slots = tuple(_slots_of(tool))
    _SEEN[key] = (tool.parameters, slots)
    if len(_SEEN) > _SEEN_MAX:
        _SEEN.popitem(last=False)
    return slots


def _slots_of(tool: OfferedTool) -> list[Slot]:
    properties = tool.parameters.get("properties")
    if not isinstance(properties, Mapping):
        return []
    required = tool.parameters.get("required")
    needed = (
        {one for one in required if isinstance(one, str)} if isinstance(required, list) else set()
    )
    found = [
        _slot(name, schema if isinstance(schema, Mapping) else {}, required=name in needed)
        for name, schema in properties.items()
        if name != tool.device_argument
    ]
    if _PEOPLE & stems_of(f"{spaced(tool.name)} {tool.description}"):
        found = [replace(one, role=Role.PERSON) if one.role is Role.NAME and one.name == "name" else one for one in found]  # fmt: skip
    return sorted(found, key=lambda one: not one.required)


def _slot(name: str, schema: Mapping[str, Any], *, required: bool) -> Slot:
    schema = _plain(schema)
    items = schema.get("items")
    if _type_of(schema) == "array" and isinstance(items, Mapping):
        role = _role(name, _plain(items) | {"description": schema.get("description", "")})
        return Slot(name, role, required, _plain(items), is_list=True)
    return Slot(name, _role(name, schema), required, schema)


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without "or null" around it."""
    for word in ("anyOf", "oneOf"):
        options = schema.get(word)
        if isinstance(options, list):
            real = [
                one for one in options if isinstance(one, Mapping) and one.get("type") != "null"
            ]
            if len(real) == 1:
                return {**schema, **real[0]}
    return dict(schema)


def _type_of(schema: Mapping[str, Any]) -> str | None:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    return kind if isinstance(kind, str) else None


def _role(name: str, schema: Mapping[str, Any]) -> Role:
    if isinstance(schema.get("enum"), list):
        return Role.CHOICE
    kind = _type_of(schema)
    by_kind = {
        "boolean": Role.SWITCH,
        "integer": Role.NUMBER,
        "number": Role.NUMBER,
        "object": Role.OTHER,
        "array": Role.OTHER,
        "null": Role.OTHER,
    }
    return by_kind[kind] if kind in by_kind else _text_role(name, schema)


# How a description or a pattern shows that a day, a month or an hour is wanted.
_DATED = re.compile(r"YYYY-MM|\bHH:MM\b|(?:\[0-9\]|\\d)\{4\}-(?:\[0-9\]|\\d)|\[0-2\]\[0-9\]:")


# What is to be kept or said as it was said.
_DICTATED = re.compile(
    r"\b(?:reminded of|reminder text|remind (?:of|about)|as dictated|dictated|word for word|verbatim|exact(?:ly)? (?:text|words|wording)|what to (?:say|write|send|remember|remind|do|announce))\b",
    re.IGNORECASE,
)


def _text_role(name: str, schema: Mapping[str, Any]) -> Role:
    form, told = schema.get("format"), schema.get("description")
    if isinstance(form, str) and form in _FORMATS:
        return _FORMATS[form]
    told = told if isinstance(told, str) else ""
    if _DATED.search(f"{told} {schema.get('pattern', '')}"):
        return Role.MOMENT
    if _DICTATED.search(f"{spaced(name)} {told}"):
        return Role.TEXT
    return _named_role(name, told)


@lru_cache(maxsize=4_096)
def _named_role(name: str, told: str) -> Role:
    """The role by the words of the name, else by those of the description."""
    in_name = {one.folded for one in split(spaced(name))}
    in_description = {one.folded for one in split(told)}
    if in_name <= _SMALL_NAMES and (found := _first(_BY_KIND_TOLD, in_description)):
        return found
    if found := _first(_BY_NAME, in_name):
        # "file" with "path of the file" is a path.
        return Role.PATH if found is Role.FILE and "path" in in_description else found
    if not in_name or in_name & _NAMING:
        return _first(_BY_DESCRIPTION, in_description) or Role.NAME
    return Role.NAME


def _first(table: tuple[tuple[Role, frozenset[str]], ...], words: set[str]) -> Role | None:
    return next((role for role, wanted in table if words & wanted), None)
