"""What a tool gave back as text that a person and a brain can read."""

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from datetime import date
from enum import Enum
import json
from typing import Any

from ira_home.domain.pictures import (
    NotAPicture,
    Picture,
    is_carried,
    not_shown,
    read_picture,
    told,
)

NOTHING = "(nothing)"


def picture_of(content: Any) -> tuple[Any, Picture | None]:
    """A device's `content` without the bytes of its `picture`, which no text may hold; and the picture.

    The summary says that there is one, or why it cannot be shown.
    """
    if not isinstance(content, Mapping) or not is_carried(content.get("picture")):
        return content, None
    rest = {key: value for key, value in content.items() if key != "picture"}
    try:
        picture = read_picture(content["picture"])
    except NotAPicture as why:
        return _beside(rest, not_shown(why)), None
    return _beside(rest, told(picture)), picture


def _beside(content: Mapping[str, Any], line: str) -> dict[str, Any]:
    summary = content.get("summary", "")
    said = summary if isinstance(summary, str) else _plain(summary)
    return {**content, "summary": f"{said}\n{line}"}


def text_of(content: Any) -> str:
    """A device's `content` as text: its `summary`, a blank line, then the rest."""
    if not isinstance(content, Mapping):
        return _plain(content)
    summary = content.get("summary")
    if not isinstance(summary, str) or not summary.strip():
        return _plain(content)
    head = "\n".join(line for line in summary.splitlines() if line.strip())
    rest = {key: value for key, value in content.items() if key != "summary"}
    if not rest:
        return head
    body = rest["text"] if set(rest) == {"text"} else rest
    return f"{head}\n\n{_plain(body)}"


def text_of_result(value: Any) -> str:
    """What a function of the house returned, as text."""
    return _plain(_jsonable(value))


def _plain(value: Any) -> str:
    if value is None or value == "":
        return NOTHING
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _jsonable(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return _jsonable(asdict(value))
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):  # a datetime is one as well
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _jsonable(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_jsonable(one) for one in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
