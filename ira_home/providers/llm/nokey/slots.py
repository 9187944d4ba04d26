"""Filling the arguments of a chosen tool from the person's words."""

from collections.abc import Callable, Iterable, Sequence
import re
from typing import Any

from ira_home.domain.language import markers
from ira_home.domain.language.lexicon import GENERIC, OPPOSITES, concepts_of
from ira_home.domain.language.places import Form, path_of
from ira_home.domain.language.tense import Lean
from ira_home.domain.language.words import fold, is_stop_word, stem
from ira_home.providers.llm.nokey import names
from ira_home.providers.llm.nokey.amounts import numbers_for
from ira_home.providers.llm.nokey.choices import choice
from ira_home.providers.llm.nokey.roles import Role, Slot
from ira_home.providers.llm.nokey.shapes import shaped
from ira_home.providers.llm.nokey.spoken import Spoken
from ira_home.providers.llm.nokey.times import moments_for

Filler = Callable[[Slot, Spoken, Sequence[Slot]], Any]


def fill(
    slots: Iterable[Slot], words: Spoken, lean: Lean, *, remainder: bool = True
) -> dict[str, Any]:
    """The arguments that the words give; what was not said stays out.

    `lean` is which way "kal" goes for this tool; `remainder` lets an argument take what nothing
    else has claimed.
    """
    slots = list(slots)
    given: dict[str, Any] = {}

    def by(role: Role) -> list[Slot]:
        return [one for one in slots if one.role is role and one.name not in given]

    def each(role: Role, filler: Callable[[Slot], Any]) -> None:
        for slot in by(role):
            value = filler(slot)
            if isinstance(value, str):
                value = shaped(slot, value)
            if value is not None:
                given[slot.name] = _listed(slot, value, filler) if slot.is_list else value

    if not by(Role.MOMENT):  # else a time inside what is said is the tool's own
        each(Role.TEXT, lambda _slot: _said_behind(words))
    each(Role.CHOICE, lambda slot: choice(slot, words, lean))
    given |= moments_for(by(Role.MOMENT), words, lean)
    given |= numbers_for(by(Role.NUMBER), words)
    each(Role.TEXT, lambda _slot: _said_behind(words))
    for role, filler in _FILLERS.items():
        each(role, lambda slot, filler=filler: filler(slot, words, slots))  # type: ignore[misc]
    for role in (Role.PERSON, Role.PLACE):
        still_open = [one for one in slots if one.name not in given]
        each(role, lambda slot, left=still_open: names.unknown(slot, words, left))  # type: ignore[misc]
    for role in _TAKES_REMAINDER if remainder else ():
        wanted = role in _EVEN_OPTIONAL or role is Role.NAME
        each(role, lambda slot, wanted=wanted: names.rest(slot, words) if wanted or slot.required else None)  # type: ignore[misc]  # fmt: skip
    return given


_LISTED = frozenset({Role.NAME, Role.PERSON, Role.TEXT, Role.QUERY})
_BETWEEN = re.compile(r"\s*,\s*(?:and |aur |और )?|\s+(?:and|aur|और|&)\s+", re.IGNORECASE)
_VALUES_MAX = 20


def _listed(slot: Slot, first: Any, filler: Callable[[Slot], Any]) -> list[Any]:
    """All the values that were said: "subah aur raat", "milk, eggs and bread"."""
    if slot.role is not Role.CHOICE:
        parts = _BETWEEN.split(first) if isinstance(first, str) and slot.role in _LISTED else [first]  # fmt: skip
        return [one for one in parts if one != ""]
    found = [first]
    while len(found) < _VALUES_MAX and (value := filler(slot)) is not None and value not in found:
        found.append(value)
    return found


def _switch(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> bool | None:
    """True or False only when the argument's own words were said."""
    named = {one for one in slot.stems if len(one) > 2 and not is_stop_word(one)}
    meant = {concept for one in named for concept in concepts_of(one, "en")} - GENERIC
    if slot.told_stems & _RUNS and (state := _state(words)) is not None:
        return state
    for term in words.request.terms:  # phrases mean more than their words: "bina padhe" is unread
        said = {one[2:] for one in term.features if one[0] == "c"}
        places = words.at(term.start, term.end)
        if len(places) > 1 and said & meant and words.is_free(places):
            words.used.update(places)
            return True
    for place, word in enumerate(words.words):
        if stem(word.folded) in named or meant & concepts_of(word.folded, words.language).keys():
            around = {one.folded for one in words.words[max(0, place - 2) : place + 3]}
            words.used.add(place)
            return not around & (markers.NO_WORDS | markers.WITHOUT)
        if any(OPPOSITES.get(one, frozenset()) & meant for one in concepts_of(word.folded, words.language)):  # fmt: skip
            words.used.add(place)
            return False
    return None


# What says that a thing runs, or that it stands still.
_RUNS = frozenset({"power", "on", "off", "enabl", "activ", "run", "running", "switch", "stat"})
_RUNNING, _STANDING = frozenset({"on", "start", "open"}), frozenset({"off", "stop", "close"})


def _state(words: Spoken) -> bool | None:
    """Whether something is to run or to stand still, by the words and phrases that say so."""
    for place, word in reversed(list(enumerate(words.words))):
        if place in words.used:
            continue
        meant = set(concepts_of(word.folded, words.language))
        if word.folded in ("on", "off"):
            meant.add(word.folded)
        runs, stands = bool(meant & _RUNNING), bool(meant & _STANDING)
        if runs != stands:
            words.used.add(place)
            return runs
    return None


def _form(*forms: Form) -> Filler:
    def filler(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
        piece = words.piece(*forms)
        return None if piece is None else piece.value

    return filler


def _path(slot: Slot, words: Spoken, slots: Sequence[Slot]) -> str | None:
    whole = words.piece(Form.PATH)
    if whole is not None:
        return whole.value
    has_folder_slot = any(one.role is Role.FOLDER for one in slots)
    folder = None if has_folder_slot else words.piece(Form.FOLDER)
    name = words.piece(Form.FILE, Form.QUOTE)
    said = name.value if name is not None else words.name_after(markers.NAMED)
    if said is None and slot.required and not _is_of_folders(slot):
        said = words.topic()
    if folder is None and said is None:
        return None
    return path_of(None if folder is None else folder.value, said)


def _is_of_folders(slot: Slot) -> bool:
    told = slot.told_stems
    return bool(told & {"folder", "directory"}) and not told & {"fil", "document"}


def _folder(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.FOLDER, Form.PATH)
    if piece is None:
        return None
    if piece.form is Form.PATH or "path" not in fold(slot.told):
        return piece.value or "home"
    return path_of(piece.value, None)


def _file(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.PATH, Form.FILE, Form.QUOTE)
    return piece.value if piece is not None else words.name_after(markers.NAMED)


def _query(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.QUOTE, Form.FILE)
    if piece is not None:
        return piece.value
    return words.name_after(markers.NAMED) or words.name_after(markers.ABOUT - {"like", "for"})


def _said_behind(words: Spoken) -> str | None:
    """What to say: in quotes, behind a colon, or behind "that" or "ki", to the end."""
    piece = words.piece(Form.QUOTE)
    if piece is not None:
        return piece.value
    colon = words.text.find(": ")
    behind = next((n for n, one in enumerate(words.words) if one.start > colon), None)
    if colon > 0 and behind is not None:
        return _to_the_end(behind, words)
    marks = markers.SAYING if words.language != "en" else markers.SAYING - {"ki"}
    for place, word in enumerate(words.words[:-1]):
        if word.folded in marks and _opens_saying(place, words):
            words.used.add(place)
            words.marked += 1
            return _to_the_end(place + 1, words)
    return None


def _to_the_end(first: int, words: Spoken) -> str | None:
    """What is said from this word on, up to a word that another argument has."""
    while first < len(words.words) and first in words.used:
        first += 1
    last = first
    while last < len(words.words) and last not in words.used:
        last += 1
    if first == last:
        return None
    words.said.update(range(first, last))
    if last == len(words.words):
        return words.take_part(words.words[first].start, len(words.text)) or None
    return words.take(first, last) or None


def _opens_saying(place: int, words: Spoken) -> bool:
    """Whether the mark opens what is said: "ki", as often "of" as "that", does so behind a verb only."""
    behind_core = any(one in words.core for one in range(place))
    if words.words[place].folded != "ki":
        return behind_core
    before = words.words[place - 1].folded if place else ""
    return behind_core and (before in markers.HELPERS or place - 1 in words.core)


def _note(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.QUOTE)
    if piece is not None:
        return piece.value
    if (said := _said_behind(words)) is not None:
        return said
    return words.name_after(markers.BECAUSE) or words.name_before(markers.FOR_BEHIND)


# The surer a form is to be recognised, the earlier it takes its words.
_FILLERS: dict[Role, Filler] = {
    Role.URL: _form(Form.URL),
    Role.EMAIL: _form(Form.EMAIL),
    Role.SWITCH: _switch,
    Role.FOLDER: _folder,
    Role.FILE: _file,
    Role.PATH: _path,
    Role.CODE: names.code,
    Role.PERSON: names.person,
    Role.PLACE: names.place,
    Role.QUERY: _query,
    Role.NAME: names.thing,
    Role.NOTE: _note,
}
_TAKES_REMAINDER = (Role.FILE, Role.TEXT, Role.PERSON, Role.PLACE, Role.QUERY, Role.NAME, Role.NOTE)
_EVEN_OPTIONAL = frozenset({Role.QUERY, Role.NOTE, Role.TEXT})
