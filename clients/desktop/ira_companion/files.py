"""The skill `files`: find and read documents in the folders that the person allowed."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from ira_companion.documents import read_document
from ira_companion.limits import FILES_A_PAGE, NAMES_SAID
from ira_companion.locating import locate
from ira_companion.names import telling_words
from ira_companion.opening import IsFolder, Missing
from ira_companion.settings import SettingsFile
from ira_companion.shelves import Place, Shelves
from ira_companion.text import pages_of
from ira_companion.walking import FoundFile, Walk, holds_words, walk
from ira_device import Device, ToolFailed
from ira_home.base.clock import Clock

_SKILL = "files"


class Files:
    """The two tools, on the folders allowed at the moment of each call."""

    def __init__(self, settings: SettingsFile, *, state: Path, clock: Clock) -> None:
        """`state` is the companion's own folder, which is never read."""
        self._settings = settings
        self._state = state
        self._clock = clock

    def offer(self, device: Device) -> None:
        """Declare the tools on a device."""
        device.tool(
            name="files_find",
            tier=0,
            skill=_SKILL,
            title="Find files",
            examples=[
                "find files about the electricity bill",
                "which files are in Downloads",
                "aadhar wali file dhundo",
                "बिजली बिल की फाइल खोजो",
            ],
        )(self.find)
        device.tool(
            name="files_read",
            tier=0,
            skill=_SKILL,
            title="Read a file",
            examples=[
                "read invoice.pdf in Downloads",
                "open the report from my documents folder",
                "Downloads me se invoice.pdf padh do",
                "invoice.pdf पढ़ो",
            ],
        )(self.read)

    def find(
        self,
        query: Annotated[str, "words of the file's name; empty for all files"] = "",
        folder: Annotated[str, "only in this folder, such as Downloads"] = "",
        page: Annotated[int, "which page of the list, from 1"] = 1,
    ) -> dict[str, Any]:
        """Find files on this computer by words of their names, newest first."""
        shelves = self._shelves()
        starts = shelves.named(folder) if folder.strip() else shelves.all()
        seen = walk(shelves, starts, self._clock)
        fitting = _fitting(seen, telling_words(query))
        chosen, pages = _page(fitting, page, FILES_A_PAGE)
        return {
            "summary": _found_words(fitting, seen, page, pages),
            "files": [_listed(shelves, one) for one in chosen],
            "page": page,
            "pages": pages,
        }

    def read(
        self,
        path: Annotated[str, "the file: a path like ~/Downloads/invoice.pdf, or only its name"],
        page: Annotated[int, "which page of its text, from 1"] = 1,
    ) -> dict[str, Any]:
        """Read a document on this computer: a text, Markdown, CSV, PDF or Word file. Gives its text."""
        shelves = self._shelves()
        places = locate(shelves, path, self._clock)
        if len(places) > 1:
            return _which(shelves, places)
        return self._read(shelves, places[0], page)

    def _read(self, shelves: Shelves, place: Place, page: int) -> dict[str, Any]:
        try:
            with shelves.inside(place.folder).open(place.parts) as file:
                document = read_document(file, place.name)
        except (Missing, IsFolder, OSError):
            message = f"{place.name} went away while it was opened."
            raise ToolFailed(message) from None
        texts = pages_of(document.text)
        (text,), pages = _page(texts, page, 1)
        where = f"page {page} of {pages}" if pages > 1 else ""
        words = f"Read {place.name} ({', '.join(filter(None, (document.kind, where)))})."
        if not text.strip():
            words = f"{place.name} is empty."
        if not document.is_whole:
            words += " It is so long that only its beginning can be read."
        return {
            "summary": words,
            "text": text,
            "page": page,
            "pages": pages,
            "path": shelves.shown(place),
        }

    def _shelves(self) -> Shelves:
        folders = self._settings.folders()
        return Shelves(folders, private=self._state, home=Path.home().resolve())


def _fitting(seen: Walk, wanted: Sequence[str]) -> list[FoundFile]:
    """The files that hold most of the words, at least half of them, newest first."""
    held = {one: holds_words(one, wanted) for one in seen.files}
    most = max(held.values(), default=0)
    if most * 2 < len(wanted):
        return []
    fitting = [one for one, count in held.items() if count == most]
    return sorted(fitting, key=lambda one: one.modified, reverse=True)


def _page(items: Sequence[Any], page: int, size: int) -> tuple[Sequence[Any], int]:
    pages = max(1, -(-len(items) // size))
    if not 1 <= page <= pages:
        message = f"There is no page {page}: there {'is one' if pages == 1 else f'are {pages}'}."
        raise ToolFailed(message)
    return items[(page - 1) * size : page * size], pages


def _found_words(fitting: Sequence[FoundFile], seen: Walk, page: int, pages: int) -> str:
    unseen = "" if seen.is_whole else " I could not look everywhere: there are too many files."
    if not fitting:
        return f"I found no such file in the folders that I may read.{unseen}"
    count = "1 file" if len(fitting) == 1 else f"{len(fitting)} files"
    named = ", ".join(one.place.name for one in fitting[:NAMES_SAID])
    more = ", …" if len(fitting) > NAMES_SAID else ""
    where = f" (page {page} of {pages})" if pages > 1 else ""
    return f"Found {count}, newest first{where}: {named}{more}.{unseen}"


def _listed(shelves: Shelves, one: FoundFile) -> dict[str, Any]:
    changed = datetime.fromtimestamp(one.modified).astimezone()
    return {
        "path": shelves.shown(one.place),
        "size": _size(one.size),
        "changed": changed.strftime("%Y-%m-%d %H:%M"),
    }


def _size(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"


def _which(shelves: Shelves, places: Sequence[Place]) -> dict[str, Any]:
    shown = [shelves.shown(place) for place in places]
    said = ", ".join(shown[:NAMES_SAID]) + (", …" if len(shown) > NAMES_SAID else "")
    return {
        "summary": f"There are {len(shown)} files that fit: {said}. Which one?",
        "files": shown[:50],
    }
