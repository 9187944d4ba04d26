"""Which folders may be allowed, and how they are taken off the list again."""

from pathlib import Path

import pytest

from ira_companion.settings import FolderRefused, SettingsFile
from ira_home.base.errors import Invalid, NotFound
from ira_home.base.folder_errors import DataFolderError


@pytest.fixture
def settings(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "state")


def _paths(settings: SettingsFile) -> list[Path]:
    return [folder.path for folder in settings.folders()]


def test_at_first_nothing_is_allowed(settings: SettingsFile) -> None:
    assert settings.folders() == []


def test_a_folder_is_kept_as_where_it_really_is(settings: SettingsFile, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    settings.allow([tmp_path / "link"])
    assert _paths(settings) == [tmp_path / "real"]


def test_a_folder_inside_an_allowed_one_changes_nothing(
    settings: SettingsFile, tmp_path: Path
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    settings.allow([tmp_path / "a" / "b"])
    settings.allow([tmp_path / "a"])
    settings.allow([tmp_path / "a" / "b", tmp_path / "a"])
    assert _paths(settings) == [tmp_path / "a"]


@pytest.mark.parametrize("wrong", ["nothing", "file", "/", "state", "state/inner", "a\x00b"])
def test_what_cannot_be_allowed_is_refused_and_nothing_else_is_taken(
    settings: SettingsFile, tmp_path: Path, wrong: str
) -> None:
    (tmp_path / "good").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "state" / "inner").mkdir(parents=True)
    with pytest.raises(FolderRefused):
        settings.allow([tmp_path / "good", tmp_path / wrong])
    assert settings.folders() == []


def test_a_folder_goes_by_its_path_or_its_name(settings: SettingsFile, tmp_path: Path) -> None:
    for name in ("x/Bills", "y/Bills", "Photos"):
        (tmp_path / name).mkdir(parents=True)
    settings.allow([tmp_path / "x/Bills", tmp_path / "y/Bills", tmp_path / "Photos"])
    settings.forbid("photos")
    with pytest.raises(Invalid, match="whole path"):
        settings.forbid("Bills")
    with pytest.raises(NotFound, match="Music is not among"):
        settings.forbid("Music")
    settings.forbid(str(tmp_path / "x" / "Bills"))
    assert _paths(settings) == [tmp_path / "y" / "Bills"]


def test_a_folder_that_is_gone_can_be_taken_off(settings: SettingsFile, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    settings.allow([tmp_path / "gone"])
    (tmp_path / "gone").rmdir()
    settings.forbid(str(tmp_path / "gone"))
    assert settings.folders() == []


def test_damaged_settings_are_said_so_and_allow_nothing(
    settings: SettingsFile, tmp_path: Path
) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "settings.json").write_text("{")
    with pytest.raises(DataFolderError, match=r"settings\.json cannot be read"):
        settings.folders()
