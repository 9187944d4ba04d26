"""`ira doctor` on an installation that is whole, and on one that is not."""

from pathlib import Path
import shutil
import socket

import pytest

from ira_home.base.jsontext import parse
from tests.support.program import Program

SOURCE = Path(__file__).parents[2] / "ira_home"


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A copy of the program, which a test may damage; commands are run where it lies."""
    shutil.copytree(SOURCE, tmp_path / "ira_home", ignore=shutil.ignore_patterns("__pycache__"))
    return Program(tmp_path)


def test_every_part_is_counted_from_what_is_found(program: Program) -> None:
    builtin = program.folder / "ira_home" / "tools" / "builtin"
    (builtin / "bell.py").write_text(
        "from ira_home.tools.declare import tool\n\n@tool\ndef bell_strike() -> str:\n    'Strike it.'\n    return ''\n"
    )
    (program.folder / "ira_home" / "web" / "static" / "bell.svg").write_text("<svg/>")
    found = parts(program)
    whole = parts(Program(SOURCE.parent))
    assert {name for name in whole if found[name] != whole[name]} == {"tools", "assets"}
    assert found["tools"] == whole["tools"] + 1


@pytest.mark.parametrize(
    ("lost", "word"),
    [
        ("web/templates", "no pages"),
        ("web/locales", "en.po"),
        ("web/static", "Install Ira again"),
        ("storage/migrations/0001_initial.sql", "database files are missing"),
    ],
)
def test_a_part_that_is_missing_is_told(program: Program, lost: str, word: str) -> None:
    path = program.folder / "ira_home" / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    said = program.ira("doctor", "--json")
    finding = next(one for one in parse(said.out)["items"] if one["about"] == "parts")
    assert (said.status, finding["state"]) == (1, "bad")
    assert word in finding["sentence"]


def test_what_keeps_devices_out_is_told_with_the_next_step(tmp_path: Path) -> None:
    house = Program(tmp_path)
    house.init()
    with socket.create_server(("127.0.0.1", house.port)):
        said = house.ira("doctor")
    assert said.status == 1
    assert f"bad   reach: Another program has port {house.port}. Stop that program, or" in said.out
    assert "warn  address: Ira listens for this computer only" in said.out


def test_a_running_server_looks_at_itself_as_its_devices_see_it(tmp_path: Path) -> None:
    house = Program(tmp_path)
    house.init()
    with house.serving():
        said = house.must("doctor")
    reach = (
        f"good  reach: Ira answers devices at 127.0.0.1:{house.port}, with the right certificate."
    )
    assert reach in said
    assert f"The start page for new devices answers at http://127.0.0.1:{house.http_port}." in said
    assert "good  announcement: Ira does not announce herself on the network." in said
    assert "good  server certificate: The certificate is good until 20" in said
    assert "good  clock: The clock says 20" in said


def parts(program: Program) -> dict[str, int]:
    """The counts that `ira doctor` prints."""
    findings = {one["about"]: one for one in parse(program.must("doctor", "--json"))["items"]}
    counts = (one.split() for one in findings["parts"]["sentence"].split(", "))
    return {name: int(count) for count, name in counts}
