"""The console's invitations."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import AlreadyDone, Conflict, NotFound, Taken
from ira_home.domain.invitations import Invitation
from ira_home.domain.people import Role
from ira_home.web.call import Call
from ira_home.web.once import HEADER, not_again, once
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items


class OpenInvitation(msgspec.Struct):
    """An invitation that nobody has accepted yet."""

    id: int
    email: str
    role: str
    created_at: str
    expires_at: str


class NewInvitation(msgspec.Struct):
    """Who is invited, as what."""

    email: str
    role: Role


class MadeInvitation(msgspec.Struct):
    """The invitation's secret, shown this once: give it to the invited person."""

    token: str


def _shown(invitation: Invitation) -> OpenInvitation:
    return OpenInvitation(
        id=invitation.id,
        email=invitation.email,
        role=invitation.role.value,
        created_at=rfc3339(invitation.created_at),
        expires_at=rfc3339(invitation.expires_at),
    )


async def show(call: Call) -> Items[OpenInvitation]:
    """Open invitations, newest first."""
    return Items([_shown(one) for one in await call.services.invitations.list()])


async def make(call: Call) -> MadeInvitation:
    """Invite an address."""
    asked: NewInvitation = call.body

    async def work() -> tuple[str, MadeInvitation]:
        token = await call.services.invitations.make(call.principal, asked.email, asked.role)
        return "invitation", MadeInvitation(token)

    return await once(call, work, not_again)


async def cancel(call: Call) -> None:
    """Take an invitation back."""
    await call.services.invitations.cancel(call.principal, call.number("id"))


ROUTES = (
    Route(
        "GET",
        "/v1/admin/invitations",
        show,
        Needs.CONSOLE,
        summary="Open invitations",
        reply=Items[OpenInvitation],
    ),
    Route(
        "POST",
        "/v1/admin/invitations",
        make,
        Needs.CONSOLE,
        summary="Invite somebody",
        body=NewInvitation,
        reply=MadeInvitation,
        status=201,
        headers=(HEADER,),
        problems=(Taken, Conflict, AlreadyDone),
    ),
    Route(
        "DELETE",
        "/v1/admin/invitations/{id}",
        cancel,
        Needs.CONSOLE,
        summary="Take an invitation back",
        status=204,
        problems=(NotFound,),
    ),
)
