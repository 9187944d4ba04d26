"""The control socket's lines: one JSON object a line, request and answer (DESIGN 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
import hashlib
import os
from pathlib import Path
import sys
import tempfile
from typing import Any

from ira_home.base.errors import REGISTRY, CommandFailed, IraError
from ira_home.base.files import make_folder
from ira_home.base.jsontext import dump, parse

LINE_BYTES = 1_048_576
ANSWER_S = 120.0  # a command may hash, scrub or wait for the model
_SOCKET = "control.sock"
_PATH_BYTES = 100  # sockaddr_un holds 104 on macOS, 108 on Linux


@dataclass(frozen=True, slots=True)
class Request:
    """One command: an operation of `control/operations.py` and its arguments."""

    operation: str
    arguments: Mapping[str, Any]

    def line(self) -> bytes:
        """As sent."""
        return (
            dump({"operation": self.operation, "arguments": dict(self.arguments)}).encode() + b"\n"
        )

    @classmethod
    def read(cls, line: bytes) -> "Request":
        """As received; raises IraError."""
        found = parse(line)
        if not isinstance(found, dict) or not isinstance(found.get("operation"), str):
            raise CommandFailed
        arguments = found.get("arguments")
        return cls(found["operation"], arguments if isinstance(arguments, dict) else {})


def good_line(result: Any) -> bytes:
    """The answer of a command that was carried out."""
    return dump({"ok": True, "result": result}).encode() + b"\n"


def bad_line(error: IraError) -> bytes:
    """The answer of a command that was refused."""
    return dump({"ok": False, "code": error.code, "message": error.message}).encode() + b"\n"


def read_answer(line: bytes) -> Any:
    """The result of an answer line; raises the error that the server raised, by its code."""
    if not line:
        message = "The running server ended before it answered. Nothing is certain; look with `ira doctor`."
        raise CommandFailed(message)
    found = parse(line)
    if found["ok"]:
        return found["result"]
    raise REGISTRY.get(found["code"], CommandFailed)(found["message"])


def address_of(data: Path) -> str:
    """Where the control socket of a data folder is: a short path, or a pipe name on Windows."""
    place = str(data.resolve())
    name = hashlib.sha256(place.encode()).hexdigest()[:16]
    if sys.platform == "win32":
        return rf"\\.\pipe\ira-home-{name}"
    direct = data.resolve() / _SOCKET
    if len(os.fsencode(direct)) <= _PATH_BYTES:
        return str(direct)
    folder = Path(tempfile.gettempdir()) / f"ira-home-{os.geteuid()}"
    return str(folder / f"{name}.sock")


def prepare(address: str) -> None:
    """Make the folder of a socket outside the data folder, private to this user."""
    folder = Path(address).parent
    make_folder(folder)
    found = folder.stat()
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        message = (
            f"The folder {folder} is not this user's alone, so commands cannot be taken there."
        )
        raise CommandFailed(message)
