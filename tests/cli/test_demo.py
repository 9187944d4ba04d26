"""`ira demo --companion` as a person runs it: real processes, this computer paired as a real device."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import re
import signal
import subprocess
import sys

import pytest

from ira_home.base.jsontext import parse
from ira_home.cli.demo import BOOK, READ, TODAY, TODAY_IN_LATIN
from tests.support.ports import free_port
from tests.support.program import WAIT_S, Program
from tests.support.requirements import requirement


@contextmanager
def demo(program: Program, *words: str, charset: str = "utf-8") -> Iterator[str]:
    """A running demo; what it printed until it was ready."""
    command = [sys.executable, "-m", "ira_home", "demo", *words]
    log = (program.folder / "demo.log").open("a")
    with log, subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=log, text=True, encoding=charset,
        env=program.environment | {"PYTHONIOENCODING": charset}, cwd=program.folder,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            printed = []
            for line in process.stdout:
                printed.append(line)
                if line.startswith("ready "):
                    break
            else:
                pytest.fail((program.folder / "demo.log").read_text())
            yield "".join(printed)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(WAIT_S)


def signed_in(program: Program, printed: str) -> str:
    found = re.search(r"sign in +(\S+) +(\S+)\n", printed)
    assert found is not None
    return program.sign_in(found[1], found[2])


@requirement("review.demo_data")
def test_the_demo_tells_how_to_come_in_and_out_and_what_it_tells_works(tmp_path: Path) -> None:
    program = Program(tmp_path)
    with demo(program, "--companion") as printed:
        cookie = signed_in(program, printed)
        assert re.search(r"PIN +\d{6}\n", printed)
        assert f"  address   https://127.0.0.1:{program.port} " in printed
        assert "▀" in printed
        for sentence in (READ, TODAY, BOOK):
            assert f"  {sentence}\n" in printed
        status, body, _ = program.call("POST", "/v1/ask", {"text": READ}, cookie=cookie)
        assert (status, body["tools"][0]["device"]) == (200, "This computer")
        assert "Bright Smile Dental Supplies" in body["text"]
        status, body, _ = program.call("POST", "/v1/ask", {"text": TODAY}, cookie=cookie)
        assert [one["tool"] for one in body["tools"]] == ["clinic_appointments"]
        assert f"  here      https://localhost:{program.port}  " in printed
        assert f"  start     http://127.0.0.1:{program.http_port}  " in printed
        assert re.search(r"  CA        ([0-9A-F]{4} ){16} ", printed)
    first = re.search(r"sign in .*\n", printed)
    with demo(program) as again:
        assert first is not None
        assert first[0] in again
        assert READ not in again  # without the companion there is nobody to read it
        assert signed_in(program, again)


@requirement("review.demo_data")
def test_the_printed_way_out_leads_to_a_home_without_the_demo(tmp_path: Path) -> None:
    program = Program(tmp_path)
    with demo(program) as printed:
        pass
    assert "unset IRA_DATA_DIR" in printed  # or the home would be made in the demo's folder
    command = f"{sys.executable} -m ira_home"
    assert f"\n  {command} init --email " in printed
    assert f"\n  {command} serve\n" in printed
    assert f"\n  {command} --data {program.data} doctor" in printed
    home = Program(tmp_path)
    home.data = tmp_path / "home"
    home.environment["IRA_DATA_DIR"] = str(home.data)
    home.init()
    assert "asha@sunrise.example" not in home.must("user", "list")
    assert not (home.data / "tools").exists()


def test_a_terminal_without_the_signs_is_told_all_the_same(tmp_path: Path) -> None:
    program = Program(tmp_path)
    with demo(program, charset="ascii") as printed:
        assert printed.startswith("Sunrise Dental Clinic is open")
        assert f"  {TODAY_IN_LATIN}\n" in printed
        assert signed_in(program, printed)


def read_by_the_companion(program: Program, cookie: str) -> bool:
    status, body, _ = program.call("POST", "/v1/ask", {"text": READ}, cookie=cookie)
    return status == 200 and "Bright Smile Dental Supplies" in body["text"]


def devices(program: Program) -> list[int]:
    found = parse(program.must("device", "list", "--json"))["items"]
    return [one["id"] for one in found if one["online"]]


def test_on_another_port_and_address_the_companion_is_the_same_device(tmp_path: Path) -> None:
    program = Program(tmp_path)
    with demo(program, "--companion") as printed:
        assert read_by_the_companion(program, signed_in(program, printed))
        first = devices(program)
    program.port = free_port()
    with demo(program, "--companion", "--port", str(program.port)) as printed:
        assert read_by_the_companion(program, signed_in(program, printed))
        assert devices(program) == first != []
    del program.environment["IRA_PORT"]
    with demo(program, "--companion", "--port", str(program.port), "--bind", "127.0.0.2"):
        assert devices(program) == first


def test_make_run_takes_ports() -> None:
    asked = ["make", "-n", "run", "PORT=19443", "HTTP_PORT=18080"]
    top = Path(__file__).parents[2]
    done = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=top)
    assert "ira demo --companion --port 19443 --http-port 18080" in done.stdout
