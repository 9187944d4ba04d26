"""Opening and listing inside one allowed folder, and never anywhere else.

Each step of a path is opened from the folder before it and never follows a link, so that nothing
outside can be reached, also when somebody exchanges a folder for a link at the very moment.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
import errno
import os
from pathlib import Path
import stat
from typing import IO, Final, Protocol

from ira_companion.names import check, refusal
from ira_home.base.errors import ToolFailed

Parts = Sequence[str]
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_FOLDER: Final = _FLAGS | getattr(os, "O_DIRECTORY", 0)
# A named pipe must not make the companion wait, nor a terminal become its own.
_FILE: Final = _FLAGS | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_NAME_SURROGATE: Final = 0x2000_0000  # of a Windows reparse tag: it stands for another place
_HIDDEN_ON_WINDOWS: Final = 0x2 | 0x4  # hidden, system
_HIDDEN_ON_MAC: Final = getattr(stat, "UF_HIDDEN", 0)
_MISSING: Final = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL}


class Missing(Exception):
    """There is no such file or folder."""


class IsFolder(Exception):
    """A folder stands where a file was meant."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A plain file or folder as its folder lists it."""

    name: str
    is_folder: bool
    size: int
    modified: float


class Inside(Protocol):
    """The inside of one allowed folder."""

    def open(self, parts: Parts) -> IO[bytes]:
        """The file at these steps; raises Missing, IsFolder, or ToolFailed for what is refused."""
        ...

    def entries(self, parts: Parts) -> list[Entry]:
        """What stands in the folder at these steps, without links and hidden things."""
        ...


def inside(root: Path, private: Path) -> Inside:
    """The inside of `root`; `private` is a folder that is never entered, wherever it lies."""
    steps = hasattr(os, "O_NOFOLLOW") and os.open in os.supports_dir_fd
    return InsideBySteps(root, private) if steps else InsideByNames(root, private)


def is_link(found: os.stat_result) -> bool:
    """Whether this stands for another place: a symbolic link, or a junction of Windows."""
    tag: int = getattr(found, "st_reparse_tag", 0)
    return stat.S_ISLNK(found.st_mode) or bool(tag & _NAME_SURROGATE)


def is_hidden(found: os.stat_result) -> bool:
    """Whether the system itself hides it, whatever its name."""
    attributes: int = getattr(found, "st_file_attributes", 0)
    flags: int = getattr(found, "st_flags", 0)
    return bool(attributes & _HIDDEN_ON_WINDOWS or flags & _HIDDEN_ON_MAC)


def _link_refused(name: str) -> ToolFailed:
    return ToolFailed(f"{name} is a link to another place, and links are not followed.")


def _failure(error: OSError, name: str) -> Exception:
    if error.errno in _MISSING:
        return Missing()
    if error.errno == errno.ELOOP:
        return _link_refused(name)
    if error.errno in (errno.EACCES, errno.EPERM):
        return ToolFailed(f"This computer does not let me open {name}.")
    return ToolFailed(f"{name} cannot be opened ({os.strerror(error.errno or 0)}).")


def _entry(item: "os.DirEntry[str]") -> Entry | None:
    if refusal(item.name) is not None:
        return None
    try:
        found = item.stat(follow_symlinks=False)
    except OSError:
        return None  # silent-ok: it went away between listing and looking
    if is_link(found) or is_hidden(found):
        return None
    is_folder = stat.S_ISDIR(found.st_mode)
    if not is_folder and not stat.S_ISREG(found.st_mode):
        return None
    return Entry(item.name, is_folder, found.st_size, found.st_mtime)


class InsideBySteps:
    """Where the system opens a name relative to an open folder: Linux and macOS."""

    def __init__(self, root: Path, private: Path) -> None:
        """`root` has been resolved before."""
        self._root = root
        self._private = private

    def open(self, parts: Parts) -> IO[bytes]:
        """The file at these steps; raises Missing, IsFolder, or ToolFailed for what is refused."""
        if not parts:
            raise IsFolder
        with self._folder(parts[:-1]) as folder:
            descriptor = self._step(parts[-1], _FILE, folder)
        try:
            _check_file(os.fstat(descriptor), parts[-1])
            return os.fdopen(descriptor, "rb")
        except BaseException:
            os.close(descriptor)
            raise

    def entries(self, parts: Parts) -> list[Entry]:
        """What stands in the folder at these steps, without links and hidden things."""
        with self._folder(parts) as folder, os.scandir(folder) as items:
            return [entry for item in items if (entry := _entry(item)) is not None]

    @contextmanager
    def _folder(self, parts: Parts) -> Iterator[int]:
        folder = self._step(str(self._root), _FOLDER, None)
        try:
            self._refuse_private(folder)
            for part in parts:
                inner = self._step(part, _FOLDER, folder)
                os.close(folder)
                folder = inner
                self._refuse_private(folder)
                self._refuse_hidden(folder)
            yield folder
        finally:
            os.close(folder)

    def _step(self, name: str, flags: int, folder: int | None) -> int:
        if folder is not None:
            check(name)
        try:
            return os.open(name, flags, dir_fd=folder)
        except OSError as error:
            # Some systems say "no folder" of a link to one: the person is told what it is.
            if folder is not None and _is_link_in(name, folder):
                raise _link_refused(name) from None
            raise _failure(error, Path(name).name) from None

    def _refuse_hidden(self, folder: int) -> None:
        if is_hidden(os.fstat(folder)):
            message = "Hidden folders are not opened."
            raise ToolFailed(message)

    def _refuse_private(self, folder: int) -> None:
        if _is_same(os.fstat(folder), self._private):
            message = "Ira's own folder is not opened."
            raise ToolFailed(message)


class InsideByNames:
    """Where it does not: every step is looked at before and after, and both must be the same."""

    def __init__(self, root: Path, private: Path) -> None:
        """`root` has been resolved before."""
        self._root = root
        self._private = private

    def open(self, parts: Parts) -> IO[bytes]:
        """The file at these steps; raises Missing, IsFolder, or ToolFailed for what is refused."""
        if not parts:
            raise IsFolder
        path = self._root.joinpath(*parts)
        seen = self._look(parts)
        _check_file(seen[-1], parts[-1])
        try:
            file = path.open("rb")
        except OSError as error:
            raise _failure(error, parts[-1]) from None
        try:
            self._check_unchanged(parts, [*seen[:-1], os.fstat(file.fileno())])
        except BaseException:
            file.close()
            raise
        return file

    def entries(self, parts: Parts) -> list[Entry]:
        """What stands in the folder at these steps, without links and hidden things."""
        seen = self._look(parts)
        try:
            with os.scandir(self._root.joinpath(*parts)) as items:
                found = [entry for item in items if (entry := _entry(item)) is not None]
        except OSError as error:
            raise _failure(error, self._root.joinpath(*parts).name) from None
        self._check_unchanged(parts, seen)
        return found

    def _look(self, parts: Parts) -> list[os.stat_result]:
        path, seen = self._root, [self._look_at(self._root)]
        for part in parts:
            check(part)
            path /= part
            seen.append(self._look_at(path))
        return seen

    def _look_at(self, path: Path) -> os.stat_result:
        try:
            found = path.lstat()
        except OSError as error:
            raise _failure(error, path.name) from None
        if is_link(found):
            raise _link_refused(path.name)
        if path != self._root and is_hidden(found):
            message = "Hidden files are not opened."
            raise ToolFailed(message)
        if _is_same(found, self._private):
            message = "Ira's own folder is not opened."
            raise ToolFailed(message)
        return found

    def _check_unchanged(self, parts: Parts, seen: list[os.stat_result]) -> None:
        again = self._look(parts)
        if not all(map(os.path.samestat, seen, again)):
            raise _changed(parts[-1] if parts else self._root.name)


def _check_file(found: os.stat_result, name: str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsFolder
    if not stat.S_ISREG(found.st_mode) or is_hidden(found):
        message = f"{name} is no file that can be read."
        raise ToolFailed(message)


def _changed(name: str) -> ToolFailed:
    return ToolFailed(f"{name} was exchanged while it was opened. It was not read.")


def _is_link_in(name: str, folder: int) -> bool:
    try:
        return is_link(os.stat(name, dir_fd=folder, follow_symlinks=False))
    except (OSError, ValueError):
        return False


def _is_same(found: os.stat_result, path: Path) -> bool:
    try:
        return os.path.samestat(found, path.stat())
    except OSError:
        return False
