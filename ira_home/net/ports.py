"""Ports of this computer: a free one, and what to do about a taken one."""

from collections.abc import Iterator
from contextlib import contextmanager
import errno
import socket

from ira_home.base.errors import CommandFailed


def free_port(bind: str) -> int:
    """A TCP port of the address that is free now."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    with socket.socket(family) as probe:
        probe.bind((bind, 0))
        return int(probe.getsockname()[1])


@contextmanager
def port_words(bind: str, port: int, flag: str) -> Iterator[None]:
    """Turn what the system says of a port into one sentence with the remedy: raises CommandFailed.

    `flag` is the option that chooses another port.
    """
    try:
        yield
    except OSError as error:
        raise CommandFailed(_sentence(error, bind, f"{bind}:{port}", flag)) from None


def _sentence(error: OSError, bind: str, where: str, flag: str) -> str:
    remedy = f"choose another with {flag}"
    if error.errno == errno.EADDRINUSE:
        return f"Another program listens on {where} already: stop it, or {remedy}."
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"This user may not listen on {where}: {remedy}, above 1023."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"This computer has no address {bind}: choose another with --bind."
    return f"Cannot listen on {where} ({error.strerror}): {remedy}."
