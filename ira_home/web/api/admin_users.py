"""The console's people."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import (
    Forbidden,
    LastOwner,
    NotFound,
    PasswordNeeded,
    Taken,
    WeakPassword,
)
from ira_home.base.ids import PersonId
from ira_home.domain.people import Person, Role
from ira_home.web.call import Call
from ira_home.web.etags import IF_MATCH, check, etag_of, tagged
from ira_home.web.guard import is_verified
from ira_home.web.once import HEADER, once
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items, User


class Account(User):
    """A person as the console shows them."""

    has_pin: bool
    created_at: str


class NewAccount(msgspec.Struct):
    """A further person; they can choose another password and their PIN themselves."""

    email: str
    name: str
    role: Role
    password: str
    pin: str | None = None


class Changed(msgspec.Struct):
    """What to change; a forgotten password or PIN is set anew here, with one's own password."""

    name: str | None = None
    role: Role | None = None
    password: str | None = None
    pin: str | None = None


def _shown(person: Person) -> Account:
    return Account(
        id=person.id,
        email=person.email,
        name=person.name,
        role=person.role.value,
        has_pin=person.has_pin,
        created_at=rfc3339(person.created_at),
    )


def _etag(person: Person) -> str:
    return etag_of(person.id, person.name, person.role.value, person.has_pin)


async def _find(call: Call) -> Person:
    return await call.services.accounts.get(PersonId(call.number("id")))


async def exists(call: Call) -> None:
    """Raise NotFound for nobody."""
    await _find(call)


async def show(call: Call) -> Items[Account]:
    """Everyone, newest account first."""
    people = await call.services.accounts.list()
    newest_first = sorted(people, key=lambda one: one.id, reverse=True)
    return Items([_shown(one) for one in newest_first])


async def show_one(call: Call) -> object:
    """One person."""
    person = await _find(call)
    return tagged(_shown(person), _etag(person))


async def add(call: Call) -> Account:
    """Add a person."""
    asked: NewAccount = call.body

    async def work() -> tuple[str, Account]:
        person = await call.services.accounts.add(call.principal, **msgspec.structs.asdict(asked))
        return str(person.id), _shown(person)

    async def again(name: str) -> Account:
        return _shown(await call.services.accounts.get(PersonId(int(name))))

    return await once(call, work, again)


async def change(call: Call) -> object:
    """Change a person's name or role, or set a forgotten password or PIN."""
    asked: Changed = call.body
    accounts, actor = call.services.accounts, call.principal
    person = await _find(call)
    check(call, _etag(person))
    if asked.password is not None or asked.pin is not None:
        await is_verified(call)
    if asked.name is not None or asked.role is not None:
        await accounts.change(actor, person.id, name=asked.name, role=asked.role)
    if asked.password is not None:
        await accounts.reset_password(actor, person.id, asked.password)
    if asked.pin is not None:
        await accounts.reset_pin(actor, person.id, asked.pin)
    person = await _find(call)
    return tagged(_shown(person), _etag(person))


async def remove(call: Call) -> None:
    """Remove an account with all that is that person's."""
    await is_verified(call)
    await call.services.accounts.remove(call.principal, PersonId(call.number("id")))


_ONE = "/v1/admin/users/{id}"
ROUTES = (
    Route("GET", "/v1/admin/users", show, Needs.CONSOLE, summary="Everyone", reply=Items[Account]),
    Route(
        "POST",
        "/v1/admin/users",
        add,
        Needs.CONSOLE,
        summary="Add a person",
        body=NewAccount,
        reply=Account,
        status=201,
        headers=(HEADER,),
        problems=(Forbidden, Taken, WeakPassword, NotFound),
    ),
    Route(
        "GET",
        _ONE,
        show_one,
        Needs.CONSOLE,
        summary="One person",
        reply=Account,
        problems=(NotFound,),
    ),
    Route(
        "PATCH",
        _ONE,
        change,
        Needs.CONSOLE,
        summary="Change a person",
        body=Changed,
        reply=Account,
        finds=exists,
        headers=(IF_MATCH,),
        problems=(NotFound, LastOwner, PasswordNeeded, WeakPassword),
    ),
    Route(
        "DELETE",
        _ONE,
        remove,
        Needs.CONSOLE,
        summary="Remove a person",
        status=204,
        finds=exists,
        problems=(NotFound, LastOwner, PasswordNeeded),
    ),
)
