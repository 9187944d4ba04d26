"""A person's devices: their names, their skills, their WebSocket, their end."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import Forbidden, NotFound, TooMany, TwoCredentials
from ira_home.base.ids import DeviceId
from ira_home.devices.registry import ListedDevice
from ira_home.web.call import Call
from ira_home.web.device_socket import serve
from ira_home.web.etags import IF_MATCH, check, etag_of, tagged
from ira_home.web.routes import PIN_ERRORS, Needs, Route
from ira_home.web.shapes import Device, DeviceTool, Items, moment


class NewLabel(msgspec.Struct):
    """Another name for a device."""

    label: str


class Switch(msgspec.Struct):
    """A skill on or off; on needs the PIN."""

    on: bool
    pin: str | None = None


class Pin(msgspec.Struct):
    """The action PIN."""

    pin: str | None = None


def device_of(listed: ListedDevice) -> Device:
    """A device as its person sees it."""
    device = listed.device
    return Device(
        id=device.id,
        kind=device.kind.value,
        label=device.label,
        skills=sorted(device.skills),
        skills_known=sorted(listed.skills_known),
        online=listed.online,
        last_seen=moment(device.last_seen),
        version=device.version,
        created_at=rfc3339(device.created_at),
        paired_from=listed.paired_from,
        tools=[
            DeviceTool(
                name=tool.name,
                title=tool.title,
                tier=int(tool.tier),
                outward=tool.outward,
                skill=tool.skill,
                state=state.value,
            )
            for tool, state in listed.tools
        ],
    )


def _etag(device: Device) -> str:
    return etag_of(device.id, device.label, device.skills)


async def find(call: Call, device_id: int) -> Device:
    """One device of the person; raises NotFound."""
    for listed in await call.services.registry.list(call.person_id):
        if listed.device.id == device_id:
            return device_of(listed)
    raise NotFound


async def is_mine(call: Call) -> None:
    """Raise NotFound for another person's device."""
    device = await call.services.registry.get(DeviceId(call.number("id")))
    if device is None or device.person_id != call.person_id:
        raise NotFound


async def show(call: Call) -> Items[Device]:
    """The person's devices, newest first."""
    return Items([device_of(one) for one in await call.services.registry.list(call.person_id)])


async def show_one(call: Call) -> object:
    """One device."""
    device = await find(call, call.number("id"))
    return tagged(device, _etag(device))


async def rename(call: Call) -> object:
    """Give a device another name."""
    number = call.number("id")
    check(call, _etag(await find(call, number)))
    label: str = call.body.label
    device = device_of(await call.services.registry.rename(call.principal, DeviceId(number), label))
    return tagged(device, _etag(device))


async def switch(call: Call) -> Device:
    """Switch a skill on or off."""
    asked: Switch = call.body
    number = DeviceId(call.number("id"))
    return device_of(
        await call.services.registry.switch(
            call.principal, number, call.text("skill"), on=asked.on, pin=asked.pin
        )
    )


async def agree(call: Call) -> Device:
    """Agree to a tool that was declared again more freely."""
    number, pin = DeviceId(call.number("id")), call.body.pin
    return device_of(
        await call.services.registry.agree(call.principal, number, call.text("name"), pin)
    )


async def revoke(call: Call) -> None:
    """Take a device's token away; its connection closes at once."""
    await call.services.registry.revoke(call.principal, DeviceId(call.number("id")))


_ONE = "/v1/me/devices/{id}"
ROUTES = (
    Route("GET", "/v1/me/devices", show, Needs.DEVICES, summary="My devices", reply=Items[Device]),
    Route(
        "GET",
        _ONE,
        show_one,
        Needs.DEVICES,
        summary="One of my devices",
        reply=Device,
        problems=(NotFound,),
    ),
    Route(
        "PATCH",
        _ONE,
        rename,
        Needs.DEVICES,
        summary="Rename a device",
        body=NewLabel,
        reply=Device,
        finds=is_mine,
        headers=(IF_MATCH,),
        problems=(NotFound,),
    ),
    Route(
        "PUT",
        _ONE + "/skills/{skill}",
        switch,
        Needs.DEVICES,
        summary="Switch a skill on or off",
        body=Switch,
        reply=Device,
        finds=is_mine,
        problems=(NotFound, *PIN_ERRORS),
    ),
    Route(
        "POST",
        _ONE + "/tools/{name}/agree",
        agree,
        Needs.DEVICES,
        summary="Agree to a tool's freer definition",
        body=Pin,
        reply=Device,
        finds=is_mine,
        problems=(NotFound, *PIN_ERRORS),
    ),
    Route(
        "DELETE",
        _ONE,
        revoke,
        Needs.DEVICES,
        summary="Revoke a device",
        status=204,
        problems=(NotFound,),
    ),
    Route(
        "GET",
        "/v1/devices/ws",
        serve,
        Needs.DEVICE_SOCKET,
        summary="The device protocol's WebSocket",
        status=101,
        media="",
        query=("token",),
        problems=(TwoCredentials, Forbidden, TooMany),
    ),
)
