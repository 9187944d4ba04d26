"""The change log: who changed what."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.web.call import PAGING, Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items


class ChangeLine(msgspec.Struct):
    """A line of the change log."""

    id: int
    at: str
    actor: str
    change: str
    subject: str
    detail: str


async def show(call: Call) -> Items[ChangeLine]:
    """Who changed what, newest first."""
    page = await call.services.changes.list(call.cursor, call.limit)
    found = [
        ChangeLine(
            id=entry.id,
            at=rfc3339(entry.at),
            actor=entry.actor,
            change=entry.change.value,
            subject=entry.subject,
            detail=entry.detail,
        )
        for entry in page.items
    ]
    return Items(found, page.next_cursor)


ROUTES = (
    Route(
        "GET",
        "/v1/admin/changes",
        show,
        Needs.CONSOLE,
        summary="Who changed what",
        reply=Items[ChangeLine],
        query=PAGING,
    ),
)
