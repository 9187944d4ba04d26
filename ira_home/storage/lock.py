"""The data lock: one process at a time has a data folder open."""

from contextlib import suppress
import os
from pathlib import Path
import sys

from ira_home.base.files import PRIVATE_FILE, tighten
from ira_home.base.folder_errors import AlreadyRunning

# On Windows a locked byte cannot be read, so the byte that is locked lies far behind the text.
_FAR = 1 << 30


class DataLock:
    """Held from `take` to `release`, and let go by the system when the process dies.

    The file stays where it is: removing it would let two processes lock two files of one name.
    Its text, the process id, only serves the sentence that the second one gets.
    """

    def __init__(self, descriptor: int) -> None:
        """Use `take`."""
        self._descriptor = descriptor

    @classmethod
    def take(cls, path: Path) -> "DataLock":
        """Take the lock; raises AlreadyRunning, or OSError when the file cannot be made."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        try:
            _lock(descriptor)
        except OSError:
            owner = _read(descriptor)
            os.close(descriptor)
            raise AlreadyRunning(_sentence(path.parent, owner)) from None
        tighten(path, PRIVATE_FILE)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        return cls(descriptor)

    def release(self) -> None:
        """Let the next one in."""
        os.close(self._descriptor)


def _sentence(folder: Path, owner: str) -> str:
    who = f" (process {owner})" if owner else ""
    return f"Ira is already running on {folder}{who}. Stop it first, or use another folder with --data."


def _read(descriptor: int) -> str:
    with suppress(OSError, UnicodeDecodeError):
        text = os.read(descriptor, 32).decode("ascii").strip()
        return text if text.isdecimal() else ""
    return ""


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
