"""Filling the arguments of a chosen tool from the person's words."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ira_home.domain.language import markers
from ira_home.domain.language.detect import Language
from ira_home.domain.language.lexicon import GENERIC, concepts_of
from ira_home.domain.language.phonetic import key
from ira_home.domain.language.places import Form, path_of
from ira_home.domain.language.words import Word, fold, is_devanagari, is_stop_word, split, stem
from ira_home.providers.llm.nokey.roles import Role, Slot
from ira_home.providers.llm.nokey.spoken import Spoken


def fill(slots: Iterable[Slot], words: Spoken) -> dict[str, Any]:
    """The arguments that the words give; what was not said stays out."""
    slots = list(slots)
    given: dict[str, Any] = {}
    for role in _ORDER:
        for slot in slots:
            if slot.role is role and slot.name not in given:
                value = _FILLERS[role](slot, words, slots)
                if value is not None:
                    given[slot.name] = [value] if slot.is_list else value
    for slot in slots:
        wanted = slot.required or slot.role is Role.QUERY  # a search without its words is none
        if wanted and slot.name not in given and slot.role in _TAKES_REMAINDER:
            value = words.remainder()
            if value is not None:
                given[slot.name] = [value] if slot.is_list else value
    return given


Filler = Callable[[Slot, Spoken, Sequence[Slot]], Any]


def _choice(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> Any:
    """The allowed value that was said, in whatever language; the longest one wins."""
    options = [one for one in slot.schema.get("enum", []) if isinstance(one, str)]
    for value in sorted(options, key=len, reverse=True):
        if _is_said(value, words):
            return value
    numbers = [one for one in slot.schema.get("enum", []) if isinstance(one, int)]
    said = {piece.value for piece in words.pieces if piece.form is Form.NUMBER}
    return next((one for one in numbers if str(one) in said), None)


def _is_said(value: str, words: Spoken) -> bool:
    wanted = [one.folded for one in split(value.replace("_", " "))]
    if len(wanted) == 1:
        return any(
            _means(word.folded, wanted[0], words.language) and not _is_preposition(word, words)
            for word in words.words
        )
    said = " ".join(one.folded for one in words.words)
    return bool(wanted) and f" {' '.join(wanted)} " in f" {said} "


def _is_preposition(word: Word, words: Spoken) -> bool:
    """An English "on" or "off" that belongs to what follows: "on my laptop"."""
    if word.folded not in ("on", "off"):
        return False
    after = next((one for one in words.words if one.start > word.start), None)
    return after is not None and after.folded in markers.ARTICLES and not _is_switched(word, words)


def _is_switched(word: Word, words: Spoken) -> bool:
    before = [one.folded for one in words.words if one.start < word.start]
    return bool(before) and before[-1] in ("turn", "switch", "put", "turned", "switched")


def _means(folded: str, target: str, language: Language) -> bool:
    if stem(folded) == stem(target) or (is_devanagari(folded) and key(folded) == key(target)):
        return True
    meant = concepts_of(folded, language)
    return target in meant or bool(meant.keys() & concepts_of(target, "en").keys() - GENERIC)


def _switch(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> bool | None:
    """True or False only when the argument's own words were said."""
    named = {stem(one.folded) for one in split(slot.words) if not is_stop_word(one.folded)}
    said = [one.folded for one in words.words]
    for place, word in enumerate(said):
        if stem(word) in named:
            around = set(said[max(0, place - 1) : place + 2])
            return not around & markers.NO_WORDS
    return None


def _number(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> int | float | None:
    """The number said; for an optional argument only one beside its own name: "page 2"."""
    piece = words.piece(Form.NUMBER, beside=None if slot.required else slot.words)
    if piece is None:
        return None
    value = float(piece.value)
    if value.is_integer():
        return int(value)
    return value if slot.schema.get("type") == "number" else None


def _moment(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.MOMENT)
    if piece is None:
        return None
    if slot.schema.get("format") == "date":
        return piece.value[:10]
    return piece.value.replace(" ", "T")


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
    said = name.value if name is not None else words.after(markers.NAMED)
    if said is None and slot.required and not _is_of_folders(slot):
        said = words.remainder()
    if folder is None and said is None:
        return None
    return path_of(None if folder is None else folder.value, said)


def _is_of_folders(slot: Slot) -> bool:
    told = {stem(one.folded) for one in split(f"{slot.words} {slot.schema.get('description', '')}")}
    return bool(told & {"folder", "directory"}) and not told & {"fil", "document"}


def _folder(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.FOLDER, Form.PATH)
    if piece is None:
        return None
    if piece.form is Form.PATH or "path" not in fold(str(slot.schema.get("description", ""))):
        return piece.value or "home"
    return path_of(piece.value, None)


def _file(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.PATH, Form.FILE, Form.QUOTE)
    return piece.value if piece is not None else words.after(markers.NAMED)


def _query(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.QUOTE, Form.FILE)
    if piece is not None:
        return piece.value
    return words.after(markers.NAMED) or words.after(markers.ABOUT - {"like"}, to_end=False)


def _text(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.QUOTE)
    if piece is not None:
        return piece.value
    colon = words.text.find(": ")
    if colon > 0:
        return words.take(colon + 1, len(words.text)) or None
    saying = markers.SAYING if words.language != "en" else markers.SAYING - {"ki"}
    return _after_saying(words, saying)


def _after_saying(words: Spoken, marks: frozenset[str]) -> str | None:
    """What follows "that" or "ki", which is also "of": only behind the word that chose the tool."""
    chosen = [end for _start, end in words.matched]
    for place, word in enumerate(words.words[:-1]):
        if word.folded in marks and any(end <= word.start for end in chosen):
            return words.take(words.words[place + 1].start, len(words.text)) or None
    return None


def _person(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.EMAIL, Form.PHONE)
    if piece is not None:
        return piece.value
    return (
        words.after(markers.NAMED)
        or words.before(markers.WHOM_BEHIND)
        or words.after(markers.TO)
        or words.after(markers.FOR)
        or words.before(markers.WHOSE_BEHIND)
        or _capitalised(words)
    )


def _capitalised(words: Spoken) -> str | None:
    """A name beside the verb: "text Rahul that …"."""
    for word in words.words[1:]:
        if word.raw[:1].isupper() and words.is_open(word) and not is_stop_word(word.folded):
            return words.take(word.start, word.end)
    return None


def _place(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    return words.after(markers.IN) or (
        words.before(markers.IN_BEHIND) if words.language != "en" else None
    )


def _name(_slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    piece = words.piece(Form.QUOTE)
    if piece is not None:
        return piece.value
    return words.after(markers.NAMED) or words.before(markers.NAME_BEHIND)


def _nothing(_slot: Slot, _words: Spoken, _slots: Sequence[Slot]) -> None:
    return None


# The surer a form is to be recognised, the earlier it takes its words. What to say comes before
# whom to say it to, because it reaches to the end of the sentence.
_ORDER = (
    Role.URL, Role.EMAIL, Role.MOMENT, Role.CHOICE, Role.SWITCH, Role.FOLDER, Role.FILE, Role.PATH,
    Role.NUMBER, Role.TEXT, Role.PERSON, Role.PLACE, Role.QUERY, Role.NAME, Role.OTHER,
)  # fmt: skip
_FILLERS: dict[Role, Filler] = {
    Role.URL: _form(Form.URL),
    Role.EMAIL: _form(Form.EMAIL),
    Role.MOMENT: _moment,
    Role.CHOICE: _choice,
    Role.SWITCH: _switch,
    Role.FOLDER: _folder,
    Role.FILE: _file,
    Role.PATH: _path,
    Role.NUMBER: _number,
    Role.TEXT: _text,
    Role.PERSON: _person,
    Role.PLACE: _place,
    Role.QUERY: _query,
    Role.NAME: _name,
    Role.OTHER: _nothing,
}
_TAKES_REMAINDER = frozenset({Role.FILE, Role.QUERY, Role.NAME, Role.PERSON, Role.TEXT, Role.PLACE})
