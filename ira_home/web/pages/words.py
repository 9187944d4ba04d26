"""The words of the pages: one catalogue of flat keys per language, and whose language is which."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
import re

from markupsafe import Markup, escape

from ira_home.base.jsontext import parse

LANGUAGES = ("en", "hi")
FOLDER = Path(__file__).parent.parent / "locales"
PLACEHOLDER = re.compile(r"\{(\w+)\}")
_STRONG = re.compile(r"\*([^*]+)\*")
_ACCEPTED = re.compile(
    r"\s*([a-zA-Z]{2,3})(?:-[a-zA-Z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*"
)


class Words:
    """The words of one language."""

    def __init__(self, lang: str, catalogue: Mapping[str, str]) -> None:
        """`catalogue` maps keys to texts with {placeholders}."""
        self.lang = lang
        self._texts = catalogue

    def __contains__(self, key: str) -> bool:
        """Whether there is a text of this key."""
        return key in self._texts

    def t(self, key: str, **values: object) -> str:
        """The text of a key with its placeholders filled in; plain text, to be escaped as any."""
        return PLACEHOLDER.sub(lambda found: str(values[found[1]]), self._texts[key])

    def count(self, key: str, n: int, **values: object) -> str:
        """The text for this number: `key.one` or `key.other`; in Hindi none at all is singular."""
        is_one = n == 1 or (self.lang == "hi" and n == 0)
        return self.t(f"{key}.one" if is_one else f"{key}.other", n=n, **values)

    def rich(self, key: str, **values: object) -> Markup:
        """The text as HTML, *what stands between stars* strong; values are escaped."""
        text = _STRONG.sub(r"<b>\1</b>", str(escape(self._texts[key])))
        # The text is the catalogue's own, escaped above; values are escaped one by one.
        return Markup(PLACEHOLDER.sub(lambda found: str(escape(values[found[1]])), text))  # noqa: S704

    def said_by_scripts(self) -> dict[str, str]:
        """The texts that the page's own scripts say."""
        return {key: text for key, text in self._texts.items() if key.startswith("js.")}


@cache
def words_of(lang: str) -> Words:
    """The words of a language of LANGUAGES."""
    text = (FOLDER / f"{lang}.json").read_text(encoding="utf-8")
    return Words(lang, parse(text))


def accepted(header: str) -> str:
    """The first of our languages that an Accept-Language header prefers, else English."""
    wanted: list[tuple[float, str]] = []
    for part in header[:200].split(","):
        found = _ACCEPTED.fullmatch(part)
        if found is not None and found[1].lower() in LANGUAGES:
            wanted.append((float(found[2] or 1), found[1].lower()))
    best = max(wanted, key=lambda one: one[0], default=(0.0, "en"))
    return best[1] if best[0] > 0 else "en"


def language(cookie: str | None, header: str) -> str:
    """The language of a visitor: what they chose, else what their browser asks for."""
    return cookie if cookie in LANGUAGES else accepted(header)
