"""Addresses to listen on and to be reached by, as settings and URLs spell them."""

from typing import Final
from urllib.parse import SplitResult, urlsplit

# What `bind` says for every address of this computer, of both families as far as it has them.
ALL: Final = "all"
ANY_V4: Final = "0.0.0.0"  # noqa: S104 - what is compared and named here, not bound
ANY_V6: Final = "::"


def in_url(host: str) -> str:
    """A host name or address as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def origin(scheme: str, host: str, port: int) -> str:
    """`scheme://host:port`."""
    return f"{scheme}://{in_url(host)}:{port}"


def this_computer(bind: str) -> str:
    """Where a program of this computer reaches a server that listens on `bind`."""
    if bind in (ALL, ANY_V4):
        return "127.0.0.1"
    return "::1" if bind == ANY_V6 else bind


def localhost(bind: str) -> str | None:
    """The name or address of this computer itself for a browser on it, where that reaches such a server.

    Not every system knows `localhost` in IPv6.
    """
    return {"127.0.0.1": "localhost", "::1": "::1"}.get(this_computer(bind))


def is_web_address(text: str) -> bool:
    """Whether it is the http(s) address of a server, without a user name or password in it."""
    return _web_parts(text) is not None


def keeps_secrets(text: str) -> bool:
    """Whether such an address may be sent a key: over https, or without leaving this computer."""
    parts = _web_parts(text)
    if parts is None:
        return False
    return parts.scheme == "https" or parts.hostname in ("127.0.0.1", "::1", "localhost")


def is_same_server(one: str, other: str) -> bool:
    """Whether two such addresses are of one server: the same scheme, host and port, whatever the path."""
    return _server(one) == _server(other)


def _server(text: str) -> tuple[str, str | None, int | None] | None:
    parts = _web_parts(text)
    if parts is None:
        return None
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}[parts.scheme]


def _web_parts(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        good = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # a bracket left open, a port that is none
        return None
    fits = good and parts.username is None and text.isprintable() and " " not in text
    return parts if fits else None
