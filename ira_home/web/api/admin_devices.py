"""The console's devices: seen without their tools, revoked, and skills switched off, never on."""

import msgspec

from ira_home.base.errors import Forbidden, NotFound
from ira_home.base.ids import DeviceId
from ira_home.base.limits import PAGE_ITEMS_MAX
from ira_home.devices.registry import AdminDevice
from ira_home.web.call import PAGING, Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items, moment


class HouseDevice(msgspec.Struct):
    """A device as an admin sees it."""

    id: int
    kind: str
    label: str
    person: str
    email: str
    online: bool
    last_seen: str | None
    skills: list[str]


class SwitchOff(msgspec.Struct):
    """Only `false`: switching on is its own person's."""

    on: bool


def _shown(one: AdminDevice) -> HouseDevice:
    device = one.device
    return HouseDevice(
        id=device.id,
        kind=device.kind.value,
        label=device.label,
        person=device.person,
        email=device.email,
        online=one.online,
        last_seen=moment(device.last_seen),
        skills=sorted(device.skills),
    )


async def show(call: Call) -> Items[HouseDevice]:
    """Every device of the house, newest first."""
    page = await call.services.registry.list_all(call.cursor, call.limit)
    return Items([_shown(one) for one in page.items], page.next_cursor)


async def every(call: Call) -> list[AdminDevice]:
    """All devices of the house, newest first."""
    found: list[AdminDevice] = []
    cursor: str | None = None
    while True:
        page = await call.services.registry.list_all(cursor, PAGE_ITEMS_MAX)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


async def exists(call: Call) -> None:
    """Raise NotFound for no device."""
    if await call.services.registry.get(DeviceId(call.number("id"))) is None:
        raise NotFound


async def revoke(call: Call) -> None:
    """Take anyone's device's token away."""
    device_id = DeviceId(call.number("id"))
    await call.services.registry.revoke(call.principal, device_id, admin=True)


async def switch_off(call: Call) -> None:
    """Switch a skill of anyone's device off."""
    if call.body.on:
        message = "Only its own person can switch a skill on."
        raise Forbidden(message)
    await call.services.registry.switch_off_as_admin(
        call.principal, DeviceId(call.number("id")), call.text("skill")
    )


ROUTES = (
    Route(
        "GET",
        "/v1/admin/devices",
        show,
        Needs.CONSOLE,
        summary="Every device",
        reply=Items[HouseDevice],
        query=PAGING,
    ),
    Route(
        "DELETE",
        "/v1/admin/devices/{id}",
        revoke,
        Needs.CONSOLE,
        summary="Revoke anyone's device",
        status=204,
        problems=(NotFound,),
    ),
    Route(
        "PUT",
        "/v1/admin/devices/{id}/skills/{skill}",
        switch_off,
        Needs.CONSOLE,
        summary="Switch a skill of anyone's device off",
        body=SwitchOff,
        status=204,
        finds=exists,
        problems=(NotFound,),
    ),
)
