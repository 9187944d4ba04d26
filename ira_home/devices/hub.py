"""Who is connected: the sessions of all devices, calls to them, and what the house does to them."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
import logging
from typing import Any

from msgspec import UNSET, structs

from ira_home.base.clock import Clock, rfc3339
from ira_home.base.errors import DeviceAway, IraError, NotFound, TooMany
from ira_home.base.ids import DeviceId, PersonId
from ira_home.base.limits import (
    CLOSE_S,
    REPLACEMENTS_A_MINUTE,
    SEEN_S,
    TICK_S,
    UNGREETED_SOCKETS,
)
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.devices.agenda import Agenda
from ira_home.devices.definitions import HeldTool
from ira_home.devices.events import Events
from ira_home.devices.greeter import Greeter
from ira_home.devices.leaving import end_device
from ira_home.devices.link import Link
from ira_home.devices.outcomes import ToolWithdrawn
from ira_home.devices.presence import Presence
from ira_home.devices.roster import Roster
from ira_home.devices.session import Session
from ira_home.domain.audit import Change
from ira_home.domain.devices import Device, DeviceKind
from ira_home.domain.facts import (
    DeviceChanged,
    DeviceRevoked,
    EventKept,
    PinsHeard,
    TrustChanged,
)
from ira_home.protocol.close_codes import CloseCode
from ira_home.protocol.codec import encode
from ira_home.protocol.frames import Event, Hello, Welcome
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

log = logging.getLogger(__name__)
_MINUTE_S = 60.0
_END_OLD_S = 3_600.0


@dataclass(frozen=True, slots=True)
class DeviceOffer:
    """A device of a person as a turn may use it.

    `tools` are those of its last good hello, on or off, connected or not; `since` is when it
    connected, or when it was last seen.
    """

    device: Device
    online: bool
    since: datetime | None
    tools: tuple[HeldTool, ...]


class Hub:
    """One session per device. Started by the first device that comes, or before by `start`."""

    def __init__(
        self, storage: Storage, *, clock: Clock, bus: Bus, roster: Roster, events: Events
    ) -> None:
        """Devices are those of `roster`; facts about them come and go on `bus`."""
        self._storage = storage
        self._clock = clock
        self._bus = bus
        self._roster = roster
        self._events = events
        self._greeter = Greeter(storage, clock=clock, bus=bus, roster=roster)
        self._tasks = Tasks("hub")
        self._presence = Presence(storage, clock=clock, roster=roster, tasks=self._tasks)
        self._sessions: dict[DeviceId, Session] = {}
        self._agenda = Agenda()
        self._since: dict[DeviceId, datetime] = {}
        self._ungreeted: set[DeviceId] = set()
        self._replaced: dict[DeviceId, list[float]] = {}
        self._seen_at = self._swept_at = clock.monotonic()
        self._started = self._closed = False
        self.pins: tuple[str, ...] = ()  # devices are told while there are two
        bus.subscribe(DeviceRevoked, self._revoked)
        bus.subscribe(EventKept, self._pass_on)
        bus.subscribe(TrustChanged, self._tell_pins)

    def start(self) -> None:
        """Let deadlines pass from now on."""
        if not self._started and not self._closed:
            self._started = True
            _ = self._tasks.start(self._keep_time(), "time")
            _ = self._tasks.start(self._events.end_old(), "old events")

    async def close_all(self, code: int = CloseCode.GOING_AWAY) -> None:
        """Close every device's line and take no more; a mute one is not waited for longer than a second."""
        self._closed = True
        sessions = tuple(self._sessions.values())
        for session in sessions:
            session.end(CloseCode(code), "the server stops")
        await self._presence.settle()
        goodbyes = [session.goodbye for session in sessions if session.goodbye is not None]
        if goodbyes:
            await asyncio.wait(goodbyes, timeout=CLOSE_S + 0.15)
        await self._tasks.close(0.2)

    # --- connections

    def admit(self, device: Device) -> None:
        """Raise TooMany when the device may not connect now; asked before its socket is upgraded."""
        now = self._clock.monotonic()
        recent = [at for at in self._replaced.get(device.id, ()) if now - at < _MINUTE_S]
        if len(recent) >= REPLACEMENTS_A_MINUTE:
            message = "Two programs use this device's token at once. Stop one of them."
            raise TooMany(message, retry_after_s=int(_MINUTE_S - (now - recent[0])) + 1)
        if self._closed or len(self._ungreeted) >= UNGREETED_SOCKETS:
            message = "Too many devices are connecting at once."
            raise TooMany(message, retry_after_s=5)

    async def serve(self, link: Link, device: Device) -> None:
        """Be the server to a device on this link until the line ends.

        A session that the device has already ends with 4000. `device` is whom the token proved.
        """
        if self._closed:
            link.abort()
            return
        self.start()
        card = await self._roster.card(device.person_id, device.id)
        session = Session(
            link, card.device if card else device, host=self, clock=self._clock, tasks=self._tasks
        )
        if card is None:
            session.end(CloseCode.REVOKED, "this device was removed")
        elif not self._may_enter(device):
            session.end(CloseCode.TRY_LATER, "too many connections")
        else:
            self._enter(session)
        await session.run()

    def _may_enter(self, device: Device) -> bool:
        try:
            self.admit(device)
        except TooMany:
            return False
        return True

    def _enter(self, session: Session) -> None:
        device_id = session.device.id
        old = self._sessions.get(device_id)
        self._sessions[device_id] = session
        self._agenda.put(session)
        self._ungreeted.add(device_id)
        if old is not None:
            self._count_replacement(device_id)
            old.end(CloseCode.REPLACED, "a newer connection of this device")

    def _count_replacement(self, device_id: DeviceId) -> None:
        now = self._clock.monotonic()
        recent = [at for at in self._replaced.get(device_id, ()) if now - at < _MINUTE_S]
        self._replaced[device_id] = [*recent, now]

    def due_sooner(self, session: Session) -> None:
        """Look at the session earlier than was written down."""
        self._agenda.put(session)

    def left(self, session: Session) -> None:
        """A session has ended: the device is away, unless a newer one took its place."""
        device_id = session.device.id
        self._agenda.drop(session)
        if self._sessions.get(device_id) is session:
            del self._sessions[device_id]
            self._ungreeted.discard(device_id)
        if session.greeted:
            self._presence.gone(device_id, session.heard_at)
            self._since.pop(device_id, None)
            self._bus.publish(DeviceChanged(session.device.person_id, device_id))

    def is_online(self, device_id: DeviceId) -> bool:
        """Whether the device is connected and has said a good hello."""
        session = self._sessions.get(device_id)
        return session is not None and session.greeted

    async def offers(self, person_id: PersonId) -> list[DeviceOffer]:
        """The person's devices, connected or not, in order of pairing."""
        cards = await self._roster.of(person_id)
        return [
            DeviceOffer(
                device=card.device,
                online=self.is_online(card.device.id),
                since=self._since.get(card.device.id, card.device.last_seen),
                tools=card.tools,
            )
            for card in cards.values()
        ]

    # --- calls

    async def call(
        self,
        device_id: DeviceId,
        *,
        person_id: PersonId,
        tool: str,
        args: Mapping[str, Any],
        here: bool,
        definition: str | None = None,
    ) -> Any:
        """Call a tool of a device of the person's and wait for the content of its result.

        Nothing is sent when it raises NotFound (the device is somebody else's, whatever was looked
        at before), DeviceAway, DeviceBusy or ToolWithdrawn (no longer offered, switched off, or not
        of this `definition` any more). ToolFailed carries the device's own words, which are
        untrusted; after CallTimedOut and CallLost the outcome is not known.
        """
        session = self._sessions.get(device_id)
        if session is None:
            raise DeviceAway
        if session.device.person_id != person_id:
            log.error(
                "a call for person %d was stopped: device %d is not theirs", person_id, device_id
            )
            raise NotFound
        card = await self._roster.card(person_id, device_id)
        held = card.tool(tool) if card else None
        if card is None or held is None or not held.skills <= card.device.skills:
            raise ToolWithdrawn
        if definition is not None and definition != held.digest:
            raise ToolWithdrawn
        return await session.call(tool, args, here=here)

    # --- what sessions ask of the house

    async def greet(self, session: Session, frame: Hello) -> Welcome:
        """Take a hello: its tools replace those of the last one at once."""
        welcome = await self._greeter.greet(session.device, frame)
        if not session.ended:
            self._ungreeted.discard(session.device.id)
            self._since.setdefault(session.device.id, self._clock.now())
            session.greeted = True
            self._bus.publish(DeviceChanged(session.device.person_id, session.device.id))
        return structs.replace(welcome, pins=list(self.pins)) if len(self.pins) > 1 else welcome

    async def heard_event(self, session: Session, frame: Event) -> None:
        """Keep an event and tell the device's person."""
        await self._events.accept(session.device, frame)

    async def heard_bye(self, session: Session) -> None:
        """Revoke the device that says goodbye for ever, and close its line with 1000."""
        device = session.device
        try:
            await self._storage.write(lambda tx: self._bye_in(tx, device))
        except NotFound:
            session.end(CloseCode.REVOKED, "this device was removed")
            return
        except IraError as error:
            log.warning("a goodbye could not be written: %s", error.code)
            session.end(CloseCode.TRY_LATER, "the goodbye could not be taken now")
            return
        session.end(CloseCode.NORMAL, "goodbye")
        self._bus.publish(DeviceRevoked(device.person_id, device.id))

    def _bye_in(self, tx: Transaction, device: Device) -> None:
        now = self._clock.now()
        person = self._storage.people.get_in(tx, device.person_id)
        if person is None or not end_device(self._storage, tx, device.id, now):
            raise NotFound
        self._storage.changes.add(
            tx,
            actor=person.email,
            change=Change.DEVICE_BYE,
            at=now,
            subject=f"device {device.id}",
        )

    def heard_pins(self, session: Session, pins: tuple[str, ...]) -> None:
        """A device has read by which pins the server is known."""
        self._bus.publish(PinsHeard(session.device.id, pins))

    # --- facts

    def _tell_pins(self, fact: TrustChanged) -> None:
        """Tell every device at once, when the pins are other ones."""
        if fact.pins == self.pins:
            return
        self.pins = fact.pins
        for session in tuple(self._sessions.values()):
            session.tell_pins(fact.pins)

    def _revoked(self, fact: DeviceRevoked) -> None:
        session = self._sessions.get(fact.device_id)
        if session is not None:
            session.end(CloseCode.REVOKED, "this device was removed")
        self._replaced.pop(fact.device_id, None)

    def _pass_on(self, fact: EventKept) -> None:
        """Send an event to its person's Android devices but the one it came from (decided 16)."""
        if not fact.to_phones:
            return
        event = fact.event
        phones = [
            session
            for session in self._sessions.values()
            if session.device.person_id == event.person_id
            and session.device.kind is DeviceKind.ANDROID
            and session.device.id != event.device_id
            and session.greeted
        ]
        if phones:
            text = encode(_down(fact))
            for session in phones:
                session.post(text)

    # --- time

    def tick(self) -> None:
        """Let the deadlines of all sessions up to now pass, and write down who was heard."""
        now = self._clock.monotonic()
        for session in self._agenda.take(now):
            try:
                session.tick(now)
            except Exception:
                # A boundary: the deadlines of the other devices must go on passing.
                log.exception("the deadlines of device %d could not pass", session.device.id)
            if not session.ended:
                self._agenda.put(session)
        if now - self._seen_at >= SEEN_S:
            self._seen_at = now
            heard = [(s.device.id, s.heard_at) for s in self._sessions.values() if s.greeted]
            self._presence.heard(heard)
        if now - self._swept_at >= _END_OLD_S:
            self._swept_at = now
            self._replaced.clear()
            _ = self._tasks.start(self._events.end_old(), "old events")

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            try:
                self.tick()
            except Exception:
                # A boundary: deadlines of the other devices must go on passing.
                log.exception("a tick failed")


def _down(fact: EventKept) -> Event:
    event = fact.event
    return Event(
        event=event.event.value,
        title=event.title,
        text=event.text,
        data=UNSET if fact.data is None else fact.data,
        id=event.id,
        device_id=event.device_id,
        device=event.device,
        created_at=rfc3339(event.created_at),
    )
