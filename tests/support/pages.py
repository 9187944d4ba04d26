"""README and docs as data: their code blocks, tables and the sentences that they tell people to say."""

from dataclasses import dataclass
from pathlib import Path
import re

TOP = Path(__file__).parents[2]
PAGES = sorted([*TOP.glob("*.md"), *TOP.glob("docs/*.md"), *TOP.glob("clients/**/README.md")])
_FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"(?:^(?: {4}|\t).*\n(?:\s*\n(?= {4}|\t))*)+", re.MULTILINE)


def read(name: str) -> str:
    """A page by its path in the project."""
    return (TOP / name).read_text(encoding="utf-8")


def fenced(text: str, language: str) -> list[str]:
    """The code blocks of a language."""
    return [code for found, code in _FENCED.findall(text) if found == language]


def code(text: str) -> list[str]:
    """Every code block but Python's and JSON's: fenced or indented."""
    rest = _FENCED.sub("", text)
    shown = [body for found, body in _FENCED.findall(text) if found in {"", "sh"}]
    return shown + [re.sub(r"^(?: {4}|\t)", "", one, flags=re.MULTILINE) for one in _INDENTED.findall(rest)]  # fmt: skip


def rows(text: str, *heads: str) -> list[list[str]]:
    """The rows of the table with these headings."""
    lines = iter(text.splitlines())
    wanted = "| " + " | ".join(heads) + " |"
    for line in lines:
        if line.strip() == wanted:
            break
    else:
        message = f"there is no table {wanted}"
        raise AssertionError(message)
    next(lines)
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
        found.append([cell.strip().replace("\\|", "|") for cell in cells])
    return found


@dataclass(frozen=True, slots=True)
class Promise:
    """What a page tells to say, the tool that it says will run, and what Ira is said to answer."""

    said: str
    tool: str
    answer: str


def promises(text: str) -> list[Promise]:
    """The rows of a page's table of things to say."""
    found = []
    for said, tool, answer in rows(text, "say", "tool", "Ira says"):
        named = re.match(r"`(\w+)`", tool)
        assert named is not None, tool
        found.append(Promise(said, named[1], answer))
    return found
