"""Found, trusted and kept on a home network: what a computer beside the server sees of it, whatever happens."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
import re
import signal
import ssl
import sys
from typing import TYPE_CHECKING

import aiohttp
import pytest

from ira_home.base.jsontext import parse
from tests.lan.avahi import Avahi, Found, avahi
from tests.lan.network import (
    FIRST,
    FIXED,
    GUEST,
    MOVED,
    Lan,
    Namespace,
    hindrance,
    home_network,
    until,
)
from tests.support.callers import Caller, DeviceLine
from tests.support.program import OWNER, Program
from tests.support.requirements import requirement

if TYPE_CHECKING:
    import subprocess

pytestmark = [pytest.mark.lan, pytest.mark.timeout(300)]
STOP_S = 15
GOODBYE_S = 8
TOOLS = [
    {
        "name": "files_list",
        "description": "Lists files.",
        "parameters": {"type": "object"},
        "tier": 0,
        "skill": "files",
    }
]


class Server(Program):
    """A server on a computer of the network."""

    def __init__(self, there: Namespace, folder: Path) -> None:
        folder.mkdir()
        super().__init__(folder, there.command(sys.executable, "-m", "ira_home"))
        self.there = there
        self.environment |= {"IRA_BIND": "all"}

    @property
    def ca(self) -> Path:
        return self.data / "pki" / "ca.crt.pem"

    @property
    def id(self) -> str:
        """The id of the house, as its certificate says."""
        said = self.must("cert", "show")
        (found,) = set(re.findall(r"ira-([0-9a-f]+)\.local", said))
        return str(found)

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text()


@pytest.fixture(autouse=True, scope="module")
def permitted() -> None:
    """Such a network can be made here; looked at only where one is wanted."""
    why_not = hindrance()
    if why_not is not None:
        pytest.skip(why_not)


@pytest.fixture
def lan() -> Iterator[Lan]:
    with home_network() as made:
        yield made


@pytest.fixture
def guest(lan: Lan, tmp_path: Path) -> Iterator[Avahi]:
    with avahi(lan.guest, tmp_path / "guest", host="guest") as made:
        yield made


def by_family(found: list[Found], family: str) -> Found:
    (one,) = [service for service in found if service.family == family]
    return one


@contextmanager
def announced(server: Server, guest: Avahi) -> Iterator["subprocess.Popen[str]"]:
    """A running server that the guest has found by every family."""
    with server.serving(mdns=True) as process:
        until(lambda: {one.family for one in guest.browse()} == {"IPv4", "IPv6"})
        yield process


@asynccontextmanager
async def paired(server: Server, lan: Lan, host: str) -> AsyncIterator[DeviceLine]:
    """A device on the guest's computer, connected by this address and welcomed."""
    said = server.must("device", "code", "--email", OWNER, "--kind", "linux", "--days", "1", "--uses", "1", "--skills", "files")  # fmt: skip
    code = re.search(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b", said)
    assert code, said
    base = f"https://[{host}]:{server.port}" if ":" in host else f"https://{host}:{server.port}"
    trust = ssl.create_default_context(cafile=str(server.ca))
    stranger = Caller(base, trust)
    stranger._http = from_guest(lan, trust)
    claimed = await stranger.call("POST", "/v1/devices/pair", {"code": code[0], "kind": "linux"})
    await stranger.close()
    assert claimed.status == 201, claimed
    device = DeviceLine(
        base, trust, token=claimed.body["token"], number=claimed.body["device_id"], kind="linux"
    )
    device.caller._http = from_guest(lan, trust)
    try:
        await device.connect()
        await device.hello(TOOLS)
        yield device
    finally:
        await device.hang_up()


def from_guest(lan: Lan, trust: ssl.SSLContext) -> aiohttp.ClientSession:
    """What asks from the guest's computer."""
    connector = aiohttp.TCPConnector(ssl=trust, limit=0, socket_factory=lambda info: lan.guest.socket(info[0]))  # fmt: skip
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


@requirement("lan.announce")
async def test_it_is_found_by_what_is_true_of_it_and_followed_wherever_it_goes(
    lan: Lan, guest: Avahi, tmp_path: Path
) -> None:
    server = Server(lan.home, tmp_path / "server")
    server.init()
    # The server's computer may have an avahi of its own, whose names nobody takes away.
    with (
        avahi(lan.home, tmp_path / "beside", host="pc") as beside,
        announced(server, guest) as process,
    ):
        assert lan.listens_for_questions()
        found = guest.browse()
        four, six = by_family(found, "IPv4"), by_family(found, "IPv6")
        assert (four.name, four.port) == ("Home", server.port)
        assert (four.host, six.host) == (f"ira-{server.id}.local",) * 2
        assert guest.resolve(four.host, 4) == FIRST
        assert guest.resolve(four.host, 6).startswith((FIXED, "fe80:"))
        pin = re.search(r"fp=([\w-]{16})(?![\w-])", " ".join(four.txt))
        assert pin
        assert four.txt - {pin[0]} == {"txtvers=1", f"id={server.id}", "pv=1", "path=/", "tls=1", "pair=1"}  # fmt: skip

        (seen,) = parse(lan.guest.run(sys.executable, "-m", "ira_home", "find", "--json"))["items"]
        assert {one for one in seen["addresses"] if not one.startswith("fe80:")} == {FIRST, FIXED}
        for address in (FIRST, FIXED):
            assert lan.guest.get(address, server.port, server.ca) == 200
            assert lan.guest.get(address, server.port, server.ca, name=four.host) == 200

        async with paired(server, lan, FIXED) as device:
            lan.move(FIRST, MOVED)
            until(lambda: MOVED in guest.addresses() and FIRST not in guest.addresses())
            assert lan.guest.get(MOVED, server.port, server.ca) == 200, "the certificate names it"
            await device.hello(TOOLS)
            assert device.close_code is None, "its line stayed while the certificate was made anew"

            # The same address on another card, faster than anybody looks.
            told = server.log.count("announced as")
            lan.pull_out()
            lan.plug_in(MOVED)
            until(lambda: names_of(lan.guest) and server.log.count("announced as") > told)
            assert MOVED in guest.addresses()
            assert lan.guest.get(MOVED, server.port, server.ca) == 200
            await device.hello(TOOLS)

        process.send_signal(signal.SIGTERM)
        process.wait(STOP_S)
        # A goodbye is kept for a second (RFC 6762, 10.1); without one, names stay for minutes.
        until(lambda: not guest.browse(), GOODBYE_S)
    assert "conflict" not in beside.log
    assert "Traceback" not in server.log


def test_two_houses_of_one_name_are_told_apart_and_both_serve(
    lan: Lan, guest: Avahi, tmp_path: Path
) -> None:
    server, other = Server(lan.home, tmp_path / "server"), Server(lan.guest, tmp_path / "other")
    with announced(server, guest), other.serving(mdns=True):
        found = until(lambda: names if len(names := names_of(lan.guest)) == 2 else None)
        assert found == {server.id: "Home", other.id: "Home 2"}
        assert lan.guest.get(FIRST, server.port, server.ca) == 200
        assert lan.home.get(GUEST, other.port, other.ca) == 200


def names_of(there: Namespace) -> dict[str, str]:
    """The names of the servers that answer there, by their ids."""
    found = parse(there.run(sys.executable, "-m", "ira_home", "find", "--seconds", "1.5", "--json"))
    return {one["id"]: one["name"] for one in found["items"]}


@requirement("lan.announce")
def test_beside_a_program_that_lets_nobody_else_answer_it_serves_and_waits_its_turn(
    lan: Lan, guest: Avahi, tmp_path: Path
) -> None:
    server = Server(lan.home, tmp_path / "server")
    with ExitStack() as beside:
        beside.enter_context(avahi(lan.home, tmp_path / "alone", host="pc", alone=True))
        with server.serving(mdns=True):
            until(lambda: not guest.browse() and "not announced" in server.log)
            assert lan.guest.get(FIRST, server.port, server.ca) == 200
            beside.close()
            until(lambda: FIRST in guest.addresses(), 30)


@requirement("lan.announce")
def test_without_any_network_it_serves_and_is_found_once_there_is_one(tmp_path: Path) -> None:
    with home_network(plugged_in=False) as lan:
        lan.home.ip("link delete docker0")
        lan.home.ip("link delete wg0")
        server = Server(lan.home, tmp_path / "server")
        with (
            avahi(lan.guest, tmp_path / "guest", host="guest") as guest,
            server.serving(mdns=True) as process,
        ):
            assert lan.home.get("127.0.0.1", server.port, server.ca) == 200
            lan.plug_in()
            until(lambda: FIRST in guest.addresses(), 25)
            assert lan.guest.get(FIRST, server.port, server.ca) == 200
            process.send_signal(signal.SIGTERM)
            process.wait(STOP_S)


def test_in_a_network_without_ipv4_it_is_found_and_trusted_too(tmp_path: Path) -> None:
    with home_network(plugged_in=False) as lan:
        lan.plug_in(None)
        server = Server(lan.home, tmp_path / "server")
        with (
            avahi(lan.guest, tmp_path / "guest", host="guest") as guest,
            server.serving(mdns=True),
        ):
            (found,) = until(guest.browse)
            assert guest.resolve(found.host, 6).startswith((FIXED, "fe80:"))
            assert lan.guest.get(FIXED, server.port, server.ca) == 200


def test_switched_off_it_neither_speaks_nor_listens_there(
    lan: Lan, guest: Avahi, tmp_path: Path
) -> None:
    server = Server(lan.home, tmp_path / "server")
    with server.serving():
        assert lan.guest.get(FIRST, server.port, server.ca) == 200
        assert not lan.listens_for_questions()
        assert guest.browse() == []
