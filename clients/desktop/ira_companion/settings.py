"""What the person chose on this computer: its label, and the folders that Ira may read."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct

from ira_companion.names import fold
from ira_home.base.errors import Invalid, NotFound
from ira_home.base.files import make_missing, write_private
from ira_home.base.folder_errors import DataFolderError

_FILE = "settings.json"


class Chosen(Struct, frozen=True, kw_only=True):
    """The settings as kept."""

    label: str = ""
    folders: list[str] = []


class FolderRefused(Invalid):
    """A folder that cannot be allowed; the message says why."""

    code = "folder_refused"
    default = "That folder cannot be allowed."


@dataclass(frozen=True, slots=True)
class AllowedFolder:
    """A folder that the person allowed, as a resolved path."""

    path: Path

    @property
    def name(self) -> str:
        """Its last name: what people call it."""
        return self.path.name


class SettingsFile:
    """The settings in the state folder; read anew each time, so that a change counts at once."""

    def __init__(self, state: Path) -> None:
        """`state` is the companion's own folder."""
        self._state = state

    def chosen(self) -> Chosen:
        """What was chosen so far; raises DataFolderError when it cannot be read."""
        path = self._state / _FILE
        try:
            return msgspec.json.decode(path.read_bytes(), type=Chosen)
        except FileNotFoundError:
            return Chosen()
        except (OSError, msgspec.MsgspecError) as error:
            message = (
                f"{path} cannot be read: put it right, or delete it and allow the folders again."
            )
            raise DataFolderError(message) from error

    def folders(self) -> list[AllowedFolder]:
        """The allowed folders, in the order they were allowed."""
        return [AllowedFolder(Path(path)) for path in self.chosen().folders]

    def set_label(self, label: str) -> None:
        """Keep what this computer calls itself."""
        self._write(msgspec.structs.replace(self.chosen(), label=label))

    def allow(self, paths: Iterable[Path]) -> list[AllowedFolder]:
        """Allow folders with all that is in them, or none of them; raises FolderRefused."""
        wanted = [resolved(path, self._state) for path in paths]
        kept = [folder.path for folder in self.folders()]
        for path in wanted:
            if not any(path.is_relative_to(one) for one in kept):
                kept = [one for one in kept if not one.is_relative_to(path)] + [path]
        chosen = msgspec.structs.replace(self.chosen(), folders=[str(path) for path in kept])
        self._write(chosen)
        return [AllowedFolder(path) for path in wanted]

    def forbid(self, text: str) -> AllowedFolder:
        """Take a folder off the list, by its path or its name; raises NotFound or Invalid."""
        folders = self.folders()
        path = _absolute(Path(text))
        found = [one for one in folders if path in (one.path, _absolute(one.path))] or [
            one for one in folders if fold(one.name) == fold(text)
        ]
        if not found:
            message = f"{text} is not among the allowed folders."
            raise NotFound(message)
        if len(found) > 1:
            message = f"Several allowed folders are called {text}: give the whole path."
            raise Invalid(message)
        left = [str(one.path) for one in folders if one != found[0]]
        self._write(msgspec.structs.replace(self.chosen(), folders=left))
        return found[0]

    def _write(self, chosen: Chosen) -> None:
        try:
            make_missing(self._state)
            content = msgspec.json.format(msgspec.json.encode(chosen), indent=2)
            write_private(self._state / _FILE, content)
        except OSError as error:
            message = f"{self._state} cannot be written: {error.strerror}."
            raise DataFolderError(message) from error


def resolved(path: Path, state: Path) -> Path:
    """The real folder behind a path, when it may be allowed; raises FolderRefused."""
    try:
        real = path.expanduser().resolve(strict=True)
        is_folder = real.is_dir()
    except (OSError, RuntimeError, ValueError):
        message = f"There is no folder {path}."
        raise FolderRefused(message) from None
    if not is_folder:
        message = f"{path} is no folder."
        raise FolderRefused(message)
    if real == Path(real.anchor):
        message = f"{path} is the whole disk: choose a folder on it."
        raise FolderRefused(message)
    if real.is_relative_to(state.resolve()):
        message = f"{path} is where this device's token is kept: choose another folder."
        raise FolderRefused(message)
    return real


def _absolute(path: Path) -> Path:
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        return path
