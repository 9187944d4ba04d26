"""Accepting an invitation: somebody makes their own account."""

import msgspec

from ira_home.base.errors import Gone, Taken, TooMany, WeakPassword
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import User, user_of


class Acceptance(msgspec.Struct):
    """What the invited person chooses."""

    name: str
    password: str
    pin: str


class Accepted(msgspec.Struct):
    """The account that was made."""

    user: User


async def accept(call: Call) -> Accepted:
    """Make the account that the invitation is for."""
    asked: Acceptance = call.body
    person = await call.services.invitations.accept(
        call.text("token"),
        name=asked.name,
        password=asked.password,
        pin=asked.pin,
    )
    return Accepted(user_of(person))


ROUTES = (
    Route(
        "POST",
        "/v1/invitations/{token}",
        accept,
        Needs.GUEST,
        summary="Accept an invitation",
        body=Acceptance,
        reply=Accepted,
        status=201,
        problems=(Gone, Taken, WeakPassword, TooMany),
    ),
)
