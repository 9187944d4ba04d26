"""Who has a deadline next: a thousand idle devices must not be looked at four times a second."""

from heapq import heappop, heappush
from itertools import count

from ira_home.devices.session import Session


class Agenda:
    """Sessions by the moment at which one is due. A session that has ended leaves by itself."""

    def __init__(self) -> None:
        """Nobody is waited for."""
        self._heap: list[tuple[float, int, Session]] = []
        self._written: dict[Session, int] = {}  # a session's one good line; its others are old
        self._numbers = count()

    def put(self, session: Session) -> None:
        """Write down when the session is due now; what was written of it before is void."""
        number = self._written[session] = next(self._numbers)
        heappush(self._heap, (session.due, number, session))

    def take(self, now: float) -> list[Session]:
        """Take out those that are due, the earliest first; whoever takes one puts it back."""
        taken = []
        while self._heap and self._heap[0][0] <= now:
            _due, number, session = heappop(self._heap)
            if self._written.get(session) == number:
                del self._written[session]
                if not session.ended:
                    taken.append(session)
        return taken
