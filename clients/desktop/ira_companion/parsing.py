"""The program that takes hostile documents apart, in a process of its own: file on stdin, JSON on stdout.

It is started anew for each document, with little memory and time and nothing secret in reach, and
whatever happens to it the companion goes on.
"""

from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
import logging
import sys
from typing import Final, Literal
import zipfile

import msgspec
from msgspec import Struct

from ira_companion.limits import (
    PARSE_MEMORY_BYTES,
    PARSE_S,
    PARSE_SOFT_S,
    TEXT_CHARS,
    UNPACKED_BYTES,
    UNPACKED_PARTS,
)
from ira_home.base.clock import SystemClock
from ira_home.base.text import clean

PARSE: Final = "--parse"  # before the kind: what makes the companion's program this one
Problem = Literal["locked", "scanned", "broken", "too_large", "no_parser"]
_OLE: Final = b"\xd0\xcf\x11\xe0"  # the container of locked and of old Office documents


class Parsed(Struct, frozen=True, kw_only=True):
    """What came of a document: its text (`is_whole` false when there is more), or a problem."""

    text: str = ""
    is_whole: bool = True
    problem: Problem | None = None


def parsed_pdf(content: bytes) -> Parsed:
    """The text of a PDF, page after page as far as the time allows."""
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError, PyPdfError

    try:
        reader = PdfReader(BytesIO(content))
        # Many documents are only locked against changes: they open with no password.
        if reader.is_encrypted and not reader.decrypt(""):
            return Parsed(problem="locked")
        return _gathered(page.extract_text() for page in reader.pages)
    except FileNotDecryptedError:
        return Parsed(problem="locked")
    except PyPdfError:
        return Parsed(problem="broken")


def parsed_docx(content: bytes) -> Parsed:
    """The paragraphs and tables of a Word document, in their order."""
    if content.startswith(_OLE):
        return Parsed(problem="locked")
    problem = _problem_of_zip(content)
    if problem is not None:
        return Parsed(problem=problem)
    from docx import Document
    from docx.table import Table

    document = Document(BytesIO(content))
    blocks = document.iter_inner_content()
    return _gathered(
        _table_text(block) if isinstance(block, Table) else block.text for block in blocks
    )


def _table_text(table: object) -> str:
    rows = getattr(table, "rows", ())
    return "\n".join(" | ".join(cell.text.strip() for cell in row.cells) for row in rows)


def _problem_of_zip(content: bytes) -> Problem | None:
    """Why the parts should not be unpacked; the sizes it states are those that are unpacked at most."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return "broken"
    if any(part.flag_bits & 1 for part in parts):
        return "locked"
    if len(parts) > UNPACKED_PARTS or sum(part.file_size for part in parts) > UNPACKED_BYTES:
        return "too_large"
    return None


def _gathered(blocks: Iterator[str]) -> Parsed:
    """The blocks one below the other, until there is enough or the time is up."""
    clock = SystemClock()
    ends_at = clock.monotonic() + PARSE_SOFT_S
    texts: list[str] = []
    chars = 0
    is_whole = True
    for block in blocks:
        text = clean(block).strip()
        if text:
            texts.append(text)
            chars += len(text)
        if chars > TEXT_CHARS or clock.monotonic() > ends_at:
            is_whole = False
            break
    text = "\n\n".join(texts)[:TEXT_CHARS]
    return Parsed(text=text, is_whole=is_whole, problem=None if text else "scanned")


def _confine() -> None:
    """Take away what no parser needs, where the system can."""
    try:
        import resource
    except ImportError:
        return  # silent-ok: Windows; the companion still ends this process in time
    seconds = int(PARSE_S)
    for what, limit in (
        (resource.RLIMIT_AS, PARSE_MEMORY_BYTES),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(what, (limit, limit))


def main(kind: str) -> None:
    """Parse what stands on stdin as this kind of document."""
    logging.disable(logging.CRITICAL)
    parse = {"pdf": parsed_pdf, "docx": parsed_docx}[kind]
    _confine()
    try:
        parsed = parse(sys.stdin.buffer.read())
    except ImportError:
        parsed = Parsed(problem="no_parser")
    except Exception:  # noqa: BLE001
        # A boundary: a hostile document may make the libraries raise anything at all.
        parsed = Parsed(problem="broken")
    sys.stdout.buffer.write(msgspec.json.encode(parsed))
