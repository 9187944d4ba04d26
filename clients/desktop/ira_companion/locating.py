"""From what a person said to the one file they mean, or to the few that it can be."""

from ira_companion.limits import NAMES_SAID
from ira_companion.names import fold, telling_words
from ira_companion.opening import IsFolder, Missing
from ira_companion.shelves import Meant, Place, Shelves
from ira_companion.walking import FoundFile, holds_words, stem, walk
from ira_home.base.clock import Clock
from ira_home.base.errors import ToolFailed


def locate(shelves: Shelves, text: str, clock: Clock) -> list[Place]:
    """The files that a path or name can mean, never none; raises ToolFailed saying what there is instead.

    A path is taken literally first, in any case. A bare name is looked for in all allowed folders,
    and their folders, with and without its ending.
    """
    readings = shelves.meant(text)
    for reading in readings:
        hits = _there(shelves, reading)
        if hits and not _is_bare(reading):
            return hits
        if hits:
            return list(dict.fromkeys([*hits, *_same_name(shelves, reading, clock)]))
    return _search(shelves, readings[-1], clock)


def _is_bare(reading: Meant) -> bool:
    return not reading.names_folder and all(len(place.parts) == 1 for place in reading.places)


def _there(shelves: Shelves, reading: Meant) -> list[Place]:
    """The places of a reading where a file is; a refusal counts only when there is no other."""
    hits: list[Place] = []
    refused: ToolFailed | None = None
    for place in reading.places:
        try:
            hits += _files_at(shelves, place)
        except ToolFailed as error:
            refused = refused or error
    if refused is not None and not hits:
        raise refused
    return hits


def _files_at(shelves: Shelves, place: Place) -> list[Place]:
    inside = shelves.inside(place.folder)
    try:
        inside.open(place.parts).close()
    except Missing:
        return _in_any_case(shelves, place)
    except IsFolder:
        message = f"{shelves.shown(place)} is a folder. Ask me which files are in it."
        raise ToolFailed(message) from None
    return [place]


def _in_any_case(shelves: Shelves, place: Place) -> list[Place]:
    """Files whose path differs only in case, or in how its letters are composed."""
    inside = shelves.inside(place.folder)
    reached: list[tuple[str, ...]] = [()]
    for depth, step in enumerate(place.parts, start=1):
        is_last = depth == len(place.parts)
        further = []
        for parts in reached:
            try:
                entries = inside.entries(parts)
            except (Missing, ToolFailed):
                continue
            further += [
                (*parts, one.name)
                for one in entries
                if one.is_folder is not is_last and fold(one.name) == fold(step)
            ]
        reached = further
    return [Place(place.folder, parts) for parts in reached]


def _same_name(shelves: Shelves, reading: Meant, clock: Clock) -> list[Place]:
    name = fold(reading.places[0].name)
    seen = walk(shelves, shelves.all(), clock)
    return [one.place for one in seen.files if fold(one.place.name) == name]


def _search(shelves: Shelves, reading: Meant, clock: Clock) -> list[Place]:
    name = reading.places[0].name
    scope = reading.places if reading.names_folder else None
    starts = shelves.all()
    if scope is not None:
        starts = [Place(one.folder, one.parts[:-1]) for one in scope]
    seen = walk(shelves, starts, clock)
    alike = [one.place for one in seen.files if fold(one.place.name) == fold(name)]
    alike = alike or [one.place for one in seen.files if stem(one.place.name) == fold(name)]
    if alike:
        return alike
    where = "" if scope is None else f" in {shelves.shown(starts[0])}"
    message = f"There is no file {name}{where}.{_near(shelves, seen.files, name)}"
    if not seen.is_whole:
        message += " I could not look everywhere: there are too many files."
    raise ToolFailed(message)


def _near(shelves: Shelves, files: list[FoundFile], name: str) -> str:
    wanted = telling_words(stem(name))
    near = [one for one in files if wanted and holds_words(one, wanted) == len(wanted)]
    near.sort(key=lambda one: one.modified, reverse=True)
    if not near:
        return ""
    shown = ", ".join(shelves.shown(one.place) for one in near[:NAMES_SAID])
    return f" Its name is like that of: {shown}."
