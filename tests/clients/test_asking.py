"""What a person is asked and shown who types a code, and finds the servers of the network."""

import asyncio
from collections.abc import Callable
from io import StringIO
from pathlib import Path
import secrets
import sys
from typing import Any

import pytest

from ira_companion.main import main
from ira_device import NotPaired, terminal
from ira_device.http import Address
from ira_device.store import Paired, Store
from ira_home.base.jsontext import parse
from ira_home.protocol.mdns_look import Server
from ira_home.protocol.pairing_link import PairingLinkText
from tests.support.announcing import announced

HOME = Server("Sharma's house", "7f3a9c", "ira-7f3a9c.local", 8443, ("fd00::1", "192.168.1.23"))
CLINIC = Server("Clinic", "00ff00", "ira-00ff00.local", 9443, ("192.168.1.40",))
FAR = Server("Far", "aaaaaa", "ira-aaaaaa.local", 8443, ("8.8.8.8",))

Heard = Callable[[list[Server]], None]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """What the network answers."""

    def answer(servers: list[Server]) -> None:
        async def ask() -> list[Server]:
            return servers

        monkeypatch.setattr("ira_device.finding.ask_network", ask)

    return answer


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("".join(f"{line}\n" for line in lines)))


@pytest.mark.parametrize(
    ("typed", "host", "port"),
    [
        (["ABCD-EFGH", "1"], "192.168.1.23", 8443),
        (["abcdefgh", "2"], "192.168.1.40", 9443),
        (["ABCD-EFGH", "192.168.1.50"], "192.168.1.50", 8443),
        (["ABCD-EFGH", "https://[fd00::2]:9443/"], "fd00::2", 9443),
        (["nonsense", "ABCD-EFGH", "1"], "192.168.1.23", 8443),
    ],
)
def test_who_types_a_code_picks_the_server_or_types_its_address(
    heard: Heard,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: list[str],
    host: str,
    port: int,
) -> None:
    heard([HOME, CLINIC, FAR])
    typing(monkeypatch, *typed)
    assert terminal.ask_link() == PairingLinkText(host, port, "ABCDEFGH")
    shown = capsys.readouterr().err
    assert "  1  Sharma's house  192.168.1.23:8443\n  2  Clinic  192.168.1.40:9443\n" in shown
    assert "Far" not in shown


def test_the_only_one_is_taken_with_enter(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    heard([CLINIC])
    typing(monkeypatch, "ABCD-EFGH", "")
    assert terminal.ask_link().host == "192.168.1.40"


def test_where_nobody_answers_the_address_is_typed(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard([])
    typing(monkeypatch, "ABCD-EFGH", "192.168.1.50:9443")
    assert terminal.ask_link() == PairingLinkText("192.168.1.50", 9443, "ABCDEFGH")


def test_who_said_where_it_is_is_not_asked(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    heard([CLINIC])
    typing(monkeypatch, "ABCD-EFGH")
    assert terminal.ask_link(Address("192.168.1.9", 1)).host == "192.168.1.9"
    typing(monkeypatch, "ABCD-EFGH")
    with pytest.raises(NotPaired):
        terminal.ask_link()


def found(capsys: pytest.CaptureFixture[str], state: Path, *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["--state", str(state), "find", *words])
    assert ended.value.code == 0
    return capsys.readouterr().out


def known(state: Path, install_id: str) -> None:
    paired = Paired(
        host="127.0.0.1",
        port=8443,
        server_name=f"ira-{install_id}.local",
        ca_pem="",
        device_id=3,
        kind="linux",
        label="PC",
        assistant="Ira",
        websocket="/v1/devices/ws",
    )
    Store(state, keyring=None).save(paired, "irad_" + "t" * 43)


async def test_find_shows_every_server_that_answers_and_which_says_it_is_yours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, other = secrets.token_hex(4), secrets.token_hex(4)
    known(tmp_path, mine)
    async with announced(mine, name=f"My {mine}", port=8443), announced(other, name=other, port=9):
        shown = await asyncio.to_thread(found, capsys, tmp_path)
        told: list[dict[str, Any]] = parse(
            await asyncio.to_thread(found, capsys, tmp_path, "--json")
        )["items"]
    assert f"My {mine}  127.0.0.1:8443  {mine}  says it is yours\n" in shown
    assert f"{other}  127.0.0.1:9  {other}\n" in shown
    assert {
        "name": other,
        "id": other,
        "addresses": ["127.0.0.1"],
        "port": 9,
        "says_it_is_yours": False,
    } in told
    assert [one["id"] for one in told if one["says_it_is_yours"]] == [mine]


def test_where_nobody_answers_find_says_what_works_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody(seconds: float) -> list[Server]:
        assert seconds == 0.5
        return []

    monkeypatch.setattr("ira_companion.find_command.look", nobody)
    shown = found(capsys, tmp_path, "--seconds", "0.5")
    assert shown.startswith("No server of Ira's answered.")
    assert "pair --address HOST:PORT" in shown
