"""What is in the bundle: all of the source tree and of what a tool may import, and nothing that builds."""

from importlib.util import find_spec
from pathlib import Path
import pkgutil
import sys

import pytest

from ira_home.app.parts import parts
from tests.bundle.bundle import PACKAGES, TOP, Bundle, findings
from tests.support.program import Program

pytestmark = [pytest.mark.bundle, pytest.mark.timeout(180)]

# docs/bundle.md says so to whoever writes a tool.
LEFT_OUT = {
    "antigravity", "curses", "distutils", "ensurepip", "idlelib", "lib2to3", "nis", "pydoc_data", "readline",
    "rlcompleter", "this", "tkinter", "turtle", "turtledemo", "venv",
}  # fmt: skip
PROBE = """
import importlib
import os

for name in {names!r}:
    importlib.import_module(name)
if "LD_LIBRARY_PATH" in os.environ:
    raise RuntimeError("a program that this tool starts would load libraries of the bundle")

import zoneinfo

zoneinfo.reset_tzpath(())  # as on a computer that has no time zones of its own
zoneinfo.ZoneInfo("Asia/Kolkata")

from ira_home.tools.declare import tool


@tool
def probe_strike() -> str:
    "Strike the bell."
    return "ding"
"""


def test_it_finds_as_much_as_the_source_tree_does(bundle: Bundle, tmp_path: Path) -> None:
    here, there = Program(tmp_path), bundle.program(tmp_path)
    assert findings(there)["parts"] == findings(here)["parts"]


@pytest.mark.parametrize(
    ("program", "packages"),
    [("ira", ["ira_home"]), ("ira-companion", ["ira_companion", "ira_device"])],
)
def test_every_module_of_the_tree_is_in_its_program(
    bundle: Bundle, program: str, packages: list[str]
) -> None:
    wanted = {
        found.name
        for package in packages
        for found in pkgutil.walk_packages([str(PACKAGES[package] / package)], f"{package}.")
        if not found.name.startswith("ira_home.household.demo_files.")
    }
    assert len(wanted) > 15
    assert wanted - bundle.modules(program) == set()


def test_every_other_file_of_the_tree_is_there_byte_for_byte(bundle: Bundle) -> None:
    files = {
        path.relative_to(root): path
        for package, root in PACKAGES.items()
        for path in (root / package).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    }
    assert len(files) > 50
    wrong = [
        str(name)
        for name, path in files.items()
        if not (bundle.inside / name).is_file()
        or (bundle.inside / name).read_bytes() != path.read_bytes()
    ]
    assert wrong == []


def test_tools_of_a_business_may_import_the_standard_library(
    bundle: Bundle, tmp_path: Path
) -> None:
    public = {name for name in sys.stdlib_module_names if not name.startswith("_")}
    names = sorted(name for name in public - LEFT_OUT if find_spec(name) is not None)
    assert len(names) > 150
    program = bundle.program(tmp_path)
    tools = program.data / "tools"
    tools.mkdir(parents=True, mode=0o700)
    (tools / "probe.py").write_text(PROBE.format(names=names))
    (tools / "broken.py").write_text("import tkinter\n")
    program.init()
    said = findings(program)
    assert "broken.py" in said["tools"]["sentence"]
    assert "tkinter" in said["tools"]["sentence"]
    assert "probe.py" not in str(said)
    assert f"{parts()['tools'] + 1} tools of the house" in said["version"]["sentence"]


def test_what_tools_cannot_import_is_written_down() -> None:
    text = (TOP / "docs" / "bundle.md").read_text()
    assert [
        name for name in sorted(LEFT_OUT - {"antigravity", "this"}) if f"`{name}`" not in text
    ] == []


def test_it_is_made_of_the_versions_that_an_installation_has() -> None:
    locks = TOP / "packaging" / "locks"
    installed, bundled = (
        {line for line in (locks / f"{name}.txt").read_text().splitlines() if "==" in line}
        for name in ("server", "bundle")
    )
    assert len(installed) > 30
    assert installed - bundled == set()


def test_nothing_is_in_it_that_makes_packages_or_pictures(bundle: Bundle) -> None:
    unwanted = {"PIL", "PyInstaller", "_distutils_hack", "pip", "pkg_resources", "pytest", "setuptools", "wheel"}  # fmt: skip
    inside = {path.name for path in bundle.inside.iterdir()}
    for program in ("ira", "ira-companion"):
        inside |= {name.partition(".")[0] for name in bundle.modules(program)}
    assert inside & unwanted == set()
    assert "ira_home" in inside


def test_it_says_nothing_of_where_it_was_made(bundle: Bundle) -> None:
    named = [path for path in bundle.inside.rglob("*.dist-info/*") if path.name in {"direct_url.json", "RECORD"}]  # fmt: skip
    assert [path for path in named if str(TOP) in path.read_text()] == []


def test_the_keyrings_of_a_desktop_are_there(bundle: Bundle) -> None:
    backends = {"SecretService", "kwallet", "macOS", "Windows"}
    assert {f"keyring.backends.{one}" for one in backends} <= bundle.modules("ira-companion")
    assert list(bundle.inside.glob("keyring-*.dist-info/entry_points.txt"))
