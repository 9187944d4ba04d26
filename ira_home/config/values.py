"""Kinds of values, and how each is read from a flag, an environment variable or the file."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
import ipaddress
from pathlib import Path
import re
from urllib.parse import urlsplit
import zoneinfo

from ira_home.base.addresses import ALL, is_web_address, keeps_secrets
from ira_home.base.limits import FEED_URL_CHARS, FEEDS, NAME_CHARS
from ira_home.base.text import visible_line
from ira_home.config.secret import Secret

TEXT_CHARS = 2_048
_YES = {"1", "yes", "true", "on"}
_NO = {"0", "no", "false", "off"}
_HOST_LABEL = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)")


@dataclass(frozen=True, slots=True)
class Kind:
    """`read` gives the value or raises ValueError; `words` complete "it must be …"."""

    words: str
    read: Callable[[object], object]


def _text(value: object) -> str:
    found = value.strip() if isinstance(value, str) else None
    if found is None or len(found) > TEXT_CHARS or (found and not found.isprintable()):
        raise ValueError
    return found


def _name(value: object) -> str:
    found = visible_line(value) if isinstance(value, str) else ""
    if not 1 <= len(found) <= NAME_CHARS:
        raise ValueError
    return found


def _secret(value: object) -> Secret:
    return value if isinstance(value, Secret) else Secret(_text(value))


def _switch(value: object) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word not in _YES | _NO:
        raise ValueError
    return word in _YES


def _port(value: object) -> int:
    digits = str(value).strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 5) or int(digits) > 65_535:
        raise ValueError
    return int(digits)


def _folder(value: object) -> Path:
    found = str(value) if isinstance(value, Path) else _text(value)
    if not found or "\0" in found:
        raise ValueError
    try:
        return Path(found).expanduser().absolute()
    except (RuntimeError, OSError):
        raise ValueError from None


def _optional_file(value: object) -> str:
    return str(_folder(value)) if _text(value) else ""


def _address(value: object) -> str:
    found = _text(value)
    return "127.0.0.1" if found == "localhost" else str(ipaddress.ip_address(found))


def _bind(value: object) -> str:
    return ALL if _text(value).lower() == ALL else _address(value)


def _addresses(value: object) -> tuple[str, ...]:
    words: Iterable[object] = value if isinstance(value, list | tuple) else _text(value).split(",")
    return tuple(dict.fromkeys(_address(word) for word in words if _text(word)))


def _hosts(value: object) -> tuple[str, ...]:
    words: Iterable[object] = value if isinstance(value, list | tuple) else _text(value).split(",")
    found = (_text(word).rstrip(".").lower() for word in words)
    return tuple(dict.fromkeys(_host(name) for name in found if name))


def _host(text: str) -> str:
    """A host name; behind it the port by which it is called, where that is another one than the server's."""
    name, colon, port = text.partition(":")
    if colon and _port(port) == 0:
        raise ValueError
    labels = name.split(".")
    if len(name) > 253 or labels[-1].isdecimal():
        raise ValueError
    if not all(_HOST_LABEL.fullmatch(label) for label in labels):
        raise ValueError
    return text


def _web_address(value: object) -> str:
    found = _text(value)
    parts = urlsplit(found)
    good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    if found and (not good or " " in found):
        raise ValueError
    return found


def _search_address(value: object) -> str:
    found = _text(value)
    if found and not keeps_secrets(found):
        raise ValueError
    return found


def _feeds(value: object) -> tuple[str, ...]:
    words: Iterable[object] = value if isinstance(value, list | tuple) else _text(value).split()
    found = tuple(dict.fromkeys(_text(word) for word in words))
    if len(found) > FEEDS or not all(is_web_address(one) for one in found):
        raise ValueError
    if any(len(one) > FEED_URL_CHARS for one in found):
        raise ValueError
    return found


def _time_zone(value: object) -> str:
    found = _text(value)
    try:
        if found:
            zoneinfo.ZoneInfo(found)
    except (zoneinfo.ZoneInfoNotFoundError, OSError):
        raise ValueError from None
    return found


def one_of(*allowed: str) -> Kind:
    """One of a few words, in any case."""

    def read(value: object) -> str:
        asked = str(value).strip().lower()
        for word in allowed:
            if word.lower() == asked:
                return word
        raise ValueError

    return Kind("one of " + ", ".join(allowed), read)


TEXT = Kind(f"one line of at most {TEXT_CHARS} characters", _text)
NAME = Kind(f"1 to {NAME_CHARS} visible characters", _name)
SECRET = Kind(TEXT.words, _secret)
SWITCH = Kind("yes or no", _switch)
PORT = Kind("a number from 0 to 65535", _port)
FOLDER = Kind("a folder", _folder)
OPTIONAL_FILE = Kind("the path of a file, or nothing", _optional_file)
BIND = Kind(f"{ALL}, or an IP address of this computer like 192.168.1.20", _bind)
ADDRESSES = Kind("IP addresses like 192.168.1.20, with commas between them, or nothing", _addresses)
HOSTS = Kind("host names like ira.lan or ira.lan:443, with commas between them", _hosts)
WEB_ADDRESS = Kind("an address like http://127.0.0.1:11434/v1", _web_address)
SEARCH_ADDRESS = Kind("an address that begins with https://", _search_address)
FEEDS_NAMED = Kind(f"a list of at most {FEEDS} addresses like https://example.com/feed.xml", _feeds)
TIME_ZONE = Kind("a time zone like Asia/Kolkata", _time_zone)
