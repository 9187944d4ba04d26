"""Where the server is reached and how it is recognised: what `serve` and `demo` print of it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ira_home.app.server import Server

_WHY = "the certificate can name addresses of home networks only, so browsers warn there each time"


def here(server: "Server") -> str | None:
    """The address for browsers of this very computer, where there is one of its own."""
    name = server.entrance.reach.here
    return None if name is None else server.entrance.https(name)


def elsewhere(server: "Server") -> str | None:
    """The address for other devices, where any can reach it."""
    others = server.entrance.reach.others
    return None if others is None else server.entrance.https(others)


def caveat(server: "Server") -> str | None:
    """What is wrong with the address for other devices, or why another one is not offered."""
    reach = server.entrance.reach
    if reach.others is None:
        return "No other device reaches it: it listens on no address of a network."
    if not reach.unnamed:
        return None
    if reach.others in reach.unnamed:
        return f"{reach.others}: {_WHY}."
    return f"Not offered: {', '.join(reach.unnamed)}, since {_WHY}."


def fingerprint(server: "Server") -> str:
    """SHA-256 of the certificate authority, in groups."""
    return server.services.trust.fingerprint
