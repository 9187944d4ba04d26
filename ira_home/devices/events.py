"""What devices announce: checked, stripped, kept for a while and told to their person."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
import logging
from typing import Any

from msgspec import UNSET

from ira_home.base.clock import Clock
from ira_home.base.errors import NotFound, ProtocolError
from ira_home.base.ids import DeviceId, EventId, PersonId
from ira_home.base.jsontext import dump
from ira_home.base.limits import (
    EVENT_DATA_BYTES,
    EVENT_DAYS,
    EVENT_S,
    EVENT_TEXT_CHARS,
    EVENT_TITLE_CHARS,
    EVENTS_KEPT,
)
from ira_home.base.pubsub import Bus
from ira_home.base.text import cut, one_line
from ira_home.devices.outcomes import EventTooSoon
from ira_home.devices.plain_text import plain
from ira_home.domain.devices import Device, DeviceEvent, EventKind
from ira_home.domain.events import Telling
from ira_home.domain.facts import DeviceRevoked, EventKept
from ira_home.domain.pages import Page, page_of, read_cursor
from ira_home.protocol.frames import Event
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

log = logging.getLogger(__name__)
_NOT_YET = EventId(0)


@dataclass(frozen=True, slots=True)
class _Said:
    kind: EventKind
    title: str
    text: str
    data: dict[str, Any] | None


class Events:
    """Events of all devices; each reaches its device's person and nobody else."""

    def __init__(
        self,
        storage: Storage,
        *,
        clock: Clock,
        bus: Bus,
        house_zone: Callable[[], Awaitable[str]],
    ) -> None:
        """Keep them in `storage`, tell of them on `bus`; `house_zone` names the house's time zone."""
        self._storage = storage
        self._house_zone = house_zone
        self._clock = clock
        self._bus = bus
        # When each device's last event was accepted, by the clock that nobody can turn.
        self._accepted: dict[DeviceId, float] = {}
        bus.subscribe(DeviceRevoked, self._forget)

    async def accept(self, device: Device, frame: Event) -> DeviceEvent:
        """Keep an event and tell its person.

        Raises ProtocolError for a bad one and EventTooSoon for a good one within 30 seconds of the
        last; both leave the 30 seconds as they are. NotFound when the device is gone meanwhile.
        """
        said = _read(frame)
        before = self._accepted.get(device.id)
        now = self._clock.monotonic()
        if before is not None and now - before < EVENT_S:
            raise EventTooSoon
        self._accepted[device.id] = now
        try:
            telling = await self.telling(device.person_id)
            kept = await self._storage.write(lambda tx: self._keep(tx, device, said))
        except BaseException:
            self._take_back(device.id, before)
            raise
        to_phones = telling.rings_phones(kept.event, kept.created_at)
        self._bus.publish(EventKept(kept, said.data, to_phones))
        return kept

    async def telling(self, person_id: PersonId) -> Telling:
        """How the person chose to be told."""
        settings = await self._storage.settings.get(person_id)
        return settings.telling(await self._house_zone())

    async def list(self, person_id: PersonId, cursor: str | None, limit: int) -> Page[DeviceEvent]:
        """A page of the person's events, newest first."""
        start = read_cursor(cursor)
        found = await self._storage.events.newest(
            person_id,
            before=EventId(start[0]) if start else None,
            since=self._oldest_day(),
            limit=limit + 1,
        )
        return page_of(found, limit, lambda event: str(event.id))

    async def after(self, person_id: PersonId, event_id: EventId) -> tuple[DeviceEvent, ...]:
        """The person's events that came after one, oldest first."""
        found = await self._storage.events.after(person_id, event_id, self._oldest_day())
        return tuple(found)

    async def oldest_kept(self, person_id: PersonId) -> EventId | None:
        """The id of the oldest event that is still kept, or None."""
        return await self._storage.events.oldest(person_id, self._oldest_day())

    async def unread(self, person_id: PersonId) -> int:
        """How many events the bell counts: not read, of a kind that it tells of, and not in quiet hours."""
        unread = await self._storage.events.unread(person_id, self._oldest_day())
        if not unread:
            return 0
        telling, now = await self.telling(person_id), self._clock.now()
        return sum(telling.counts(event, now) for event in unread)

    async def mark_read(self, person_id: PersonId, up_to: EventId) -> int:
        """Mark the person's events up to one as read; how many were not."""
        now = self._clock.now()
        return await self._storage.write(
            lambda tx: self._storage.events.mark_read(tx, person_id, up_to, now)
        )

    async def end_old(self) -> None:
        """Drop everybody's events of more than seven days ago."""
        before = self._oldest_day()
        ended = await self._storage.write(lambda tx: self._storage.events.end_old(tx, before))
        if ended:
            log.info("%d old events were dropped", ended)

    def _keep(self, tx: Transaction, device: Device, said: _Said) -> DeviceEvent:
        now, steady = self._clock.now(), self._clock.steady()
        current = self._storage.devices.get_in(tx, device.id)
        if current is None:
            raise NotFound
        self._check_pause(self._storage.devices.last_event_in(tx, device.id), steady)
        event = DeviceEvent(
            id=_NOT_YET,
            person_id=current.person_id,
            device_id=current.id,
            device=current.label,
            event=said.kind,
            title=said.title,
            text=said.text,
            created_at=now.replace(microsecond=now.microsecond // 1000 * 1000),
        )
        kept = self._storage.events.add(tx, event)
        self._storage.devices.set_last_event(tx, device.id, steady)
        self._storage.events.end_old(tx, now - timedelta(days=EVENT_DAYS))
        self._storage.events.trim(tx, current.person_id, EVENTS_KEPT)
        return kept

    def _check_pause(self, last: datetime | None, now: datetime) -> None:
        """The pause as the last server knew it; a time to come is that of a clock turned back since."""
        if last is not None and timedelta(0) <= now - last < timedelta(seconds=EVENT_S):
            raise EventTooSoon

    def _forget(self, fact: DeviceRevoked) -> None:
        self._accepted.pop(fact.device_id, None)

    def _take_back(self, device_id: DeviceId, before: float | None) -> None:
        if before is None:
            self._accepted.pop(device_id, None)
        else:
            self._accepted[device_id] = before

    def _oldest_day(self) -> datetime:
        return self._clock.now() - timedelta(days=EVENT_DAYS)


def _read(frame: Event) -> _Said:
    try:
        kind = EventKind(frame.event)
    except ValueError:
        message = f"event is one of {', '.join(EventKind)}."
        raise ProtocolError(message) from None
    title = one_line(plain(frame.title))
    if not title:
        message = "title is empty."
        raise ProtocolError(message)
    data = None if frame.data is UNSET else frame.data
    if data is not None and len(dump(data).encode()) > EVENT_DATA_BYTES:
        message = f"data has {EVENT_DATA_BYTES} bytes at most."
        raise ProtocolError(message)
    return _Said(
        kind, cut(title, EVENT_TITLE_CHARS), cut(plain(frame.text), EVENT_TEXT_CHARS), data
    )
