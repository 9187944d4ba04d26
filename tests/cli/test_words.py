"""What commands say, for people and for scripts."""

from collections.abc import Iterator
import os
from pathlib import Path
import pty
import re
import select
import socket
import subprocess
import sys
from typing import Any

import pytest

from ira_home.base.jsontext import parse
from tests.support.program import OWNER, PASSWORD, PIN, WAIT_S, Program

STAFF = "ravi@example.com"
DEAD = ("--url", "http://127.0.0.1:9/v1", "--model", "tiny")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A house with its server running and its owner, shared by the tests here."""
    made = Program(tmp_path_factory.mktemp("house"))
    made.init()
    with made.serving():
        yield made


def told(program: Program, *words: str, stdin: str = "") -> Any:
    """The JSON of a command that succeeds."""
    return parse(program.must(*words, "--json", stdin=stdin))


def test_what_changes_something_can_be_asked_for_json(program: Program) -> None:
    add = ("user", "add", "--email", STAFF, "--role", "staff", "--password-stdin")
    person = told(program, *add, stdin=f"{PASSWORD}\n")
    assert (person["email"], person["has_pin"]) == (STAFF, False)
    assert told(program, "pin", "set", "--email", STAFF, "--pin-stdin", stdin=f"{PIN}\n")["has_pin"]
    passwd = ("user", "passwd", "--email", STAFF, "--password-stdin")
    assert told(program, *passwd, stdin=f"{PASSWORD}x\n")["email"] == STAFF
    code = told(program, "device", "code", "--email", STAFF, "--kind", "linux")["code"]
    status, device, _ = program.call("POST", "/v1/devices/pair", {"code": code, "kind": "linux"})
    assert status == 201
    removed = told(program, "device", "revoke", str(device["device_id"]))
    assert removed == {"id": device["device_id"]}
    assert told(program, "user", "remove", "--email", STAFF, "--yes")["email"] == STAFF
    assert told(program, "config", "set", "name", "Sunrise")["name"] == "Sunrise"
    assert told(program, "brain", "use", "none")["model_provider"] == "none"
    assert told(program, "healthcheck") == {"healthy": True}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("device", "revoke", "99"), "not_found"),
        (("brain", "use", "openai"), "invalid"),
        (("pin", "set", "--user", "nobody@example.com", "--pin-stdin"), "not_found"),
        (("healthcheck", "--port", "9"), "command_failed"),
    ],
)
def test_a_refusal_is_json_as_well_where_that_was_asked_for(
    program: Program, words: tuple[str, ...], code: str
) -> None:
    said = program.ira(*words, "--json", stdin=f"{PIN}\n")
    error = parse(said.out)["error"]
    assert (said.status, error["code"]) == (1, code)
    assert said.err == f"ira: {error['message']}\n"


def test_a_device_that_is_not_there_is_named(program: Program) -> None:
    said = program.ira("device", "revoke", "99")
    assert (said.status, said.err) == (1, "ira: There is no device 99.\n")


@pytest.mark.parametrize(
    "words",
    [
        ("init", "--email", "notmail", "--name", "A"),
        ("user", "add", "--email", "notmail", "--role", "staff"),
    ],
)
def test_what_is_no_address_is_refused_before_a_secret_is_asked_for(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    said = Program(tmp_path).ira(*words)
    assert (said.status, said.err) == (1, "ira: That is not an e-mail address.\n")


def typed(program: Program, *words: str, lines: list[tuple[str, str]]) -> tuple[int, str]:
    """Run a command in a terminal and type each line when its prompt has come; status and output."""
    mine, theirs = pty.openpty()
    with subprocess.Popen(
        [*program.started_as, *words], stdin=theirs, stdout=theirs, stderr=theirs,
        env=program.environment, cwd=program.folder, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown, seen = "", 0
        while select.select([mine], [], [], WAIT_S)[0]:
            try:
                shown += os.read(mine, 4096).decode()
            except OSError:
                break
            while lines and lines[0][0] in shown[seen:]:
                seen = shown.index(lines[0][0], seen) + len(lines[0][0])
                os.write(mine, f"{lines.pop(0)[1]}\n".encode())
        os.close(mine)
        return process.wait(WAIT_S), shown


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Unix")
def test_in_a_terminal_a_secret_that_will_not_do_is_asked_for_again(tmp_path: Path) -> None:
    program = Program(tmp_path)
    lines = [
        ("more):", "short"), ("confirmation:", "short"),
        ("more):", PASSWORD), ("confirmation:", PASSWORD),
        ("digits):", "12"), ("confirmation:", "12"),
        ("digits):", PIN), ("confirmation:", PIN),
    ]  # fmt: skip
    status, shown = typed(program, "init", "--email", OWNER, "--name", "Olive", lines=lines)
    assert (status, lines) == (0, []), shown
    assert "Choose a longer or less common password" in shown
    assert "A PIN is 4 to 8 digits." in shown
    assert f"Next: {sys.executable} -m ira_home serve" in shown
    assert program.ira("pin", "set", "--user", OWNER, "--pin-stdin", stdin=f"{PIN}\n").status == 0
    status, shown = typed(program, "pin", "set", "--user", "nobody@example.com", lines=[])
    assert (status, "Nobody here has that e-mail address." in shown) == (1, True)
    status, shown = typed(program, "init", "--email", "b@example.com", "--name", "B", lines=[])
    assert (status, "set up already" in shown) == (1, True)


@pytest.mark.parametrize("words", [(), DEAD[:2], DEAD[2:]])
def test_a_model_without_address_or_name_is_not_chosen(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    program = Program(tmp_path)
    program.init()
    said = program.ira("brain", "use", "openai", *words)
    assert said.status == 1
    assert re.fullmatch(r"ira: A model needs .* Give it with --(url|model)\.\n", said.err)
    assert "none" in program.must("brain", "test")


def test_a_model_is_not_called_good_before_it_answered(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.init()
    assert "good  brain: The no-key brain answers." in program.must("doctor")
    said = program.must("brain", "use", "openai", *DEAD)
    assert "It was not tested. Test it: " in said
    assert said.strip().endswith(" brain test")
    assert told(program, "brain", "use", "openai", *DEAD)["tested"] is False
    doctor = program.ira("doctor")
    assert doctor.status == 1
    assert re.search(r"^bad +brain: tiny does not answer: .+", doctor.out, re.MULTILINE)
    test = program.ira("brain", "test", "--json")
    assert (test.status, parse(test.out)["error"]["code"]) == (1, "model_failed")


def test_doctor_counts_as_people_count_and_names_the_file_and_what_to_do(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.init()
    (program.data / "tools").mkdir(exist_ok=True)
    (program.data / "tools" / "bad.py").write_text("x = 1\nraise OSError('no disk')\n")
    alone = program.ira("doctor").out
    assert "people: 1 person, 0 devices\n" in alone
    assert "tools: bad.py cannot be used: line 2: OSError: no disk. Put it right.\n" in alone
    with program.serving():
        assert "no disk. Put it right, then restart the server.\n" in program.ira("doctor").out


def test_commands_that_are_suggested_are_those_that_can_be_typed(tmp_path: Path) -> None:
    program = Program(tmp_path)
    other = tmp_path / "other home"
    said = program.ira("--data", str(other), "user", "list")
    init = f"{sys.executable} -m ira_home --data '{other}' init"
    assert said.err.strip().endswith(f"or make a house: {init}")


def test_a_taken_port_of_the_demo_is_said_with_what_make_takes(tmp_path: Path) -> None:
    program = Program(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", program.port))
        taken.listen()
        said = program.ira("demo")
    assert said.status == 1
    last = said.err.strip().splitlines()[-1]
    assert last.endswith("stop it, or choose another with --port (`make run PORT=…`).")
