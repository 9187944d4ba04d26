"""What Ira did for a person."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from aiohttp import web

from ira_home.base.ids import DeviceId
from ira_home.base.text import cut, one_line
from ira_home.domain.audit import LogEntry
from ira_home.domain.tools import Outcome, Tier
from ira_home.web.call import Call
from ira_home.web.pages.moments import Moments
from ira_home.web.pages.view import moments_of, show
from ira_home.web.routes import Needs, Route

_TIERS = {Tier.LOOK: "look", Tier.SMALL: "small", Tier.YES: "yes", Tier.PIN: "pin"}
_WHAT = 90  # characters of a description that stands in for a title
Titles = Mapping[tuple[DeviceId | None, str], str]
_NOT_DONE = frozenset(Outcome) - {Outcome.DONE, Outcome.PROPOSED}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: `kind` is the look of its mark."""

    entry: LogEntry
    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class Day:
    """The lines of one day."""

    title: str
    lines: tuple[Line, ...]


def line_of(entry: LogEntry, titles: Titles) -> Line:
    """The line of an entry, in the words of its tool where the device still offers it."""
    kind = "stop" if entry.outcome in _NOT_DONE else _TIERS[entry.tier]
    named = titles.get((entry.device_id, entry.tool)) or entry.tool.replace("_", " ").capitalize()
    return Line(entry, kind, named)


def days(entries: Iterable[LogEntry], titles: Titles, when: Moments) -> list[Day]:
    """The entries by day, in their order."""
    found: dict[str, list[Line]] = {}
    for entry in entries:
        found.setdefault(when.day(entry.at), []).append(line_of(entry, titles))
    return [Day(title, tuple(lines)) for title, lines in found.items()]


async def titles_of(call: Call) -> Titles:
    """What the tools of the house and of the person's devices are called."""
    found: dict[tuple[DeviceId | None, str], str] = {
        (None, tool.name): _title(tool.title, tool.description)
        for tool in call.services.library.tools
    }
    for listed in await call.services.registry.list(call.person_id):
        for tool, _state in listed.tools:
            found[listed.device.id, tool.name] = _title(tool.title, tool.description)
    return found


def _title(title: str, description: str) -> str:
    return cut(one_line(title or description).rstrip("."), _WHAT)


async def log(call: Call) -> web.Response:
    """What Ira did, newest first."""
    page = await call.services.tool_log.list(call.person_id, call.cursor, call.limit)
    by_day = days(page.items, await titles_of(call), await moments_of(call))
    return await show(
        call, "did.html", nav="did", of_all=False, days=by_day, next_cursor=page.next_cursor
    )


ROUTES = (
    Route(
        "GET",
        "/did",
        log,
        Needs.SESSION,
        page=True,
        summary="What Ira did.",
        query=("cursor", "limit"),
    ),
)
