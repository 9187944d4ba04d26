"""Finding the server again: by its id on the local network, by nothing but what it can prove.

An answer from the network is a hint, and anybody can give it. Who answers at an address is the server
only with a certificate of the authority that the pairing knows, or of the one that this authority
announced as the next (`pins`). Nothing secret is sent to find out.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
import ipaddress
import random
import re
from typing import Final

from cryptography.hazmat.primitives.serialization import Encoding
import msgspec

from ira_device.http import Address, get_unverified
from ira_device.pinning import Trust, pin_of, read_certificate
from ira_device.refusals import ServerUnreachable, WrongServer
from ira_device.store import Paired
from ira_home.base.errors import CommandFailed
from ira_home.protocol.mdns_look import Server, look

LOOK_S: Final = 3.0
PROVE_S: Final = 5.0
TRIED_MAX: Final = 16  # addresses of one look: whoever answers can name as many as they like
_lots = random.SystemRandom()
_IDENTITY = re.compile(r"ira-([0-9a-f]{6,12})\.local")

Ask = Callable[[], Awaitable[Sequence[Server]]]


async def ask_network() -> list[Server]:
    """Who answers on the local network; raises CommandFailed where it cannot be asked."""
    return await look(LOOK_S)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server says it is; `addresses` are of a home network, the likeliest first."""

    name: str
    id: str
    addresses: tuple[Address, ...]

    @property
    def server_name(self) -> str:
        """The name that it would have to prove."""
        return f"ira-{self.id}.local"

    @property
    def typed(self) -> str:
        """Its address, as it can be typed."""
        return self.addresses[0].typed


def places_of(servers: Iterable[Server]) -> list[Place]:
    """Those of the servers that can be reached at all."""
    found = [Place(one.name, one.id, tuple(_near_addresses(one))) for one in servers]
    return [one for one in found if one.addresses]


def nearby() -> list[Place]:
    """Where servers are on this network; none where it cannot be asked."""
    try:
        return places_of(asyncio.run(ask_network()))
    except CommandFailed:
        # silent-ok: an address can be typed as well
        return []


async def find_again(paired: Paired, ask: Ask = ask_network) -> Paired | None:
    """The pairing as it can be used now, where its server has moved or has another authority.

    None when nobody there proves to be the server, or when it still is where and what it was.
    """
    if paired.next_pins and (here := await _proved(paired, paired.address)) is not None:
        return None if here == paired else here
    named = await _addresses(paired, ask)
    wanted = [paired.address, *(one for one in named if one != paired.address)]
    proved = await asyncio.gather(*(_proved(paired, one) for one in wanted[:TRIED_MAX]))
    found = next((one for one in proved if one is not None), None)
    return None if found == paired else found


async def _addresses(paired: Paired, ask: Ask) -> list[Address]:
    identity = _IDENTITY.fullmatch(paired.server_name)
    if identity is None:
        return []
    try:
        servers = await ask()
    except CommandFailed:
        # The system may know how to find a name of the local network by itself.
        return [Address(paired.server_name, paired.port)]
    answers = [_near_addresses(one) for one in servers if one.id == identity[1]]
    # Anybody can say the id, as often as they like; nobody can say it so that they are always the first.
    _lots.shuffle(answers)
    return _in_turn(answers)


def _near_addresses(server: Server) -> list[Address]:
    if not 0 < server.port < 65_536:
        return []
    near = [one for one in server.addresses if _is_near(one)]
    return [Address(one, server.port) for one in sorted(near, key=lambda one: ":" in one)]


def _in_turn(answers: Sequence[Sequence[Address]]) -> list[Address]:
    """The first of each answer, then the second: one that names many keeps no other out."""
    longest = max(map(len, answers), default=0)
    turns = (one[place] for place in range(longest) for one in answers if place < len(one))
    return list(dict.fromkeys(turns))


def _is_near(address: str) -> bool:
    """Whether it is one of a home network: nobody there can send a device out into the world."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return not (found.is_global or found.is_multicast or found.is_unspecified)


async def _proved(paired: Paired, address: Address) -> Paired | None:
    if await _shakes_hands(address, paired.trust):
        return msgspec.structs.replace(paired, host=address.host, port=address.port)
    next_pem = await _next_authority(address, paired.next_pins)
    if next_pem is None or not await _shakes_hands(address, Trust(next_pem, paired.server_name)):
        return None
    return msgspec.structs.replace(
        paired, host=address.host, port=address.port, ca_pem=next_pem, next_pins=()
    )


async def _next_authority(address: Address, pins: Collection[str]) -> str | None:
    """The certificate of the authority that took over, if it is one of those announced."""
    if not pins:
        return None
    try:
        authority = read_certificate(await get_unverified(address, "/ca.crt"))
    except (ServerUnreachable, WrongServer):
        return None
    return authority.public_bytes(Encoding.PEM).decode() if pin_of(authority) in pins else None


async def _shakes_hands(address: Address, trust: Trust) -> bool:
    """Whether whoever answers proves to be the server; nothing is said but the handshake."""
    try:
        async with asyncio.timeout(PROVE_S):
            _reader, writer = await asyncio.open_connection(
                address.host, address.port, ssl=trust.context(), server_hostname=trust.server_name
            )
    except (OSError, ValueError):
        return False
    writer.close()
    # silent-ok: it has proved who it is, and how the line ends tells nothing.
    with suppress(OSError):
        async with asyncio.timeout(PROVE_S):
            await writer.wait_closed()
    return True
