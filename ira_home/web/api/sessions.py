"""The places where a person is signed in."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import NotFound
from ira_home.base.ids import SessionId
from ira_home.domain.sessions import SessionRow
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items, all_items


class Session(msgspec.Struct):
    """A browser in which the person is signed in; `current` is the one that asks."""

    id: int
    agent: str
    address: str
    created_at: str
    used_at: str
    current: bool


def _shown(row: SessionRow, current: int) -> Session:
    return Session(
        id=row.id,
        agent=row.agent,
        address=row.address,
        created_at=rfc3339(row.created_at),
        used_at=rfc3339(row.used_at),
        current=row.id == current,
    )


async def show(call: Call) -> Items[Session]:
    """Where the person is signed in."""
    rows = await call.services.sessions.list(call.person_id)
    return all_items(_shown(row, call.principal.credential_id) for row in rows)


async def end(call: Call) -> None:
    """Sign out one of the places."""
    await call.services.sessions.end(call.principal, SessionId(call.number("id")))


async def end_others(call: Call) -> None:
    """Sign out everywhere but here."""
    await call.services.sessions.end_others(call.principal)


ROUTES = (
    Route(
        "GET",
        "/v1/me/sessions",
        show,
        Needs.SESSION,
        summary="Where I am signed in",
        reply=Items[Session],
    ),
    Route(
        "DELETE",
        "/v1/me/sessions",
        end_others,
        Needs.SESSION,
        summary="Sign out everywhere but here",
        status=204,
    ),
    Route(
        "DELETE",
        "/v1/me/sessions/{id}",
        end,
        Needs.SESSION,
        summary="Sign out one of the places",
        status=204,
        problems=(NotFound,),
    ),
)
