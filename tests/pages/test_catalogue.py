"""Reading a gettext catalogue as translators' programs write it."""

from pathlib import Path

import pytest

from ira_home.web.pages.catalogue import Catalogue, read_catalogue

HEAD = """# Translators, 2026
msgid ""
msgstr ""
"Language: hi\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"""


def read(folder: Path, text: str) -> Catalogue:
    path = folder / "xx.po"
    path.write_text(HEAD + text, encoding="utf-8")
    return read_catalogue(path)


def test_long_texts_comments_and_escapes_are_read(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        r"""
#: web/templates/chat.html:3
#. Said over the list
msgctxt "a.b"
msgid ""
"One line, "
"\"quoted\" \\ more\n"
msgstr "एक\tलाइन"

#~ msgctxt "gone"
#~ msgid "Gone"
#~ msgstr "गया"
""",
    )
    assert found.entries["a.b"].source == ('One line, "quoted" \\ more\n',)
    assert found.texts() == {"a.b": ("एक\tलाइन",)}


def test_what_nobody_has_translated_or_looked_at_again_is_english(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        """
msgctxt "a"
msgid "Yes"
msgstr ""

#, fuzzy, python-brace-format
msgctxt "b"
msgid "No"
msgstr "हाँ"

msgctxt "c"
msgid "{n} day"
msgid_plural "{n} days"
msgstr[0] "{n} दिन"
msgstr[1] ""
""",
    )
    assert found.texts() == {"a": ("Yes",), "b": ("No",), "c": ("{n} day", "{n} days")}


def test_a_number_takes_the_form_that_the_catalogue_says(tmp_path: Path) -> None:
    found = read(tmp_path, "")
    assert [found.form(n) for n in (0, 1, 2, 11)] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    "text",
    [
        '\nmsgid "No key"\nmsgstr ""\n',
        '\nmsgctxt "a"\nmsgid "A"\nmsgstr ""\n\nmsgctxt "a"\nmsgid "B"\nmsgstr ""\n',
        '\nmsgctxt "a"\nmsgid "A"\nmsgid "B"\nmsgstr ""\n',
        '\nmsgctxt "a"\nmsgid "A\nmsgstr ""\n',
        '\nmsgctx "a"\nmsgid "A"\nmsgstr ""\n',
        '\n"loose"\n',
        "\n<<<<<<< HEAD\n",
    ],
)
def test_a_broken_catalogue_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"xx\.po"):
        read(tmp_path, text)


def test_a_catalogue_says_its_plurals(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text('msgid ""\nmsgstr "Language: xx\\n"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="Plural-Forms"):
        read_catalogue(path)
