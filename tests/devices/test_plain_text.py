"""Events lose their HTML and Markdown, whatever way it is nested, and keep their words."""

import html
import re
import time

from hypothesis import given, settings, strategies as st
import pytest

from ira_home.devices.plain_text import plain
from tests.support.requirements import requirement


@requirement("event.stripped")
@pytest.mark.parametrize(
    ("dirty", "words"),
    [
        ("# Head\n**bold** _slanted_ `code`", "Head\nbold slanted code"),
        ("[link](https://evil.example/x) ![pic](https://evil.example/p.png)", "link pic"),
        ("<b>fat</b> <img src=x onerror=alert(1)> <a href='javascript:alert(3)'>go</a>", "fat go"),
        ("<script>alert(2)</script>all well", "all well"),
        ("***all*** ~~gone~~ __strong__", "all gone strong"),
        ("- one\n* two\n> three\n1. four", "one\ntwo\nthree\n1. four"),
        ("```python\nprint(1)\n```", "print(1)"),
        ("a<br>b", "a\nb"),
        ("[a][ref]\n\n[ref]: https://evil.example", "a"),
        ("see <https://example.com/x>", "see https://example.com/x"),
        ("fish &amp; chips &#38; peas", "fish & chips & peas"),
        ("<a title='x>y'>z</a>", "z"),
        ("<!-- hidden -->shown", "shown"),
    ],
)
def test_marks_go_and_words_stay(dirty: str, words: str) -> None:
    assert plain(dirty) == words


@pytest.mark.parametrize(
    "words",
    [
        "Added the invoice total test. 2 files changed. Tests: passed.",
        "5 < 6, 7 > 6 and 2 * 3 = 6",
        "task_done in file_name_2.py",
        "x?a=1&param=2&lang=en",
        "AT&T, R&D",
        "C:\\Users\\anna\\invoice.pdf",
        "हिंदी में काम पूरा हुआ 👩‍👧",
        "a -- b, -5 degrees",
        "cost: $5 [estimated] (about)",
    ],
)
def test_plain_words_stay_as_they_are(words: str) -> None:
    assert plain(words) == words


@pytest.mark.parametrize(
    "dirty",
    [
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "&amp;lt;script&amp;gt;alert(1)",
        "&amp;" * 30 + "lt;img src=x onerror=alert(1)>",
        "<<b>img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)",
        "[a]([b](javascript:alert(1)))",
        "&#60;img src=x&#62;",
        "&#x3c;img src=x>",
        "&ltimg src=x&gt",
        "<\u200bscript>alert(1)</script>",
        "<**script>",
        "\\<img src=x>",
        "<`img src=x>",
        "[x]\u200b(javascript:alert(1))",
        "[[a]](b)](c)",
    ],
)
def test_nothing_nested_or_encoded_comes_back(dirty: str) -> None:
    text = plain(dirty)
    for said in (text, html.unescape(text)):
        assert not re.search(r"<[a-zA-Z/!?]", said), said
        assert "](" not in said


pieces = st.sampled_from(
    ["<", ">", "&lt;", "&gt;", "&amp;", "&", "#", ";", "script", "img ", "b", "/", "!", "--", "[", "]", "(", ")", "*",
     "_", "`", "\\", "~", "\n", " ", "x", "&#60;", "&#60", "'", '"', "=", "-", "\u200b", "lt", "javascript:", "|", "\t"]
)  # fmt: skip


@given(st.lists(pieces, max_size=60).map("".join) | st.text(max_size=200))
@settings(max_examples=600)
def test_stripping_once_is_stripping_for_ever(dirty: str) -> None:
    text = plain(dirty)
    assert plain(text) == text
    assert not re.search(r"<[a-zA-Z/!?]", text)
    assert not re.search(r"<[a-zA-Z/!?]", html.unescape(text))
    assert "](" not in text
    assert "**" not in text
    assert "`" not in text


@pytest.mark.parametrize(
    "hostile",
    ["<a ", "[a", "_a ", "*a ", "(", "[a](", "<!--", "<script>", "&amp;", "<a '", '<a "', "`", "_", "* ", ">", "\\",
     "<", "&#38;", "- ", "[", "(()", "&amp;amp;", "<b", "[]()", "!["]
)  # fmt: skip
def test_hostile_text_takes_no_time(hostile: str) -> None:
    began = time.process_time()
    plain(hostile * (1_000_000 // len(hostile)))
    assert time.process_time() - began < 0.5
