"""Debian's avahi: the daemon on a computer of the network, and what its tools see there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
import re
import subprocess

from tests.lan.network import CARD, SERVICE, Namespace

_BUS = """<busconfig><type>system</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
<allow receive_sender="*"/></policy></busconfig>"""
_DAEMON = """[server]
host-name={host}
use-ipv4=yes
use-ipv6=yes
enable-dbus=yes
disallow-other-stacks={alone}
allow-interfaces={card}
[publish]
publish-workstation=no
[rlimits]
"""
# Every daemon of a system writes its number to one place: each here has a place of its own.
_START = "mkdir -p /run/avahi-daemon && mount -t tmpfs none /run/avahi-daemon && exec avahi-daemon -f {} --no-drop-root --no-chroot --no-rlimits"


@dataclass(frozen=True, slots=True)
class Found:
    """One line of avahi-browse: a service on one card by one family of addresses."""

    family: str
    name: str
    host: str
    address: str
    port: int
    txt: frozenset[str]


class Avahi:
    """A daemon that runs, and its tools."""

    def __init__(self, there: Namespace, folder: Path) -> None:
        self._there, self._folder = there, folder
        self.environment = {
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/bus",
            "LC_ALL": "C.UTF-8",
        }

    @property
    def log(self) -> str:
        """What it said so far."""
        return (self._folder / "avahi.log").read_text()

    def browse(self) -> list[Found]:
        """What it sees now of the service, everything resolved."""
        said = self._there.run(
            "avahi-browse", "--resolve", "--parsable", "--terminate", SERVICE,
            environment=self.environment,
        )  # fmt: skip
        return [_found(line) for line in said.splitlines() if line.startswith("=")]

    def resolve(self, host: str, family: int) -> str:
        """Its address of the family, 4 or 6."""
        said = self._there.run(
            "avahi-resolve", f"-{family}", "-n", host, environment=self.environment
        )
        name, _, address = said.strip().partition("\t")
        assert name == host, said
        return address

    def addresses(self, name: str | None = None) -> set[str]:
        """The addresses of a server of that name, or of all."""
        return {one.address for one in self.browse() if name in (None, one.name)}


def _found(line: str) -> Found:
    _, _, family, name, _, _, host, address, port, txt = line.split(";", 9)
    told = frozenset(re.findall(r'"([^"]*)"', txt))
    return Found(family, _plain(name), host, address, int(port), told)


def _plain(name: str) -> str:
    """The name as it is: avahi writes the numbers of bytes that are no letters or digits."""
    raw = re.sub(rb"\\(\d{3})", lambda found: bytes([int(found[1])]), name.encode())
    return re.sub(rb"\\(.)", rb"\1", raw).decode()


@contextmanager
def avahi(there: Namespace, folder: Path, *, host: str, alone: bool = False) -> Iterator[Avahi]:
    """Run it; `alone`: it lets no other program answer on this computer."""
    folder.mkdir()
    (folder / "bus.conf").write_text(_BUS.format(folder / "bus"))
    (folder / "avahi.conf").write_text(
        _DAEMON.format(host=host, card=CARD, alone="yes" if alone else "no")
    )
    made = Avahi(there, folder)
    with _running(
        ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--print-address"]
    ) as bus:
        assert bus.stdout is not None
        assert bus.stdout.readline(), "the bus does not start"
        start = there.command("sh", "-c", _START.format(folder / "avahi.conf"))
        with (folder / "avahi.log").open("w") as log, _running(start, made.environment) as daemon:
            assert daemon.stdout is not None
            for line in daemon.stdout:
                log.write(line)
                if "startup complete" in line:
                    break
            else:
                raise AssertionError(made.log)
            log.flush()
            try:
                yield made
            finally:
                daemon.terminate()
                log.write(daemon.stdout.read())
                log.flush()


@contextmanager
def _running(
    words: list[str], environment: dict[str, str] | None = None
) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=None
        if environment is None
        else environment | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(10)
