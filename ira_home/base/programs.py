"""Starting another program of Ira's own, from an installation and from the bundle alike."""

from pathlib import Path
import sys


def is_bundled() -> bool:
    """Whether this is the bundle, where no Python interpreter can be started."""
    return bool(getattr(sys, "frozen", False))


def own_program(package: str) -> list[str]:
    """The words that start a package's program, to which its arguments are added.

    In the bundle it is an executable beside this one, named like the package (`ira_companion` is
    `ira-companion`); everywhere else this interpreter runs the package. The folder that it is
    started in, which may be anybody's, is no place to import from: hence -P.
    """
    if is_bundled():
        here = Path(sys.executable)
        return [str(here.with_name(package.replace("_", "-") + here.suffix))]
    return [sys.executable, "-P", "-m", package]
