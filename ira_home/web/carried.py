"""The programs for other computers that this build carries: packaging/clients.sh puts them beside the pages."""

from dataclasses import dataclass
from functools import lru_cache
import hashlib
from pathlib import Path
import re

from ira_home.domain.devices import DeviceKind

FOLDER = Path(__file__).parent / "downloads"
# The companion, which is a wheel of the whole project: https://packaging.python.org/specifications/binary-distribution-format
_COMPANION = re.compile(r"ira_home-(?P<version>[0-9][0-9a-z.]*)-py3-none-any\.whl")
_COMPUTERS = (DeviceKind.WINDOWS, DeviceKind.MAC, DeviceKind.LINUX)


@dataclass(frozen=True, slots=True)
class Program:
    """One file that may be taken."""

    path: Path
    version: str
    kinds: tuple[DeviceKind, ...]  # of device that it makes
    size: int  # bytes
    sha256: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name


def programs() -> tuple[Program, ...]:
    """What is carried, read anew: nothing where nothing is. A file with another name is not handed out."""
    if not FOLDER.is_dir():
        return ()
    found = ((path, _COMPANION.fullmatch(path.name)) for path in sorted(FOLDER.iterdir()))
    return tuple(
        _program(path, name["version"])
        for path, name in found
        if name is not None and path.is_file()
    )


def _program(path: Path, version: str) -> Program:
    about = path.stat()
    return Program(
        path=path,
        version=version,
        kinds=_COMPUTERS,
        size=about.st_size,
        sha256=_sum(path, about.st_size, about.st_mtime_ns),
    )


@lru_cache(maxsize=16)
def _sum(path: Path, _size: int, _changed_ns: int) -> str:
    """The SHA-256 of a file, for as long as it stays as it is."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
