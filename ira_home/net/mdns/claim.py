"""The name under which the server is announced: free when it is taken, and given up to whom it belongs."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
import errno
import socket

from zeroconf import (
    DNSQuestionType,
    IPVersion,
    NonUniqueNameException,
    RecordUpdate,
    RecordUpdateListener,
    ServiceInfo,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from ira_home.domain.network import AnnouncementFault
from ira_home.net.interfaces import Interface
from ira_home.net.mdns.notice import AnnouncementFailed, Notice, Said
from ira_home.net.names import identity
from ira_home.protocol import discovery

_PORT = 5353
_ASK_MS = 1_500  # what was told to all within the last second is repeated only after it
_REPEATS = 3  # of an own name that somebody else uses; whoever goes on with it is not reasoned with
_FOR_ALL = frozenset({errno.EADDRINUSE, errno.EACCES, errno.EPERM, 10013, 10048})


@asynccontextmanager
async def opened(notice: Notice) -> AsyncIterator["Claim"]:
    """Sockets on each card of the notice, but those that went; a goodbye at the end.

    Raises OSError, or AnnouncementFailed where no card is left to speak on.
    """
    wanted = notice.speaking()
    addresses = [one.address for one in wanted if is_usable(one)]
    if not addresses:
        raise _silent()
    six = [one for one in addresses if ":" in one]
    version = IPVersion.V6Only if six else IPVersion.V4Only
    if six and len(six) < len(addresses):
        version = IPVersion.All
    mouth = AsyncZeroconf(interfaces=[*addresses], ip_version=version)
    try:
        await mouth.zeroconf.async_wait_for_start()
        senders = len(mouth.zeroconf.engine.senders)
        if not senders:
            raise _silent()
        yield Claim(mouth, notice, everywhere=senders >= len(wanted))
    finally:
        await mouth.async_close()


class Claim(RecordUpdateListener):
    """One server's claim to a name.

    Names are asked for before they are taken, but two who ask at the same time hear nothing of each
    other. Then the one with the smaller id gives way, without a goodbye: that would be heard as the
    other's.
    """

    def __init__(self, mouth: AsyncZeroconf, notice: Notice, *, everywhere: bool) -> None:
        """Nothing is taken yet."""
        self._mouth, self._notice, self._everywhere = mouth, notice, everywhere
        self._names: Iterator[str] = notice.names()
        self._info: ServiceInfo | None = None
        self._disturbed = asyncio.Event()
        self._is_lost = False
        self._repeats = _REPEATS

    async def take(self) -> Said:
        """Take the next name that is free, and tell it; AnnouncementFailed when none is left."""
        for name in self._names:
            holder = await self._holder(name)
            if holder not in (None, self._notice.install_id):
                continue
            info = _info(self._notice, name)
            # A repeater in the network, or a router that answers for sleepers, may still tell of us.
            is_ours = holder is not None
            self._mouth.zeroconf.async_add_listener(self, None)
            self._info, self._is_lost = info, False
            try:
                await (
                    await self._mouth.async_register_service(info, cooperating_responders=is_ours)
                )
            except NonUniqueNameException:
                self._info = None
                self._disturbed.clear()
                continue
            return Said(name, self._everywhere)
        message = "every name that was tried is taken"
        raise AnnouncementFailed(AnnouncementFault.NAME_TAKEN, message)

    async def another(self) -> Said:
        """Wait until the name has to be given up, and take another; raises as `take`."""
        while True:
            await self._disturbed.wait()
            self._disturbed.clear()
            info = self._info
            if info is None:
                continue
            if self._is_lost:
                self._mouth.zeroconf.registry.async_remove(info)
                return await self.take()
            # The other one gives way; whoever heard them is told again who is called so.
            await (await self._mouth.async_update_service(info))

    def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:  # noqa: ARG002 - zeroconf's
        """Notice somebody else under the own name."""
        if self._info is None:
            return
        for update in records:
            record = update.new
            text = getattr(record, "text", None)
            if isinstance(text, bytes) and record.key == self._info.key and record.ttl:
                self._heard(_id_in(text))

    def _heard(self, other: str) -> None:
        mine = self._notice.install_id
        if other == mine:
            return
        if other < mine:
            if not self._repeats:
                return
            self._repeats -= 1
        else:
            self._is_lost = True
        self._disturbed.set()

    async def _holder(self, name: str) -> str | None:
        """The id of the server that has this name now, empty where it tells none; None when nobody answers.

        Asked so that all may hear the answer: that to the asker alone, as it is sent when a name is
        claimed, would reach only one of the programs of this computer that listen there.
        """
        info = AsyncServiceInfo(discovery.SERVICE_TYPE, f"{name}.{discovery.SERVICE_TYPE}")
        await info.async_request(self._mouth.zeroconf, _ASK_MS, question_type=DNSQuestionType.QM)
        if info.port is None and not info.properties:
            return None
        return info.decoded_properties.get(discovery.INSTALL_ID) or ""


def is_usable(one: Interface) -> bool:
    """Whether it can be spoken from; raises OSError for what is wrong with all of them.

    The library would leave sockets open where it finds out.
    """
    is_six = ":" in one.address
    family = socket.AF_INET6 if is_six else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "SO_REUSEPORT"):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            probe.bind((one.address, _PORT, 0, one.index) if is_six else (one.address, _PORT))
    except OSError as error:
        if error.errno in _FOR_ALL:
            raise
        return False
    return True


def _id_in(text: bytes) -> str:
    """The id in a TXT record as it comes, empty where there is none."""
    info = ServiceInfo(discovery.SERVICE_TYPE, f"x.{discovery.SERVICE_TYPE}", properties=text)
    return info.decoded_properties.get(discovery.INSTALL_ID) or ""


def _info(notice: Notice, name: str) -> ServiceInfo:
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


def _silent() -> AnnouncementFailed:
    return AnnouncementFailed(AnnouncementFault.NO_NETWORK, "no address could be spoken from")
