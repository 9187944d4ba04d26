"""API tokens: a person's credential for scripts of their own."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import AlreadyDone, Conflict, NotFound
from ira_home.base.ids import ApiTokenId
from ira_home.domain.api_tokens import ApiTokenRow
from ira_home.web.call import Call
from ira_home.web.once import HEADER, not_again, once
from ira_home.web.routes import PIN_ERRORS, Needs, Route
from ira_home.web.shapes import Items, all_items, moment


class ApiToken(msgspec.Struct):
    """An API token as its person may see it: never the token itself."""

    id: int
    name: str
    scopes: list[str]
    created_at: str
    used_at: str | None


class NewApiToken(msgspec.Struct):
    """Scopes are any of ask, voice, actions; a new credential is a new grant, so it needs the PIN."""

    name: str
    scopes: list[str]
    pin: str | None = None


class MadeApiToken(ApiToken):
    """A new API token with the token itself, shown this once."""

    token: str


def _shown(row: ApiTokenRow) -> ApiToken:
    return ApiToken(
        id=row.id,
        name=row.name,
        scopes=sorted(scope.value for scope in row.scopes),
        created_at=rfc3339(row.created_at),
        used_at=moment(row.used_at),
    )


async def show(call: Call) -> Items[ApiToken]:
    """The person's API tokens."""
    return all_items(_shown(row) for row in await call.services.api_tokens.list(call.person_id))


async def make(call: Call) -> MadeApiToken:
    """Make an API token."""
    asked: NewApiToken = call.body

    async def work() -> tuple[str, MadeApiToken]:
        token, row = await call.services.api_tokens.make(
            call.principal, name=asked.name, scopes=asked.scopes, pin=asked.pin
        )
        shown = msgspec.structs.asdict(_shown(row))
        return str(row.id), MadeApiToken(**shown, token=token)

    return await once(call, work, not_again)


async def end(call: Call) -> None:
    """End an API token; it opens nothing from now on."""
    await call.services.api_tokens.end(call.principal, ApiTokenId(call.number("id")))


ROUTES = (
    Route(
        "GET",
        "/v1/me/tokens",
        show,
        Needs.SESSION,
        summary="My API tokens",
        reply=Items[ApiToken],
    ),
    Route(
        "POST",
        "/v1/me/tokens",
        make,
        Needs.SESSION,
        summary="Make an API token",
        body=NewApiToken,
        reply=MadeApiToken,
        status=201,
        headers=(HEADER,),
        problems=(*PIN_ERRORS, Conflict, AlreadyDone),
    ),
    Route(
        "DELETE",
        "/v1/me/tokens/{id}",
        end,
        Needs.SESSION,
        summary="End an API token",
        status=204,
        problems=(NotFound,),
    ),
)
