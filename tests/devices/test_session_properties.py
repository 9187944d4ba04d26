"""One device doing anything in any order, against the rules written down a second time."""

import asyncio
from collections.abc import Coroutine
import json
from pathlib import Path
import tempfile
from typing import Any, TypeVar

from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
import pytest

from ira_home.base.errors import DeviceAway, IraError, ToolFailed
from ira_home.base.tasks import Tasks
from ira_home.devices.outcomes import CallLost, CallTimedOut, DeviceBusy
from ira_home.devices.session import Session
from ira_home.domain.devices import Device
from tests.support.device_house import LAMP, DeviceHouse, hello, open_device_house
from tests.support.links import MemoryLink

T = TypeVar("T")
_OPEN_CODES = {None, 1003, 1008, 4000, 4400, 4403, 4408, 1000}


class ADevice(RuleBasedStateMachine):
    """Model: is there a line, is it greeted, which calls are in flight since when, how many bad frames."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory()
        self.stack = open_device_house(Path(self.folder.name) / "data")
        self.house: DeviceHouse = self.run(self.stack.__aenter__())
        # Time stands still unless a rule lets it pass.
        self.house.hub._started = True

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        async def bounded() -> T:
            async with asyncio.timeout(10):
                return await work

        return self.loop.run_until_complete(bounded())

    def teardown(self) -> None:
        self.run(self.stack.__aexit__(None, None, None))
        self.loop.close()
        self.folder.cleanup()

    @initialize()
    def pair(self) -> None:
        self.device: Device = self.run(self._paired())
        self.revoked = False
        self.link: MemoryLink | None = None
        self.greeted = False
        self.opened = self.heard = self.now()
        self.calls: dict[str, tuple[asyncio.Task[Any], float]] = {}
        self.over: list[str] = ["never-sent"]
        self.bad: list[float] = []
        self.replaced: list[float] = []

    async def _paired(self) -> Device:
        return await self.house.paired(await self.house.person())

    def now(self) -> float:
        return self.house.clock.monotonic()

    def lost(self, code: int | None) -> None:
        """The line has ended with this code: everything in flight is lost, at once."""
        assert self.link is not None
        assert self.run(self.link.closed()) == code
        for call_id, (task, _) in self.calls.items():
            assert self.outcome(task) is CallLost
            self.over.append(call_id)
        self.calls.clear()
        self.link, self.greeted, self.bad = None, False, []

    def outcome(self, task: "asyncio.Task[Any]") -> object:
        async def wait() -> object:
            try:
                return await task
            except IraError as error:
                return type(error)

        return self.run(wait())

    # --- connecting

    @precondition(lambda self: not self.revoked)
    @rule()
    def connect(self) -> None:
        old = self.link
        fresh = self.run(self.house.connect(self.device))
        self.replaced = [at for at in self.replaced if self.now() - at < 60]
        if len(self.replaced) >= 30:
            assert self.run(fresh.closed()) == 1013
            return
        if old is not None:
            self.lost(4000)
            self.replaced.append(self.now())
        self.link, self.greeted, self.bad = fresh, False, []
        self.opened = self.heard = self.now()

    @precondition(lambda self: self.link is not None)
    @rule(tools=st.sampled_from([[LAMP], [LAMP, LAMP | {"name": "lamp_off", "tier": 3}]]))
    def say_hello(self, tools: list[dict[str, Any]]) -> None:
        assert self.link is not None
        self.link.say(hello(self.device, tools))
        self.run(self.link.hear("welcome"))
        self.greeted, self.heard = True, self.now()

    @precondition(lambda self: self.link is not None)
    @rule(
        over=st.sampled_from(
            [{"kind": "windows"}, {"tools": [LAMP, LAMP]}, {"tools": "x"}, {"label": 5}]
        )
    )
    def say_bad_hello(self, over: dict[str, Any]) -> None:
        assert self.link is not None
        self.link.say(hello(self.device) | over)
        self.lost(4400)

    @precondition(lambda self: self.link is not None)
    @rule()
    def hang_up(self) -> None:
        assert self.link is not None
        self.link.drop()
        self.lost(None)

    @precondition(lambda self: self.link is not None)
    @rule()
    def bye(self) -> None:
        assert self.link is not None
        self.link.say({"type": "bye"})
        self.lost(1000)
        self.revoked = True

    @precondition(lambda self: not self.revoked)
    @rule()
    def revoke(self) -> None:
        self.run(self.house.registry.revoke(None, self.device.id))
        self.revoked = True
        if self.link is not None:
            self.lost(4403)

    @precondition(lambda self: self.revoked)
    @rule()
    def connect_though_revoked(self) -> None:
        link = self.run(self.house.connect(self.device))
        assert self.run(link.closed()) == 4403

    # --- calls

    @precondition(lambda self: self.greeted)
    @rule(times=st.integers(1, 5))
    def call(self, times: int) -> None:
        for _ in range(times):
            self.call_once()

    @precondition(lambda self: not self.greeted)
    @rule()
    def call_an_absent_device(self) -> None:
        work = self.house.hub.call(
            self.device.id, person_id=self.device.person_id, tool="lamp_colour", args={}, here=False
        )
        with pytest.raises((DeviceAway, ToolFailed)):
            self.run(work)

    def call_once(self) -> None:
        work = self.house.hub.call(
            self.device.id, person_id=self.device.person_id, tool="lamp_colour", args={}, here=False
        )
        if len(self.calls) >= 4:
            with pytest.raises(DeviceBusy):
                self.run(work)
            return
        assert self.link is not None

        async def start() -> "asyncio.Task[Any]":
            return self.house.tasks.start(work, "call")

        task = self.run(start())
        call = self.run(self.link.hear("call"))
        self.calls[call["id"]] = (task, self.now())

    @precondition(lambda self: self.greeted and self.calls)
    @rule(data=st.data(), ok=st.booleans())
    def answer(self, data: st.DataObject, ok: bool) -> None:
        assert self.link is not None
        call_id = data.draw(st.sampled_from(sorted(self.calls)))
        task, _ = self.calls.pop(call_id)
        body = {"content": {"id": call_id}} if ok else {"error": "no"}
        self.link.say({"type": "result", "id": call_id, "ok": ok} | body)
        assert self.outcome(task) == ({"id": call_id} if ok else ToolFailed)
        self.over.append(call_id)
        self.heard = self.now()

    @precondition(lambda self: self.greeted)
    @rule(data=st.data())
    def answer_what_is_over(self, data: st.DataObject) -> None:
        assert self.link is not None
        call_id = data.draw(st.sampled_from(self.over))
        errors = len(self.link.of("error"))
        self.link.say({"type": "result", "id": call_id, "ok": True, "content": "forged"})
        self.run(self.link.settled())
        assert len(self.link.of("error")) == errors
        self.heard = self.now()

    # --- other frames and time

    @precondition(lambda self: self.greeted)
    @rule(
        frame=st.sampled_from(
            ['{"type":"surprise"}', "[]", "not json", '{"type":"result"}', '{"type":"welcome"}']
        ),
        times=st.sampled_from([1, 4, 9]),
    )
    def say_nonsense(self, frame: str, times: int) -> None:
        assert self.link is not None
        for _ in range(times):
            self.bad = [at for at in self.bad if self.now() - at < 60] + [self.now()]
            self.link.say(frame)
            self.run(self.link.hear("error"))
            self.heard = self.now()
            if len(self.bad) >= 10:
                self.lost(1008)
                return

    @precondition(lambda self: self.link is not None and not self.greeted)
    @rule(frame=st.sampled_from(['{"type":"ping"}', "[]", "not json", '{"type":"event"}']))
    def say_anything_before_hello(self, frame: str) -> None:
        assert self.link is not None
        self.link.say(frame)
        self.lost(4400)

    @precondition(lambda self: self.greeted)
    @rule()
    def ping(self) -> None:
        assert self.link is not None
        self.run(self.link.settled())
        self.heard = self.now()

    @rule(seconds=st.sampled_from([0.5, 5, 12, 25, 40, 95]))
    def wait(self, seconds: float) -> None:
        async def pass_time() -> None:
            self.house.advance(seconds)

        self.run(pass_time())
        since, limit = (self.heard, 90) if self.greeted else (self.opened, 15)
        if self.link is not None and self.now() - since >= limit:
            self.lost(4408)
        for call_id, (task, sent) in tuple(self.calls.items()):
            if self.now() - sent >= 25:
                assert self.outcome(task) is CallTimedOut
                del self.calls[call_id]
                self.over.append(call_id)

    @invariant()
    def nothing_else_ended(self) -> None:
        if not hasattr(self, "calls"):
            return
        assert self.house.hub.is_online(self.device.id) == self.greeted
        assert not any(task.done() for task, _ in self.calls.values())
        if self.link is not None:
            assert self.link.close_code is None


TestADevice = ADevice.TestCase
TestADevice.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)

words = st.sampled_from(
    ["type", "hello", "kind", "mac", "tools", "ping", "pong", "event", "result", "id", "ok", "content", "name",
     "lamp_colour", "parameters", "description", "task_done", "title", "text", "data", "skill", "error", "welcome"]
) | st.text(max_size=5)  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=8,
)
types = st.sampled_from(
    ["hello", "event", "result", "ping", "pong", "call", "welcome", "pins", "error", "x"]
)
soup = st.one_of(
    st.text(max_size=60),
    st.dictionaries(words, values, max_size=5).map(json.dumps),
    st.tuples(types, st.dictionaries(words, values, max_size=5)).map(lambda two: json.dumps(two[1] | {"type": two[0]})),
)  # fmt: skip


class _Untold:
    """A house that takes every hello and every event, and counts what goes wrong by itself."""

    async def greet(self, session: Session, frame: Any) -> Any:
        from ira_home.protocol.frames import Welcome

        return Welcome(device_id=1, label="x", skills=[], assistant="Ira", wake_phrase="Hey Ira")

    async def heard_event(self, session: Session, frame: Any) -> None:
        pass

    async def heard_bye(self, session: Session) -> None:
        pass

    def heard_pins(self, session: Session, pins: tuple[str, ...]) -> None:
        pass

    def due_sooner(self, session: Session) -> None: ...

    def left(self, session: Session) -> None:
        pass


@given(st.lists(soup, max_size=15), st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_frames_of_any_making_break_a_session(frames: list[str], greeted: bool) -> None:
    """A session ends with a code of the protocol or goes on; it never fails (that would be 1011)."""
    asyncio.run(_hear_all(frames, greeted))


async def _hear_all(frames: list[str], greeted: bool) -> None:
    from tests.support.clock import FakeClock

    link, tasks = MemoryLink(), Tasks("soup")
    device: Any = type("Device", (), {"id": 1})()
    session = Session(link, device, host=_Untold(), clock=FakeClock(), tasks=tasks)
    if greeted:
        link.say({"type": "hello", "kind": "mac", "tools": []})
    for frame in frames:
        link.say(frame)
    link.drop()
    async with asyncio.timeout(5):
        await session.run()
    assert link.close_code in _OPEN_CODES
    assert all(frame["type"] in {"error", "pong", "welcome"} for frame in link.frames)
    await tasks.close()
