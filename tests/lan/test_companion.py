"""The companion on another computer of the home network: it sees the server, and finds it again."""

from collections.abc import Iterator
from pathlib import Path
import re
import subprocess
import sys
from typing import Any

import pytest

from ira_home.base.jsontext import parse
from tests.lan.network import FIRST, MOVED, Lan, hindrance, home_network, until
from tests.lan.test_lan import Server
from tests.support.program import OWNER
from tests.support.requirements import requirement

pytestmark = [pytest.mark.lan, pytest.mark.timeout(300)]
STOP_S = 15
FOUND_S = 90.0  # the old address has to fail a few times first


@pytest.fixture
def lan() -> Iterator[Lan]:
    why_not = hindrance()
    if why_not is not None:
        pytest.skip(why_not)
    with home_network() as made:
        yield made


class Companion:
    """The companion on the guest's computer."""

    def __init__(self, lan: Lan, folder: Path) -> None:
        folder.mkdir()
        self._lan = lan
        self.environment = {"HOME": str(folder), "IRA_COMPANION_DIR": str(folder / "state")}

    def must(self, *words: str) -> str:
        """What it prints; it has to go well."""
        return self._lan.guest.run(
            sys.executable, "-m", "ira_companion", *words, environment=self.environment
        )

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = parse(self.must("status", "--json"))
        return found

    def start(self) -> subprocess.Popen[bytes]:
        """`ira-companion run` in the background."""
        words = [f"{key}={value}" for key, value in self.environment.items()]
        return subprocess.Popen(
            self._lan.guest.command("env", *words, sys.executable, "-m", "ira_companion", "run")
        )


def link(server: Server) -> str:
    said = server.must("device", "code", "--email", OWNER, "--kind", "linux", "--days", "1", "--uses", "1", "--skills", "files")  # fmt: skip
    (found,) = re.findall(r"https://\S+/pair#\S+", said)
    return str(found)


@requirement("lan.found")
def test_it_sees_the_server_and_finds_it_where_it_has_moved(lan: Lan, tmp_path: Path) -> None:
    server, companion = Server(lan.home, tmp_path / "server"), Companion(lan, tmp_path / "pc")
    server.init()
    with server.serving(mdns=True):
        until(lambda: parse(companion.must("find", "--json"))["items"])
        (seen,) = parse(companion.must("find", "--json"))["items"]
        assert (seen["id"], seen["port"], seen["addresses"][0]) == (server.id, server.port, FIRST)
        companion.must("pair", "--link", link(server), "--no-keyring")
        assert companion.must("find").rstrip().endswith("says it is yours")
        assert companion.status()["server"] == f"{FIRST} port {server.port}"
        lan.move(FIRST, MOVED)
        running = companion.start()
        try:
            until(lambda: companion.status()["connected"], FOUND_S)
            assert companion.status()["server"] == f"{MOVED} port {server.port}"
        finally:
            running.terminate()
            running.wait(STOP_S)
