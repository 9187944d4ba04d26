"""Trust labels: where a text came from, and how untrusted text is wrapped for a model."""

from enum import StrEnum
import re
import unicodedata

from ira_home.base.limits import RESULT_CHARS
from ira_home.base.text import clean, one_line


class TrustLabel(StrEnum):
    """Where a text came from. Only the first is the person speaking in this turn."""

    OWN = "own"
    HOUSE = "house"
    DEVICE = "device"
    WEB = "web"

    @property
    def is_trusted(self) -> bool:
        """Whether text with this label may be shown to a model without a wrapper."""
        return self in (TrustLabel.OWN, TrustLabel.HOUSE)


# "<" and every character that looks like it or that a normalisation turns into it.
_ANGLES = dict.fromkeys(map(ord, "<\uff1c\ufe64\u2039\u276e\u27e8\u3008\u2329\u02c2\u1438\u276c\u2770\u29fc\u226e\u00ab\u300a\u2991\u29fd\u27ea\u226a\u22d8\u22d6\u2aa1\u2af7\u16b2\U0001d236"), "&lt;")  # fmt: skip
_ANGLE = re.compile("[" + "".join(map(chr, _ANGLES)) + "]")
_WRAPPERS = ("device_output", "web_results")
_TAG_CHARS = 64  # in which a name of a wrapper stands, with what may hide before and in it
_ATTRIBUTE = str.maketrans(
    {'"': "'", "<": "(", ">": ")", "&": "+"} | {chr(c): "(" for c in _ANGLES}
)
CUT_MARK = "\n[cut here: there is more]"


def escape(text: str) -> str:
    """The cleaned text with every `<` and its look-alikes as `&lt;`."""
    return clean(text).translate(_ANGLES)


def unforged(text: str) -> str:
    """Text of people and brains as it is, but for what looks like an end or a beginning of a wrapper."""
    if text.isascii() and "<" not in text:
        return text
    return _ANGLE.sub(
        lambda found: "&lt;" if _names_a_wrapper(text[found.end() :]) else found[0], text
    )


def _names_a_wrapper(rest: str) -> bool:
    word = unicodedata.normalize("NFKC", clean(rest[:_TAG_CHARS])).casefold()
    return word.lstrip().removeprefix("/").lstrip().startswith(_WRAPPERS)


def bare_label(text: str) -> str:
    """A name that somebody chose, on one line, as it may stand in words that no wrapper is put around."""
    return escape(one_line(text))


def bounded(text: str, chars: int = RESULT_CHARS) -> str:
    """Escaped text of at most `chars`, cut after escaping and never inside an entity."""
    safe = escape(text)
    if len(safe) <= chars:
        return safe
    kept = safe[: chars - len(CUT_MARK)]
    start = kept.rfind("&", max(0, len(kept) - 4))
    if start != -1 and "&lt;".startswith(kept[start:]) and kept[start:] != "&lt;":
        kept = kept[:start]
    return kept + CUT_MARK


def wrap(text: str, label: TrustLabel, source: str, chars: int = RESULT_CHARS) -> str:
    """Untrusted text as a model may see it: data inside one wrapper that it cannot end.

    `source` is the device's label for DEVICE; WEB wrappers carry none.
    """
    if label is TrustLabel.WEB:
        return f'<web_results untrusted="true">{bounded(text, chars)}</web_results>'
    named = one_line(source).translate(_ATTRIBUTE)[:120]
    return f'<device_output untrusted="true" from="{named}">{bounded(text, chars)}</device_output>'
