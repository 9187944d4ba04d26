"""Which browsers opened Ira lately, and which of them have shown that they know her certificate."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from ira_home.base.limits import AGENT_CHARS, ARRIVALS, ARRIVALS_S
from ira_home.base.text import cut, one_line

_KEPT = timedelta(seconds=ARRIVALS_S)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A browser as it names itself, at an address; `knows`: it took something that only one does which knows Ira."""

    address: str
    agent: str
    at: datetime
    knows: bool


class Arrivals:
    """Of this start only, in memory; the oldest goes first, whoever knocks how often."""

    def __init__(self) -> None:
        """Nobody was here."""
        self._seen: dict[tuple[str, str], Arrival] = {}

    def note(self, address: str, agent: str, at: datetime, *, knows: bool = False) -> None:
        """Somebody was here now; what a browser has shown once holds until it is forgotten."""
        key = (address, cut(one_line(agent), AGENT_CHARS))
        before = self._seen.pop(key, None)
        known = knows or (before is not None and before.knows)
        self._seen[key] = Arrival(*key, at, known)
        while len(self._seen) > ARRIVALS:
            del self._seen[next(iter(self._seen))]

    def lately(self, now: datetime) -> list[Arrival]:
        """Those of the last half hour, the newest first."""
        return [one for one in reversed(self._seen.values()) if now - one.at < _KEPT]
