"""Pairing: a person makes a code, and a device claims it."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import (
    AlreadyDone,
    CodeGone,
    Conflict,
    KindMismatch,
    NotFound,
    TooMany,
)
from ira_home.base.ids import PairingId
from ira_home.base.tokens import shown_code
from ira_home.domain.devices import Pairing
from ira_home.web.call import Call
from ira_home.web.once import HEADER, not_again, once
from ira_home.web.routes import PIN_ERRORS, Needs, Route
from ira_home.web.shapes import Items

SOCKET = "/v1/devices/ws"


class NewPairing(msgspec.Struct):
    """The device that is to be paired. A new device is a new grant, so it needs the PIN."""

    kind: str
    label: str
    skills: list[str] = []
    pin: str | None = None


class OpenPairing(msgspec.Struct):
    """A code that waits for its device; the code itself is not kept."""

    id: int
    kind: str
    label: str
    skills: list[str]
    expires_at: str


class MadePairing(msgspec.Struct):
    """A code, shown this once; `qr_svg` shows `url`.

    `why_no_qr` is null, or only_this_computer, only_tunnel or no_network: then no other device can
    follow `url`, and its QR code is of no use to one.
    """

    id: int
    code: str
    url: str
    qr_svg: str
    why_no_qr: str | None
    expires_at: str


class Claim(msgspec.Struct):
    """What the device knows: the code, and what it is."""

    code: str
    kind: str


class Paired(msgspec.Struct):
    """The paired device; `token` is shown this once."""

    device_id: int
    token: str
    kind: str
    label: str
    skills: list[str]
    name: str
    websocket: str


def _shown(pairing: Pairing) -> OpenPairing:
    return OpenPairing(
        id=pairing.id,
        kind=pairing.kind.value,
        label=pairing.label,
        skills=list(pairing.skills),
        expires_at=rfc3339(pairing.expires_at),
    )


async def show(call: Call) -> Items[OpenPairing]:
    """The person's codes that wait."""
    waiting = await call.services.pairings.list_open(call.person_id)
    return Items([_shown(one) for one in waiting])


async def make(call: Call) -> MadePairing:
    """Make a code for ten minutes and one device."""
    asked: NewPairing = call.body

    async def work() -> tuple[str, MadePairing]:
        opened = await call.services.pairings.open(
            call.principal, kind=asked.kind, label=asked.label, skills=asked.skills, pin=asked.pin
        )
        link = call.services.pairing_link
        url = link.url(opened.code)
        made = MadePairing(
            id=opened.pairing.id,
            code=shown_code(opened.code),
            url=url,
            qr_svg=link.qr_svg(url),
            why_no_qr=call.services.network().why_no_qr,
            expires_at=rfc3339(opened.pairing.expires_at),
        )
        return str(opened.pairing.id), made

    return await once(call, work, not_again)


async def cancel(call: Call) -> None:
    """End a code that nobody has claimed."""
    await call.services.pairings.cancel(call.principal, PairingId(call.number("id")))


async def is_not_held(call: Call) -> None:
    """Raise TooMany while this address is held off; asked before the body is looked at."""
    await call.services.pairings.check(call.address)


async def claim(call: Call) -> Paired:
    """Claim a code and become its person's device."""
    asked: Claim = call.body
    claimed = await call.services.pairings.claim(
        code=asked.code, kind=asked.kind, address=call.address
    )
    return Paired(
        device_id=claimed.device.id,
        token=claimed.token,
        kind=claimed.device.kind.value,
        label=claimed.device.label,
        skills=sorted(claimed.device.skills),
        name=claimed.assistant,
        websocket=SOCKET,
    )


ROUTES = (
    Route(
        "GET",
        "/v1/me/pairings",
        show,
        Needs.DEVICES,
        summary="My pairing codes that wait",
        reply=Items[OpenPairing],
    ),
    Route(
        "POST",
        "/v1/me/pairings",
        make,
        Needs.DEVICES,
        summary="Make a pairing code",
        body=NewPairing,
        reply=MadePairing,
        status=201,
        headers=(HEADER,),
        problems=(*PIN_ERRORS, AlreadyDone, Conflict),
    ),
    Route(
        "DELETE",
        "/v1/me/pairings/{id}",
        cancel,
        Needs.DEVICES,
        summary="End a pairing code",
        status=204,
        problems=(NotFound,),
    ),
    Route(
        "POST",
        "/v1/devices/pair",
        claim,
        Needs.OPEN,
        summary="Claim a pairing code",
        body=Claim,
        reply=Paired,
        status=201,
        finds=is_not_held,
        problems=(CodeGone, KindMismatch, TooMany),
    ),
)
