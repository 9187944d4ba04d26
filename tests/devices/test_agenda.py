"""The agenda: each session is taken when it is due, once, and none after it has ended."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from ira_home.devices.agenda import Agenda
from ira_home.devices.session import Session
from ira_home.domain.devices import Device
from ira_home.domain.people import Principal
from tests.support.device_house import DeviceHouse, asking, outcome


@dataclass(eq=False)
class Waiting:
    """What the agenda sees of a session."""

    due: float


def test_those_that_are_due_are_taken_in_order_and_once() -> None:
    agenda = Agenda()
    late: Any = Waiting(7.0)
    soon: Any = Waiting(5.0)
    never: Any = Waiting(99.0)
    for one in (late, soon, never):
        agenda.put(one)
    assert agenda.take(4.0) == []
    assert agenda.take(8.0) == [soon, late]
    assert agenda.take(8.0) == []


def test_only_the_last_moment_written_of_a_session_counts() -> None:
    agenda = Agenda()
    session: Any = Waiting(30.0)
    agenda.put(session)
    session.due = 10.0
    agenda.put(session)
    assert agenda.take(10.0) == [session]
    session.due = 60.0
    agenda.put(session)
    assert agenda.take(59.0) == []
    assert agenda.take(60.0) == [session]
    assert agenda.take(1_000.0) == []


async def test_a_session_that_ends_leaves_at_once(house: DeviceHouse, device: Device) -> None:
    """Its line may hold much, and its deadline may be far away."""
    link = await house.online(device)
    assert len(house.hub._agenda._sessions) == 1
    link.drop()
    await asyncio.wait((house.serving[link],), timeout=5)
    assert house.hub._agenda._sessions == {}
    assert house.hub._agenda._numbers == {}
    house.advance(100)
    assert house.hub._agenda._lines == []


async def test_a_device_that_waits_is_looked_at_only_when_something_is_due(
    house: DeviceHouse, device: Device
) -> None:
    """And a call that is made meanwhile ends in time, although the next ping is later."""
    link = await house.online(device)
    house.advance(30)
    await link.hear("ping")
    written = len(house.hub._agenda._sessions)
    task = asking(house, device)
    await link.hear("call")
    assert len(house.hub._agenda._sessions) == written == 1
    house.advance(24.9)
    assert not task.done()
    house.advance(0.2)
    assert (await outcome(task)).__name__ == "CallTimedOut"  # type: ignore[attr-defined]


async def test_one_session_that_fails_keeps_nobody_elses_deadline(
    house: DeviceHouse, person: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, other = await house.paired(person), await house.paired(person, label="Other")
    await house.online(broken)
    link = await house.online(other)
    real = Session.tick

    def failing(self: Session, now: float) -> None:
        if self.device.id == broken.id:
            message = "no"
            raise ArithmeticError(message)
        real(self, now)

    with monkeypatch.context() as patch:
        patch.setattr(Session, "tick", failing)
        house.advance(30)
        await link.hear("ping")
    house.advance(60)
    assert not house.hub.is_online(broken.id)  # silent for 90 seconds
