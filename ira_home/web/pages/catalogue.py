"""A gettext catalogue (.po) as it is written: no compiled copy of it has to be made or kept in step.

An entry's context is its key in templates, pages and scripts, its id the English text. In en.po that text
is all there is; another language translates it. What is not translated, or marked fuzzy, is English.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from gettext import c2py
from pathlib import Path
import re

_LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+)?"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_RULE = re.compile(r"^Plural-Forms: nplurals=(\d+); plural=(.+?);$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """The English texts of a key, and what they are in the language, in the order of its numbers."""

    source: tuple[str, ...]  # one, or one and many
    texts: tuple[str, ...]  # empty where nobody has translated it


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one language by key; `form` says which of them goes with a number."""

    entries: Mapping[str, Entry]
    forms: int
    form: Callable[[int], int]

    def texts(self) -> dict[str, tuple[str, ...]]:
        """What is said for each key."""
        return {key: entry.texts or entry.source for key, entry in self.entries.items()}


@dataclass(slots=True)
class _Block:
    """The lines of one entry, gathered by their keyword."""

    found: dict[str, str] = field(default_factory=dict)
    last: str = ""
    is_fuzzy: bool = False

    def take(self, line: str) -> bool:
        """Take a line of the entry; False when it is none."""
        match = _LINE.fullmatch(line)
        if match is None or not (match[1] or self.last):
            return False
        text = _ESCAPED.sub(lambda one: _MEANT.get(one[1], one[0]), match[2])
        if match[1]:
            if match[1] in self.found:
                return False
            self.last, self.found[match[1]] = match[1], text
        else:
            self.found[self.last] += text
        return True


def read_catalogue(path: Path) -> Catalogue:
    """The catalogue of a file; raises ValueError with the line that is none, OSError without a file."""
    entries: dict[str, Entry] = {}
    header = ""
    for number, block in _blocks(path):
        one, many = block.found.get("msgid", ""), block.found.get("msgid_plural")
        if not one:
            header = block.found.get("msgstr", "")
            continue
        key = block.found.get("msgctxt", "")
        if not key or key in entries:
            message = f"{path.name}, line {number}: {key!r} has no key of its own"
            raise ValueError(message)
        said = tuple(text for name, text in sorted(block.found.items()) if "msgstr" in name)
        is_said = all(said) and not block.is_fuzzy
        entries[key] = Entry((one,) if many is None else (one, many), said if is_said else ())
    rule = _RULE.search(header)
    if rule is None:
        message = f"{path.name} does not say its Plural-Forms"
        raise ValueError(message)
    return Catalogue(entries, int(rule[1]), c2py(rule[2]))


def _blocks(path: Path) -> list[tuple[int, _Block]]:
    """The entries as they are written, each with the line it begins at."""
    found: list[tuple[int, _Block]] = []
    block: _Block | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#~"):
            block = None
            continue
        if block is None:
            block = _Block()
            found.append((number, block))
        if text.startswith("#"):
            block.is_fuzzy = block.is_fuzzy or (text.startswith("#,") and "fuzzy" in text)
        elif not block.take(text):
            message = f"{path.name}, line {number} is no line of a catalogue"
            raise ValueError(message)
    return [(number, one) for number, one in found if one.found]
