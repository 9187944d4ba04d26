"""What templates and scripts may not hold, whatever they show: the content policy allows none of it."""

from pathlib import Path
import re

import pytest

from ira_home.web.pages.view import FOLDER, environment

TEMPLATES = sorted(FOLDER.glob("*.html"))
SCRIPTS = sorted((FOLDER.parent / "static").glob("*.js"))
STYLES = sorted((FOLDER.parent / "static").glob("*.css"))
_SPRITE = (FOLDER.parent / "static" / "sprite.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_holds_no_inline_style_script_or_handler(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"""\sstyle\s*=|\son[a-z]{2,}=["']|<style|javascript:""", text)
    for tag in re.findall(r"<script[^>]*>", text):
        assert "src=" in tag or 'type="application/json"' in tag
    assert not re.search(r"\|\s*safe|autoescape\s+false|Markup", text)


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_a_sheet_names_start_and_end_and_never_left_and_right(path: Path) -> None:
    sides = r"(?:margin|padding|border)-(?:left|right)|(?<![\w-])(?:left|right|float)\s*:|text-align:\s*(?:left|right)"
    assert re.findall(sides, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_can_be_read(path: Path) -> None:
    environment().get_template(path.name)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_icon_is_in_the_sprite(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r"(?:icon|door)\('([a-z]+)'", text):
        assert f'id="{name}"' in _SPRITE, name


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_form_that_acts_is_sent_by_post(path: Path) -> None:
    for tag in re.findall(r"<form[^>]*>", path.read_text(encoding="utf-8")):
        assert 'method="post"' in tag or 'role="search"' in tag


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_makes_no_markup_of_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    sinks = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc|DOMParser|\.style\b"
    assert not re.search(sinks, text)


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES, *TEMPLATES], ids=lambda path: path.name)
def test_nothing_names_another_host(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://(?!\{)", text)
