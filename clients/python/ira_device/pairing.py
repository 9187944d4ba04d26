"""Trading a pairing code for a device token, over a connection to a server that was recognised first."""

from collections.abc import Mapping
import re
from typing import Final, NoReturn

import msgspec
from msgspec import Struct

from ira_device.http import Address, Answer, post_json, said
from ira_device.pinning import Trust, Witness, find_trust
from ira_device.refusals import PairingRefused
from ira_device.store import Paired
from ira_home.base.errors import BadJson
from ira_home.base.jsontext import parse as parse_json
from ira_home.protocol.pairing_link import PairingLinkText

ROUTE: Final = "/v1/devices/pair"
_TOKEN = re.compile(r"irad_[A-Za-z0-9_-]{20,200}")
_PATH = re.compile(r"/[A-Za-z0-9_.~/-]{0,200}")


class _Claimed(Struct, frozen=True, kw_only=True):
    device_id: int
    token: str
    kind: str
    label: str
    skills: list[str]
    name: str
    websocket: str


async def pair(link: PairingLinkText, kind: str, witness: Witness) -> tuple[Paired, str]:
    """The pairing and its token; the code is sent only to the server it came from.

    Raises WrongServer, ServerUnreachable, or PairingRefused with the server's reason in plain words.
    """
    trust = await find_trust(link, witness)
    address = Address(str(link.host), link.port)
    answer = await post_json(
        address,
        ROUTE,
        body={"code": link.code, "kind": kind},
        context=trust.context(),
        server_name=trust.server_name,
    )
    if answer.status not in (200, 201):
        _refuse(answer)
    claimed = _read(answer)
    return _paired(address, trust, claimed), claimed.token


def _paired(address: Address, trust: Trust, claimed: _Claimed) -> Paired:
    return Paired(
        host=address.host,
        port=address.port,
        server_name=trust.server_name,
        ca_pem=trust.ca_pem,
        device_id=claimed.device_id,
        kind=claimed.kind,
        label=claimed.label,
        assistant=claimed.name,
        websocket=claimed.websocket,
    )


def _read(answer: Answer) -> _Claimed:
    try:
        claimed = msgspec.convert(parse_json(answer.body), _Claimed)
    except (BadJson, msgspec.ValidationError):
        claimed = None
    if claimed is None or not (
        _TOKEN.fullmatch(claimed.token) and _PATH.fullmatch(claimed.websocket)
    ):
        message = "The server paired this device, but its answer makes no sense. Remove it there."
        raise PairingRefused(message)
    return claimed


def _refuse(answer: Answer) -> NoReturn:
    detail = _detail(answer)
    if answer.status == 410:
        message = "That code does not work: it is wrong, used or too old. Make a new one."
    elif answer.status == 429:
        message = f"Too many wrong codes came from this address. {_wait(answer.headers)}"
    elif answer.status == 409:
        message = detail or "That code is for another kind of device."
    else:
        message = f"The server did not pair this device ({answer.status}). {detail}".strip()
    raise PairingRefused(message)


def _detail(answer: Answer) -> str:
    try:
        problem = parse_json(answer.body)
    except BadJson:
        return ""
    return said(problem.get("detail") or "") if isinstance(problem, dict) else ""


def _wait(headers: Mapping[str, str]) -> str:
    seconds = headers.get("Retry-After", "")
    if not seconds.isdecimal() or len(seconds) > 6:
        return "Try again later."
    minutes = max(1, -(-int(seconds) // 60))
    return f"Try again in {minutes} minute{'' if minutes == 1 else 's'}."
