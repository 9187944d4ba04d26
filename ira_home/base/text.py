"""Text from outside made safe to keep and to show: cleaned, cut, isolated."""

import re
import unicodedata

_KEPT_CONTROLS = {"\n", "\t"}
_LINE_ENDS = _KEPT_CONTROLS | {"\r"}
# Invisible or direction-changing characters that can hide or reorder what a person reads.
# The zero-width joiner and non-joiner stay: Hindi and emoji need them.
_INVISIBLE = {chr(c) for c in (0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x3164, 0xFEFF, 0xFFA0)}  # fmt: skip
_INVISIBLE |= {chr(c) for start, end in ((0x180B, 0x180F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFFF9, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)) for c in range(start, end + 1)}  # fmt: skip
ELLIPSIS = "…"
# A joiner that follows no letter of a joining script joins nothing and only hides.
_STRAY_JOINERS = re.compile(r"(?<![^\x00-\x7f\u200c\u200d])[\u200c\u200d]+")
_BLANK_SYMBOLS = {"\u2800"}


def clean(text: str) -> str:
    """The text without control, invisible, private or unpaired characters; newlines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(
        c
        for c in text
        if c in _KEPT_CONTROLS
        or (c not in _INVISIBLE and unicodedata.category(c) not in {"Cc", "Cs", "Co", "Cn"})
    )


def hides(text: str) -> bool:
    """Whether something in the text cannot be seen or changes how the rest is seen; line ends do not."""
    return not text.isprintable() and any(
        c in _INVISIBLE or (unicodedata.category(c) in {"Cc", "Cs"} and c not in _LINE_ENDS)
        for c in text
    )


def one_line(text: str) -> str:
    """The cleaned text with all white space folded to single spaces."""
    return " ".join(clean(text).split())


def visible_line(text: str) -> str:
    """`one_line` without joiners that join nothing; empty when nothing in it can be seen."""
    line = " ".join(_STRAY_JOINERS.sub("", one_line(text)).split())
    shows = (unicodedata.category(c)[0] in "LNPS" and c not in _BLANK_SYMBOLS for c in line)
    return line if any(shows) else ""


def cut(text: str, chars: int) -> str:
    """At most `chars` code points, the last one an ellipsis when something was cut."""
    return text if len(text) <= chars else text[: chars - 1].rstrip() + ELLIPSIS
