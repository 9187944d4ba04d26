"""Sends one command to the running server."""

from pathlib import Path
import socket
import sys
from typing import Any

from ira_home.base.errors import CommandFailed
from ira_home.control.wire import ANSWER_S, LINE_BYTES, Request, address_of, read_answer


class NotRunning(Exception):
    """Nobody listens on the control socket of this data folder."""


def send(data: Path, request: Request) -> Any:
    """The result of the command; raises the server's IraError, or NotRunning."""
    if sys.platform == "win32":
        return _over_pipe(data, request)
    line = bytearray()
    with socket.socket(socket.AF_UNIX) as line_socket:
        line_socket.settimeout(ANSWER_S)
        try:
            line_socket.connect(address_of(data))
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError) as error:
            raise NotRunning from error
        except PermissionError:
            message = f"The server on {data} belongs to another user."
            raise CommandFailed(message) from None
        try:
            line_socket.sendall(request.line())
            while not line.endswith(b"\n") and len(line) <= LINE_BYTES:
                piece = line_socket.recv(65_536)
                if not piece:
                    break
                line += piece
        except (TimeoutError, ConnectionError):
            line.clear()
    return read_answer(bytes(line))


def _over_pipe(data: Path, request: Request) -> Any:
    try:
        with open(address_of(data), "r+b", buffering=0) as pipe:  # noqa: PTH123 - a pipe's name
            pipe.write(request.line())
            return read_answer(pipe.readline())
    except FileNotFoundError as error:
        raise NotRunning from error
