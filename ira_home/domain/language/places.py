"""Things in a request that are known by their form: files, folders, addresses, quotes, codes."""

from dataclasses import dataclass
from enum import StrEnum
import re

from ira_home.domain.language.words import Word, fold, is_stop_word, split


class Form(StrEnum):
    """What a piece of a request is, by how it is written."""

    QUOTE = "quote"
    URL = "url"
    EMAIL = "email"
    PATH = "path"  # a whole path as said
    FILE = "file"  # a file name with its ending
    FOLDER = "folder"
    PHONE = "phone"  # a telephone number
    CODE = "code"  # a registration, a reference: capitals and digits


@dataclass(frozen=True, slots=True)
class Piece:
    """A recognised piece: its form, its value, and where it stands in the text."""

    form: Form
    value: str
    start: int
    end: int


# The folders that every desktop system has, by the names people give them.
FOLDERS = {
    fold(word): folder
    for folder, words in {
        "Downloads": "downloads download डाउनलोड डाउनलोड्स",
        "Documents": "documents document docs दस्तावेज़ दस्तावेज़ों डॉक्यूमेंट डॉक्यूमेंट्स",
        "Desktop": "desktop डेस्कटॉप",
        "Pictures": "pictures photos तस्वीरें तस्वीरों फ़ोटो पिक्चर्स",
        "Music": "music संगीत म्यूजिक",
        "Videos": "videos वीडियो",
        "": "home होम",
    }.items()
    for word in words.split()
}
_FOLDER_WORDS = frozenset({"folder", "directory", "फोल्डर", "फोल्डरों"})
_BEFORE_FOLDER = frozenset("in from inside into within to of on under".split())
_AFTER_FOLDER = frozenset("me mein mai se wali wala में से वाली वाला".split())
_BETWEEN = frozenset({"my", "the", "mere", "meri", "mera"})

# What a bare address ends in, where it could be a file name by its form: "irctc.co.in", "example.org/help".
_DOMAINS = "com|org|net|in|gov|edu|info|io|co|app|dev|ai|me|tv|online|shop|site|uk|us|eu|biz"
# Letters, the signs of Devanagari that are none, and what else names have, as one class: with two
# ways to read a letter a long word would take for ever.
_NAME = r"[\w\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963()+&@-]"
_FORMS = (
    (Form.QUOTE, re.compile("[\"\u201c\u00ab]([^\"\u201d\u00bb]{1,2000})[\"\u201d\u00bb]|(?<!\\w)['\u2018]([^'\u2019]{1,2000})['\u2019](?!\\w)")),
    (Form.URL, re.compile(r"(?:https?://|www\.)[^\s<>\"']+[^\s<>\"'.,;:!?)]")),
    (Form.EMAIL, re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    (Form.URL, re.compile(rf"(?<![\w.@/~\\-])(?:[A-Za-z0-9-]+\.)+(?:{_DOMAINS})(?![\w.-]*[^\W_])(?:/[^\s<>\"']*[^\s<>\"'.,;:!?)])?", re.IGNORECASE)),
    (Form.PATH, re.compile(r"(?<!\S)(?:~/|/|[A-Za-z]:\\)[^\s\"']+")),
    (Form.CODE, re.compile(r"(?<!\w)(?:[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?\d{3,4}|(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d][A-Z\d-]{3,15}[A-Z\d])(?!\w)")),
    (Form.PHONE, re.compile(r"(?<![\w.])(?!\d{4}-\d{2}-\d{2})\+?\d(?:[ -]?\d){7,14}(?![\w.])")),
    (Form.FILE, re.compile(rf"(?<![\w.])(?<!{_NAME}){_NAME}+(?:\.{_NAME}+)*\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{{1,5}}(?![\w.])")),
)  # fmt: skip


def pieces_of(text: str) -> list[Piece]:
    """The recognised pieces in order, none within another."""
    found: list[Piece] = []
    for form, pattern in _FORMS:
        for hit in pattern.finditer(text):
            value = next((group for group in hit.groups() if group), hit[0])
            _keep(found, Piece(form, value, hit.start(), hit.end()))
    words = split(text)
    for place in range(len(words)):
        folder = _folder(words, place)
        if folder is not None:
            _keep(found, folder)
    return sorted(found, key=lambda one: one.start)


def _keep(found: list[Piece], piece: Piece) -> None:
    if all(piece.end <= one.start or one.end <= piece.start for one in found):
        found.append(piece)


def _folder(words: list[Word], place: int) -> Piece | None:
    """The folder that the word names, by what stands around it."""
    word = words[place]
    before, after = _before(words, place), words[place + 1] if place + 1 < len(words) else None
    if after is not None and after.folded in _FOLDER_WORDS and not is_stop_word(word.folded):
        value = FOLDERS.get(word.folded, word.raw)
        return Piece(Form.FOLDER, value, word.start, after.end)
    if word.folded not in FOLDERS:
        return None
    around = before in _BEFORE_FOLDER or (after is not None and after.folded in _AFTER_FOLDER)
    named = place > 0 and word.raw[:1].isupper()
    if not around and not named:
        return None
    return Piece(Form.FOLDER, FOLDERS[word.folded], word.start, word.end)


def _before(words: list[Word], place: int) -> str:
    for word in reversed(words[:place]):
        if word.folded not in _BETWEEN:
            return word.folded
    return ""


def path_of(folder: str | None, name: str | None) -> str:
    """A path from what was said: known folders lie in the home folder, others stay as said."""
    if folder is None:
        return name or ""
    known = folder in FOLDERS.values()
    base = "~" if folder == "" else f"~/{folder}" if known else folder
    return base if name is None else f"{base}/{name}"
