"""Live streams: what happens in the house, told at once to the people whose business it is."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from ira_home.base.errors import TooMany, Unavailable
from ira_home.base.ids import PersonId
from ira_home.base.limits import HEARTBEAT_S, STREAM_BACKLOG
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.domain.facts import (
    ConversationChanged,
    DataDeleted,
    DeviceChanged,
    DeviceJoined,
    DeviceRevoked,
    EventKept,
    LogGrew,
    PersonChanged,
    ProposalEnded,
    ProposalOpened,
    SessionEnded,
    SkillSwitchedOff,
    ToolsChanged,
)
from ira_home.domain.people import Credential, Principal

_OF_PERSON = (
    ConversationChanged,
    DeviceChanged,
    DeviceJoined,
    DeviceRevoked,
    LogGrew,
    SkillSwitchedOff,
    ToolsChanged,
)
EVENTS = "events"
RUNS = "runs"
ANSWERS = "answers"  # requests that wait for a whole answer
_NUMBERED = frozenset({Credential.SESSION, Credential.API_TOKEN})


class Line:
    """One open stream of one credential: it is told facts, and it ends with the credential.

    A line that nobody reads from is ended when its backlog is full: its client is too slow, and
    can ask again for what it missed.
    """

    def __init__(self, principal: Principal, kind: str, on_end: Callable[["Line"], None]) -> None:
        """Open; `on_end` is called once."""
        self.principal = principal
        self.kind = kind
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._on_end = on_end
        self._facts: deque[object] = deque()
        self._news = asyncio.Event()

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.over.done()

    @property
    def credential(self) -> tuple[Credential, int]:
        """The credential it stands on."""
        return self.principal.credential, self.principal.credential_id

    def tell(self, fact: object) -> None:
        """Add a fact; end the line when too many wait."""
        if len(self._facts) >= STREAM_BACKLOG:
            self.end()
            return
        self._facts.append(fact)
        self._news.set()

    def forget(self) -> None:
        """Drop what waits."""
        self._facts.clear()

    def end(self) -> None:
        """End it; more than once is fine."""
        if not self.over.done():
            self.over.set_result(None)
            self._news.set()
            self._on_end(self)

    async def next(self) -> object | None:
        """The next fact, or None when the line is over."""
        while not self.is_over:
            if self._facts:
                return self._facts.popleft()
            self._news.clear()
            await self._news.wait()
        return None


class Live:
    """Every open stream; hears the bus and tells each line what is its person's."""

    def __init__(self, bus: Bus, *, heartbeat_s: float = HEARTBEAT_S) -> None:
        """Listen to `bus`; a quiet stream says something every `heartbeat_s`."""
        self.heartbeat_s = heartbeat_s
        self.tasks = Tasks("live")
        self._lines: dict[PersonId, set[Line]] = {}
        self._is_closed = False
        for kind in _OF_PERSON:
            bus.subscribe(kind, self._tell_person)
        bus.subscribe(EventKept, lambda fact: self._tell(fact.event.person_id, fact))
        bus.subscribe(ProposalOpened, lambda fact: self._tell(fact.proposal.person_id, fact))
        bus.subscribe(ProposalEnded, lambda fact: self._tell(fact.proposal.person_id, fact))
        bus.subscribe(DeviceRevoked, self._device_revoked)
        bus.subscribe(DataDeleted, self._data_deleted)
        bus.subscribe(SessionEnded, self._session_ended)
        bus.subscribe(PersonChanged, self._person_changed)

    def open(self, principal: Principal, kind: str, limit: int) -> Line:
        """A new line of a kind; raises TooMany past `limit` of them on one credential.

        Raises Unavailable once the server stops.
        """
        if self._is_closed:
            message = "The server is stopping."
            raise Unavailable(message)
        mine = self._lines.setdefault(principal.person.id, set())
        credential = (principal.credential, principal.credential_id)
        if sum(1 for one in mine if one.kind == kind and one.credential == credential) >= limit:
            message = "Too many streams are open. Close one first."
            raise TooMany(message)
        line = Line(principal, kind, self._forget)
        mine.add(line)
        return line

    def count(self, person_id: PersonId) -> int:
        """How many lines of a person are open."""
        return len(self._lines.get(person_id, ()))

    def _forget(self, line: Line) -> None:
        mine = self._lines.get(line.principal.person.id, set())
        mine.discard(line)
        if not mine:
            self._lines.pop(line.principal.person.id, None)

    def _of(self, person_id: PersonId) -> tuple[Line, ...]:
        return tuple(self._lines.get(person_id, ()))

    def _tell(self, person_id: PersonId, fact: object) -> None:
        for line in self._of(person_id):
            if line.kind == EVENTS:
                line.tell(fact)

    def _tell_person(self, fact: Any) -> None:
        self._tell(fact.person_id, fact)

    def _data_deleted(self, fact: DataDeleted) -> None:
        for line in self._of(fact.person_id):
            line.forget()
        self._tell(fact.person_id, fact)

    def _session_ended(self, fact: SessionEnded) -> None:
        for line in self._of(fact.person_id):
            credential, number = line.credential
            if credential in _NUMBERED and number == fact.credential_id:
                line.end()

    def _device_revoked(self, fact: DeviceRevoked) -> None:
        for line in self._of(fact.person_id):
            if line.principal.device_id == fact.device_id:
                line.end()

    def _person_changed(self, fact: PersonChanged) -> None:
        for line in self._of(fact.person_id):
            line.end()

    async def close(self) -> None:
        """End every line, and open no more."""
        self._is_closed = True
        for person_id in tuple(self._lines):
            for line in self._of(person_id):
                line.end()
        await self.tasks.close()
