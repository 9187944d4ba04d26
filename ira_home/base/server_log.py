"""The last lines of the server's log, kept in memory for the console: none of them holds what somebody said.

Records of Ira's own code are a fixed sentence with numbers and names of parts in it; what came from outside is
left out of them. Of records of other code, which may repeat anything, only the fixed part is kept. Of errors
only their kinds and the lines of code are, for their words may repeat anything, too. The server's own output has all of it.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
import logging
import re
from traceback import walk_tb
from types import TracebackType

from ira_home.base.errors import IraError
from ira_home.base.limits import LOG_ERRORS_A_LINE, LOG_LINE_CHARS, LOG_LINES, LOG_STACK
from ira_home.base.log import Outside, mask

OWN = "ira_home"
OTHER = "other"
LIBRARIES = frozenset(
    {
        "aiohttp",
        "aiosqlite",
        "asyncio",
        "concurrent",
        "httpcore",
        "httpx",
        "openai",
        "py",
        "zeroconf",
    }
)
LEFT_OUT = "…"
FOREIGN = "(its words are in the server's own output)"
_PLACE = re.compile(r"%(?:\([^)]*\))?[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[a-zA-Z]")
# An address may hold nearly every sign (RFC 5322, 3.2.3), so all that touches it goes with it.
_E_MAIL = re.compile(r"[^\s@]+@[^\s@]+")
_CODE = re.compile(r"\b[A-HJKMNP-Z2-9]{4}-?[A-HJKMNP-Z2-9]{4}\b")
_LONG = re.compile(r"(?<![\w./-])(?=[\w-]*[0-9])(?=[\w-]*[A-Za-z])[\w-]{24,}(?![\w./-])")
_FOLDERS = re.compile(r".*/(?=(?:ira_home|clients|site-packages|lib/python[\d.]+)/)")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line; a stack makes its text several. `number` counts from the server's start."""

    number: int
    at: datetime
    level: int
    part: str
    text: str


def redacted(text: str) -> str:
    """The text without secrets, codes and e-mail addresses."""
    for pattern in (_E_MAIL, _CODE, _LONG):
        text = pattern.sub("***", mask(text))
    return text


class ServerLog(logging.Handler):
    """Keeps the newest lines; `on_line` is called with the level of each, in whatever thread it came."""

    def __init__(self) -> None:
        """Not listening yet."""
        super().__init__()
        self.on_line: Callable[[int], None] = lambda _level: None
        self._lines: deque[LogLine] = deque(maxlen=LOG_LINES)
        self._numbers = count(1)

    def __enter__(self) -> "ServerLog":
        """Listen to every logger."""
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more."""
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        at = datetime.fromtimestamp(record.created, UTC)
        line = LogLine(next(self._numbers), at, record.levelno, _part(record.name), _text(record))
        self._lines.append(line)
        self.on_line(record.levelno)

    def lines(self, level: int = 0) -> list[LogLine]:
        """What is kept of this level and above, newest first."""
        self.acquire()
        try:
            kept = list(self._lines)
        finally:
            self.release()
        return [one for one in reversed(kept) if one.level >= level]


def _part(name: str) -> str:
    """The part of the program that said it; tools of the house have names of their own."""
    if name == OWN or name.startswith(OWN + "."):
        return name.removeprefix(OWN + ".")[:60]
    library = name.partition(".")[0]
    return library if library in LIBRARIES else OTHER


def _text(record: logging.LogRecord) -> str:
    is_own = record.name == OWN or record.name.startswith(OWN + ".")
    said = _own(record) if is_own else _foreign(record)
    if record.exc_info and record.exc_info[1] is not None:
        said = "\n".join([said, *_errors(record.exc_info[1])])
    return said[:LOG_LINE_CHARS]


def _own(record: logging.LogRecord) -> str:
    args = record.args if isinstance(record.args, tuple) else ()
    try:
        said = str(record.msg) % tuple(_shown(one) for one in args) if args else str(record.msg)
    except (TypeError, ValueError):
        said = _PLACE.sub(LEFT_OUT, str(record.msg))
    return redacted(said)


def _shown(value: object) -> object:
    if isinstance(value, int | float):
        return value
    return LEFT_OUT if isinstance(value, Outside | BaseException) else str(value)


def _foreign(record: logging.LogRecord) -> str:
    # Without arguments the words may be put together already, with anything in them.
    if not record.args or not isinstance(record.msg, str):
        return FOREIGN
    return redacted(_PLACE.sub(LEFT_OUT, record.msg).partition("\n")[0])


def _errors(error: BaseException) -> Iterator[str]:
    """The kinds of an error and of what led to it, each with the newest lines of its stack."""
    told: BaseException | None = error
    seen: set[int] = set()
    while told is not None and id(told) not in seen and len(seen) < LOG_ERRORS_A_LINE:
        seen.add(id(told))
        code = f" ({told.code})" if isinstance(told, IraError) else ""
        yield f"{type(told).__name__}{code}"
        yield from _stack(told.__traceback__)
        told = told.__cause__ or (None if told.__suppress_context__ else told.__context__)


def _stack(trace: TracebackType | None) -> Iterator[str]:
    frames = deque(walk_tb(trace), maxlen=LOG_STACK)
    for frame, line in frames:
        code = frame.f_code
        file = _FOLDERS.sub("", code.co_filename.replace("\\", "/")).rpartition("/")
        folder = file[0] if not file[0].startswith("/") and ":" not in file[0] else ""
        yield f"  {folder + '/' if folder else ''}{file[2]}:{line} {code.co_name}"
