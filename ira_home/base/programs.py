"""Starting another program of Ira's own, from an installation and from the bundle alike."""

import os
from pathlib import Path
import shlex
import shutil
import sys

_ENDING = ".exe" if os.name == "nt" else ""
# How the executables of the bundle are called, where that is not their package's name.
_BUNDLED = {"ira_home": "ira"}


def is_bundled() -> bool:
    """Whether this is the bundle, where no Python interpreter can be started."""
    return bool(getattr(sys, "frozen", False))


def own_program(package: str) -> list[str]:
    """The words that start a package's program, to which its arguments are added.

    In the bundle it is an executable beside this one (`ira` of ira_home, `ira-companion` of
    ira_companion); everywhere else this interpreter runs the package. The folder that it is
    started in, which may be anybody's, is no place to import from: hence -P.
    """
    if is_bundled():
        name = _BUNDLED.get(package, package.replace("_", "-")) + _ENDING
        return [str(Path(sys.executable).with_name(name))]
    return [sys.executable, "-P", "-m", package]


def called(name: str, package: str) -> str:
    """How this program was called, ready to be typed again: just `name` where that is enough.

    `package` is what `python -m` runs where there is no such command.
    """
    if Path(sys.argv[0]).stem == "__main__":
        return shlex.join([sys.executable, "-m", package])
    found = shutil.which(name)
    is_found = found is not None and Path(found) == Path(sys.argv[0]).absolute()
    return name if is_found else shlex.quote(sys.argv[0])
