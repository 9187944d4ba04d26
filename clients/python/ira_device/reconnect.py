"""When to come back after a connection has ended, and when not at all."""

from dataclasses import dataclass
from typing import Final

from ira_device.pace import Pace
from ira_device.refusals import DeviceRemoved, HelloRefused, Replaced
from ira_home.protocol.close_codes import CloseCode

FIRST_S: Final = 1.0
LONGEST_S: Final = 60.0
STABLE_S: Final = 30.0  # a connection that lasted so long ends the growth of the delay
# A server that said it is going away is mostly back soon, and its people wait for its devices.
RESTART_S: Final = 120.0
RESTART_DELAY_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Ending:
    """How a connection, or the try to make one, ended.

    `code` is None when the line just broke or never came about; `words` say why; `wait_s` is how
    long the server asked to be left alone; `is_lost`: nobody answered who proved to be the server.
    """

    code: int | None
    words: str
    lasted_s: float = 0.0
    wait_s: float = 0.0
    is_lost: bool = False


class Reconnect:
    """A growing, jittered delay, so that a house full of devices does not come back in one moment."""

    def __init__(self, pace: Pace) -> None:
        """No failure yet."""
        self._pace = pace
        self._failures = 0
        self._restarting_until = float("-inf")

    def delay_s(self, ending: Ending) -> float:
        """Seconds to wait; raises DeviceRemoved, HelloRefused or Replaced when there is no coming back."""
        _check_final(ending)
        if ending.lasted_s >= STABLE_S:
            self._failures = 0
        failures = self._failures
        self._failures += 1
        now = self._pace.clock.monotonic()
        if ending.code == CloseCode.GOING_AWAY:
            self._restarting_until = now + RESTART_S
            if failures == 0:
                return ending.wait_s
        longest = RESTART_DELAY_S if now < self._restarting_until else LONGEST_S
        grown = min(longest, FIRST_S * 2.0 ** min(failures, 10))
        return max(ending.wait_s, grown * (0.5 + self._pace.chance() / 2))


def _check_final(ending: Ending) -> None:
    if ending.code == CloseCode.REVOKED:
        raise DeviceRemoved
    if ending.code == CloseCode.BAD_HELLO:
        message = f"The server does not take what this device offers: {ending.words}"
        raise HelloRefused(message)
    if ending.code == CloseCode.REPLACED:
        raise Replaced
