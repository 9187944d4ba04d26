"""Events wait for their turn, one in thirty seconds, and none is lost on the way."""

from typing import Any

import pytest

from ira_device import Device
from ira_device.events import WAITING, EventQueue, new_event
from tests.clients.fake_home import FakeHome, Line
from tests.clients.hand import Hand
from tests.clients.serving import at_work


async def _take(line: Line) -> dict[str, Any]:
    """The next event, with the ping behind it answered."""
    event = await line.frame("event")
    await line.frame("ping")
    await line.say({"type": "pong"})
    return event


async def test_an_event_goes_out_at_once_and_the_next_31_seconds_later(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    device.announce("task_done", "First", "It is done.", {"id": "t1"})
    device.announce("watch_done", "Second")
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        assert await _take(line) == {
            "type": "event",
            "event": "task_done",
            "title": "First",
            "text": "It is done.",
            "data": {"id": "t1"},
        }
        left = await hand.asleep(lambda s: s == 31.0)
        hand.advance(left - 0.5)
        await line.frame("ping")  # the regular one
        assert await line.quiet()
        hand.advance(0.5)
        assert (await _take(line))["title"] == "Second"


async def test_the_thirty_seconds_run_on_over_a_new_connection(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    device.announce("task_done", "First")
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await _take(line)
        device.announce("task_done", "Second")
        await line.close(1001)
        line = await home.line()
        await line.welcome()
        assert await hand.asleep(lambda s: 30.0 < s <= 31.0)
        hand.advance(31.0)
        kinds = {(await line._frames.get())["type"] for _ in range(2)}
        assert "event" in kinds


async def test_an_event_whose_line_broke_before_it_was_taken_is_sent_again(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    device.announce("task_done", "First")
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.frame("event")
        await line.close(1001)
        line = await home.line()
        await line.welcome()
        hand.advance(31.0)
        while (frame := await line._frames.get())["type"] != "event":
            await line.say({"type": "pong"})
        assert frame["title"] == "First"


async def test_an_event_that_came_too_early_is_sent_again_later(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    device.announce("task_done", "First")
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.frame("event")
        await line.frame("ping")
        await line.say({"type": "error", "error": "one event in 30 seconds"})
        await line.say({"type": "pong"})
        await hand.asleep(lambda s: s == 31.0)
        hand.advance(31.0)
        while (frame := await line._frames.get())["type"] != "event":
            await line.say({"type": "pong"})
        assert frame["title"] == "First"


async def test_an_event_refused_three_times_makes_way_for_the_next(hand: Hand) -> None:
    queue = EventQueue(hand.pace)
    queue.add(new_event("task_done", "bad", "", None))
    queue.add(new_event("task_done", "good", "", None))
    for _ in range(3):
        queue.refused(await queue.turn())
    assert (await queue.turn()).title == "good"


async def test_too_many_waiting_events_cost_the_oldest(hand: Hand) -> None:
    queue = EventQueue(hand.pace)
    for number in range(WAITING + 5):
        queue.add(new_event("task_done", f"event {number}", "", None))
    assert len(queue) == WAITING
    assert (await queue.turn()).title == "event 5"


async def test_an_event_given_up_while_under_way_does_not_take_the_next_with_it(hand: Hand) -> None:
    queue = EventQueue(hand.pace)
    for number in range(WAITING):
        queue.add(new_event("task_done", f"event {number}", "", None))
    under_way = await queue.turn()
    queue.add(new_event("task_done", "one more", "", None))
    queue.taken(under_way)
    assert len(queue) == WAITING


def test_what_no_server_takes_is_refused_at_once(device_less: Device) -> None:
    for kind, title, data in (
        ("task_exploded", "t", None),
        ("task_done", "  ", None),
        ("task_done", "t", {"x": "y" * 9000}),
        ("task_done", "t", {"x": object()}),
    ):
        with pytest.raises(ValueError, match=r"."):
            device_less.announce(kind, title, "", data)


def test_long_words_are_cut() -> None:
    event = new_event("task_done", "t" * 500, "x" * 5000, None)
    assert (len(event.title), len(event.text)) == (120, 1000)


@pytest.fixture
def device_less(store: Any) -> Device:
    """A device that is never paired."""
    return Device("Lamp", kind="linux", store=store)


async def test_a_tool_in_a_thread_may_announce(home: FakeHome, device: Device) -> None:
    @device.tool(tier=0)
    def lamp_look() -> None:
        """Look, and tell."""
        device.announce("task_done", "Looked")

    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.call("lamp_look", {})
        kinds = {(await line._frames.get())["type"] for _ in range(3)}
        assert kinds == {"event", "result", "ping"}
