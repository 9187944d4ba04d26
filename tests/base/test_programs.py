"""Starting another program of Ira's own."""

from pathlib import Path
import subprocess
import sys

import pytest

from ira_home.base.programs import own_program


def test_an_installed_program_is_not_taken_from_the_folder_it_is_started_in(tmp_path: Path) -> None:
    (tmp_path / "ira_home").mkdir()
    (tmp_path / "ira_home" / "__main__.py").write_text("print('not ours')")
    command = [*own_program("ira_home"), "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("ira, version")


def test_in_the_bundle_it_is_the_program_beside_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/Ira Home 1.2/ira-1.2")
    assert own_program("ira_companion") == ["/opt/Ira Home 1.2/ira-companion"]
    assert own_program("ira_home") == ["/opt/Ira Home 1.2/ira"]
