"""Looking through allowed folders: bounded in time and number, newest files first."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ira_companion.limits import DEPTH, FILES_LOOKED_AT, FIND_S, FOLDERS_LOOKED_AT
from ira_companion.names import fold, words
from ira_companion.opening import Missing
from ira_companion.shelves import Place, Shelves
from ira_home.base.clock import Clock
from ira_home.base.errors import ToolFailed


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that was seen."""

    place: Place
    size: int
    modified: float


@dataclass(slots=True)
class Walk:
    """What was seen; `is_whole` is false when a bound ended the walk."""

    files: list[FoundFile] = field(default_factory=list)
    is_whole: bool = True


def walk(shelves: Shelves, starts: Iterable[Place], clock: Clock) -> Walk:
    """Every file at and below the starting places, those of the upper folders first."""
    seen = Walk()
    ends_at = clock.monotonic() + FIND_S
    todo = deque(dict.fromkeys(starts))
    looked_at = 0
    while todo:
        looked_at += 1
        too_much = looked_at > FOLDERS_LOOKED_AT or len(seen.files) >= FILES_LOOKED_AT
        if too_much or clock.monotonic() > ends_at:
            seen.is_whole = False
            break
        place = todo.popleft()
        for one in _look(shelves, place):
            if isinstance(one, FoundFile):
                seen.files.append(one)
            elif len(one.parts) <= DEPTH:
                todo.append(one)
            else:
                seen.is_whole = False
    return seen


def _look(shelves: Shelves, place: Place) -> Iterator[FoundFile | Place]:
    try:
        entries = shelves.inside(place.folder).entries(place.parts)
    except (Missing, ToolFailed):
        return  # silent-ok: it went away meanwhile, or may not be listed
    for entry in entries:
        inner = Place(place.folder, (*place.parts, entry.name))
        yield inner if entry.is_folder else FoundFile(inner, entry.size, entry.modified)


def holds_words(found: FoundFile, wanted: Iterable[str]) -> int:
    """How many of the words the file's name, or the folders it lies in, hold."""
    steps = (found.place.folder.name, *found.place.parts)
    text = " ".join(word for step in steps for word in words(step))
    return sum(1 for word in wanted if word in text)


def stem(name: str) -> str:
    """The folded name without its ending."""
    return fold(name.rpartition(".")[0] or name)
