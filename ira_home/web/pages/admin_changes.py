"""The change log, page by page: who changed what."""

from dataclasses import dataclass
import re

from aiohttp import web

from ira_home.domain.audit import Change, ChangeEntry
from ira_home.web.call import PAGING, Call
from ira_home.web.pages.skills import shown
from ira_home.web.pages.view import moments_of, show, words_for
from ira_home.web.pages.words import Words
from ira_home.web.routes import Needs, Route

_ROLE = "owner|admin|staff"
_NUMBERED = re.compile(r"(device|pairing) ([0-9]+)")
# Parts of a detail with something in them: how it is written, its text, and whose words the values are.
_PARTS = (
    (re.compile(rf"role (?P<before>{_ROLE}) to (?P<after>{_ROLE})"), "change.role_to", "role."),
    (re.compile(r"uses (?P<n>[0-9]+)"), "change.uses", ""),
    (re.compile(r"until (?P<day>[0-9-]+)"), "change.until", ""),
)


@dataclass(frozen=True, slots=True)
class Day:
    """The lines of one day."""

    title: str
    lines: tuple[ChangeEntry, ...]


async def page(call: Call) -> web.Response:
    """Who changed what, newest first."""
    words = words_for(call.request)
    found = await call.services.changes.list(call.cursor, call.limit)
    when = await moments_of(call)
    days: dict[str, list[ChangeEntry]] = {}
    for entry in found.items:
        days.setdefault(when.day(entry.at), []).append(entry)
    return await show(
        call,
        "house_changes.html",
        nav="house",
        days=[Day(title, tuple(lines)) for title, lines in days.items()],
        next_cursor=found.next_cursor,
        subject_of=lambda entry: said_subject(entry, words),
        detail_of=lambda entry: said_detail(entry, words),
    )


def said_subject(entry: ChangeEntry, words: Words) -> str:
    """What was changed, in the reader's language: a number of a device or code; an e-mail address as it is."""
    found = _NUMBERED.fullmatch(entry.subject)
    return words.t(f"change.of_{found[1]}", number=found[2]) if found else entry.subject


def said_detail(entry: ChangeEntry, words: Words) -> str:
    """What was changed of it, in the reader's language; names of tools, and skills nobody knows, as they are."""
    if entry.change in (Change.SKILL_ON, Change.SKILL_OFF):
        return shown(entry.detail, words).title
    if entry.change is Change.TOOL_AGREED:
        return entry.detail
    return ", ".join(_said(part, words) for part in entry.detail.split(", "))


def _said(part: str, words: Words) -> str:
    for pattern, key, prefix in _PARTS:
        if found := pattern.fullmatch(part):
            values = {
                name: words.t(f"{prefix}{text}") if prefix else text
                for name, text in found.groupdict().items()
            }
            return words.t(key, **values)
    for prefix in ("change.part.", "role.", "kind.", "scope."):
        if prefix + part.replace(" ", "_") in words:
            return words.t(prefix + part.replace(" ", "_"))
    return part


ROUTES = (
    Route(
        "GET",
        "/house/changes",
        page,
        Needs.CONSOLE,
        page=True,
        summary="Who changed what.",
        query=PAGING,
    ),
)
