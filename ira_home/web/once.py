"""Idempotency-Key: a POST that acts is carried out once, however often it arrives."""

from collections.abc import Awaitable, Callable
import re
from typing import NoReturn, TypeVar

from ira_home.access.idempotency import Keep
from ira_home.base.errors import AlreadyDone, Invalid, IraError
from ira_home.base.limits import IDEMPOTENCY_KEY_CHARS
from ira_home.web.call import Call

T = TypeVar("T")
HEADER = "Idempotency-Key"
_KEY = re.compile(rf"[!-~]{{1,{IDEMPOTENCY_KEY_CHARS}}}")


def key_of(call: Call) -> str | None:
    """The request's key, or None; raises Invalid for what is no key."""
    key = call.request.headers.get(HEADER)
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        message = f"{HEADER} has 1 to {IDEMPOTENCY_KEY_CHARS} visible ASCII characters."
        raise Invalid(message, field=HEADER)
    return key


async def once(
    call: Call,
    work: Callable[[], Awaitable[tuple[str, T]]],
    again: Callable[[str], Awaitable[T]],
) -> T:
    """Do `work`, which names its result; for a request that came before, `again(name)` instead.

    A request that was refused leaves nothing behind: the next one with its key is a first one.
    After any other failure its outcome is not known, and the key stays taken. Raises
    IdempotencyConflict for another request under the same key, and InProgress.
    """
    key = key_of(call)
    if key is None:
        return (await work())[1]
    book, principal = call.services.idempotency, call.principal
    route = f"{call.request.method} {call.request.path}"
    earlier = await book.begin(principal, route, key, call.raw)
    if earlier is not None:
        return await again(earlier)
    try:
        name, made = await work()
    except IraError:
        await book.drop(principal, route, key)
        raise
    await book.finish(principal, route, key, name)
    return made


async def once_whole(
    call: Call,
    work: Callable[[Keep | None], Awaitable[T]],
    again: Callable[[str], Awaitable[T]],
) -> T:
    """The same for work that keeps the name of its result in its own transaction, by what it is given.

    So nothing is ever in doubt: a request that a stop of the server cut off did nothing, and the next
    one with its key is a first one.
    """
    key = key_of(call)
    if key is None:
        return await work(None)
    book, principal = call.services.idempotency, call.principal
    route = f"{call.request.method} {call.request.path}"
    earlier = await book.begin(principal, route, key, call.raw, is_whole=True)
    if earlier is not None:
        return await again(earlier)
    try:
        return await work(book.keeping(principal, route, key))
    except IraError:
        await book.drop(principal, route, key)
        raise


async def not_again(name: str) -> NoReturn:
    """For an answer that holds a secret, which is not kept: say that it was done."""
    raise AlreadyDone(id=name)
