"""Announcing this server on the local network, in a thread that nothing else waits for.

Whatever happens there (a flood of packets, a port that another program keeps, a library that hangs)
can only end the announcement, never slow or stop the server.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
import errno
import ipaddress
import socket
import threading
from typing import TYPE_CHECKING, Any

from ira_home.domain.network import AnnouncementFault
from ira_home.net.interfaces import Interface
from ira_home.net.names import identity
from ira_home.protocol import discovery
from ira_home.protocol.versions import PV

if TYPE_CHECKING:
    from zeroconf import ServiceInfo
    from zeroconf.asyncio import AsyncZeroconf

START_S = 20.0  # asking whether the name is free and telling it takes two seconds
GOODBYE_S = 1.5
NAMES_TRIED = 9
_PORT = 5353
_LABEL_BYTES = 63
_ASK_MS = 1_500  # what was told to all within the last second is repeated only after it
_TAKEN = frozenset({errno.EADDRINUSE, 10048})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, 10013})
_NO_NETWORK = frozenset({errno.EADDRNOTAVAIL, errno.ENETDOWN, errno.ENETUNREACH, errno.ENODEV, 10049, 10050, 10051})  # fmt: skip


class AnnouncementFailed(Exception):
    """The server could not be announced; `why` is for people, the words for the log."""

    def __init__(self, why: AnnouncementFault, words: str) -> None:
        """`words` may come from the system."""
        super().__init__(words)
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What is told of the server, and on which cards; anybody on the network hears it.

    `addresses` are told everywhere, so they must be good everywhere. `name` is shown to people.
    """

    name: str
    install_id: str
    port: int
    pin: str
    may_pair: bool
    addresses: tuple[str, ...]
    cards: tuple[Interface, ...]

    def properties(self) -> dict[str, str]:
        """The TXT record: hints of which none is ever trusted, and nothing of a person."""
        return {
            discovery.TXT_VERSION: "1",
            discovery.INSTALL_ID: self.install_id,
            discovery.PROTOCOL_VERSION: str(PV),
            discovery.PATH: "/",
            discovery.TLS: "1",
            discovery.FINGERPRINT_HINT: self.pin[: discovery.FINGERPRINT_HINT_CHARS],
            discovery.PAIRING_OPEN: "1" if self.may_pair else "0",
        }

    def names(self) -> Iterator[str]:
        """The names to try, the nicest first; the last one is of this server alone."""
        # A dot would end the name on its way through the network.
        plain = " ".join(self.name.replace(".", " ").split()) or "Ira"
        for tail in (
            "",
            *(f" {number}" for number in range(2, NAMES_TRIED)),
            f" {self.install_id}",
        ):
            yield _cut(plain, _LABEL_BYTES - len(tail)) + tail

    def speaking(self) -> list[Interface]:
        """One address of each card and family, to speak and listen there."""
        found: dict[tuple[int, int], Interface] = {}
        for one in self.cards:
            address = ipaddress.ip_address(one.address)
            place = (one.index, address.version)
            if place not in found or (address.version == 6 and address.is_link_local):
                found[place] = one
        return list(found.values())


@dataclass(frozen=True, slots=True)
class Said:
    """The name under which a server is announced. `everywhere`: on each of its cards."""

    name: str
    everywhere: bool


class Announcer:
    """Announces one notice at a time."""

    def __init__(self) -> None:
        """Silent so far."""
        self._voice: _Voice | None = None

    async def announce(self, notice: Notice) -> Said:
        """Announce it in place of what was announced before; raises AnnouncementFailed."""
        await self.withdraw()
        self._voice = voice = _Voice(notice)
        try:
            async with asyncio.timeout(START_S):
                return await asyncio.wrap_future(voice.said)
        except TimeoutError:
            message = f"nothing was announced within {START_S:.0f} seconds"
            raise AnnouncementFailed(AnnouncementFault.UNKNOWN, message) from None

    async def withdraw(self) -> None:
        """Say goodbye; a voice that does not end in time is left to itself."""
        voice, self._voice = self._voice, None
        if voice is not None:
            await voice.end()


class _Voice:
    """One announcement for as long as it lasts, in a thread of its own."""

    def __init__(self, notice: Notice) -> None:
        self.said: Future[Said] = Future()
        self._notice = notice
        self._over: Future[None] = Future()
        self._asked = threading.Event()
        self._task: asyncio.Task[Any] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        # It never keeps the process from ending.
        threading.Thread(target=self._run, name="mdns", daemon=True).start()

    async def end(self) -> None:
        self._asked.set()
        loop, task = self._loop, self._task
        if loop is not None and task is not None:
            # silent-ok: a loop that is closed has nothing to be told any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(task.cancel)
        await asyncio.wait([asyncio.wrap_future(self._over)], timeout=GOODBYE_S)

    def _run(self) -> None:
        try:
            asyncio.run(self._speak())
        except asyncio.CancelledError:
            self._fail(AnnouncementFailed(AnnouncementFault.UNKNOWN, "it was withdrawn"))
        except Exception as error:  # noqa: BLE001 - a boundary: whatever it was, only the announcement fails
            self._fail(_words(error))
        finally:
            self._over.set_result(None)

    def _fail(self, error: AnnouncementFailed) -> None:
        if not self.said.done():
            self.said.set_exception(error)

    async def _speak(self) -> None:
        self._task, self._loop = asyncio.current_task(), asyncio.get_running_loop()
        if self._asked.is_set():
            raise asyncio.CancelledError
        mouth = _open(self._notice.speaking())
        try:
            self.said.set_result(await self._tell(mouth))
            await asyncio.Event().wait()
        finally:
            await mouth.async_close()

    async def _tell(self, mouth: "AsyncZeroconf") -> Said:
        from zeroconf import NonUniqueNameException

        await mouth.zeroconf.async_wait_for_start()
        senders = len(mouth.zeroconf.engine.senders)
        if not senders:
            raise _silent()
        for name in self._notice.names():
            holder = await _holder(mouth, name)
            if holder not in (None, self._notice.install_id):
                continue
            # A repeater in the network, or a router that answers for sleepers, may still tell of us.
            is_ours = holder is not None
            try:
                info = _info(self._notice, name)
                await (await mouth.async_register_service(info, cooperating_responders=is_ours))
            except NonUniqueNameException:
                continue
            return Said(name, everywhere=senders >= len(self._notice.speaking()))
        message = "every name that was tried is taken"
        raise AnnouncementFailed(AnnouncementFault.NAME_TAKEN, message)


def _open(wanted: list[Interface]) -> "AsyncZeroconf":
    """A socket on each of these, but those that went; raises OSError, or AnnouncementFailed where none is left."""
    from zeroconf import IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    addresses = [one.address for one in wanted if _is_usable(one)]
    if not addresses:
        raise _silent()
    six = [one for one in addresses if ":" in one]
    version = IPVersion.V6Only if six else IPVersion.V4Only
    if six and len(six) < len(addresses):
        version = IPVersion.All
    return AsyncZeroconf(interfaces=[*addresses], ip_version=version)


def _is_usable(one: Interface) -> bool:
    """Whether it can be spoken from; raises OSError for what is wrong with all of them.

    The library would leave sockets open where it finds out.
    """
    family = socket.AF_INET6 if ":" in one.address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "SO_REUSEPORT"):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            probe.bind(
                (one.address, _PORT, 0, one.index) if ":" in one.address else (one.address, _PORT)
            )
    except OSError as error:
        if error.errno in _TAKEN | _FORBIDDEN:
            raise
        return False
    return True


def _silent() -> AnnouncementFailed:
    return AnnouncementFailed(AnnouncementFault.NO_NETWORK, "no address could be spoken from")


async def _holder(mouth: "AsyncZeroconf", name: str) -> str | None:
    """The id of the server that has this name now, empty where it tells none; None when nobody answers.

    Asked so that all may hear the answer: that to the asker alone, as it is sent when a name is
    claimed, would reach only one of the programs of this computer that listen there.
    """
    from zeroconf import DNSQuestionType
    from zeroconf.asyncio import AsyncServiceInfo

    info = AsyncServiceInfo(discovery.SERVICE_TYPE, f"{name}.{discovery.SERVICE_TYPE}")
    await info.async_request(mouth.zeroconf, _ASK_MS, question_type=DNSQuestionType.QM)
    if info.port is None and not info.properties:
        return None
    return info.decoded_properties.get(discovery.INSTALL_ID) or ""


def _info(notice: Notice, name: str) -> "ServiceInfo":
    from zeroconf import ServiceInfo

    return ServiceInfo(
        discovery.SERVICE_TYPE,
        f"{name}.{discovery.SERVICE_TYPE}",
        port=notice.port,
        # Of this server alone: nobody asks whether a host name is free, so that of the computer
        # itself would be fought over with whatever else announces it.
        server=f"{identity(notice.install_id)}.",
        parsed_addresses=list(notice.addresses),
        properties=notice.properties(),
    )


def _cut(text: str, most: int) -> str:
    """As much of the text as has room in so many bytes."""
    return text.encode()[:most].decode(errors="ignore").rstrip()


def _words(error: Exception) -> AnnouncementFailed:
    if isinstance(error, AnnouncementFailed):
        return error
    number = error.errno if isinstance(error, OSError) else None
    why = AnnouncementFault.UNKNOWN
    if number in _TAKEN:
        why = AnnouncementFault.PORT_TAKEN
    elif number in _FORBIDDEN:
        why = AnnouncementFault.NOT_ALLOWED
    elif number in _NO_NETWORK or isinstance(error, RuntimeError):
        why = AnnouncementFault.NO_NETWORK
    return AnnouncementFailed(why, f"{type(error).__name__}: {error}")
