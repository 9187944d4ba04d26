"""Devices and reviewers' codes, as the operator manages them."""

from typing import Any

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import NotFound
from ira_home.base.ids import DeviceId
from ira_home.base.tokens import shown_code
from ira_home.control.operation import Operation
from ira_home.web.services import Services


class NewCode(msgspec.Struct):
    """A code that pairs several devices over days (spec/devices.md, A code for app reviewers)."""

    email: str
    kind: str
    days: int
    uses: int
    skills: list[str]


class Whose(msgspec.Struct):
    """Devices of one person, or of all."""

    email: str | None = None


class OneDevice(msgspec.Struct):
    """A device by its number."""

    id: int


async def code(services: Services, new: NewCode) -> Any:
    """Make a reviewer's code; only the operator can."""
    opened = await services.pairings.open_for_reviewers(
        email=new.email, kind=new.kind, days=new.days, uses=new.uses, skills=new.skills
    )
    return {
        "code": shown_code(opened.code),
        "url": services.pairing_link.url(opened.code),
        "expires_at": rfc3339(opened.pairing.expires_at),
        "uses": opened.pairing.uses_left,
    }


async def everything(services: Services, whose: Whose) -> Any:
    """Devices with their person and whether they are connected; never what they returned."""
    people = {person.id: person for person in await services.accounts.list()}
    wanted = None if whose.email is None else (await services.accounts.by_email(whose.email)).id
    return [
        {
            "id": listed.device.id,
            "person": people[listed.device.person_id].email,
            "kind": listed.device.kind.value,
            "label": listed.device.label,
            "online": listed.online,
            "version": listed.device.version,
            "skills": sorted(listed.device.skills),
            "last_seen": listed.device.last_seen and rfc3339(listed.device.last_seen),
        }
        for person in people.values()
        if wanted in (None, person.id)
        for listed in await services.registry.list(person.id)
    ]


async def revoke(services: Services, which: OneDevice) -> Any:
    """Take a device's token away; its line closes at once."""
    try:
        await services.registry.revoke(None, DeviceId(which.id), admin=True)
    except NotFound:
        message = f"There is no device {which.id}."
        raise NotFound(message) from None
    return {"id": which.id}


OPERATIONS = (
    Operation("devices.code", NewCode, code),
    Operation("devices.list", Whose, everything),
    Operation("devices.revoke", OneDevice, revoke),
)
