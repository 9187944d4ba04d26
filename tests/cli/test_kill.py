"""kill -9 right after an acknowledged write loses nothing."""

from pathlib import Path
import signal
from typing import TYPE_CHECKING

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
