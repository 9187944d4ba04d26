"""Runs in the bundle before everything else: programs that a tool starts get the system's libraries, not ours."""

# ruff: noqa: INP001  # it is no package: PyInstaller reads it
import os

# This process found its own already; a child that is part of the bundle finds them by itself.
for _name in ("LD_LIBRARY_PATH", "LIBPATH"):
    _before = os.environ.pop(f"{_name}_ORIG", None)
    os.environ.pop(_name, None)
    if _before is not None:
        os.environ[_name] = _before
