"""What is found of a server's standing: addresses, certificates, clock, ports and the announcement."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
import json
from pathlib import Path
import secrets
import socket
from typing import Any

import pytest

from ira_home.base.clock import SystemClock
from ira_home.base.jsontext import dump
from ira_home.domain.diagnosis import FACTS, Finding, Said, State
from ira_home.domain.network import (
    Address,
    AddressKind,
    Announcement,
    AnnouncementFault,
    AnnouncementState,
    NetworkView,
    NoQr,
)
from ira_home.net.certificates import Authority, OwnCertificate
from ira_home.net.diagnosis import Diagnosis, Ground, standing
from ira_home.net.diagnosis.announced import announced
from ira_home.net.diagnosis.commands import Answer, ask
from tests.support.announcing import announced as announcing
from tests.support.clock import START, FakeClock
from tests.support.outside_certificates import HOST, Outside
from tests.support.ports import free_port

HOME = Address("192.168.1.20", "eth0", AddressKind.HOME)
INNER = Address("172.17.0.2", "eth0", AddressKind.HOME)
ON = Announcement(AnnouncementState.ANNOUNCED, "Sharma's house", START)
OFF = Announcement(AnnouncementState.OFF, None, START)
VIEW = NetworkView(
    addresses=(HOME,), chosen=HOME.address, picked=None, set_outside=None, why_no_qr=None,
    certified=frozenset({HOME.address}), announcement=OFF, changed_at=START,
)  # fmt: skip


OWN = {HOME.address}


def here(address: str, port: int = 8443) -> dict[str, Any]:
    """This server as `ira find` prints it."""
    return {"id": "7f3a9c", "name": "Home", "addresses": [address], "port": port}


def heard(address: str, port: int = 8443) -> Answer:
    return Answer(0, dump({"items": [here(address, port)], "next_cursor": None}))


async def nobody(*_: str, own: bool = False) -> Answer | None:
    """A computer without any of the programs."""
    return None


def authority(folder: Path, clock: FakeClock | SystemClock | None = None) -> Authority:
    return Authority.open(
        folder, install_id="7f3a9c", clock=clock or SystemClock(), addresses=[], hostname="pc"
    )


def said(view: NetworkView, root: Path) -> list[Said]:
    return [one.said for one in standing.addresses(view, identity="ira-7f3a9c.local", root=root)]


def test_every_finding_has_its_place() -> None:
    assert set(FACTS) == set(Said)
    assert {one.state for one in FACTS.values()} == set(State)


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({}, [Said.ADDRESS_GOOD]),
        ({"certified": frozenset()}, [Said.ADDRESS_UNNAMED]),
        ({"chosen": None, "why_no_qr": NoQr.NO_NETWORK, "addresses": ()}, [Said.ADDRESS_NO_NETWORK]),
        ({"chosen": None, "why_no_qr": NoQr.ONLY_TUNNEL}, [Said.ADDRESS_ONLY_TUNNEL]),
        ({"chosen": None, "why_no_qr": NoQr.ONLY_THIS_COMPUTER}, [Said.ADDRESS_ONLY_THIS_COMPUTER]),
        ({"picked": "10.0.0.7"}, [Said.ADDRESS_NOT_PICKED, Said.ADDRESS_GOOD]),
        ({"picked": "192.168.1.20"}, [Said.ADDRESS_GOOD]),
        (
            {"set_outside": "198.51.100.4", "chosen": "198.51.100.4", "picked": "10.0.0.7", "addresses": (Address("198.51.100.4", "", AddressKind.PUBLIC), HOME)},
            [Said.ADDRESS_NOT_HELD, Said.ADDRESS_UNNAMED],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_address_is_told(
    tmp_path: Path, changed: dict[str, Any], wanted: list[Said]
) -> None:
    assert said(replace(VIEW, **changed), tmp_path) == wanted


def test_the_inner_address_of_a_container_is_told_unless_another_was_given(tmp_path: Path) -> None:
    inner = replace(VIEW, addresses=(INNER,), chosen=INNER.address, certified=frozenset({INNER.address}))  # fmt: skip
    assert said(inner, tmp_path) == [Said.ADDRESS_GOOD]
    (tmp_path / ".dockerenv").touch()
    assert said(inner, tmp_path) == [Said.ADDRESS_IN_CONTAINER]
    assert said(VIEW, tmp_path) == [Said.ADDRESS_GOOD]
    assert said(replace(inner, set_outside=INNER.address), tmp_path) == [Said.ADDRESS_GOOD]
    (tmp_path / ".dockerenv").unlink()
    (tmp_path / "proc/sys/kernel").mkdir(parents=True)
    kernel = tmp_path / "proc/sys/kernel/osrelease"
    kernel.write_text("6.1.0-28-amd64\n")
    assert said(inner, tmp_path) == [Said.ADDRESS_GOOD]
    kernel.write_text("5.15.167.4-microsoft-standard-WSL2\n")
    assert said(inner, tmp_path) == [Said.ADDRESS_IN_CONTAINER]


@pytest.mark.parametrize(
    ("days", "wanted"),
    [
        (0, [Said.CERTIFICATE_GOOD]),
        (370, [Said.CERTIFICATE_NEAR_END]),
        (398, [Said.CERTIFICATE_ENDED]),
        (3_400, [Said.CERTIFICATE_ENDED, Said.AUTHORITY_NEAR_END]),
    ],
)
def test_the_end_of_a_certificate_is_told_before_it_comes(
    tmp_path: Path, days: int, wanted: list[Said]
) -> None:
    house = authority(tmp_path)
    now = SystemClock().now() + timedelta(days=days)
    assert [one.said for one in standing.certificates(house, now)] == wanted


def test_a_certificate_that_could_not_be_renewed_is_told_with_the_reason(tmp_path: Path) -> None:
    house = authority(tmp_path / "pki")
    (tmp_path / "pki" / "ca.key.pem").unlink()
    house.cover(["192.168.7.7"])
    (found,) = standing.certificates(house, SystemClock().now())
    assert found.said is Said.CERTIFICATE_FAULT
    assert "ca.key.pem is missing" in found.values["why"]


def test_an_own_certificate_is_told_apart_from_the_houses(tmp_path: Path) -> None:
    clock = FakeClock(SystemClock().now())
    outside = Outside(tmp_path, clock)
    house = authority(tmp_path / "pki", clock)
    house.serve_own(OwnCertificate(outside.certificate, outside.key, clock))
    good, own = standing.certificates(house, clock.now())
    assert (good.said, own.said) == (Said.CERTIFICATE_GOOD, Said.OWN_CERTIFICATE_FAULT)
    assert "fullchain.pem" in own.values["why"]
    outside.put(outside.make(["b.example.org", HOST]))
    house.cover()
    good, own = standing.certificates(house, clock.now())
    assert (good.said, own.said) == (Said.CERTIFICATE_GOOD, Said.OWN_CERTIFICATE_GOOD)
    assert own.values["names"] == f"b.example.org, {HOST}"


async def test_a_clock_is_lost_alone_or_good() -> None:
    async def alone(*words: str, own: bool = False) -> Answer | None:
        return Answer(0, "no\n" if words[0] == "timedatectl" else "")

    async def kept(*_: str, own: bool = False) -> Answer | None:
        return Answer(0, "yes\n")

    lost = await standing.clock(datetime(1970, 1, 1, tzinfo=UTC), alone)
    assert lost == Finding(Said.CLOCK_LOST, {"now": "1970-01-01 00:00 UTC"})
    assert (await standing.clock(START, alone)).said is Said.CLOCK_ALONE
    assert (await standing.clock(START, kept)).said is Said.CLOCK_GOOD
    assert (await standing.clock(START, nobody)).said is Said.CLOCK_GOOD


# --- the announcement


@pytest.mark.parametrize("fault", AnnouncementFault)
async def test_each_reason_for_no_announcement_is_told(fault: AnnouncementFault) -> None:
    state = Announcement(AnnouncementState.FAILED, None, START, fault)
    found = await announced(state, install_id="7f3a9c", port=8443, own=OWN, ask=nobody)
    assert found == Finding(Said(f"unannounced_{fault}"))


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (None, Said.ANNOUNCED_UNASKED),
        (Answer(1, ""), Said.ANNOUNCED_UNASKED),
        (Answer(0, "nonsense"), Said.ANNOUNCED_UNASKED),
        (Answer(0, "[]"), Said.ANNOUNCED_UNASKED),
        (Answer(0, '{"items": []}'), Said.ANNOUNCED_UNHEARD),
        (Answer(0, '{"items": [{"id": "other", "port": 8443}]}'), Said.ANNOUNCED_UNHEARD),
        (Answer(0, '{"items": [{"id": "7f3a9c", "port": 8443}]}'), Said.ANNOUNCED_GOOD),
        (heard(HOME.address), Said.ANNOUNCED_GOOD),
        (heard(HOME.address, port=9), Said.ANNOUNCED_OTHERWISE),
        (heard("10.0.0.5"), Said.ANNOUNCED_OTHERWISE),
        (Answer(0, dump({"items": [here(HOME.address), here("10.0.0.5")]})), Said.ANNOUNCED_OTHERWISE),
    ],
)  # fmt: skip
async def test_what_was_heard_from_outside_is_judged(answer: Answer | None, wanted: Said) -> None:
    asked = list[str]()

    async def listening(*words: str, own: bool = False) -> Answer | None:
        asked.extend(words)
        assert own
        return answer

    found = await announced(ON, install_id="7f3a9c", port=8443, own=OWN, ask=listening)
    assert found.said is wanted
    assert asked[-4:] == ["find", "--seconds", "3", "--json"]
    if wanted is Said.ANNOUNCED_OTHERWISE:
        assert found.values["address"] in {f"{HOME.address}:9", "10.0.0.5:8443"}


@pytest.mark.parametrize(
    ("own", "wanted"), [("127.0.0.1", Said.ANNOUNCED_GOOD), ("10.0.0.5", Said.ANNOUNCED_OTHERWISE)]
)
async def test_a_real_announcement_is_heard_by_a_program_of_its_own(own: str, wanted: Said) -> None:
    mine = secrets.token_hex(4)
    async with announcing(mine, port=18443):
        found = await announced(ON, install_id=mine, port=18443, own={own}, ask=ask)
    assert found.said is wanted


# --- the whole look


# An address of this computer where no other program takes the ports that are tried.
QUIET = "127.0.0.7"


def ground(folder: Path, **changed: Any) -> Ground:
    made: dict[str, Any] = {
        "bind": QUIET, "port": free_port(), "http_port": free_port(), "install_id": "7f3a9c",
        "clock": FakeClock(SystemClock().now()), "network": lambda: VIEW, "serving": lambda: False,
    }  # fmt: skip
    return Ground(**(made | {"authority": authority(folder / "pki")} | changed))


async def test_before_a_start_the_ports_are_tried(tmp_path: Path) -> None:
    there = ground(tmp_path)
    with socket.create_server((QUIET, there.http_port)):
        found = {one.said: one for one in await Diagnosis(there, ask=nobody, root=tmp_path).look()}
    assert found[Said.PORT_TAKEN].values == {"port": str(there.http_port)}
    assert Said.PORTS_FREE not in found
    found = {one.said: one for one in await Diagnosis(there, ask=nobody, root=tmp_path).look()}
    assert found[Said.PORTS_FREE].values["port"] == str(there.port)
    assert Said.FIREWALL_NONE in found


async def test_an_address_to_listen_on_that_is_not_there_is_told(tmp_path: Path) -> None:
    there = ground(tmp_path, bind="192.0.2.77")
    found = await Diagnosis(there, ask=nobody, root=tmp_path).look()
    assert Finding(Said.ADDRESS_NOT_HERE, {"address": "192.0.2.77"}) in found


async def test_who_asks_during_a_look_is_told_the_same_and_later_it_is_looked_anew(
    tmp_path: Path,
) -> None:
    looks = 0

    async def counted(*words: str, own: bool = False) -> Answer | None:
        nonlocal looks
        looks += words[0] == "timedatectl"
        return None

    there = ground(tmp_path)
    diagnosis = Diagnosis(there, ask=counted, root=tmp_path)
    first, second = await asyncio.gather(diagnosis.look(), diagnosis.look())
    assert first is second
    assert looks == 1
    there.clock.advance(2.0)  # type: ignore[attr-defined]
    assert await diagnosis.look() is not first
    assert looks == 2


# --- other programs


async def test_a_program_is_told_nothing_of_the_servers_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRA_MODEL_KEY", "secret")
    printed = await ask("python3", "-c", "import json, os; print(json.dumps(dict(os.environ)))")
    assert printed is not None
    told = json.loads(printed.text)
    assert "IRA_MODEL_KEY" not in told
    assert told["LC_ALL"] == "C"
    assert await ask(str(tmp_path / "none")) is None


async def test_a_program_that_hangs_or_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ira_home.net.diagnosis.commands.ASKED_PROGRAM_S", 0.2)
    assert await ask("cat", "/dev/zero") is None
    assert await ask("tail", "-f", "/dev/null") is None
