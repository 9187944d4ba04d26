"""The people of the house: who they are, in which role, when they were here, and taking one away."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from aiohttp import web

from ira_home.base.errors import Forbidden, Invalid, IraError, LastOwner, NotFound
from ira_home.base.ids import PersonId
from ira_home.domain.people import Person, Role, may_manage
from ira_home.web.call import Call
from ira_home.web.guard import drop_session
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

SAVED = frozenset({"role", "password", "pin"})


@dataclass(frozen=True, slots=True)
class Member:
    """A person as the list shows them; `last_seen` is of their browsers and their devices."""

    person: Person
    devices: int
    online: bool
    last_seen: datetime | None


def roles_for(actor: Role) -> tuple[Role, ...]:
    """The roles that somebody of this role may give."""
    return tuple(role for role in Role if may_manage(actor, role))


def role_of(text: str) -> Role:
    """The role that a form names; raises Invalid."""
    if text not in frozenset(Role):
        raise Invalid(field="role")
    return Role(text)


async def member_of(call: Call, person: Person) -> Member:
    """When the person was here last, and with how many devices."""
    devices = await call.services.registry.list(person.id)
    sessions = await call.services.sessions.list(person.id)
    moments = [one.device.last_seen for one in devices] + [one.used_at for one in sessions]
    return Member(
        person,
        devices=len(devices),
        online=any(one.online for one in devices),
        last_seen=max((one for one in moments if one is not None), default=None),
    )


def why_not(actor: Person, person: Person, people: list[Person]) -> IraError | None:
    """What would be answered to whoever took this person's role or account away, if anything."""
    owners = [one for one in people if one.role is Role.OWNER]
    if not may_manage(actor.role, person.role):
        return Forbidden()
    return LastOwner() if [one.id for one in owners] == [person.id] else None


async def list_people(call: Call) -> web.Response:
    """Everyone, oldest account first, and the open invitations."""
    people = await call.services.accounts.list()
    return await show(
        call,
        "people.html",
        nav="house",
        members=[await member_of(call, one) for one in people],
        invitations=await call.services.invitations.list(),
        mine=roles_for(call.principal.person.role),
    )


async def find(call: Call) -> Person:
    """The person of the address; raises NotFound."""
    return await call.services.accounts.get(PersonId(call.number("id")))


async def show_person(call: Call) -> web.Response:
    """One person, with what may be changed."""
    return await _person(call, await find(call))


async def _person(
    call: Call, person: Person, fault: Fault | None = None, at: str = ""
) -> web.Response:
    """`at` names the part that the fault stands beside."""
    actor, saved = call.principal.person, call.request.query.get("saved", "")
    return await show(
        call,
        "person.html",
        nav="house",
        status=200 if fault is None else fault.status,
        one=await member_of(call, person),
        why_not=why_not(actor, person, await call.services.accounts.list()),
        roles=roles_for(actor.role),
        saved=saved if saved in SAVED else "",
        fault=fault,
        at=at,
    )


async def change_role(call: Call) -> web.Response:
    """Give the person another role; whoever steps down so leaves these pages."""
    person = await find(call)
    try:
        role = role_of(call.form.get("role", ""))
        await call.services.accounts.change(call.principal, person.id, role=role)
    except NotFound:
        raise
    except IraError as error:
        return await _person(call, person, fault_of(error, words_for(call.request)))
    if person.id == call.person_id and role is Role.STAFF:
        return go("/me")
    return go(f"/house/people/{person.id}?saved=role#role")


async def set_password(call: Call) -> web.Response:
    """A new password in place of a forgotten one; all the person's sessions end."""

    async def work(person_id: PersonId) -> None:
        new = call.form.get("new", "")
        await call.services.accounts.reset_password(call.principal, person_id, new)

    return await _forgotten(call, work, "password")


async def set_pin(call: Call) -> web.Response:
    """A new PIN in place of a forgotten one."""

    async def work(person_id: PersonId) -> None:
        pin = call.form.get("pin", "")
        await call.services.accounts.reset_pin(call.principal, person_id, pin)

    return await _forgotten(call, work, "pin")


async def _forgotten(
    call: Call, work: Callable[[PersonId], Awaitable[None]], at: str
) -> web.Response:
    """Set a secret anew, after one's own password."""
    person = await find(call)
    try:
        await call.services.sessions.verify(call.principal, call.form.get("password", ""))
        await work(person.id)
    except NotFound:
        raise
    except IraError as error:
        fault = fault_of(error, words_for(call.request), weak_password="new")  # noqa: S106
        return await _person(call, person, fault, at)
    return go(f"/house/people/{person.id}?saved={at}#{at}")


async def ask_remove(call: Call) -> web.Response:
    """What removing a person means, before it is done."""
    person = await find(call)
    refused = why_not(call.principal.person, person, await call.services.accounts.list())
    if refused is not None:
        return go(f"/house/people/{person.id}")  # which says why
    return await _asked(call, person)


async def _asked(call: Call, person: Person, fault: Fault | None = None) -> web.Response:
    return await show(
        call,
        "person_remove.html",
        nav="house",
        status=200 if fault is None else fault.status,
        one=await member_of(call, person),
        fault=fault,
    )


async def remove(call: Call) -> web.Response:
    """Remove the account with all that is the person's, after one's own password."""
    person, words = await find(call), words_for(call.request)
    refused = why_not(call.principal.person, person, await call.services.accounts.list())
    if refused is not None:
        return await _person(call, person, fault_of(refused, words))
    try:
        await call.services.sessions.verify(call.principal, call.form.get("password", ""))
    except IraError as error:
        return await _asked(call, person, fault_of(error, words))
    try:
        await call.services.accounts.remove(call.principal, person.id)
    except NotFound:
        raise
    except IraError as error:
        return await _person(call, person, fault_of(error, words))
    if person.id == call.person_id:
        return drop_session(go("/signin"))
    return go("/house/people")


async def back_to_person(call: Call) -> web.Response:
    """Whoever opens the address of a form sees the person."""
    return go(f"/house/people/{call.number('id')}")


_ONE = "/house/people/{id}"
ROUTES = (
    Route(
        "GET", "/house/people", list_people, Needs.CONSOLE, page=True, summary="The house's people."
    ),
    Route(
        "GET",
        _ONE,
        show_person,
        Needs.CONSOLE,
        page=True,
        summary="A person.",
        query=("saved",),
    ),
    Route(
        "POST",
        f"{_ONE}/role",
        change_role,
        Needs.CONSOLE,
        page=True,
        summary="Give a person another role.",
    ),
    Route("GET", f"{_ONE}/role", back_to_person, Needs.CONSOLE, page=True),
    Route(
        "POST",
        f"{_ONE}/password",
        set_password,
        Needs.CONSOLE,
        page=True,
        summary="Set a forgotten password anew.",
    ),
    Route("GET", f"{_ONE}/password", back_to_person, Needs.CONSOLE, page=True),
    Route(
        "POST",
        f"{_ONE}/pin",
        set_pin,
        Needs.CONSOLE,
        page=True,
        summary="Set a forgotten PIN anew.",
    ),
    Route("GET", f"{_ONE}/pin", back_to_person, Needs.CONSOLE, page=True),
    Route(
        "GET",
        f"{_ONE}/remove",
        ask_remove,
        Needs.CONSOLE,
        page=True,
        summary="What removing a person means.",
    ),
    Route("POST", f"{_ONE}/remove", remove, Needs.CONSOLE, page=True, summary="Remove a person."),
)
