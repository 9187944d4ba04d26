"""File names and words: what may be a name inside an allowed folder, and what is compared."""

import re
import sys
from typing import Final
import unicodedata

from ira_home.base.errors import ToolFailed

IS_WINDOWS: Final = sys.platform == "win32"
_WINDOWS_DEVICE = re.compile(
    r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def refusal(name: str, *, windows: bool = IS_WINDOWS) -> str | None:
    """Why this is no name that is opened inside an allowed folder, or None.

    `..` would lead out; hidden files hold settings and secrets; on Windows a colon opens another
    stream of the file, and some names are devices.
    """
    if name == "..":
        return "A path with .. is not followed."
    if name.startswith("."):
        return "Hidden files are not opened."
    if not name or "/" in name or "\\" in name or _CONTROL.search(name) or _is_unwritable(name):
        return "That is no file name."
    if windows and (":" in name or name[-1] in ". " or _WINDOWS_DEVICE.fullmatch(name)):
        return "That is no file name on Windows."
    return None


def check(name: str) -> None:
    """Raise ToolFailed with the refusal of a name, if there is one."""
    reason = refusal(name)
    if reason is not None:
        raise ToolFailed(reason)


def _is_unwritable(name: str) -> bool:
    """Whether the name holds half a character, as bytes that are no UTF-8 become."""
    return any("\ud800" <= c <= "\udfff" for c in name)


def fold(text: str) -> str:
    """The text as it is compared: case and the ways to compose a letter make no difference."""
    return unicodedata.normalize("NFC", text).casefold()


def words(text: str) -> list[str]:
    """The folded words of a text in any script; vowel signs belong to their words."""
    spaced = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in fold(text))
    return spaced.split()


# Words of a question that say nothing about the file.
_EMPTY: Final = frozenset(
    "a about all any called document documents file files find folder for from in is latest list me"
    " my named new newest of on open recent show that the which with"
    " dhundo dhundho dikhao hai ka ke ki ko kaunsi mein me meri mera naam sabhi se wali wala"
    " का की के को में से मेरी मेरा वाली वाला फाइल फ़ाइल फाइलें खोजो दिखाओ ढूंढो ढूँढो है".split()
)


def telling_words(query: str) -> list[str]:
    """The words of a query that a file's name may hold; empty when it only asks for files at all."""
    return [word for word in words(query) if word not in _EMPTY]
