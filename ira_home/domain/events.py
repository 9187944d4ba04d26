"""How a person is told what their devices announce: by kind, and not at night."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, tzinfo
from enum import StrEnum

from ira_home.domain.devices import DeviceEvent, EventKind


class Way(StrEnum):
    """A way in which an event of a kind makes itself known; in the list it stands in any case."""

    BELL = "bell"  # counted on the bell
    PHONES = "phones"  # sent to the person's connected Android devices
    QUIET_HOURS = "quiet_hours"  # by the other two in quiet hours, too


USUAL_WAYS = frozenset({Way.BELL, Way.PHONES})
Ways = Mapping[EventKind, frozenset[Way]]


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one time of the day to another, perhaps over midnight, by the clock on the person's wall.

    Where that clock is put forward or back, the hours follow it: what it shows decides.
    """

    start: time
    end: time

    def has(self, moment: datetime, zone: tzinfo) -> bool:
        """Whether the wall clock of the zone stands within them; the end is not among them."""
        wall = moment.astimezone(zone).time()
        if self.start <= self.end:
            return self.start <= wall < self.end
        return wall >= self.start or wall < self.end


@dataclass(frozen=True, slots=True)
class Telling:
    """What a person chose of this; `ways` holds the kinds that are not told as usual."""

    ways: Ways
    quiet: QuietHours | None
    zone: tzinfo

    def rings_phones(self, kind: EventKind, now: datetime) -> bool:
        """Whether an event of this kind is sent to phones at this moment."""
        return Way.PHONES in self._of(kind) and not self._waits(kind, now)

    def counts(self, event: DeviceEvent, now: datetime) -> bool:
        """Whether the bell counts an event: in quiet hours none that came in quiet hours."""
        hushed = self._waits(event.event, now) and self._waits(event.event, event.created_at)
        return event.read_at is None and Way.BELL in self._of(event.event) and not hushed

    def _of(self, kind: EventKind) -> frozenset[Way]:
        return self.ways.get(kind, USUAL_WAYS)

    def _waits(self, kind: EventKind, moment: datetime) -> bool:
        is_quiet = self.quiet is not None and self.quiet.has(moment, self.zone)
        return is_quiet and Way.QUIET_HOURS not in self._of(kind)
