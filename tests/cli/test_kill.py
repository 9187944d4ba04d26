"""kill -9 right after an acknowledged write loses nothing, and in the middle of a call hides nothing."""

import asyncio
from contextlib import suppress
import http.client
from pathlib import Path
import signal
import ssl
from typing import TYPE_CHECKING, Any

from tests.support.callers import DeviceLine
from tests.support.program import OWNER, PASSWORD, PIN, Program

if TYPE_CHECKING:
    from subprocess import Popen


def kill(server: "Popen[str]") -> None:
    """End the server as a power cut would."""
    server.send_signal(signal.SIGKILL)
    server.wait()


def test_what_was_acknowledged_is_there_after_kill_9(tmp_path: Path) -> None:
    house = Program(tmp_path)
    house.init()
    with house.serving() as server:
        cookie = house.sign_in()
        wish = {"kind": "mac", "label": "Study", "skills": ["files"], "pin": PIN}
        _, code, _ = house.call("POST", "/v1/me/pairings", wish, cookie=cookie)
        kill(server)
    with house.serving() as server:
        claim = {"code": code["code"], "kind": "mac"}
        status, device, _ = house.call("POST", "/v1/devices/pair", claim)
        assert status == 201
        kill(server)
    with house.serving() as server:
        assert house.call("GET", "/v1/me/devices", cookie=cookie)[1]["items"][0]["label"] == "Study"
        path = f"/v1/me/devices/{device['device_id']}"
        assert house.call("DELETE", path, cookie=cookie)[0] in (200, 204)
        kill(server)
    with house.serving() as server:
        assert house.call("POST", "/v1/ask", {"text": "Hi"}, bearer=device["token"])[0] == 401
        new = {"old": PASSWORD, "new": "another-lantern-river-5"}
        status, said, _ = house.call("PUT", "/v1/me/password", new, cookie=cookie)
        assert status in (200, 204), said
        kill(server)
    with house.serving():
        assert house.call("POST", "/v1/session", {"email": OWNER, "password": PASSWORD})[0] == 401
        house.sign_in(password="another-lantern-river-5")


LAMP = {
    "name": "lamp_colour",
    "description": "Tell the colour of the lamp.",
    "parameters": {"type": "object", "properties": {}},
    "tier": 0,
}


async def connected(house: Program, device: dict[str, Any]) -> DeviceLine:
    """The device, which answers nothing that it is asked."""
    base = f"https://127.0.0.1:{house.port}"
    trust = ssl.create_default_context(cafile=str(house.data / "pki" / "ca.crt.pem"))
    number, token = device["device_id"], device["token"]
    line = DeviceLine(base, trust, token=token, number=number, kind="mac")
    await line.connect()
    await line.hello([LAMP])
    return line


async def test_a_call_that_kill_9_cut_off_is_shown_as_unknown_and_not_made_again(
    tmp_path: Path,
) -> None:
    house = Program(tmp_path)
    house.init()
    with house.serving() as server:
        cookie = house.sign_in()
        wish = {"kind": "mac", "label": "Study", "skills": ["lamp"], "pin": PIN}
        _, code, _ = house.call("POST", "/v1/me/pairings", wish, cookie=cookie)
        claim = {"code": code["code"], "kind": "mac"}
        _, device, _ = house.call("POST", "/v1/devices/pair", claim)
        line = await connected(house, device)
        words = {"text": "Tell me the colour of the lamp"}
        asking = asyncio.to_thread(house.call, "POST", "/v1/ask", words, cookie=cookie)
        answer = asyncio.ensure_future(asking)
        await line.wait_calls(1)
        kill(server)
        with suppress(OSError, http.client.HTTPException):
            await answer
        await line.hang_up()
    with house.serving():
        line = await connected(house, device)
        (head,) = house.call("GET", "/v1/me/conversations", cookie=cookie)[1]["items"]
        path = f"/v1/me/conversations/{head['id']}"
        messages = house.call("GET", path, cookie=cookie)[1]["messages"]
        told = [(one["kind"], one["tool"], one["outcome"]) for one in messages]
        assert told[:3] == [
            ("person", None, None),
            ("call", "lamp_colour", None),
            ("result", "lamp_colour", "unknown"),
        ]
        assert "do not know whether it happened: lamp_colour" in messages[-1]["text"]
        (did,) = house.call("GET", "/v1/me/log", cookie=cookie)[1]["items"]
        assert (did["tool"], did["outcome"]) == ("lamp_colour", "unknown")
        assert line.calls == []
        await line.hang_up()
