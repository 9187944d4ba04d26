"""Looking for servers on the network: real questions and answers by multicast, on loopback."""

import asyncio
import secrets
import sys

import pytest

from ira_home.base.errors import CommandFailed
from ira_home.base.jsontext import parse
from ira_home.net import mdns_look
from ira_home.net.mdns_look import look
from tests.support.announcing import LOOPBACK, announced

ENOUGH_S = 20.0  # it ends with the answer; this is only for when none comes


async def ira(*words: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "ira_home", *words, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


async def test_a_server_is_found_with_its_id_port_and_addresses() -> None:
    mine = secrets.token_hex(4)
    async with announced(mine, name="Sharma's house", port=18443):
        found = await look(ENOUGH_S, wanted=mine)
    (server,) = [one for one in found if one.id == mine]
    assert (server.name, server.port, server.host) == ("Sharma's house", 18443, f"ira-{mine}.local")
    assert server.addresses == (LOOPBACK,)


async def test_two_servers_are_both_found_and_one_without_an_id_too() -> None:
    first, second = secrets.token_hex(4), secrets.token_hex(4)
    async with announced(first, name=first), announced(None, name=second):
        found = await look(3.0)
    assert {first, second} <= {one.name for one in found}
    assert next(one.id for one in found if one.name == second) == ""


async def test_where_nobody_can_be_asked_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: object) -> None:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(mdns_look, "AsyncZeroconf", refused)
    with pytest.raises(CommandFailed, match="cannot ask the local network"):
        await look(0.1)


async def test_the_command_tells_what_a_program_of_its_own_has_heard() -> None:
    mine = secrets.token_hex(4)
    async with announced(mine):
        status, output = await ira("find", "--id", mine, "--seconds", str(ENOUGH_S), "--json")
        (server,) = [one for one in parse(output)["items"] if one["id"] == mine]
        assert (status, server["addresses"], server["port"]) == (0, [LOOPBACK], 8443)
        _, table = await ira("find", "--id", mine, "--seconds", str(ENOUGH_S))
        assert f"{LOOPBACK}  8443  ira-{mine}.local  {mine}" in " ".join(table.split(" "))
