"""Looking for servers on the local network as a client does: a question by multicast, and who answers."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
import re
from typing import TYPE_CHECKING

from ira_home.base.errors import CommandFailed
from ira_home.base.tasks import Tasks
from ira_home.base.text import cut, one_line
from ira_home.protocol.discovery import INSTALL_ID, SERVICE_TYPE

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

ANSWERS_MAX = 256  # anybody on the network may answer as often as they like
_RESOLVE_MS = 1_500
_SHOWN_CHARS = 80
_ID = re.compile(r"[0-9a-f]{6,12}")


@dataclass(frozen=True, slots=True)
class Server:
    """What answered, in words fit to be shown. Whoever answers can say anything: it proves nothing.

    `id` is empty where none was told.
    """

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
        from zeroconf import DNSQuestionType, IPVersion
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf
    except ImportError:
        message = "Asking the local network needs the Python package zeroconf, which is not here."
        raise CommandFailed(message) from None
    try:
        asker = AsyncZeroconf(ip_version=IPVersion.All)
    except (OSError, RuntimeError) as error:
        message = f"This computer cannot ask the local network ({error})."
        raise CommandFailed(message) from None
    ear = _Ear(asker, wanted)
    # Asked so that all may hear the answer: one that is sent to the asker alone would reach only one of
    # the programs of this computer that listen there.
    browser = AsyncServiceBrowser(
        asker.zeroconf, SERVICE_TYPE, handlers=[ear.hear], question_type=DNSQuestionType.QM
    )
    try:
        async with asyncio.timeout(seconds):
            await ear.has_wanted.wait()
    except TimeoutError:
        # silent-ok: the time to listen is over, and what was heard is what there is.
        pass
    finally:
        await browser.async_cancel()
        await ear.close()
        await asker.async_close()
    return sorted(ear.servers.values(), key=lambda one: (one.name, one.host))


class _Ear:
    """Hears names and asks what is behind each of them, behind all at once.

    One that nobody stands behind takes its time, and keeps nobody else waiting.
    """

    def __init__(self, asker: "AsyncZeroconf", wanted: str | None) -> None:
        self.servers: dict[str, Server] = {}
        self.has_wanted = asyncio.Event()
        self._asker, self._wanted = asker, wanted
        self._heard: set[str] = set()
        self._tasks = Tasks("look")

    def hear(self, zeroconf: "Zeroconf", service_type: str, name: str, state_change: "ServiceStateChange") -> None:  # noqa: ARG002 - zeroconf calls by name  # fmt: skip
        if name not in self._heard and len(self._heard) < ANSWERS_MAX:
            self._heard.add(name)
            _ = self._tasks.start(self._resolve(name), "name")

    async def close(self) -> None:
        await self._tasks.close()

    async def _resolve(self, name: str) -> None:
        server = await _resolved(self._asker, name)
        if server is not None:
            self.servers[name] = server
            if server.id == self._wanted:
                self.has_wanted.set()


async def _resolved(asker: "AsyncZeroconf", name: str) -> Server | None:
    from zeroconf import BadTypeInNameException, DNSQuestionType, IPVersion
    from zeroconf.asyncio import AsyncServiceInfo

    try:
        info = AsyncServiceInfo(SERVICE_TYPE, name)
    except BadTypeInNameException:
        return None
    if not await info.async_request(asker.zeroconf, _RESOLVE_MS, question_type=DNSQuestionType.QM):
        return None
    said = info.decoded_properties.get(INSTALL_ID) or ""
    return Server(
        name=_shown(name.removesuffix(f".{SERVICE_TYPE}")),
        id=said if _ID.fullmatch(said) else "",
        host=_shown((info.server or "").rstrip(".")),
        port=info.port or 0,
        addresses=_addresses(info.parsed_addresses(IPVersion.All)),
    )


def _shown(text: str) -> str:
    return cut(one_line(text), _SHOWN_CHARS)


def _addresses(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))
