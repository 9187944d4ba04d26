"""The change log, page by page: who changed what."""

from dataclasses import dataclass

from aiohttp import web

from ira_home.domain.audit import ChangeEntry
from ira_home.web.call import PAGING, Call
from ira_home.web.pages.view import moments_of, show
from ira_home.web.routes import Needs, Route


@dataclass(frozen=True, slots=True)
class Day:
    """The lines of one day."""

    title: str
    lines: tuple[ChangeEntry, ...]


async def page(call: Call) -> web.Response:
    """Who changed what, newest first."""
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
    )


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
