"""What an operation of the operator declares, and how one is found and carried out."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from ira_home.base.discover import declared
from ira_home.base.errors import CommandFailed
from ira_home.control.wire import Request
from ira_home.web.services import Services


@dataclass(frozen=True, slots=True)
class Operation:
    """A command's work: `arguments` is a msgspec Struct, the result is any JSON value.

    It runs with the operator's authority: whoever may open the control socket, or take the data
    lock, is the operator.
    """

    name: str
    arguments: type[msgspec.Struct]
    work: Callable[[Services, Any], Awaitable[Any]]


class Nothing(msgspec.Struct):
    """No arguments."""


@cache
def operations() -> dict[str, Operation]:
    """Every operation by its name."""
    found = declared("ira_home.control.operations", "OPERATIONS")
    return {one.name: one for _, several in found for one in several}


async def perform(services: Services, request: Request) -> Any:
    """Carry a request out; raises IraError."""
    operation = operations().get(request.operation)
    if operation is None:
        message = (
            "The running server does not know this command: it is of another version. Restart it."
        )
        raise CommandFailed(message)
    try:
        arguments = msgspec.convert(request.arguments, operation.arguments)
    except msgspec.ValidationError as error:
        raise CommandFailed(str(error)) from None
    return await operation.work(services, arguments)
