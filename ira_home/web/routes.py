"""What a route is: method, path, handler, and who may call it."""

from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from typing import Any

import msgspec

from ira_home.base.discover import declared
from ira_home.base.errors import IraError, PinLocked, PinNotSet, PinRequired, PinWrong
from ira_home.web.call import Call

Handler = Callable[[Call], Awaitable[object]]
# The errors of a route that asks for the action PIN.
PIN_ERRORS = (PinRequired, PinNotSet, PinWrong, PinLocked)
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Needs(Enum):
    """Who may call a route; the guard asks before the handler runs."""

    OPEN = "anyone; credentials are not looked at"
    GUEST = "anyone without a token; a good session is recognised"
    SESSION = "a signed-in session"
    DEVICES = "a signed-in session that may have devices"
    CONSOLE = "a signed-in session of an owner or admin"
    ASK = "a session, API token or device token that may ask"
    ACTIONS = "a session, API token or device token that may confirm actions"
    DEVICE_SOCKET = "a device token, as a header or as ?token="

    @property
    def is_open(self) -> bool:
        """Whether it can be called without any credential."""
        return self in (Needs.OPEN, Needs.GUEST)


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one address.

    A handler takes the Call and returns what becomes the answer: a msgspec Struct, dataclass,
    dict or list (JSON with `status`), None (204), or an aiohttp response as it is. `body` is the
    msgspec Struct that the JSON body must fit. `finds` runs before the body is looked at, and
    raises NotFound for a thing that is not this person's. A `page` has errors in HTML and, for an
    unsafe method, a form as its body (`call.form`). `problems` are the errors of its own that the
    OpenAPI document names, besides those that its credential, body and headers bring with them;
    `query` the parameters it reads.
    """

    method: str
    path: str
    handler: Handler
    needs: Needs
    _: KW_ONLY
    summary: str = ""
    body: type[msgspec.Struct] | None = None
    reply: Any = None
    status: int = 200
    media: str = "application/json"
    page: bool = False
    finds: Handler | None = None
    query: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    problems: tuple[type[IraError], ...] = ()

    @property
    def is_unsafe(self) -> bool:
        """Whether it changes something."""
        return self.method in UNSAFE

    @property
    def takes_form(self) -> bool:
        """Whether its body is what an HTML form sends."""
        return self.page and self.is_unsafe


def discovered(*packages: str) -> tuple[Route, ...]:
    """The ROUTES of every module of the packages; two of one method and path are an error."""
    found: dict[tuple[str, str], Route] = {}
    for package in packages:
        for module, routes in declared(package, "ROUTES"):
            for route in routes:
                key = (route.method, route.path)
                if key in found:
                    message = f"{module} declares {route.method} {route.path} again"
                    raise TypeError(message)
                found[key] = route
    return tuple(found.values())
