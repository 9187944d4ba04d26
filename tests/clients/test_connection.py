"""A connected device: hello, calls, keepalive, over a real TLS WebSocket."""

import asyncio
from pathlib import Path
import threading
from typing import Any

import pytest

from ira_device import Asked, Device, HelloRefused, ToolFailed
from tests.clients.fake_home import TOKEN, FakeHome
from tests.clients.hand import Hand
from tests.clients.serving import at_work


async def test_the_token_goes_in_the_header_and_the_hello_comes_first(
    home: FakeHome, device: Device
) -> None:
    @device.tool(tier=0, title="Lamp", examples=["is the lamp on"])
    async def lamp_state() -> dict[str, str]:
        """Tell whether the lamp is on."""
        return {"summary": "The lamp is on."}

    async with at_work(device):
        line = await home.line()
        assert line.authorization == f"Bearer {TOKEN}"
        assert await line.welcome() == {
            "type": "hello",
            "kind": "linux",
            "label": "Lamp",
            "version": "1.0",
            "pv": 1,
            "tools": [
                {
                    "name": "lamp_state",
                    "description": "Tell whether the lamp is on.",
                    "parameters": {
                        "type": "object",
                        "properties": {},
                        "additionalProperties": False,
                    },
                    "tier": 0,
                    "title": "Lamp",
                    "examples": ["is the lamp on"],
                }
            ],
        }
        await line.call("lamp_state", {})
        assert await line.frame("result") == {
            "type": "result",
            "id": "c1",
            "ok": True,
            "content": {"summary": "The lamp is on."},
        }


def _forty_tools(device: Device) -> None:
    for number in range(40):

        @device.tool(name=f"lamp_{number:02}", tier=0)
        def lamp() -> None:
            """Look at a lamp."""


async def test_the_oldest_thirty_tools_first_and_all_after_a_welcome_that_takes_more(
    home: FakeHome, device: Device
) -> None:
    _forty_tools(device)
    async with at_work(device):
        line = await home.line()
        first = await line.welcome(maxTools=40)
        assert [tool["name"] for tool in first["tools"]] == [f"lamp_{n:02}" for n in range(30)]
        assert len((await line.welcome(maxTools=40))["tools"]) == 40
        assert await line.quiet()


@pytest.mark.parametrize("more", [{"maxTools": 30}, {"maxTools": None}])
async def test_a_welcome_that_takes_no_more_is_left_at_thirty(
    home: FakeHome, device: Device, more: dict[str, Any]
) -> None:
    _forty_tools(device)
    async with at_work(device):
        line = await home.line()
        await line.frame("hello")
        await line.say(
            {"type": "welcome", "deviceId": 3, "label": "L", "skills": [], "assistant": "Ira"}
            | {"wakePhrase": "Hey Ira"}
            | {key: value for key, value in more.items() if value}
        )
        assert await line.quiet()


async def test_wrong_arguments_and_unknown_tools_are_answered_with_a_sentence(
    home: FakeHome, device: Device
) -> None:
    ran = []

    @device.tool(tier=1)
    async def lamp_dim(percent: int) -> None:
        """Dim the lamp."""
        ran.append(percent)

    async with at_work(device):
        line = await home.line()
        await line.welcome()
        for tool, args in (("lamp_dim", {}), ("lamp_dim", {"percent": "ten"}), ("lamp_off", {})):
            await line.call(tool, args)
            result = await line.frame("result")
            assert result["ok"] is False
            assert result["error"].startswith(
                "This device has no such tool" if tool == "lamp_off" else "The arguments do not fit"
            )
        assert ran == []


async def test_a_failing_tool_says_its_own_words_and_any_other_error_none(
    home: FakeHome, device: Device, caplog: pytest.LogCaptureFixture
) -> None:
    @device.tool(tier=0)
    async def lamp_look(how: str) -> None:
        """Look."""
        if how == "plain":
            message = "The lamp is broken."
            raise ToolFailed(message)
        Path("/home/someone/secret-list.txt").read_text()  # noqa: ASYNC240

    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.call("lamp_look", {"how": "plain"})
        assert (await line.frame("result"))["error"] == "The lamp is broken."
        await line.call("lamp_look", {"how": "else"})
        assert (await line.frame("result"))["error"] == "This did not work on the device."
    assert "secret-list" not in caplog.text
    assert "lamp_look raised FileNotFoundError" in caplog.text


@pytest.mark.parametrize("content", [object(), {1: {"deep": print}}, "x" * 2**20, "half \ud800"])
async def test_an_answer_that_cannot_be_sent_is_said_so(
    home: FakeHome, device: Device, content: Any
) -> None:
    @device.tool(tier=0)
    async def lamp_look() -> Any:
        """Look."""
        return content

    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.call("lamp_look", {})
        result = await line.frame("result")
        assert result["ok"] is False
        assert "cannot be sent" in result["error"]


async def test_a_tool_may_know_whether_it_was_asked_here(home: FakeHome, device: Device) -> None:
    @device.tool(tier=0)
    def lamp_here(asked: Asked) -> bool:
        """Tell."""
        return asked.here

    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.call("lamp_here", {})
        assert (await line.frame("result"))["content"] is True


async def test_a_tool_still_running_at_24_seconds_is_answered_and_stopped(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    stopped = asyncio.Event()

    @device.tool(tier=0)
    async def lamp_wait() -> None:
        """Wait for ever."""
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.call("lamp_wait", {})
        await hand.asleep(lambda s: s == 24.0)
        hand.advance(24.0)
        result = await line.frame("result")
        assert result["ok"] is False
        assert "longer than 24 seconds" in result["error"]
        await stopped.wait()


async def test_a_fifth_call_is_busy_and_a_place_is_free_again_after_an_answer(
    home: FakeHome, device: Device
) -> None:
    go_on = asyncio.Event()

    @device.tool(tier=0)
    async def lamp_wait() -> str:
        """Wait."""
        await go_on.wait()
        return "done"

    async with at_work(device):
        line = await home.line()
        await line.welcome()
        for number in range(5):
            await line.call("lamp_wait", {}, f"c{number}")
        busy = await line.frame("result")
        assert (busy["id"], busy["error"]) == ("c4", "The device is busy.")
        go_on.set()
        answered = {(await line.frame("result"))["id"] for _ in range(4)}
        assert answered == {"c0", "c1", "c2", "c3"}
        await line.call("lamp_wait", {}, "c5")
        assert (await line.frame("result"))["content"] == "done"


async def test_a_thread_that_cannot_be_stopped_keeps_its_place(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    go_on = threading.Event()

    @device.tool(tier=0)
    def lamp_wait() -> str:
        """Wait in a thread."""
        go_on.wait()
        return "done"

    async with at_work(device):
        line = await home.line()
        await line.welcome()
        for number in range(4):
            await line.call("lamp_wait", {}, f"c{number}")
        assert await line.quiet()
        await hand.asleep(lambda s: s == 24.0)
        hand.advance(24.0)
        for _ in range(4):
            assert "longer than" in (await line.frame("result"))["error"]
        await line.call("lamp_wait", {}, "c4")
        assert (await line.frame("result"))["error"] == "The device is busy."
        go_on.set()


async def test_it_pings_every_thirty_seconds_and_answers_pings(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.say({"type": "ping"})
        await line.frame("pong")
        for _ in range(2):
            await hand.asleep(lambda s: s == 30.0)
            hand.advance(30.0)
            await line.frame("ping")
            await line.say({"type": "pong"})


async def test_unknown_frames_and_broken_ones_are_passed_over(
    home: FakeHome, device: Device
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome(somethingNew={"a": 1})
        await line.say({"type": "novelty", "value": 1})
        await line.say({"type": "call", "id": 7})
        await line.say({"type": "event", "event": "task_done", "title": "t", "text": ""})
        await line.say({"type": "ping"})
        await line.frame("pong")


async def test_no_welcome_in_fifteen_seconds_ends_the_line(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.frame("hello")
        await hand.asleep(lambda s: s == 15.0)
        hand.advance(15.0)
        await line.ended.wait()


async def test_a_server_that_fell_silent_is_left_and_called_again(
    home: FakeHome, device: Device, hand: Hand
) -> None:
    async with at_work(device):
        line = await home.line()
        await line.welcome()
        await line.say({"type": "ping"})
        await line.frame("pong")
        for _ in range(7):
            await hand.asleep(lambda s: s == 15.0)
            hand.advance(15.0)
        await line.ended.wait()
        await hand.asleep(lambda s: s <= 1.0)
        hand.advance(1.0)
        await (await home.line()).welcome()


async def test_a_refused_hello_stops_and_shows_the_servers_reason(
    home: FakeHome, device: Device
) -> None:
    async with at_work(device) as task:
        line = await home.line()
        await line.frame("hello")
        await line.say({"type": "error", "error": "hello: the kind is another."})
        await line.close(4400)
        with pytest.raises(HelloRefused, match="the kind is another"):
            await task
    assert device.store.is_paired()
