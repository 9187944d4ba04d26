"""docs/configuration.md names every setting there is, as it can really be set."""

from dataclasses import fields
import os
from pathlib import Path
import re
import sys

import click
import pytest

from ira_home.cli.config import config
from ira_home.cli.main import ira
from ira_home.cli.serve import serve
from ira_home.config import paths
from ira_home.config.load import ORIGINS, load
from ira_home.config.secret import Secret
from ira_home.config.settings import TABLE, Setting, Settings
from tests.support.pages import fenced, read, rows

PAGE = read("docs/configuration.md")
HEADS = (
    "in `ira.yaml`",
    "variable",
    "flag",
    "kept by the house",
    "default",
    "what it is",
    "what it may be",
)
_WORDS = {"data_dir": "below", "time_zone": "this computer’s own", "advertise": "the best it finds"}


def flags() -> dict[str, str]:
    """The flag of each setting that has one."""
    found = {"data_dir": "--data"}
    assert any("--data" in one.opts for one in ira.params)
    for one in serve.params:
        assert one.name is not None
        found[one.name.removeprefix("no_")] = one.opts[0]
    return {name: flag for name, flag in found.items() if name in TABLE}


# What keeps settings that are no plain value of `ira config set`, by the first word of their names.
_KEEPERS = {"model": "ira brain use", "search": "ira search set"}


def kept(setting: Setting) -> str:
    """The command that keeps it in the house, which there has to be."""
    if not setting.is_stored:
        return ""
    choice = config.commands["set"].params[0].type
    assert isinstance(choice, click.Choice)
    if setting.name in choice.choices:
        return "`ira config set`"
    keeper = _KEEPERS[setting.name.partition("_")[0]]
    _program, group, command = keeper.split()
    found = ira.get_command(click.Context(ira), group)
    assert isinstance(found, click.Group)
    assert command in found.commands
    return f"`{keeper}`"


def default(name: str) -> str:
    if name in _WORDS:
        return _WORDS[name]
    value = next(one.default for one in fields(Settings) if one.name == name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"`{value}`" if isinstance(value, str | int) and value != "" else "nothing"


def row(setting: Setting) -> list[str]:
    in_file = "" if setting.name == "data_dir" else f"`{setting.name}`"
    flag = flags().get(setting.name)
    return [
        in_file, f"`{setting.variable}`", f"`{flag}`" if flag else "", kept(setting),
        default(setting.name), setting.about, setting.kind.words,
    ]  # fmt: skip


def test_the_table_has_every_setting_as_it_is() -> None:
    wanted = [row(setting) for setting in TABLE.values()]
    assert set(flags()) >= {"data_dir", "bind", "port", "http_port", "mdns"}
    shown = "\n".join("| " + " | ".join(one) + " |" for one in wanted)
    assert rows(PAGE, *HEADS) == wanted, f"the table should be:\n{shown}"


def test_the_order_of_the_places_is_the_one_that_holds() -> None:
    words = {
        "flag": "flag", "environment": "variable", "file": "`ira.yaml`",
        "stored": "kept by the house", "default": "default",
    }  # fmt: skip
    assert " > ".join(words[one] for one in ORIGINS) in PAGE


def test_the_example_of_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "ira.yaml").write_text(fenced(PAGE, "yaml")[0], encoding="utf-8")
    loaded = load({"data_dir": str(tmp_path)}, {})
    assert loaded.settings.advertise == ("192.168.1.20",)
    assert loaded.settings.hosts == ("ira.lan", "clinic.local")
    assert {loaded.origin(name) for name in ("port", "advertise", "hosts", "log_level")} == {"file"}


def test_a_variable_can_name_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-1234\n", encoding="utf-8")
    assert "`IRA_MODEL_KEY_FILE`" in PAGE
    environ = {"IRA_MODEL_KEY_FILE": str(tmp_path / "key")}
    loaded = load({"data_dir": str(tmp_path)}, environ)
    assert loaded.settings.model_key == Secret("sk-1234")


@pytest.mark.parametrize("page", ["README.md", "docs/configuration.md"])
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="these are the folders of Unix")
def test_the_default_folders_are_those_that_the_pages_tell(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = re.sub(r"\s+", " ", read(page))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert f"`{paths.default_data_folder()}` for root" in text
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("HOME", "/home/asha")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    own = str(paths.default_data_folder()).replace("/home/asha", "~")
    assert f"else `{own}`" in text
