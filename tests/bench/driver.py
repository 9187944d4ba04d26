"""Calls driven inside the server's process through the gate that its turns use, with nothing before it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
import json
import time
from typing import TYPE_CHECKING, Any

from ira_home.assistant.scribe import TRUSTED
from ira_home.base.ids import CallId, PersonId
from ira_home.domain.people import Principal
from ira_home.domain.ports import CallPart
from ira_home.domain.tools import Outcome
from ira_home.storage.storage import Storage
from ira_home.tools.calls import Ended, TurnContext
from ira_home.tools.toolbox import Toolbox
from ira_home.web.services import Services
from tests.bench.child import cpu_s
from tests.bench.machine import quantile
from tests.bench.turns import begin_turn
from tests.bench.wire import ARGUMENTS, TOOL
from tests.support.home import HOST, PASSWORD

if TYPE_CHECKING:
    from ira_home.tools.gate import Gate

_TEXT = json.dumps(ARGUMENTS)


@dataclass(slots=True)
class Away:
    """How long a call was with the hub and its device."""

    seconds: float = 0.0


_away: ContextVar[Away] = ContextVar("away")


@dataclass(frozen=True, slots=True)
class Caller:
    """A person in the middle of a turn."""

    context: TurnContext
    toolbox: Toolbox


class Driver:
    """Makes the calls of a brain without any brain."""

    def __init__(self, services: Services, storage: Storage) -> None:
        """The gate is the very one of the server's turns."""
        self._services, self._storage = services, storage
        self._principals: dict[PersonId, Principal] = {}
        self._gate: Gate = services.assistant._driver._worker._gate

    async def one_at_a_time(self, person: int, count: int) -> dict[str, float]:
        """Calls one after another: `p50_us` and `p99_us` of `gate.run`, `own_us` (the median of that
        without the time of hub and device) and `cpu_us` of this process a call.
        """
        caller = await self._caller(PersonId(person))
        took, own = [], []
        with self._timed():
            before = cpu_s()
            for _ in range(count):
                away = Away()
                _away.set(away)
                began = time.perf_counter()
                await self._call(caller)
                took.append(time.perf_counter() - began)
                own.append(took[-1] - away.seconds)
            used = cpu_s() - before
        return {
            "p50_us": quantile(took, 0.5) * 1e6,
            "p99_us": quantile(took, 0.99) * 1e6,
            "own_us": quantile(own, 0.5) * 1e6,
            "cpu_us": used / count * 1e6,
        }

    async def many(self, people: list[int], lanes: int, count: int) -> dict[str, float]:
        """Calls of several people at once, `lanes` of each: `cpu_us` of this process a call, `per_s`."""
        callers = [await self._caller(PersonId(person)) for person in people]
        each = count // (len(callers) * lanes)
        before, began = cpu_s(), time.perf_counter()
        await asyncio.gather(
            *(self._call_often(caller, each) for caller in callers for _ in range(lanes))
        )
        seconds, done = time.perf_counter() - began, each * len(callers) * lanes
        return {"cpu_us": (cpu_s() - before) / done * 1e6, "per_s": done / seconds}

    async def _call_often(self, caller: Caller, count: int) -> None:
        for _ in range(count):
            await self._call(caller)

    async def _call(self, caller: Caller) -> None:
        part = CallPart(CallId("call_1"), TOOL, _TEXT)
        ended = await self._gate.run(caller.context, caller.toolbox, part)
        assert isinstance(ended, Ended)
        assert ended.outcome is Outcome.DONE, ended
        assert not ended.label.is_trusted

    async def _caller(self, person_id: PersonId) -> Caller:
        """A person who has asked something, with the tools of this moment."""
        turn = await begin_turn(self._storage, self._services.clock, person_id)
        principal = await self._principal(person_id)
        context = TurnContext(
            turn=turn,
            principal=principal,
            own_words="what colour is the lamp in the kitchen",
            language="en",
            shown=(),
            taint=TRUSTED,
            now=turn.created_at,
        )
        return Caller(context, await self._gate._toolboxes.of(principal.person))

    async def _principal(self, person_id: PersonId) -> Principal:
        """The person in a session: the gate looks whether it is still open."""
        if person_id not in self._principals:
            person = await self._services.accounts.get(person_id)
            _cookie, principal = await self._services.sessions.sign_in(
                email=person.email, password=PASSWORD, address=HOST, agent="bench"
            )
            self._principals[person_id] = principal
        return self._principals[person_id]

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Meanwhile the hub says of each call how long it had it."""
        hub = self._services.hub
        real = hub.call

        async def timed(*words: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return await real(*words, **named)
            finally:
                _away.get().seconds = time.perf_counter() - began

        hub.call = timed  # type: ignore[method-assign]
        try:
            yield
        finally:
            del hub.call
