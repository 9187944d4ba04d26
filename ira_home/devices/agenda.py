"""Who has a deadline next: a thousand idle devices must not be looked at four times a second."""

from heapq import heappop, heappush
from itertools import count

from ira_home.devices.session import Session


class Agenda:
    """Sessions by the moment at which one is due."""

    def __init__(self) -> None:
        """Nobody is waited for."""
        self._lines: list[tuple[float, int]] = []  # a heap; lines whose number is gone are void
        self._numbers: dict[Session, int] = {}
        self._sessions: dict[int, Session] = {}
        self._next = count()

    def put(self, session: Session) -> None:
        """Write down when the session is due now; what was written of it before is void."""
        self.drop(session)
        number = self._numbers[session] = next(self._next)
        self._sessions[number] = session
        heappush(self._lines, (session.due, number))

    def drop(self, session: Session) -> None:
        """Wait for the session no longer."""
        number = self._numbers.pop(session, None)
        if number is not None:
            del self._sessions[number]

    def take(self, now: float) -> list[Session]:
        """Take out those that are due, the earliest first; whoever takes one puts it back."""
        taken = []
        while self._lines and self._lines[0][0] <= now:
            _due, number = heappop(self._lines)
            session = self._sessions.pop(number, None)
            if session is not None:
                del self._numbers[session]
                taken.append(session)
        return taken
