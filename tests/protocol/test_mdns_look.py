"""Looking for servers on the network: real questions and answers by multicast, on loopback."""

import asyncio
import secrets
import sys

import pytest
from zeroconf._dns import DNSPointer
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncZeroconf
from zeroconf.const import _CLASS_IN, _FLAGS_QR_RESPONSE, _TYPE_PTR

from ira_home.base.errors import CommandFailed
from ira_home.base.jsontext import parse
from ira_home.protocol.discovery import SERVICE_TYPE
from ira_home.protocol.mdns_look import look
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

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", refused)
    with pytest.raises(CommandFailed, match="cannot ask the local network"):
        await look(0.1)


async def test_without_the_library_it_is_said_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf.asyncio", None)
    with pytest.raises(CommandFailed, match="Python package zeroconf"):
        await look(0.1)


async def test_what_anybody_says_there_is_fit_to_be_shown() -> None:
    mine = secrets.token_hex(4)
    async with announced("7f3a9c; rm", name=f"\u202e\u200b{mine}"):
        found = await look(3.0)
    (server,) = [one for one in found if mine in one.name]
    assert (server.name, server.id) == (mine, "")


async def test_names_that_are_none_hide_nobody() -> None:
    mine = secrets.token_hex(4)
    liar = AsyncZeroconf(interfaces=[LOOPBACK])
    looking = asyncio.create_task(look(ENOUGH_S, wanted=mine))

    async def lie() -> None:
        while not looking.done():
            for name in ("\x1b[2J\x07", *(f"nobody {number}" for number in range(100))):
                liar.zeroconf.async_send(pointing_to(name))
            await asyncio.wait({looking}, timeout=0.1)

    lying = asyncio.create_task(lie())
    try:
        async with announced(mine):
            assert [one.id for one in await looking if one.id] == [mine]
    finally:
        await lying
        await liar.async_close()


def pointing_to(name: str) -> DNSOutgoing:
    """An answer which says that there is a server of this name."""
    said = DNSOutgoing(_FLAGS_QR_RESPONSE)
    said.add_answer_at_time(
        DNSPointer(SERVICE_TYPE, _TYPE_PTR, _CLASS_IN, 120, f"{name}.{SERVICE_TYPE}"), 0
    )
    return said


async def test_the_command_tells_what_a_program_of_its_own_has_heard() -> None:
    mine = secrets.token_hex(4)
    async with announced(mine):
        status, output = await ira("find", "--id", mine, "--seconds", str(ENOUGH_S), "--json")
        (server,) = [one for one in parse(output)["items"] if one["id"] == mine]
        assert (status, server["addresses"], server["port"]) == (0, [LOOPBACK], 8443)
        _, table = await ira("find", "--id", mine, "--seconds", str(ENOUGH_S))
        assert f"{LOOPBACK}  8443  ira-{mine}.local  {mine}" in " ".join(table.split(" "))
