"""The words of the pages: one catalogue of keys per language, and whose language is which."""

from functools import cache
from pathlib import Path
import re

from markupsafe import Markup, escape

from ira_home.web.pages.catalogue import Catalogue, read_catalogue

LANGUAGES = ("en", "hi")
FOLDER = Path(__file__).parent.parent / "locales"
CATEGORIES = ("one", "other")  # of numbers, as Unicode names them in every language of LANGUAGES
PLACEHOLDER = re.compile(r"\{(\w+)\}")
_STRONG = re.compile(r"\*([^*]+)\*")
_ACCEPTED = re.compile(
    r"\s*([a-zA-Z]{2,3})(?:-[a-zA-Z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*"
)


class Words:
    """The words of one language."""

    def __init__(self, lang: str, catalogue: Catalogue) -> None:
        """`catalogue` maps keys to texts with {placeholders}."""
        self.lang = lang
        self._texts = catalogue.texts()
        self._form = catalogue.form

    def __contains__(self, key: str) -> bool:
        """Whether there is a text of this key."""
        return key in self._texts

    def t(self, key: str, **values: object) -> str:
        """The text of a key with its placeholders filled in; plain text, to be escaped as any."""
        return _filled(self._texts[key][0], values)

    def count(self, key: str, n: int, **values: object) -> str:
        """The text for this number, by the rule of the language."""
        return _filled(self._texts[key][self._form(n)], {"n": n, **values})

    def rich(self, key: str, **values: object) -> Markup:
        """The text as HTML, *what stands between stars* strong; values are escaped."""
        text = _STRONG.sub(r"<b>\1</b>", str(escape(self._texts[key][0])))
        # The text is the catalogue's own, escaped above; values are escaped one by one.
        return Markup(PLACEHOLDER.sub(lambda found: str(escape(values[found[1]])), text))  # noqa: S704

    def said_by_scripts(self, prefix: str) -> dict[str, str | dict[str, str]]:
        """The texts of keys with this prefix; those with a number by their category in Intl.PluralRules."""
        return {
            key: texts[0] if len(texts) == 1 else dict(zip(CATEGORIES, texts, strict=True))
            for key, texts in self._texts.items()
            if key.startswith(prefix)
        }


def _filled(text: str, values: dict[str, object]) -> str:
    return PLACEHOLDER.sub(lambda found: str(values[found[1]]), text)


@cache
def words_of(lang: str) -> Words:
    """The words of a language of LANGUAGES."""
    return Words(lang, read_catalogue(FOLDER / f"{lang}.po"))


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
