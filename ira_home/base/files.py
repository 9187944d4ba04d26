"""Files and folders of our own: private whatever the umask, written whole or not at all."""

from contextlib import suppress
import os
from pathlib import Path
import stat
import sys

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700


def make_folder(path: Path) -> None:
    """The folder, made if it is missing, open to its owner only."""
    path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    tighten(path, PRIVATE_FOLDER)


def make_missing(path: Path) -> None:
    """The folder, made private if it is missing; one that is there keeps its mode: others may use it."""
    if not path.is_dir():
        make_folder(path)


def make_private(path: Path) -> None:
    """A new empty file that nobody else may open; raises FileExistsError."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    tighten(path, PRIVATE_FILE)


def tighten(path: Path, mode: int) -> bool:
    """Take away what `mode` does not allow; whether anything was wrong. Never follows a link."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode) or sys.platform == "win32":
        return False
    wrong = stat.S_IMODE(found.st_mode) != mode
    if wrong:
        path.chmod(mode)
    return wrong


def write_private(path: Path, content: bytes) -> None:
    """Write the file whole, onto the disk, in place of what was there."""
    half_made = path.with_name(path.name + ".part")
    half_made.unlink(missing_ok=True)
    make_private(half_made)
    half_made.write_bytes(content)
    replace_durably(half_made, path)


def replace_durably(half_made: Path, path: Path) -> None:
    """Give a finished file its name, after its content has reached the disk."""
    with half_made.open("rb+") as file:
        os.fsync(file.fileno())
    half_made.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder onto the disk, where the system can."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems refuse to sync a folder; the content itself is safe by then.
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
