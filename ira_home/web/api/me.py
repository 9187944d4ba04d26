"""The signed-in person themselves: who they are, their password, their PIN."""

import msgspec

from ira_home.base.errors import PasswordWrong, TooMany, WeakPassword
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import User, user_of


class Me(msgspec.Struct):
    """Who is signed in, and what they may do."""

    user: User
    has_pin: bool
    permissions: list[str]
    verified: bool


class NewName(msgspec.Struct):
    """What the person is called from now on."""

    name: str


class NewPassword(msgspec.Struct):
    """The old password and the new one."""

    old: str
    new: str


class NewPin(msgspec.Struct):
    """The password and the new action PIN."""

    password: str
    pin: str


async def show(call: Call) -> Me:
    """Who is signed in. `verified`: the password was given in the last ten minutes."""
    principal = call.principal
    return Me(
        user=user_of(principal.person),
        has_pin=principal.person.has_pin,
        permissions=sorted(one.value for one in principal.permissions),
        verified=await call.services.sessions.is_verified(principal),
    )


async def rename(call: Call) -> User:
    """Go by another name."""
    asked: NewName = call.body
    person = await call.services.accounts.change(call.principal, call.person_id, name=asked.name)
    return user_of(person)


async def change_password(call: Call) -> None:
    """Choose another password; the person's other sessions end."""
    asked: NewPassword = call.body
    await call.services.accounts.change_password(call.principal, old=asked.old, new=asked.new)


async def set_pin(call: Call) -> None:
    """Set or change the action PIN."""
    asked: NewPin = call.body
    await call.services.accounts.set_pin(call.principal, password=asked.password, pin=asked.pin)


ROUTES = (
    Route("GET", "/v1/me", show, Needs.SESSION, summary="Who is signed in", reply=Me),
    Route(
        "PATCH",
        "/v1/me",
        rename,
        Needs.SESSION,
        summary="Change my name",
        body=NewName,
        reply=User,
    ),
    Route(
        "PUT",
        "/v1/me/password",
        change_password,
        Needs.SESSION,
        summary="Choose another password",
        body=NewPassword,
        status=204,
        problems=(PasswordWrong, WeakPassword, TooMany),
    ),
    Route(
        "PUT",
        "/v1/me/pin",
        set_pin,
        Needs.SESSION,
        summary="Set the action PIN",
        body=NewPin,
        status=204,
        problems=(PasswordWrong, TooMany),
    ),
)
