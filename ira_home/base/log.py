"""Logging set up once: short lines, outside text escaped and cut, secrets masked in every line."""

import logging
import re
import sys
from typing import TextIO

from ira_home.base.limits import LOG_FIELD_CHARS

_SECRETS = (
    re.compile(r"(ira[dfist]_)[A-Za-z0-9_-]{8,}"),
    re.compile(r"(?i)([?&#;](?:token|code|pin|key|password|access_token)=)[^&\s\"']*"),
    re.compile(r"(?i)(authorization:?\s*(?:bearer|basic)\s+)\S+"),
    re.compile(r"(?i)(bearer\s+)[A-Za-z0-9._~+/=-]{8,}"),
    re.compile(r"\b(sk-)[A-Za-z0-9_-]{8,}"),
    re.compile(r"(/bot\d+:)[A-Za-z0-9_-]+"),
)


def mask(text: str) -> str:
    """The text with the value of every secret that can be recognised replaced by ***."""
    for pattern in _SECRETS:
        text = pattern.sub(r"\1***", text)
    return text


class Outside(str):
    """Something from outside in a log line: the server's own output has it, the console's log does not."""

    __slots__ = ()


def field(value: object) -> Outside:
    """Something from outside, fit for one log line: one line, escaped, at most 200 characters, masked."""
    text = str(value)[: LOG_FIELD_CHARS * 2]
    plain = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return Outside(mask(plain)[:LOG_FIELD_CHARS])


class MaskingFormatter(logging.Formatter):
    """Masks the finished line, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        """The line with its secrets masked."""
        return mask(super().format(record))


def set_up(*, level: str = "INFO", stream: TextIO | None = None) -> None:
    """Send every logger to one stream through the masking formatter; call once at start."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(MaskingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    # What matters of it comes as an error, and would be said at each new attempt.
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    for noisy in ("aiosqlite", "httpx", "httpcore", "openai", "aiohttp.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
