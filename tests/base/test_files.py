"""Files of our own: private whatever the umask, written whole or not at all."""

from collections.abc import Iterator
import os
from pathlib import Path
import stat
import sys

import pytest

from ira_home.base.files import make_folder, make_private, replace_durably, tighten, write_private

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes mean nothing here")


@pytest.fixture(autouse=True, params=[0o000, 0o022, 0o077, 0o177])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_files_and_folders_are_private(tmp_path: Path) -> None:
    make_folder(tmp_path / "folder")
    make_private(tmp_path / "file")
    write_private(tmp_path / "content", b"secret")
    assert mode(tmp_path / "folder") == 0o700
    assert (mode(tmp_path / "file"), mode(tmp_path / "content")) == (0o600, 0o600)


def test_a_file_is_replaced_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "content"
    path.write_bytes(b"old")
    (tmp_path / "content.part").write_bytes(b"left by a crash")
    write_private(path, b"new")
    assert (path.read_bytes(), mode(path)) == (b"new", 0o600)
    assert [file.name for file in tmp_path.iterdir()] == ["content"]


def test_a_file_that_is_there_is_not_opened_as_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        make_private(tmp_path / "file")


def test_an_open_folder_is_closed_and_its_content_stays(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "file").write_bytes(b"x")
    make_folder(folder)
    assert mode(folder) == 0o700
    assert (folder / "file").exists()


def test_tightening_says_whether_anything_was_wrong_and_follows_no_link(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"x")
    file.chmod(0o644)
    link.symlink_to(file)
    assert not tighten(link, 0o600)
    assert mode(file) == 0o644
    assert tighten(file, 0o600)
    assert not tighten(file, 0o600)


def test_a_finished_file_takes_its_name(tmp_path: Path) -> None:
    (tmp_path / "half").write_bytes(b"whole")
    (tmp_path / "half").chmod(0o600)
    replace_durably(tmp_path / "half", tmp_path / "name")
    assert (tmp_path / "name").read_bytes() == b"whole"
