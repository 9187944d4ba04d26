"""Where `ira serve` says that it is reached, and what it refuses: real processes on real addresses."""

from collections.abc import Iterator
from contextlib import contextmanager
import hashlib
import http.client
from pathlib import Path
import re
import shutil
import signal
import socket
import ssl
import subprocess
from urllib.parse import urlsplit

import pytest

from ira_home.base.jsontext import dump, parse
from ira_home.net.addresses import listening
from tests.support.ports import free_port
from tests.support.program import OWNER, PASSWORD, PIN, WAIT_S, Program

IPV6 = pytest.mark.skipif("::" not in listening("all"), reason="this system has no IPv6")
NEW_OWNER = {"email": OWNER, "name": "Olive", "password": PASSWORD, "pin": PIN}


@contextmanager
def serving(program: Program, *words: str) -> Iterator[str]:
    """A running server; what it printed until it was ready."""
    log = (program.folder / "server.log").open("a")
    with log, subprocess.Popen(
        [*program.started_as, "serve", *words],
        stdout=subprocess.PIPE, stderr=log, text=True, env=program.environment, cwd=program.folder,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        printed = []
        for line in process.stdout:
            printed.append(line)
            if line.startswith("ready "):
                break
        else:
            raise AssertionError((program.folder / "server.log").read_text())
        try:
            yield "".join(printed)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(WAIT_S)


def house(folder: Path, **variables: str) -> Program:
    program = Program(folder)
    program.environment |= variables
    return program


def logged(program: Program) -> str:
    return (program.folder / "server.log").read_text()


@pytest.mark.parametrize(
    "bind",
    ["all", "0.0.0.0", "127.0.0.1", pytest.param("::", marks=IPV6), pytest.param("::1", marks=IPV6)],
)  # fmt: skip
def test_every_address_that_is_printed_answers(tmp_path: Path, bind: str) -> None:
    program = house(tmp_path, IRA_BIND=bind)
    with serving(program) as printed:
        ready = printed.splitlines()[-1].removeprefix("ready ")
        trust = ssl.create_default_context(cafile=str(program.data / "pki" / "ca.crt.pem"))
        offered = re.findall(r"https?://\S+", printed)
        assert len(offered) >= 3
        for address in offered:
            parts = urlsplit(address)
            assert parts.hostname is not None
            with socket.create_connection((parts.hostname, parts.port or 0), WAIT_S) as line:
                if address == ready:
                    trust.wrap_socket(line, server_hostname=parts.hostname).close()
            if address.startswith("https://"):
                # Typed without its beginning it is a plain address to a browser.
                plain = http.client.HTTPConnection(parts.hostname, parts.port, timeout=WAIT_S)
                plain.request("GET", "/")
                assert "ca.crt" in plain.getresponse().read().decode()
                plain.close()
        assert program.must("healthcheck").strip() == "healthy"
        if bind in ("0.0.0.0", "127.0.0.1"):
            assert "[" not in printed


def test_an_unconfigured_server_listens_on_both_families(tmp_path: Path) -> None:
    program = house(tmp_path)
    del program.environment["IRA_BIND"]
    with serving(program):
        for host in ("127.0.0.1", "::1") if "::" in listening("all") else ("127.0.0.1",):
            for port in (program.port, program.http_port):
                socket.create_connection((host, port), WAIT_S).close()


def test_a_house_without_people_is_set_up_on_this_computer_at_the_printed_address(
    tmp_path: Path,
) -> None:
    program = house(tmp_path, IRA_BIND="all")
    with serving(program) as printed:
        here = re.search(r"Make the owner at (https://localhost:\d+) on this computer", printed)
        assert here is not None
        assert re.search(r"set-up code [A-Z2-9]{4}-[A-Z2-9]{4}\n", printed)
        trust = ssl.create_default_context(cafile=str(program.data / "pki" / "ca.crt.pem"))
        line = http.client.HTTPSConnection("localhost", program.port, timeout=WAIT_S, context=trust)
        headers = {"Content-Type": "application/json", "Origin": here[1]}
        line.request("POST", "/v1/setup", dump(NEW_OWNER).encode(), headers)
        assert line.getresponse().status == 201
        line.close()
    with serving(program) as printed:
        assert "set-up code" not in printed
        assert f"on this computer  {here[1]}\n" in printed


def test_where_this_computer_needs_the_code_as_well_that_is_said(tmp_path: Path) -> None:
    with serving(house(tmp_path, IRA_LOOPBACK_SETUP="no")) as printed:
        assert "Make the owner at one of these addresses with the set-up code" in printed


def test_the_fingerprint_is_told_on_the_console_and_by_commands(tmp_path: Path) -> None:
    program = house(tmp_path)
    program.init()
    authority = (program.data / "pki" / "ca.crt.der").read_bytes()
    digest = hashlib.sha256(authority).hexdigest().upper()
    shown = " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))
    with serving(program) as printed:
        assert f"CA fingerprint    {shown}\n" in printed
        assert f"plain start page  http://127.0.0.1:{program.http_port} " in printed
        assert shown in program.must("cert", "show")
        assert shown in program.must("doctor")
    found = parse(program.must("cert", "show", "--json"))
    assert found["fingerprint"] == shown
    assert Path(found["file"]).read_bytes().startswith(b"-----BEGIN CERTIFICATE-----")


def test_one_port_for_both_pages_is_one_sentence(tmp_path: Path) -> None:
    port = str(free_port())
    said = house(tmp_path).ira("serve", "--port", port, "--http-port", port)
    assert (said.status, len(said.err.strip().splitlines())) == (1, 1)
    assert f"cannot both have port {port}" in said.err


@pytest.mark.parametrize("wrong", ["many", "-1", "65536", "8443.5"])
def test_what_is_no_port_is_said_in_words(tmp_path: Path, wrong: str) -> None:
    said = house(tmp_path).ira("serve", f"--port={wrong}")
    assert said.status == 2
    assert f"'{wrong}' is no port: give a number from 0 to 65535." in said.err


def paired(program: Program) -> None:
    """Make a device of the house."""
    out = program.must("device", "code", "--email", OWNER, "--kind", "linux")
    code = re.search(r"\b([A-Z2-9]{4}-[A-Z2-9]{4})\b", out)
    assert code is not None
    with serving(program):
        claim = {"code": code[1], "kind": "linux"}
        assert program.call("POST", "/v1/devices/pair", claim)[0] == 201


def test_a_lost_authority_that_devices_know_is_not_replaced_unless_it_is_said(
    tmp_path: Path,
) -> None:
    program = house(tmp_path)
    program.init()
    paired(program)
    said = program.ira("serve", "--new-ca")
    assert (said.status, "There is a certificate authority" in said.err) == (1, True)
    shutil.rmtree(program.data / "pki")
    for words in (("serve",), ("user", "list"), ("device", "list")):
        said = program.ira(*words)
        assert said.status == 1
        assert "`ira serve --new-ca`" in said.err.splitlines()[-1]
        assert not (program.data / "pki").exists()
    doctor = program.ira("doctor")
    assert doctor.status == 1
    assert "every device has to be paired again" in doctor.out
    with serving(program, "--new-ca"):
        assert program.sign_in()
    with serving(program):
        assert program.sign_in()


def test_a_lost_authority_that_no_device_knows_is_replaced_with_a_warning(tmp_path: Path) -> None:
    program = house(tmp_path)
    program.init()
    shutil.rmtree(program.data / "pki")
    assert program.ira("user", "list").status == 1
    assert not (program.data / "pki").exists()
    with serving(program):
        assert program.sign_in()
        lost = [line for line in logged(program).splitlines() if " WARNING " in line]
        assert len(lost) == 1
        assert "a new certificate authority is made" in lost[0]
        shutil.rmtree(program.data / "pki")
        doctor = program.ira("doctor")
    assert doctor.status == 1
    assert re.search(r"bad +certificate: .*ca\.crt\.pem is gone", doctor.out)
