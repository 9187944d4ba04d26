"""Ports of this computer: a free one, and what to do about a taken one."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
import errno
import os
import socket
from typing import NamedTuple

from ira_home.base.addresses import ALL, in_url
from ira_home.base.errors import CommandFailed
from ira_home.net.addresses import listening

_TRIES = 100


class Flags(NamedTuple):
    """How other ports are chosen, as somebody is told who has to."""

    port: str
    http_port: str


FLAGS = Flags("--port", "--http-port")
DEMO_FLAGS = Flags("--port (`make run PORT=…`)", "--http-port (`make run HTTP_PORT=…`)")


def free_port(hosts: Sequence[str], *, but: int = 0) -> int:
    """A TCP port that is free now on each of the addresses, and is not `but`.

    Raises OSError where an address cannot be had at all.
    """
    for _ in range(_TRIES):
        with ExitStack() as probes:
            port = _bound(probes, hosts[0], 0)
            with suppress(OSError):
                for host in hosts[1:]:
                    _bound(probes, host, port)
                if port != but:
                    return port
    message = "no port is free on all of the addresses"
    raise OSError(errno.EADDRINUSE, message)


def taken(hosts: Sequence[str], port: int) -> int | None:
    """Why a server could not listen on this port of the addresses now, as the system numbers it."""
    for host in hosts:
        try:
            with ExitStack() as probes:
                _bound(probes, host, port, as_server=True)
        except OSError as error:
            return error.errno
    return None


def chosen_ports(bind: str, port: int, http_port: int) -> tuple[int, int]:
    """The ports of HTTPS and of the plain start page, a free one in place of 0; raises CommandFailed."""
    if port == http_port != 0:
        message = (
            f"HTTPS and the plain start page cannot both have port {port}: choose another with "
            "--port or --http-port."
        )
        raise CommandFailed(message)
    hosts = listening(bind)
    with port_words(bind, 0, "--bind"):
        port = port or free_port(hosts, but=http_port)
        return port, http_port or free_port(hosts, but=port)


def _bound(probes: ExitStack, host: str, port: int, *, as_server: bool = False) -> int:
    is_v6 = ":" in host
    probe = probes.enter_context(socket.socket(socket.AF_INET6 if is_v6 else socket.AF_INET))
    if as_server and os.name == "posix":
        # A server takes a port whose last connections are still being forgotten.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if is_v6:
        probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    probe.bind((host, port))
    return int(probe.getsockname()[1])


@contextmanager
def port_words(bind: str, port: int, flag: str) -> Iterator[None]:
    """Turn what the system says of a port into one sentence with the remedy: raises CommandFailed.

    `flag` is how another port is chosen.
    """
    try:
        yield
    except OSError as error:
        where = f"port {port}" if bind == ALL else f"{in_url(bind)}:{port}"
        raise CommandFailed(_sentence(error, bind, where, flag)) from None


def _sentence(error: OSError, bind: str, where: str, flag: str) -> str:
    remedy = f"choose another with {flag}"
    if error.errno == errno.EADDRINUSE:
        return f"Another program listens on {where} already: stop it, or {remedy}."
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"This user may not listen on {where}: {remedy}, above 1023."
    if error.errno in {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}:
        return f"This computer has no address {bind}: choose another with --bind."
    return f"Cannot listen on {where} ({error.strerror or error}): {remedy}."
