"""A home network out of two network namespaces: one for the server, one for whoever looks for it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
import ctypes
import os
from pathlib import Path
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from typing import TypeVar

from ira_home.protocol.discovery import SERVICE_TYPE

CARD = "lan0"
FIRST, MOVED, GUEST = "10.77.0.1", "10.77.0.50", "10.77.0.2"
FIXED = "fd77::1"  # of the server's card too, whatever becomes of its IPv4 address
GUEST_SIX = "fd77::2"
CONTAINERS, TUNNEL = "172.17.0.1", "10.8.0.2"
SOON_S = 15.0
_CLONE_NEWNET = 0x4000_0000
_PROGRAMS = ("ip", "avahi-daemon", "avahi-browse", "dbus-daemon")
Made = TypeVar("Made")


def hindrance() -> str | None:
    """Why no such network can be made here, in words; None where it can."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    missing = [one for one in _PROGRAMS if shutil.which(one) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    name = f"ira-{secrets.token_hex(4)}"
    tried = subprocess.run(
        ["ip", "netns", "add", name], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        return f"this system lets nobody make network namespaces ({tried.stderr.strip()})"
    subprocess.run(["ip", "netns", "delete", name], check=True)
    return None


class Namespace:
    """A computer of the network, as far as the network is concerned."""

    def __init__(self, name: str) -> None:
        self.name = name

    def command(self, *words: str) -> list[str]:
        """The command that runs these words there; the process is the one that they name."""
        return ["ip", "netns", "exec", self.name, *words]

    def run(self, *words: str, environment: dict[str, str] | None = None) -> str:
        """What they print; it has to go well."""
        done = subprocess.run(
            self.command(*words), capture_output=True, text=True, timeout=30, check=False,
            env=os.environ | (environment or {}),
        )  # fmt: skip
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def ip(self, words: str) -> None:
        """Configure it: `ip` with these words."""
        self.run("ip", *words.split())

    def socket(self, family: int, kind: int = socket.SOCK_STREAM) -> socket.socket:
        """A socket of that computer; it can be used anywhere."""
        return self._there(lambda: socket.socket(family, kind))

    def get(self, host: str, port: int, ca: Path, path: str = "/healthz", name: str = "") -> int:
        """The status of a GET over TLS, checked strictly against the CA, by `name` or else the host."""
        trust = ssl.create_default_context(cafile=str(ca))
        trust.verify_flags |= ssl.VERIFY_X509_STRICT
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with self.socket(family) as raw:
            raw.settimeout(SOON_S)
            raw.connect((host, port))
            with trust.wrap_socket(raw, server_hostname=name or host) as line:
                at = f"[{host}]" if ":" in host else host
                asked = (
                    f"GET {path} HTTP/1.1\r\nHost: {name or at}:{port}\r\nConnection: close\r\n\r\n"
                )
                line.sendall(asked.encode())
                answer = b""
                while part := line.recv(65_536):
                    answer += part
        return int(answer.split(b" ", 2)[1])

    def _there(self, make: Callable[[], Made]) -> Made:
        """Do it in a thread that has moved there for good."""
        made: list[Made | OSError] = []

        def move_and_make() -> None:
            try:
                with Path(f"/run/netns/{self.name}").open() as place:
                    libc = ctypes.CDLL(None, use_errno=True)
                    moved = libc.setns(place.fileno(), _CLONE_NEWNET) == 0
                made.append(make() if moved else OSError(ctypes.get_errno(), "setns"))
            except OSError as error:
                made.append(error)

        thread = threading.Thread(target=move_and_make)
        thread.start()
        thread.join()
        (found,) = made
        if isinstance(found, OSError):
            raise found
        return found


class Lan:
    """The server's computer (`home`) and a guest's (`guest`) on one cable."""

    def __init__(self, home: Namespace, guest: Namespace) -> None:
        self.home, self.guest = home, guest

    def plug_in(self, address: str | None = FIRST) -> None:
        """Give the server a card, and the card its addresses."""
        self.home.ip(f"link add {CARD} type veth peer name port0 netns {self.guest.name}")
        self.guest.ip(f"link set port0 master {CARD} up")
        self.home.ip(f"link set {CARD} up")
        self.home.ip(f"-6 address add {FIXED}/64 dev {CARD} nodad")
        if address is not None:
            self.home.ip(f"address add {address}/24 dev {CARD}")

    def pull_out(self) -> None:
        """Take the card away."""
        self.home.ip(f"link delete {CARD}")

    def move(self, old: str, new: str) -> None:
        """The router gives the server another address."""
        self.home.ip(f"address delete {old}/24 dev {CARD}")
        self.home.ip(f"address add {new}/24 dev {CARD}")

    def listens_for_questions(self) -> bool:
        """Whether anything on the server's computer has the port of announcements."""
        return bool(self.home.run("ss", "--no-header", "-uln", "sport = :5353").strip())


@contextmanager
def home_network(*, plugged_in: bool = True) -> Iterator[Lan]:
    """Both computers, with networks of containers and of a tunnel on the server's that nobody else can use."""
    with ExitStack() as stack:
        mark = secrets.token_hex(3)
        home, guest = (Namespace(f"ira-{mark}-{one}") for one in ("home", "guest"))
        for one in (home, guest):
            subprocess.run(["ip", "netns", "add", one.name], check=True)
            stack.callback(subprocess.run, ["ip", "netns", "delete", one.name], check=True)
            one.ip("link set lo up")
        for card, address in (("docker0", CONTAINERS), ("wg0", TUNNEL)):
            home.ip(f"link add {card} type veth peer name veth-{card}")
            home.ip(f"address add {address}/24 dev {card}")
            home.ip(f"link set {card} up")
            home.ip(f"link set veth-{card} up")
        # A switch, so that the guest's side stays when the server's card is taken out. It has to
        # pass multicast to who has not asked for it yet.
        guest.ip(f"link add {CARD} type bridge mcast_snooping 0")
        guest.ip(f"address add {GUEST}/24 dev {CARD}")
        guest.ip(f"-6 address add {GUEST_SIX}/64 dev {CARD} nodad")
        guest.ip(f"link set {CARD} up")
        lan = Lan(home, guest)
        if plugged_in:
            lan.plug_in()
        yield lan


def until(probe: Callable[[], Made | None], seconds: float = SOON_S) -> Made:
    """What the probe finds, asked again and again for so long; each time takes a while by itself."""
    end, asked = time.monotonic() + seconds, 0
    while True:
        found, asked = probe(), asked + 1
        if found:
            return found
        assert time.monotonic() < end, f"nothing in {seconds} s, asked {asked} times"


SERVICE = SERVICE_TYPE.removesuffix(".local.")
