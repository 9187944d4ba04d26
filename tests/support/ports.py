"""Ports of loopback that are free."""

from itertools import count
import os
import socket

# Below those that systems give to outgoing connections, so that none of these takes one meanwhile; test runs
# side by side begin at places of their own.
_FIRST, _MANY = 15_000, 15_000
_turn = count(os.getpid() * 211)


def free_port() -> int:
    """A TCP port of loopback that is free now, and is not given again soon."""
    while True:
        port = _FIRST + next(_turn) % _MANY
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                # silent-ok: somebody has it, the next may be free
                continue
            return port
