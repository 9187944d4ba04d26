"""A bundle on disk: its programs, its files, and which of its processes run."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
import signal
import subprocess
from typing import Any

from ira_home.base.jsontext import parse
from tests.support.program import WAIT_S, Program

TOP = Path(__file__).parents[2]
BUILT = TOP / "dist" / "ira"
PACKAGES = {
    "ira_home": TOP,
    "ira_device": TOP / "clients" / "python",
    "ira_companion": TOP / "clients" / "desktop",
}
STOP_S = 5
_LIST = """
import sys
from PyInstaller.archive.readers import CArchiveReader
print(*CArchiveReader(sys.argv[1]).open_embedded_archive("PYZ.pyz").toc)
"""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The folder with the two programs."""

    folder: Path

    @property
    def inside(self) -> Path:
        """Where everything but the programs lies."""
        return self.folder / "_internal"

    def program(self, folder: Path) -> Program:
        """Its `ira` on a data folder of its own, with no other program in reach."""
        folder.mkdir(exist_ok=True)
        program = Program(folder, [str(self.folder / "ira")])
        keep = {"HOME", "LANG", "LC_ALL"}
        program.environment = {
            name: value
            for name, value in program.environment.items()
            if name in keep or name.startswith("IRA_")
        } | {"PATH": "/nonexistent"}
        return program

    def modules(self, name: str) -> set[str]:
        """The modules that a program of it has inside."""
        python = TOP / "build" / "venv" / "bin" / "python"
        command = [str(python), "-c", _LIST, str(self.folder / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return set(done.stdout.split())

    def running(self) -> set[str]:
        """Which of its programs run now."""
        here = self.folder.resolve()
        return {path.name for path in _executables() if path.parent == here}


def _executables() -> Iterator[Path]:
    """What every process of this computer runs, as far as one may see it."""
    if not Path("/proc/self/exe").exists():
        listed = subprocess.run(["ps", "-A", "-o", "comm="], capture_output=True, text=True, check=True)  # fmt: skip
        yield from map(Path, listed.stdout.splitlines())
        return
    for link in Path("/proc").glob("[0-9]*/exe"):
        with suppress(OSError):
            yield link.readlink()


@contextmanager
def started(program: Program, *words: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server that is ready, and what it printed until then; ended afterwards if it still runs."""
    log = program.folder / "server.log"
    with log.open("a") as file, subprocess.Popen(
        [*program.started_as, *words], stdout=subprocess.PIPE, stderr=file, text=True,
        env=program.environment, cwd=program.folder,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            printed = ""
            for line in process.stdout:
                printed += line
                if line.startswith("ready "):
                    break
            else:
                raise AssertionError(printed + log.read_text())
            yield process, printed
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(WAIT_S)


def findings(program: Program) -> dict[str, Any]:
    """What `ira doctor` says, by what it is about."""
    said = program.ira("doctor", "--json")
    return {one["about"]: one for one in parse(said.out)["items"]}
