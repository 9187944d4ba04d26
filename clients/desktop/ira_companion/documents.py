"""The text of a document, whatever kind it is, or one sentence on why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
import os
import subprocess
from typing import IO, Final, Literal

import msgspec

from ira_companion.limits import FILE_BYTES, PARSE_S, TEXT_CHARS
from ira_companion.parsing import PARSE, Parsed
from ira_companion.text import NoText, UnknownEncoding, decoded
from ira_home.base.errors import ToolFailed
from ira_home.base.programs import own_program
from ira_home.base.text import clean

_PDF: Final = b"%PDF-"
_ZIP: Final = b"PK\x03\x04"
_OLE: Final = b"\xd0\xcf\x11\xe0"
_KINDS: Final = {"md": "Markdown", "markdown": "Markdown", "csv": "CSV"}
_PROBLEMS: Final = {
    "locked": "{name} is locked with a password, so I cannot read it.",
    "scanned": "{name} has no text in it: it is a scan or a picture, which I cannot read.",
    "broken": "{name} is damaged, or not what its name says: I cannot read it.",
    "no_parser": "PDF and Word files cannot be read here yet. Install: pip install 'ira-home[companion]'",
    "too_large": "{name} would unpack to far too much, so I did not open it.",
}
_NO_WINDOW: Final[int] = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # Windows would show one
# What a Python program needs to start. Everything else in the environment may be secret.
_PASSED_ON: Final = (
    "PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV",
    "SYSTEMROOT", "USERPROFILE", "APPDATA", "TEMP", "TMP",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """A document's text; `is_whole` is false when only its beginning was taken."""

    kind: str
    text: str
    is_whole: bool


def read_document(file: IO[bytes], name: str) -> Document:
    """Read an open file and take its text; raises ToolFailed with a sentence that names it."""
    if os.fstat(file.fileno()).st_size > FILE_BYTES:
        message = f"{name} is too large: I read up to {FILE_BYTES // 1_000_000} MB."
        raise ToolFailed(message)
    content = file.read(FILE_BYTES + 1)[:FILE_BYTES]
    ending = name.rpartition(".")[2].lower()
    if _PDF in content[:1024]:
        return _parsed(content, name, "pdf")
    if ending == "docx" and content.startswith((_ZIP, _OLE)):
        return _parsed(content, name, "docx")
    return _plain(content, name, ending)


def _plain(content: bytes, name: str, ending: str) -> Document:
    try:
        text = clean(decoded(content))
    except NoText:
        message = f"{name} is no document that I can read: I read text, Markdown, CSV, PDF and Word (.docx)."
        raise ToolFailed(message) from None
    except UnknownEncoding:
        message = f"{name} is in an encoding that I do not know: save it as UTF-8."
        raise ToolFailed(message) from None
    kind = _KINDS.get(ending, "text")
    return Document(kind, text[:TEXT_CHARS], is_whole=len(text) <= TEXT_CHARS)


def _parsed(content: bytes, name: str, kind: Literal["pdf", "docx"]) -> Document:
    parsed = _in_own_process(content, name, kind)
    if parsed.problem is not None:
        problem = parsed.problem
        if kind == "docx" and problem == "scanned":
            return Document("Word", "", is_whole=True)
        raise ToolFailed(_PROBLEMS[problem].format(name=name))
    return Document("PDF" if kind == "pdf" else "Word", parsed.text, parsed.is_whole)


def _in_own_process(content: bytes, name: str, kind: str) -> Parsed:
    try:
        ran = subprocess.run(  # noqa: S603  # our own program, and a closed list of kinds
            [*own_program("ira_companion"), PARSE, kind],
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(os.environ),
            timeout=PARSE_S,
            creationflags=_NO_WINDOW,
            check=True,
        )
        return msgspec.json.decode(ran.stdout, type=Parsed)
    except subprocess.TimeoutExpired:
        message = f"{name} takes too long to read."
        raise ToolFailed(message) from None
    except (subprocess.CalledProcessError, msgspec.MsgspecError):
        raise ToolFailed(_PROBLEMS["broken"].format(name=name)) from None


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    return {key: given[key] for key in _PASSED_ON if key in given}
