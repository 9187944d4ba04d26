"""A clock that moves only when a test says so."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


class FakeClock:
    """A `base.clock.Clock` under a test's hand: `advance` lets time pass, `set_wall` turns the hands."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._passed_s = 0.0
        self._turned = timedelta()

    def now(self) -> datetime:
        return self.steady() + self._turned

    def monotonic(self) -> float:
        return 1_000.0 + self._passed_s

    def steady(self) -> datetime:
        return self._start + timedelta(seconds=self._passed_s)

    def advance(self, seconds: float) -> None:
        """Time passes on every dial."""
        if seconds < 0:
            message = "time does not run backwards; turn the wall clock with set_wall"
            raise ValueError(message)
        self._passed_s += seconds

    def set_wall(self, moment: datetime) -> None:
        """Somebody turned the wall clock; what is monotonic or steady does not notice."""
        self._turned = moment - self.steady()
