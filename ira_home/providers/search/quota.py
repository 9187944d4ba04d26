"""How many searches the service still takes, as it says with each answer."""

from collections.abc import Mapping
import re

from ira_home.base.clock import Clock

_NUMBER = re.compile(r"\d{1,9}")
_WINDOWS = 8  # a service that names more is not understood


class Quota:
    """The windows of a service (one second, one month), and until when one of them is used up."""

    def __init__(self, clock: Clock) -> None:
        """Nothing is known yet."""
        self._clock = clock
        self._until = 0.0

    def note(self, headers: Mapping[str, str]) -> None:
        """Learn from the headers of an answer: lists with one number a window."""
        left = _numbers(headers.get("x-ratelimit-remaining", ""))
        reset = _numbers(headers.get("x-ratelimit-reset", ""))
        if left and len(left) == len(reset):
            closed = [seconds for one, seconds in zip(left, reset, strict=True) if one <= 0]
            self._until = self._clock.monotonic() + max(closed, default=0)

    def hold(self, seconds: float) -> None:
        """The service said how long it wants to be left alone."""
        self._until = max(self._until, self._clock.monotonic() + seconds)

    def wait_s(self) -> float:
        """How long until the service takes a search again; 0 when it does now."""
        return max(0.0, self._until - self._clock.monotonic())


def _numbers(text: str) -> list[int]:
    parts = [one.strip() for one in text.split(",")][: _WINDOWS + 1]
    good = len(parts) <= _WINDOWS and all(_NUMBER.fullmatch(one) for one in parts)
    return [int(one) for one in parts] if good else []
