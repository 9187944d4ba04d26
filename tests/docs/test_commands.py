"""Commands that README, docs and CONTRIBUTING tell to type are taken by the programs as they stand there."""

from collections.abc import Iterator
import re
import shlex
import tomllib
from typing import Any

import click
import pytest

from ira_companion.main import companion
from ira_home.cli.demo import BOOK, READ, TODAY
from ira_home.cli.main import ira
from tests.support.pages import PAGES, TOP, code, read, rows

PROGRAMS: dict[str, click.Group] = {"ira": ira, "ira-companion": companion}
_PART = re.compile(r"\s*(?:[|;]|&&)\s+")


def told(page: str) -> Iterator[list[str]]:
    """The words of each command of ours in the page's code blocks."""
    for block in code(read(page)):
        for line in block.replace("\\\n", " ").splitlines():
            for part in _PART.split(line.strip()):
                if part.removeprefix(".venv/bin/").partition(" ")[0] in PROGRAMS:
                    yield shlex.split(part.removeprefix(".venv/bin/"), comments=True)


COMMANDS = [
    pytest.param(words, id=f"{path.name}: {' '.join(words)}")
    for path in PAGES
    for words in told(str(path.relative_to(TOP)))
]


def check(group: click.Command, words: list[str], parent: click.Context | None = None) -> None:
    """Read a command line as the program does, without running it; raises click.UsageError."""
    context = group.make_context(group.name, list(words), parent=parent)
    if isinstance(group, click.Group):
        rest: list[str] = [*context._protected_args, *context.args]
        _name, command, rest = group.resolve_command(context, rest)
        assert command is not None
        check(command, rest, context)


def test_there_are_commands_to_check() -> None:
    assert len(COMMANDS) > 10


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_is_taken_as_it_is_told(words: list[str]) -> None:
    check(PROGRAMS[words[0]], words[1:])


@pytest.mark.parametrize(
    "words",
    [["ira-companion", "pair", "https://192.168.1.23:8443/pair#code=ABCDEFGH"], ["ira", "serve", "--prt", "1"]],
)  # fmt: skip
def test_one_that_is_not_would_be_seen(words: list[str]) -> None:
    with pytest.raises(click.UsageError):
        check(PROGRAMS[words[0]], words[1:])


def _names(group: click.Group, said: str) -> set[str]:
    """All commands of a program, as they are called; a group by those in it."""
    found = set[str]()
    context = click.Context(group)
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        found |= _names(one, f"{said} {name}") if isinstance(one, click.Group) else {f"{said} {name}"}  # fmt: skip
    return found


def test_the_readme_names_every_command_of_ira() -> None:
    named = set[str]()
    for cell, _what in rows(read("README.md"), "command", "what it does"):
        for one in re.findall(r"`(ira [^`]+)`", cell):
            named |= _spread(one)
    assert named == _names(ira, "ira")


def _spread(cell: str) -> set[str]:
    """`ira user add / list` as `ira user add` and `ira user list`."""
    first, *others = cell.split(" / ")
    return {first, *(f"{first.rpartition(' ')[0]} {other}" for other in others)}


def test_the_page_of_the_companion_names_every_command_of_it() -> None:
    cells = " ".join(cell for cell, _what in rows(read("docs/companion.md"), "command", "what it does"))  # fmt: skip
    for name in _names(companion, "ira-companion"):
        assert f"`{name.removeprefix('ira-companion ')}" in cells, name


def test_the_readme_tells_to_ask_the_demo_what_the_demo_itself_tells() -> None:
    assert f"{READ}\n{TODAY}\n{BOOK}\n" in code(read("README.md"))


def test_what_is_told_to_make_can_be_made() -> None:
    known = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r"(?:`|^ {4})make ([a-z-]+)", text, re.MULTILINE):
            assert target in known, f"{path.name}: make {target}"


def test_every_kind_of_test_is_told_how_to_run() -> None:
    text = read("CONTRIBUTING.md")
    assert text.startswith("# Working on Ira Home\n")
    settings: Any = tomllib.loads(read("pyproject.toml"))["tool"]["pytest"]["ini_options"]
    ways = {
        "slow": "`make test-slow`",
        "bench": "`make bench`",
        "bundle": "`make test-bundle`",
        "lan": "`make test-lan`",
        "web": "`make test-web`",
    }
    for marker in settings["markers"]:
        name = re.split(r"[:(]", marker)[0]
        if name != "requirement":
            assert ways.get(name, f'-m "not {name}"') in text, name


def test_a_page_that_is_named_is_there() -> None:
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"`((?:docs|clients|tests|packaging|ira_home)/[\w./-]*\w/?)`", text):
            if "<" not in name and "NNNN" not in name:
                assert (TOP / name).exists(), f"{path.name}: {name}"
        for name in re.findall(r"\]\(([\w./-]+\.md)\)", text):
            assert (path.parent / name).exists(), f"{path.name}: {name}"
