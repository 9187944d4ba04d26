"""The data folder: whether it may be used, and the names of what lies in it."""

import errno
import os
from pathlib import Path
import stat
import sys

from ira_home.base.errors import StorageFull
from ira_home.base.files import PRIVATE_FILE, PRIVATE_FOLDER, make_folder, tighten
from ira_home.base.folder_errors import DataFolderError, NoHouse

DATABASE = "ira.sqlite"
SECRET = "secret.key"  # noqa: S105 - the name of the file
LOCK = "ira.lock"
BACKUPS = "backups"

# Any of them tells of a house, though its database be lost.
_TRACES = (DATABASE, f"{DATABASE}-wal", SECRET)
# What somebody may put into the folder before the house is there, or the system does.
_BEFORE = frozenset({"ira.yaml", "tools", "lost+found", ".DS_Store"})

_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
_WHY = {
    errno.ELOOP: "is a link that leads back to itself",
    errno.ENOENT: "is a link that leads nowhere",
    errno.ENOTDIR: "lies under something that is no folder",
    errno.EACCES: "may not be opened by this user",
    errno.EPERM: "may not be changed by this user",
    errno.EROFS: "lies on a read-only disk",
    errno.ENAMETOOLONG: "has too long a name",
    errno.EIO: "lies on a disk that does not answer",
}


def prepare(folder: Path, *, make: bool = True) -> None:
    """Make the folder or check it, and close it to others; raises DataFolderError or StorageFull.

    A folder in which something else lies is refused and left as it is, and so is one without a house
    unless `make` says that one may be made: NoHouse.
    """
    try:
        if os.path.lexists(folder):
            folder.stat()  # a link that leads nowhere says so here
        if folder.is_dir():
            _check(folder)
        if not any(os.path.lexists(folder / trace) for trace in _TRACES):
            is_free = _is_free(folder)
            if not make:
                message = f"There is no house in {folder}{'' if is_free else ', but other things'}."
                raise NoHouse(message, is_free=is_free)
            if not is_free:
                raise _taken(folder)
            make_folder(folder)
        tighten(folder, PRIVATE_FOLDER)
        for entry in folder.iterdir():
            _tighten_own(entry)
    except OSError as error:
        raise refusal(folder, error) from error


def claim(folder: Path) -> None:
    """Take the folder for a house that is yet to be made; raises as `prepare`."""
    prepare(folder)
    try:
        (folder / LOCK).touch(PRIVATE_FILE)
    except OSError as error:
        raise refusal(folder, error) from error


def refusal(folder: Path, error: OSError) -> DataFolderError | StorageFull:
    """The sentence for what the system said."""
    if error.errno in _FULL:
        return StorageFull(
            "The disk is full, so the data folder cannot be used. Make some room on it."
        )
    if isinstance(error, FileExistsError):
        why = "is no folder"
    else:
        why = _WHY.get(error.errno or 0, f"cannot be used ({error.strerror})")
    return _unfit(folder, why)


def _unfit(folder: Path, why: str) -> DataFolderError:
    message = f"The data folder {folder} {why}. Choose another one with --data, or put this right."
    return DataFolderError(message)


def _check(folder: Path) -> None:
    """Refuse a folder that is not Ira's alone: what is in it is closed to others."""
    found = folder.stat()
    if _is_shared(folder) or found.st_mode & stat.S_ISVTX:
        raise _unfit(folder, "is used by other programs")
    if sys.platform != "win32" and found.st_uid != os.geteuid():
        raise _unfit(folder, f"belongs to another user (number {found.st_uid})")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise _unfit(folder, "cannot be written by this user")


def _is_free(folder: Path) -> bool:
    """Whether a house may be made there: a folder of something else would be closed to those who use it."""
    there = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    # The lock is the mark of a folder that a house was begun in.
    return LOCK in there or there <= _BEFORE


def _taken(folder: Path) -> DataFolderError:
    message = (
        f"{folder} holds other things and no house of Ira's, so it was left as it is. Choose an "
        "empty folder with --data, or one that is not there yet."
    )
    return DataFolderError(message)


def _is_shared(folder: Path) -> bool:
    """Whether it is a root, or somebody's home that was lived in before Ira came."""
    place = folder.resolve()
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - it does not raise where a user has no home
    if place == Path(place.anchor):
        return True
    return place == home and not (folder / DATABASE).exists() and any(folder.iterdir())


def _tighten_own(entry: Path) -> None:
    """Close what Ira made herself; a stranger's file in the folder is left alone."""
    if entry.name.startswith((DATABASE, SECRET)) or entry.name in (LOCK, "ira.yaml"):
        tighten(entry, PRIVATE_FILE)
    elif entry.name in (BACKUPS, "pki", "tools") and entry.is_dir():
        tighten(entry, PRIVATE_FOLDER)
        if entry.name == BACKUPS:
            for backup in entry.iterdir():
                tighten(backup, PRIVATE_FILE)
