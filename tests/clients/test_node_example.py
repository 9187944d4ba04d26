"""The Node example, written from the protocol page alone, against the real server."""

from pathlib import Path
import shutil
import signal
import subprocess

import pytest

from tests.support.program import PIN, WAIT_S, Program

EXAMPLE = Path(__file__).parents[2] / "clients" / "examples" / "node"
pytestmark = pytest.mark.node


def node(*words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the example to its end."""
    program = shutil.which("node")
    assert program is not None
    return subprocess.run(
        [program, "device.mjs", *words], cwd=EXAMPLE, input=stdin, text=True, timeout=WAIT_S,
        capture_output=True, check=False,
    )  # fmt: skip


def test_it_pairs_answers_a_call_sends_an_event_and_says_goodbye(tmp_path: Path) -> None:
    house, state = Program(tmp_path), str(tmp_path / "node" / "state.json")
    house.init()
    with house.serving():
        cookie = house.sign_in()
        wish = {"kind": "linux", "label": "Node box", "skills": ["clock", "note"], "pin": PIN}
        _, code, _ = house.call("POST", "/v1/me/pairings", wish, cookie=cookie)
        said = node("pair", "--link", "-", "--kind", "linux", "--state", state, stdin=code["url"])
        assert said.returncode == 0, said.stderr
        assert said.stdout.startswith("paired as device ")
        words = [shutil.which("node") or "node", "device.mjs", "run", "--state", state, "--announce", "Build done|All passed"]  # fmt: skip
        with subprocess.Popen(words, cwd=EXAMPLE, stdout=subprocess.PIPE, text=True) as device:
            assert device.stdout is not None
            assert device.stdout.readline().startswith("connected as device ")
            ask = {"text": 'Write the line "buy milk" into the notes file'}
            _, answer, _ = house.call("POST", "/v1/ask", ask, cookie=cookie)
            used = [(one["tool"], one["outcome"]) for one in answer["tools"]]
            assert used == [("note_add", "done")], answer["text"]
            assert device.stdout.readline().strip() == "call note_add"
            _, events, _ = house.call("GET", "/v1/me/events", cookie=cookie)
            assert [one["title"] for one in events["items"]] == ["Build done"]
            device.send_signal(signal.SIGTERM)
            assert device.wait(WAIT_S) == 0
        assert node("bye", "--state", state).returncode == 0
        assert house.call("GET", "/v1/me/devices", cookie=cookie)[1]["items"] == []


@pytest.mark.timeout(200)
def test_its_own_tests_pass() -> None:
    program = shutil.which("node")
    assert program is not None
    done = subprocess.run(
        [program, "--test"], cwd=EXAMPLE, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
