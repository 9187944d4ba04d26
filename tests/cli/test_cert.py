"""`ira cert`, as a person types it: beside a running server and without one."""

from collections.abc import Iterator
from pathlib import Path
import re
from typing import Any

import pytest

from ira_home.base.jsontext import parse
from tests.support.program import OWNER, PIN, Program

# Each command is a process of its own: a busy computer takes seconds for one.
pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A house with its server running and one device that is away."""
    made = Program(tmp_path_factory.mktemp("house"))
    made.init()
    with made.serving():
        wish = {"kind": "mac", "label": "Office Mac", "skills": [], "pin": PIN}
        _, code, _ = made.call("POST", "/v1/me/pairings", wish, cookie=made.sign_in())
        claim = {"code": code["code"], "kind": "mac"}
        assert made.call("POST", "/v1/devices/pair", claim)[0] == 201
        yield made


def shown(program: Program) -> Any:
    return parse(program.must("cert", "show", "--json"))


def test_it_shows_by_what_the_house_is_recognised_and_until_when(program: Program) -> None:
    found = shown(program)
    said = program.must("cert", "show")
    assert f"fingerprint  {found['fingerprint']}\n" in said
    assert f"file         {program.data / 'pki' / 'ca.crt.pem'}\n" in said
    assert f"good until   {found['not_after'][:10]}; it is made anew by itself before\n" in said
    assert (found["fault"], found["next"], found["constrained"]) == (None, None, True)
    assert "127.0.0.1" in found["names"]


def test_renewing_keeps_the_authority_and_the_server_goes_on(program: Program) -> None:
    before = (program.data / "pki" / "server.pem").read_bytes()
    fingerprint = shown(program)["fingerprint"]
    said = program.must("cert", "renew")
    assert re.fullmatch(r"Made anew, good until \d{4}-\d\d-\d\d\. Open connections stay\.\n", said)
    assert (program.data / "pki" / "server.pem").read_bytes() != before
    assert shown(program)["fingerprint"] == fingerprint
    assert program.call("GET", "/healthz")[0] == 200


def test_another_authority_is_announced_given_up_and_taken_at_once(program: Program) -> None:
    first = shown(program)["fingerprint"]
    said = program.must("cert", "new-ca", "--no-name-constraints")
    coming = shown(program)["next"]
    assert f"Announced: {coming['fingerprint']}\n" in said
    assert "when 1 device more has heard of it" in said
    assert said.rstrip().endswith(" cert show")
    assert "waits for    Office Mac (Olive, away)\n" in program.must("cert", "show")
    assert coming["constrained"] is False

    again = program.ira("cert", "new-ca")
    assert (again.status, "on its way already" in again.err) == (1, True)
    assert program.must("cert", "new-ca", "--give-up").startswith("Given up")
    assert program.ira("cert", "new-ca", "--give-up").status == 1

    unsure = program.ira("cert", "new-ca", "--now", stdin="n\n")
    assert (unsure.status, unsure.err.rstrip().endswith("Nothing was changed.")) == (1, True)
    assert shown(program)["fingerprint"] == first
    said = program.must("cert", "new-ca", "--now", "--yes")
    last = shown(program)
    assert said.startswith(f"Another authority is in force: {last['fingerprint']}\n")
    assert (last["fingerprint"] != first, last["next"]) == (True, None)
    assert program.call("GET", "/healthz")[0] == 200, "the file of the authority is the new one"
    doctor = parse(program.ira("doctor", "--json").out)["items"]
    assert [one["state"] for one in doctor if one["about"] == "server"] == ["good"]


def test_without_a_server_and_without_devices_it_takes_over_at_once(tmp_path: Path) -> None:
    house = Program(tmp_path)
    house.init()
    first = shown(house)["fingerprint"]
    assert house.must("cert", "new-ca").startswith("Another authority is in force")
    assert shown(house)["fingerprint"] != first
    house.must("cert", "renew")
    with house.serving():
        assert house.sign_in(OWNER)
