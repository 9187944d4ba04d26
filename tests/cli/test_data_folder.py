"""Which commands may make a house, and in which folders."""

from pathlib import Path
import stat

import pytest

from tests.support.program import OWNER, PASSWORD, PIN, Program

INIT = ("init", "--email", OWNER, "--name", "Olive", "--password-stdin", "--pin-stdin")
SECRETS = f"{PASSWORD}\n{PIN}\n"
OTHERS = [
    "user list", "device list", "device revoke 3", "brain test", "brain usage", "brain use none",
    "config set name X", "cert show", "healthcheck",
    f"user remove --email {OWNER} --yes", f"pin set --user {OWNER} --pin-stdin",
    f"device code --email {OWNER} --kind mac",
]  # fmt: skip


def seen(folder: Path) -> dict[str, int]:
    """Everything there is and its mode."""
    return {str(one): stat.S_IMODE(one.lstat().st_mode) for one in [folder, *folder.rglob("*")]}


def photos(program: Program) -> Path:
    """The data folder, with something in it that is none of Ira's."""
    program.data.mkdir(mode=0o755)
    program.data.chmod(0o755)
    (program.data / "a.jpg").write_bytes(b"x")
    return program.data


@pytest.mark.parametrize("words", OTHERS)
def test_a_command_that_looks_or_changes_something_makes_no_house(
    tmp_path: Path, words: str
) -> None:
    program = Program(tmp_path)
    said = program.ira(*words.split(), stdin=SECRETS)
    assert (said.status, program.data.exists()) == (1, False)
    assert len(said.err.strip().splitlines()) == 1
    before = seen(photos(program))
    said = program.ira(*words.split(), stdin=SECRETS)
    assert (said.status, seen(program.data)) == (1, before)
    assert len(said.err.strip().splitlines()) == 1


@pytest.mark.parametrize("words", [INIT, ("serve",), ("demo",), ("demo", "--companion")])
def test_no_house_is_made_in_a_folder_of_something_else(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    program = Program(tmp_path)
    before = seen(photos(program))
    said = program.ira(*words, stdin=SECRETS)
    assert (said.status, seen(program.data)) == (1, before)
    assert "holds other things and no house" in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_doctor_and_config_show_look_at_a_folder_and_leave_it(tmp_path: Path) -> None:
    program = Program(tmp_path)
    assert program.ira("doctor").status == 0
    assert not program.data.exists()
    before = seen(photos(program))
    assert "no house" in program.must("doctor")
    program.must("config", "show")
    assert seen(program.data) == before


def test_an_empty_folder_becomes_a_private_house(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.data.mkdir(mode=0o755)
    program.must(*INIT, stdin=SECRETS)
    assert seen(program.data)[str(program.data)] == 0o700
    assert OWNER in program.must("user", "list")
