"""`ira support-bundle`, beside a running server, without one, and on a house that cannot be opened."""

from pathlib import Path
import stat
import zipfile

from ira_home.base.jsontext import parse
from ira_home.domain.support import PARTS
from tests.support.program import OWNER, PASSWORD, Program


def read(file: Path) -> dict[str, str]:
    with zipfile.ZipFile(file) as found:
        return {one.partition("/")[2]: found.read(one).decode() for one in found.namelist()}


def test_it_is_one_private_file_with_the_log_of_a_running_server(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.init()
    alone, beside = tmp_path / "alone.zip", tmp_path / "beside.zip"
    said = program.ira("support-bundle", "--output", str(alone))
    assert (said.status, "10 parts" in said.out) == (0, True), said.err
    assert "No line since the start" in read(alone)["log.txt"]
    with program.serving():
        said = program.ira("support-bundle", "--output", str(beside), "--json")
    assert parse(said.out)["parts"] == list(PARTS)
    found = read(beside)
    assert tuple(found) == PARTS
    assert " info web.access: GET " in found["log.txt"]
    assert stat.S_IMODE(beside.stat().st_mode) == 0o600
    told = "\n".join(found.values())
    for secret in (OWNER, PASSWORD, str(tmp_path)):
        assert secret not in told
    again = program.ira("support-bundle", "--output", str(beside))
    assert (again.status, "is there already" in again.err) == (1, True)


def test_a_house_that_cannot_be_opened_still_gives_what_can_be_had(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.init()
    (program.data / "ira.sqlite").write_bytes(b"no database" * 1000)
    file = tmp_path / "bundle.zip"
    said = program.ira("support-bundle", "--output", str(file))
    assert said.status == 0
    assert "could not be opened" in said.err
    found = read(file)
    assert parse(found["fault.json"])["code"] == "broken_database"
    assert str(tmp_path) not in "\n".join(found.values())
