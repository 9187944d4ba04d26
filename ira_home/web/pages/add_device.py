"""Adding a device: what it is, what Ira may do on it, the PIN; then the code, as QR and as letters."""

from dataclasses import dataclass
from typing import cast

from aiohttp import web
from markupsafe import Markup

from ira_home.base.errors import IraError, NotFound
from ira_home.base.ids import PairingId
from ira_home.base.limits import CODE_S
from ira_home.base.tokens import shown_code
from ira_home.devices.registry import ListedDevice
from ira_home.domain.devices import DeviceKind
from ira_home.domain.people import Permission
from ira_home.web.call import Call
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.shown_codes import ShownCode, ShownCodes
from ira_home.web.pages.skills import COMPUTERS, KNOWN, PROVIDED, chosen, shown
from ira_home.web.pages.trust import stable_origin
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

_CODES = "shown_codes"
# The first that stands in how a browser names itself; Android says Linux, too.
_OWN = (
    ("Android", DeviceKind.ANDROID),
    ("iPhone", DeviceKind.IOS),
    ("iPad", DeviceKind.IOS),
    ("Mac OS", DeviceKind.MAC),
    ("Windows", DeviceKind.WINDOWS),
    ("Linux", DeviceKind.LINUX),
)


def codes(call: Call) -> ShownCodes:
    """The codes that this server shows at present."""
    return cast("ShownCodes", call.services.here.setdefault(_CODES, ShownCodes()))


def own_kind(call: Call) -> str:
    """The kind of machine that the browser itself runs on: most people begin with that one."""
    agent = call.request.headers.get("User-Agent", "")
    return next((kind.value for mark, kind in _OWN if mark in agent), DeviceKind.ANDROID.value)


async def form(call: Call) -> web.Response:
    """The form."""
    return await _form(call)


async def _form(call: Call, fault: Fault | None = None) -> web.Response:
    words = words_for(call.request)
    typed = call.form
    kind = typed.get("kind") or call.request.query.get("kind", "")
    ticked = typed.getall("skill", [])
    offered = [(shown(name, words), kinds) for name, kinds in KNOWN.items()]
    return await show(
        call,
        "add_device.html",
        nav="devices",
        status=200 if fault is None else fault.status,
        kinds=list(DeviceKind),
        kind=kind if kind in list(DeviceKind) else own_kind(call),
        label=typed.get("label", ""),
        without_app=[one for one in DeviceKind if one not in COMPUTERS],
        provided=[one for one in offered if one[0].name in PROVIDED],
        others=[one for one in offered if one[0].name not in PROVIDED],
        ticked=ticked,
        is_other_ticked=not PROVIDED.issuperset(ticked),
        own=typed.get("own_skills", ""),
        fault=fault,
        is_first=call.request.query.get("first") == "1",
    )


async def make_code(call: Call) -> web.Response:
    """Make the code and go to its page."""
    kind = call.form.get("kind", "")
    try:
        opened = await call.services.pairings.open(
            call.principal,
            kind=kind,
            label=call.form.get("label", ""),
            skills=chosen(call.form.getall("skill", []), call.form.get("own_skills", ""), kind),
            pin=call.form.get("pin") or None,
        )
    except IraError as error:
        return await _form(
            call, fault_of(error, words_for(call.request), skills="own_skills", skill="own_skills")
        )
    devices = await call.services.registry.list(call.person_id)
    before = frozenset(one.device.id for one in devices)
    codes(call).add(ShownCode(opened.pairing, opened.code, before))
    return go(f"/devices/code/{opened.pairing.id}")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a code stands: waiting, joined or over."""

    state: str
    joined: ListedDevice | None = None


async def standing_of(call: Call, kept: ShownCode) -> Standing:
    """Whether the device is here, whether the code still waits, or whether it is over."""
    open_now = await call.services.pairings.list_open(call.person_id)
    if any(one.id == kept.pairing.id for one in open_now):
        return Standing("waiting")
    for listed in await call.services.registry.list(call.person_id):
        device = listed.device
        is_it = (device.label, device.kind) == (kept.pairing.label, kept.pairing.kind)
        if is_it and device.id not in kept.before:
            return Standing("joined", listed)
    return Standing("over")


async def show_code(call: Call) -> web.Response:
    """The code; it is gone from here when the device has joined or its time is up."""
    kept = codes(call).get(call.person_id, PairingId(call.number("id")))
    if kept is None:
        return await show(call, "code_over.html", nav="devices", kind="")
    standing = await standing_of(call, kept)
    if standing.state == "over":
        return await show(call, "code_over.html", nav="devices", kind=kept.pairing.kind.value)
    if standing.joined is not None:
        return await show(call, "joined.html", nav="devices", one=standing.joined)
    link = call.services.pairing_link.url(kept.code)
    address, named = link.partition("#")[0], f"{stable_origin(call)}/pair"
    left_s = (kept.pairing.expires_at - call.services.clock.steady()).total_seconds()
    return await show(
        call,
        "code.html",
        nav="devices",
        pairing=kept.pairing,
        code=shown_code(kept.code),
        link=link,
        address=address,
        named=named,
        downloads=address.removesuffix("/pair") + "/downloads",
        # The companion asks for the address as well when a code is typed.
        spots=[one.removeprefix("https://").removesuffix("/pair") for one in (address, named)],
        # Drawn by the server itself, from its own link.
        qr=Markup(call.services.pairing_link.qr_svg(link)),  # noqa: S704,
        why_no_qr=call.services.network().why_no_qr,
        may_run=Permission.CONSOLE in call.principal.permissions,
        left_s=max(0, int(left_s)),
        all_s=int(CODE_S),
    )


async def cancel(call: Call) -> web.Response:
    """End the code."""
    pairing_id = PairingId(call.number("id"))
    try:
        await call.services.pairings.cancel(call.principal, pairing_id)
    except NotFound:
        # silent-ok: it was used or ran out meanwhile, and the list says which.
        return go("/devices")
    codes(call).drop(pairing_id)
    return go("/devices")


ROUTES = (
    Route("GET", "/devices/add", form, Needs.DEVICES, page=True, summary="Add a device."),
    Route(
        "POST",
        "/devices/add",
        make_code,
        Needs.DEVICES,
        page=True,
        summary="Make a pairing code, with the PIN.",
    ),
    Route(
        "GET",
        "/devices/code/{id}",
        show_code,
        Needs.DEVICES,
        page=True,
        summary="A pairing code, as QR and as letters.",
    ),
    Route(
        "POST",
        "/devices/code/{id}/cancel",
        cancel,
        Needs.DEVICES,
        page=True,
        summary="End a pairing code.",
    ),
)
