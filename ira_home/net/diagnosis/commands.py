"""Asking this computer's own programs: bounded in time and size, and with nothing of the server's in hand."""

import asyncio
from collections.abc import Awaitable, Callable
import contextlib
from dataclasses import dataclass
import os
import shutil

from ira_home.base.limits import ASKED_PROGRAM_BYTES, ASKED_PROGRAM_S, OWN_PROGRAM_S

# Where tools of the system lie, which the search path of a service may leave out.
_ALSO = ("/usr/sbin", "/sbin", "/usr/local/sbin")
# What a program needs to run at all; the server's own variables may hold keys.
_KEPT = ("HOME", "PATH", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program said, and how it ended."""

    status: int
    text: str


Ask = Callable[..., Awaitable[Answer | None]]


async def ask(*words: str, own: bool = False) -> Answer | None:
    """Run a program to its end; None where there is none, or it does not answer in time.

    `own` is one of ours, which needs the same variables as this one, and more time.
    """
    program = shutil.which(words[0], path=_path())
    if program is None:
        return None
    environment = dict(os.environ) if own else _environment()
    try:
        process = await asyncio.create_subprocess_exec(
            program, *words[1:], env=environment, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        return None
    try:
        async with asyncio.timeout(OWN_PROGRAM_S if own else ASKED_PROGRAM_S):
            text = await _output(process)
            return Answer(await process.wait(), text.decode(errors="replace"))
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _output(process: asyncio.subprocess.Process) -> bytes:
    """All that it says, unless that is more than any such program has to say: it is ended then."""
    assert process.stdout is not None  # noqa: S101 - it was started with a pipe
    text = bytearray()
    while piece := await process.stdout.read(ASKED_PROGRAM_BYTES):
        text += piece
        if len(text) > ASKED_PROGRAM_BYTES:
            raise TimeoutError
    return bytes(text)


def _path() -> str:
    return os.pathsep.join((os.environ.get("PATH", os.defpath), *_ALSO))


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {"PATH": _path(), "LC_ALL": "C"}
