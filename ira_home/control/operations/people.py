"""People, as the operator manages them."""

from typing import Any

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.control.operation import Nothing, Operation
from ira_home.domain.people import Person, Role
from ira_home.web.services import Services


class NewOwner(msgspec.Struct):
    """The first person of the house."""

    email: str
    name: str
    password: str
    pin: str


class NewPerson(msgspec.Struct):
    """A further person; the PIN is set apart."""

    email: str
    name: str
    role: Role
    password: str


class OnePerson(msgspec.Struct):
    """A person by e-mail address."""

    email: str


class NewPassword(msgspec.Struct):
    """A password for a person."""

    email: str
    password: str


class NewPin(msgspec.Struct):
    """An action PIN for a person."""

    email: str
    pin: str


def _shown(person: Person) -> dict[str, Any]:
    return {
        "id": person.id,
        "email": person.email,
        "name": person.name,
        "role": person.role.value,
        "has_pin": person.has_pin,
        "created_at": rfc3339(person.created_at),
    }


async def set_up(services: Services, owner: NewOwner) -> Any:
    """Make the owner, once."""
    person = await services.accounts.create_owner(
        email=owner.email, name=owner.name, password=owner.password, pin=owner.pin
    )
    return _shown(person)


async def is_set_up(services: Services, _: Nothing) -> Any:
    """Whether the house has its owner."""
    return await services.accounts.is_set_up()


async def add(services: Services, new: NewPerson) -> Any:
    """Add a person."""
    person = await services.accounts.add(
        None, email=new.email, name=new.name, role=new.role, password=new.password
    )
    return _shown(person)


async def everyone(services: Services, _: Nothing) -> Any:
    """Everyone, without anything private."""
    return [_shown(person) for person in await services.accounts.list()]


async def show(services: Services, who: OnePerson) -> Any:
    """One person."""
    return _shown(await services.accounts.by_email(who.email))


async def remove(services: Services, who: OnePerson) -> Any:
    """Remove an account with all that is its own; its devices are revoked at once."""
    person = await services.accounts.by_email(who.email)
    await services.accounts.remove(None, person.id)
    return _shown(person)


async def reset_password(services: Services, new: NewPassword) -> Any:
    """Give a person a new password; their sessions end."""
    person = await services.accounts.by_email(new.email)
    await services.accounts.reset_password(None, person.id, new.password)
    return _shown(person)


async def reset_pin(services: Services, new: NewPin) -> Any:
    """Give a person an action PIN."""
    person = await services.accounts.by_email(new.email)
    await services.accounts.reset_pin(None, person.id, new.pin)
    return _shown(await services.accounts.get(person.id))


OPERATIONS = (
    Operation("people.set_up", NewOwner, set_up),
    Operation("people.is_set_up", Nothing, is_set_up),
    Operation("people.add", NewPerson, add),
    Operation("people.list", Nothing, everyone),
    Operation("people.show", OnePerson, show),
    Operation("people.remove", OnePerson, remove),
    Operation("people.reset_password", NewPassword, reset_password),
    Operation("people.reset_pin", NewPin, reset_pin),
)
