"""A language that nobody speaks: English in accented letters and longer, so that what is not translated shows."""

from collections.abc import Iterator
from contextlib import contextmanager
import json
from pathlib import Path
import re
import shutil
from unittest.mock import patch

from ira_home.web.pages import words
from ira_home.web.pages.assets import assets
from ira_home.web.pages.catalogue import read_catalogue
from ira_home.web.pages.view import environment

_PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ODD = "ÀƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž"
_LETTERS = str.maketrans(_PLAIN, _ODD)
_KEPT = re.compile(r"(\{\w+\})")
_ASCII_WORD = re.compile(r"[A-Za-z]{2,}")
PAD = " ẋŵǫ" * 20
LONGER = 0.4  # as much as Hindi and German grow


def pseudo(text: str) -> str:
    """The text in brackets, in odd letters and longer; placeholders and stars stay."""
    odd = "".join(
        part if _KEPT.fullmatch(part) else part.translate(_LETTERS) for part in _KEPT.split(text)
    )
    return f"[{odd}{PAD[: int(len(text) * LONGER)].rstrip()}]"


def plain_words(text: str) -> list[str]:
    """The words of a text that went through no catalogue."""
    return _ASCII_WORD.findall(text)


@contextmanager
def pseudo_locale(folder: Path) -> Iterator[None]:
    """The pages speak it where they would speak English."""
    found = read_catalogue(words.FOLDER / "en.po")
    lines = ['msgid ""', 'msgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"']
    for key, entry in found.entries.items():
        lines += ["", f"msgctxt {_quoted(key)}", f"msgid {_quoted(entry.source[0])}"]
        if len(entry.source) == 1:
            lines.append(f"msgstr {_quoted(pseudo(entry.source[0]))}")
            continue
        lines.append(f"msgid_plural {_quoted(entry.source[1])}")
        lines += [f"msgstr[{i}] {_quoted(pseudo(one))}" for i, one in enumerate(entry.source)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "en.po").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(words.FOLDER / "hi.po", folder)
    with patch.object(words, "FOLDER", folder):
        _forget()
        try:
            yield
        finally:
            _forget()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _forget() -> None:
    for kept in (words.words_of, assets, environment):
        kept.cache_clear()
