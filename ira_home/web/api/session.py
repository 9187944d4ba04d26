"""Signing in and out, and giving the password again."""

from aiohttp import web
import msgspec

from ira_home.base.errors import PasswordWrong, TooMany, WrongCredentials
from ira_home.web.call import Call
from ira_home.web.dispatch import json_answer
from ira_home.web.guard import drop_session, set_session
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Password, User, user_of


class SignIn(msgspec.Struct):
    """Who signs in."""

    email: str
    password: str


class SignedIn(msgspec.Struct):
    """Who is signed in now."""

    user: User


async def sign_in(call: Call) -> web.Response:
    """Make a session; one that the browser had before ends."""
    sign: SignIn = call.body
    token, principal = await call.services.sessions.sign_in(
        email=sign.email,
        password=sign.password,
        address=call.address,
        agent=call.request.headers.get("User-Agent", ""),
    )
    if call.visitor is not None:
        await call.services.sessions.sign_out(call.visitor)
    return set_session(json_answer(SignedIn(user_of(principal.person))), token)


async def sign_out(call: Call) -> web.Response:
    """End this session."""
    await call.services.sessions.sign_out(call.principal)
    return drop_session(web.Response(status=204))


async def verify(call: Call) -> None:
    """Give the password again, for the serious steps of the next ten minutes."""
    await call.services.sessions.verify(call.principal, call.body.password)


ROUTES = (
    Route(
        "POST",
        "/v1/session",
        sign_in,
        Needs.GUEST,
        summary="Sign in; sets the cookie __Host-ira",
        body=SignIn,
        reply=SignedIn,
        problems=(WrongCredentials, TooMany),
    ),
    Route("DELETE", "/v1/session", sign_out, Needs.SESSION, summary="Sign out", status=204),
    Route(
        "POST",
        "/v1/session/verify",
        verify,
        Needs.SESSION,
        summary="Give the password again",
        body=Password,
        status=204,
        problems=(PasswordWrong, TooMany),
    ),
)
