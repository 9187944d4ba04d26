"""First run: the owner is made once, from this machine or with the code on its console."""

import msgspec

from ira_home.base.errors import SetUpAlready, TooMany, WeakPassword
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import User, user_of


class SetUp(msgspec.Struct):
    """The owner. `setup_code` may be left out on the server's own machine."""

    email: str
    name: str
    password: str
    pin: str
    setup_code: str | None = None
    time_zone: str | None = None


class SetUpState(msgspec.Struct):
    """Whether the house has its owner."""

    is_set_up: bool


class Made(msgspec.Struct):
    """The account that was made."""

    user: User


async def show(call: Call) -> SetUpState:
    """Whether the house has its owner."""
    return SetUpState(await call.services.accounts.is_set_up())


async def set_up(call: Call) -> Made:
    """Make the owner."""
    asked: SetUp = call.body
    person = await call.services.first_run.set_up(
        setup_code=asked.setup_code,
        from_loopback=call.is_loopback and call.services.loopback_setup,
        address=call.address,
        email=asked.email,
        name=asked.name,
        password=asked.password,
        pin=asked.pin,
        time_zone=asked.time_zone,
    )
    return Made(user_of(person))


ROUTES = (
    Route(
        "GET",
        "/v1/setup",
        show,
        Needs.GUEST,
        summary="Whether the house has its owner",
        reply=SetUpState,
    ),
    Route(
        "POST",
        "/v1/setup",
        set_up,
        Needs.GUEST,
        summary="Make the owner, once",
        body=SetUp,
        reply=Made,
        status=201,
        problems=(SetUpAlready, WeakPassword, TooMany),
    ),
)
