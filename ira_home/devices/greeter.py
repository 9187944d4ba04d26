"""Taking a hello: its rules, what is remembered of its tools, and the welcome."""

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from ira_home.base.clock import Clock
from ira_home.base.errors import NotFound, ProtocolError
from ira_home.base.ids import DeviceId
from ira_home.base.limits import (
    CALL_S,
    CALLS_IN_FLIGHT,
    EVENT_S,
    FRAME_BYTES,
    SILENCE_S,
    TOOLS_A_HELLO,
    TOOLS_REMEMBERED,
)
from ira_home.base.pubsub import Bus
from ira_home.devices.definitions import hold_all, read_tools, to_agree, version_of
from ira_home.devices.roster import Card, Roster
from ira_home.domain.devices import Device, ToolDefinition
from ira_home.domain.facts import ToolsChanged
from ira_home.protocol.frames import Hello, Welcome
from ira_home.protocol.versions import PV
from ira_home.storage.database import Transaction
from ira_home.storage.definitions import definitions_text, read_definitions
from ira_home.storage.storage import Storage

LIMITS: Final = {
    "frame_bytes": FRAME_BYTES,
    "call_seconds": int(CALL_S),
    "calls_in_flight": CALLS_IN_FLIGHT,
    "event_seconds": int(EVENT_S),
    "silence_seconds": int(SILENCE_S),
}
# A hello with more words, or with patterns to compile, is checked in a thread.
_INLINE_CHARS: Final = 8_192


class Greeter:
    """Keeps what devices say of themselves, in the database and on the roster."""

    def __init__(self, storage: Storage, *, clock: Clock, bus: Bus, roster: Roster) -> None:
        """Facts go out on `bus` after the commit."""
        self._storage = storage
        self._clock = clock
        self._bus = bus
        self._roster = roster

    async def greet(self, device: Device, frame: Hello) -> Welcome:
        """The welcome for a hello, whose tools are now the device's; raises ProtocolError or NotFound."""
        text = definitions_text(await self._read(device, frame))
        card, version = await self._current(device), version_of(frame)
        if version != card.device.version or text != definitions_text(card.device.tools):
            await self._take(device, text, version)
        settings = await self._storage.settings.get(device.person_id)
        current = (await self._current(device)).device
        return Welcome(
            device_id=current.id,
            label=current.label,
            skills=sorted(current.skills),
            assistant=settings.assistant_name,
            wake_phrase=settings.wake_phrase,
            max_tools=TOOLS_A_HELLO,
            pv=PV,
            limits=LIMITS,
        )

    async def _read(self, device: Device, frame: Hello) -> tuple[ToolDefinition, ...]:
        size = sum(len(str(tool.parameters)) for tool in frame.tools[:TOOLS_A_HELLO])
        has_patterns = any("attern" in str(tool.parameters) for tool in frame.tools)
        if size <= _INLINE_CHARS and not has_patterns:
            return read_tools(frame, device.kind)
        return await asyncio.to_thread(read_tools, frame, device.kind)

    async def _current(self, device: Device) -> Card:
        card = await self._roster.card(device.person_id, device.id)
        if card is None:
            raise NotFound
        return card

    async def _take(self, device: Device, text: str, version: str) -> None:
        now = self._clock.now()
        card = await self._storage.write(
            lambda tx: self._take_in(tx, device.id, text=text, version=version, now=now)
        )
        self._roster.put(card)
        self._bus.publish(ToolsChanged(device.person_id, device.id))

    def _take_in(
        self, tx: Transaction, device_id: DeviceId, *, text: str, version: str, now: datetime
    ) -> Card:
        declared = read_definitions(text)
        agreed = self._remember(tx, device_id, declared, now)
        self._storage.devices.greet(tx, device_id, version=version, tools=text, at=now)
        device = self._storage.devices.get_in(tx, device_id)
        if device is None:
            raise NotFound
        return Card(device, hold_all(agreed, declared))

    def _remember(
        self,
        tx: Transaction,
        device_id: DeviceId,
        declared: Iterable[ToolDefinition],
        now: datetime,
    ) -> dict[str, ToolDefinition]:
        """What is agreed to on the device after this hello."""
        agreed = self._storage.definitions.of_device_in(tx, device_id)
        for one in declared:
            fresh = to_agree(agreed.get(one.name), one)
            if fresh is not None:
                self._storage.definitions.put(tx, device_id, fresh, now)
                agreed[one.name] = fresh
        if len(agreed) > TOOLS_REMEMBERED:
            message = f"This device has offered more than {TOOLS_REMEMBERED} different tools. Pair it again."
            raise ProtocolError(message)
        return agreed
