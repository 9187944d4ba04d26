"""The companion's own folder: who may run on it, and how the one that runs is doing."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
import sys
from typing import Any

import msgspec
from msgspec import Struct

from ira_home.base.clock import Clock, rfc3339
from ira_home.base.errors import IraError
from ira_home.base.files import make_missing, write_private
from ira_home.base.folder_errors import DataFolderError

_LOCK = "run.lock"
_STATUS = "status.json"


class CompanionRunning(IraError):
    """Another companion runs on the same folder; two would push each other out."""

    code = "companion_running"
    default = "The companion is running already."


class Status(Struct, frozen=True, kw_only=True):
    """How a running companion is doing: written whenever it changes."""

    connected: bool
    words: str
    since: str


def default_folder() -> Path:
    """Where the state is kept when nothing else was chosen."""
    import platformdirs

    return Path(platformdirs.user_config_dir("ira-companion", appauthor=False))


def write_status(folder: Path, clock: Clock, *, connected: bool, words: str) -> None:
    """Keep how it is doing, for `ira-companion status`."""
    status = Status(connected=connected, words=words, since=rfc3339(clock.now()))
    # silent-ok: a full disk must not end the connection; `status` then only knows that it runs.
    with suppress(OSError):
        write_private(folder / _STATUS, msgspec.json.encode(status))


def read_status(folder: Path) -> Status | None:
    """How the running companion is doing; None when none runs."""
    if not is_running(folder):
        return None
    try:
        return msgspec.json.decode((folder / _STATUS).read_bytes(), type=Status)
    except (OSError, msgspec.MsgspecError):
        return None


@contextmanager
def run_lock(folder: Path) -> Iterator[None]:
    """Be the one that runs on this folder; raises CompanionRunning or DataFolderError."""
    try:
        make_missing(folder)
        file = (folder / _LOCK).open("a+b")
    except OSError as error:
        message = f"{folder} cannot be written: {error.strerror}."
        raise DataFolderError(message) from error
    with file:
        if not _lock(file):
            raise CompanionRunning
        (folder / _STATUS).unlink(missing_ok=True)
        yield


def is_running(folder: Path) -> bool:
    """Whether a companion runs on this folder."""
    try:
        with (folder / _LOCK).open("r+b") as file:
            return not _lock(file)
    except OSError:
        return False


def _lock(file: Any) -> bool:
    """Take the lock that ends with the file; whether it was free."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
