"""The one place that asks for the time."""

from datetime import UTC, datetime, timedelta
import time
from typing import Protocol

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Clock(Protocol):
    """What the time is; tests have their own."""

    def now(self) -> datetime:
        """Wall time in UTC, as shown to people; may jump."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back and go on while the machine sleeps, where the system can."""
        ...

    def steady(self) -> datetime:
        """UTC time that cannot jump while the process lives: for expiries (a turned clock revives nothing)."""
        ...


class SystemClock:
    """The machine's clock."""

    def __init__(self) -> None:
        """Take the wall time once; `steady` counts on from here."""
        self._start = datetime.now(UTC)
        self._zero = self.monotonic()

    def now(self) -> datetime:
        """Wall time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since some moment, sleep included where the system counts it."""
        boot = getattr(time, "CLOCK_BOOTTIME", None)
        return time.monotonic() if boot is None else time.clock_gettime(boot)

    def steady(self) -> datetime:
        """Start plus the seconds that really passed."""
        return self._start + timedelta(seconds=self.monotonic() - self._zero)


def to_ms(moment: datetime) -> int:
    """UTC milliseconds since 1970, as stored: rounded down, so that what is stored is never to come."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(value: int) -> datetime:
    """The aware UTC moment of a stored number."""
    return datetime.fromtimestamp(value / 1000, UTC)


def rfc3339(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds and Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
