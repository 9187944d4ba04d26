"""Looking for servers on the local network as a client does: a question by multicast, and who answers."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from zeroconf import DNSQuestionType, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from ira_home.base.errors import CommandFailed
from ira_home.protocol.discovery import INSTALL_ID, SERVICE_TYPE

ANSWERS_MAX = 64  # anybody on the network may answer as often as they like
_RESOLVE_MS = 1_500


@dataclass(frozen=True, slots=True)
class Server:
    """What answered. Whoever answers can say anything: it proves nothing."""

    name: str
    id: str
    host: str
    port: int
    addresses: tuple[str, ...]


async def look(seconds: float, *, wanted: str | None = None) -> list[Server]:
    """The servers that answer within these seconds; done at once when the wanted id has answered.

    Raises CommandFailed where this computer cannot ask at all.
    """
    try:
        asker = AsyncZeroconf(ip_version=IPVersion.All)
    except (OSError, RuntimeError) as error:
        message = f"This computer cannot ask the local network ({error})."
        raise CommandFailed(message) from None
    found: asyncio.Queue[str] = asyncio.Queue(ANSWERS_MAX)

    def heard(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:  # noqa: ARG001 - zeroconf calls by name  # fmt: skip
        if state_change is ServiceStateChange.Added and not found.full():
            found.put_nowait(name)

    # Asked so that all may hear the answer: one that is sent to the asker alone would reach only one of
    # the programs of this computer that listen there.
    browser = AsyncServiceBrowser(
        asker.zeroconf, SERVICE_TYPE, handlers=[heard], question_type=DNSQuestionType.QM
    )
    servers: dict[str, Server] = {}
    try:
        async with asyncio.timeout(seconds):
            while len(servers) < ANSWERS_MAX:
                name = await found.get()
                server = await _resolved(asker, name)
                if server is not None:
                    servers[name] = server
                    if server.id == wanted:
                        break
    except TimeoutError:
        # silent-ok: the time to listen is over, and what was heard is what there is.
        pass
    finally:
        await browser.async_cancel()
        await asker.async_close()
    return sorted(servers.values(), key=lambda one: (one.name, one.host))


async def _resolved(asker: AsyncZeroconf, name: str) -> Server | None:
    info = AsyncServiceInfo(SERVICE_TYPE, name)
    if not await info.async_request(asker.zeroconf, _RESOLVE_MS, question_type=DNSQuestionType.QM):
        return None
    said = info.decoded_properties.get(INSTALL_ID)
    return Server(
        name=name.removesuffix(f".{SERVICE_TYPE}"),
        id=said or "",
        host=(info.server or "").rstrip("."),
        port=info.port or 0,
        addresses=_addresses(info.parsed_addresses(IPVersion.All)),
    )


def _addresses(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))
