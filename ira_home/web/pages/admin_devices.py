"""Everybody's devices as owner and admins see them: taken away, and skills switched off, never on."""

from aiohttp import web

from ira_home.base.errors import NotFound
from ira_home.base.ids import DeviceId
from ira_home.devices.registry import AdminDevice
from ira_home.web.api import admin_devices
from ira_home.web.call import PAGING, Call
from ira_home.web.pages.skills import shown
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route


async def _find(call: Call) -> AdminDevice:
    """The device of the address; NotFound where there is none."""
    wanted = call.number("id")
    for one in await admin_devices.every(call):
        if one.device.id == wanted:
            return one
    raise NotFound


async def page(call: Call) -> web.Response:
    """All devices, newest first."""
    found = await call.services.registry.list_all(call.cursor, call.limit)
    return await show(
        call, "house_devices.html", nav="house", devices=found.items, next_cursor=found.next_cursor
    )


async def show_one(call: Call) -> web.Response:
    """One device, without its tools."""
    one, words = await _find(call), words_for(call.request)
    skills = [shown(name, words) for name in sorted(one.device.skills)]
    return await show(call, "house_device.html", nav="house", one=one, skills=skills)


async def ask_remove(call: Call) -> web.Response:
    """What removing it means, before it is done."""
    return await show(call, "house_device_remove.html", nav="house", one=await _find(call))


async def remove(call: Call) -> web.Response:
    """Remove it: its token is dead at once."""
    await admin_devices.revoke(call)
    return go("/house/devices")


async def switch_off(call: Call) -> web.Response:
    """Switch one of its skills off."""
    device_id = DeviceId(call.number("id"))
    await call.services.registry.switch_off_as_admin(call.principal, device_id, call.text("skill"))
    return go(f"/house/devices/{device_id}")


async def back_to_device(call: Call) -> web.Response:
    """Whoever opens the address of a form sees the device."""
    return go(f"/house/devices/{call.number('id')}")


_ONE = "/house/devices/{id}"
_SKILL = _ONE + "/skills/{skill}"
_REMOVE = _ONE + "/remove"
ROUTES = (
    Route(
        "GET",
        "/house/devices",
        page,
        Needs.CONSOLE,
        page=True,
        summary="Every device of the house.",
        query=PAGING,
    ),
    Route("GET", _ONE, show_one, Needs.CONSOLE, page=True, summary="Anyone's device."),
    Route("GET", _SKILL, back_to_device, Needs.CONSOLE, page=True),
    Route(
        "POST",
        _SKILL,
        switch_off,
        Needs.CONSOLE,
        page=True,
        summary="Switch a skill of anyone's device off.",
    ),
    Route(
        "GET",
        _REMOVE,
        ask_remove,
        Needs.CONSOLE,
        page=True,
        summary="What removing anyone's device means.",
    ),
    Route("POST", _REMOVE, remove, Needs.CONSOLE, page=True, summary="Remove anyone's device."),
)
