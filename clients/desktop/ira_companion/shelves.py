"""The allowed folders as a person speaks of them: how a file is named to them, and found by what they say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
import ntpath
from pathlib import Path, PurePath
import re

from ira_companion.limits import PATH_CHARS
from ira_companion.names import fold, refusal
from ira_companion.opening import Inside, inside
from ira_companion.settings import AllowedFolder
from ira_home.base.errors import ToolFailed

_IN_FOLDER = re.compile(
    r"(?P<what>.+)\s(?:in|from|inside|under)\s(?:the\s|my\s)?(?P<where>.+?)(?:\sfolder)?",
    re.IGNORECASE,
)
_QUOTES = "\"'“”‘’«»`"


@dataclass(frozen=True, slots=True)
class Place:
    """Steps inside an allowed folder, whether or not anything is there."""

    folder: AllowedFolder
    parts: tuple[str, ...]

    @property
    def name(self) -> str:
        """The last step, or the folder's own name."""
        return self.parts[-1] if self.parts else self.folder.name


@dataclass(frozen=True, slots=True)
class Meant:
    """What a person may mean: places as they said it, best first, and whether they named a folder."""

    places: tuple[Place, ...]
    names_folder: bool


class Shelves:
    """The folders allowed at this moment."""

    def __init__(self, folders: Sequence[AllowedFolder], *, private: Path, home: Path) -> None:
        """`private` is never entered; `home` is what `~` stands for."""
        self.folders = tuple(folders)
        self._private = private
        self._home = home

    def inside(self, folder: AllowedFolder) -> Inside:
        """The inside of one of them."""
        return inside(folder.path, self._private)

    def all(self) -> list[Place]:
        """The allowed folders themselves; raises ToolFailed when there are none."""
        if not self.folders:
            message = (
                "No folder may be read on this computer yet. "
                "Allow one there with: ira-companion folders add DIR"
            )
            raise ToolFailed(message)
        return [Place(folder, ()) for folder in self.folders]

    def shown(self, place: Place) -> str:
        """The place as a path that is said to the person and understood again when they repeat it."""
        path = place.folder.path.joinpath(*place.parts)
        if path.is_relative_to(self._home):
            return "/".join(("~", *path.relative_to(self._home).parts))
        alike = [one for one in self.folders if fold(one.name) == fold(place.folder.name)]
        if len(alike) == 1:
            return "/".join((place.folder.name, *place.parts))
        return str(path)

    def meant(self, text: str) -> list[Meant]:
        """Every way to read a path or name, the most literal first; raises ToolFailed for none at all."""
        text = _tidy(text)
        self.all()
        readings = [self._read(text)]
        spoken = _IN_FOLDER.fullmatch(text)
        if spoken is not None:
            readings += self._read_spoken(spoken["what"], spoken["where"])
        good = [one for one in readings if one is not None]
        if not good:
            message = f"{text} is not in a folder that I may read."
            raise ToolFailed(message)
        return good

    def named(self, text: str) -> list[Place]:
        """The places that a folder's name or path can mean; raises ToolFailed for none."""
        text = _tidy(text)
        self.all()
        plain = re.sub(r"(?i)^(the|my)\s|\sfolder$", "", text)
        readings = [one for one in (self._read(text), self._read(plain)) if one is not None]
        for reading in readings:
            if reading.names_folder:
                return list(reading.places)
        inner = [
            one for reading in readings for place in reading.places for one in self._inner(place)
        ]
        if not inner:
            message = f"{text} is not a folder that I may read."
            raise ToolFailed(message)
        return list(dict.fromkeys(inner))

    def _inner(self, place: Place) -> Iterator[Place]:
        """The folder of this name right inside an allowed one, in any case."""
        if len(place.parts) != 1:
            return
        for entry in self.inside(place.folder).entries(()):
            if entry.is_folder and fold(entry.name) == fold(place.name):
                yield Place(place.folder, (entry.name,))

    def _read_spoken(self, what: str, where: str) -> Iterator[Meant | None]:
        folders = self._read(where)
        if folders is None or not folders.names_folder:
            return
        steps = _steps(what)
        yield Meant(
            tuple(Place(p.folder, p.parts + steps) for p in folders.places), names_folder=True
        )

    def _read(self, text: str) -> Meant | None:
        """The text as a path; None when it leads outside every allowed folder."""
        absolute = self._absolute(text)
        exact = [] if absolute is None else self._under(absolute)
        if exact:
            return Meant(tuple(exact), names_folder=True)
        steps = _steps(_without_start(text))
        named = [one for one in self.folders if steps and fold(one.name) == fold(steps[0])]
        if named:
            return Meant(tuple(Place(one, steps[1:]) for one in named), names_folder=True)
        if absolute is not None:
            return None
        return Meant(tuple(Place(one, steps) for one in self.folders), names_folder=False)

    def _absolute(self, text: str) -> PurePath | None:
        if text == "~" or text.startswith(("~/", "~\\")):
            # What lies above an allowed folder may be hidden: the person allowed the folder itself.
            return self._home.joinpath(*_split(text[1:]))
        if text.startswith("/") or ntpath.splitdrive(text)[0]:
            return Path(text)
        return None

    def _under(self, path: PurePath) -> list[Place]:
        """The places of an absolute path, spelled in any case, in the folders that hold it."""
        found = []
        for folder in self.folders:
            depth = len(folder.path.parts)
            if list(map(fold, path.parts[:depth])) == list(map(fold, folder.path.parts)):
                found.append(Place(folder, _checked(path.parts[depth:])))
        return found


def _tidy(text: str) -> str:
    tidy = text.strip().strip(_QUOTES).strip()
    if not tidy or len(tidy) > PATH_CHARS:
        message = "Say which file: its name, or a path like ~/Downloads/invoice.pdf."
        raise ToolFailed(message)
    return tidy


def _without_start(text: str) -> str:
    drive, rest = ntpath.splitdrive(text)
    return rest if drive else text.removeprefix("~")


def _steps(text: str) -> tuple[str, ...]:
    """The steps of a relative path; raises ToolFailed for one that is never taken."""
    return _checked(_split(text))


def _split(text: str) -> list[str]:
    return [step for step in re.split(r"[/\\]+", text.strip()) if step not in ("", ".")]


def _checked(steps: Sequence[str]) -> tuple[str, ...]:
    for step in steps:
        reason = refusal(step)
        if reason is not None:
            raise ToolFailed(reason)
    return tuple(steps)
