"""Programs that people have take the server by name, IPv4 and IPv6 when they know the authority, and only then."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
import shutil
import subprocess

from playwright.async_api import Error, async_playwright
import pytest

from ira_home.base.clock import SystemClock
from ira_home.net.certificates import Authority
from tests.pages.browser import CHROMIUM, FLAGS, needs_chromium
from tests.support.requirements import requirement
from tests.support.tls_page import has_ipv6, know, page_on

ID = "7f3a9c"
NAME = f"ira-{ID}.local"
HOSTS = [NAME, "pc.local", "localhost", "127.0.0.1", "192.168.1.23", "[::1]", "[fd00::23]"]


@pytest.fixture(params=[True, False], ids=["constrained", "unconstrained"])
def authority(tmp_path: Path, request: pytest.FixtureRequest) -> Authority:
    return open_in(tmp_path / "pki", constrained=request.param)


def open_in(folder: Path, *, constrained: bool = True) -> Authority:
    return Authority.open(
        folder,
        install_id=ID,
        clock=SystemClock(),
        addresses=["192.168.1.23", "fd00::23"],
        hostname="pc",
        constrained=constrained,
    )


async def curl(host: str, port: int, ca: Path) -> int:
    """The exit status of curl for a host that is this loopback; it verifies the host as it is written."""
    program = shutil.which("curl")
    if program is None:
        pytest.skip("curl is not installed")
    there = "[::1]" if host == "[::1]" else "127.0.0.1"
    words = ["--silent", "--show-error", "--noproxy", "*", "--cacert", str(ca)]
    to = ["--connect-to", f"{host}:{port}:{there}:{port}", f"https://{host}:{port}/"]
    process = await asyncio.create_subprocess_exec(
        program, *words, *to, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    said, _ = await process.communicate()
    assert (b"hello" in said) == (process.returncode == 0)
    return process.returncode or 0


@requirement("lan.https")
async def test_curl_takes_every_name_and_address(authority: Authority, tmp_path: Path) -> None:
    ca = tmp_path / "pki" / "ca.crt.pem"
    async with page_on(authority.server_context()) as port:
        hosts = [host for host in HOSTS if host != "[::1]" or has_ipv6()]
        assert [host for host in hosts if await curl(host, port, ca)] == []


async def test_curl_refuses_another_authority_and_a_name_that_is_not_the_servers(
    authority: Authority, tmp_path: Path
) -> None:
    open_in(tmp_path / "other")
    async with page_on(authority.server_context()) as port:
        not_trusted, another_name = 60, 60
        assert await curl(NAME, port, tmp_path / "other" / "ca.crt.pem") == not_trusted
        assert await curl("ira.local", port, tmp_path / "pki" / "ca.crt.pem") == another_name


@requirement("lan.strict")
@pytest.mark.parametrize("host", HOSTS)
def test_openssl_verifies_every_name_and_address_strictly(
    authority: Authority, tmp_path: Path, host: str
) -> None:
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("openssl is not installed")
    assert authority.fault is None
    bare = host.strip("[]")
    check = "-verify_ip" if bare[0].isdigit() or ":" in bare else "-verify_hostname"
    pki = tmp_path / "pki"
    words = ["-x509_strict", "-purpose", "sslserver", check, bare]
    files = ["-CAfile", str(pki / "ca.crt.pem"), str(pki / "server.pem")]
    done = subprocess.run(
        [program, "verify", *words, *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@requirement("lan.strict")
@pytest.mark.browser
@pytest.mark.timeout(120)
async def test_chromium_that_knows_the_authority_takes_every_name_and_address(
    authority: Authority, tmp_path: Path
) -> None:
    async with page_on(authority.server_context()) as port:
        wanted = {host: "hello" for host in HOSTS if host != "[::1]" or has_ipv6()}
        wanted["ira.local"] = "net::ERR_CERT_COMMON_NAME_INVALID"
        known = know(tmp_path / "knows", authority.ca_pem)
        assert await visits(wanted, port, known) == wanted


@pytest.mark.browser
@pytest.mark.timeout(120)
async def test_chromium_that_does_not_know_it_takes_none(tmp_path: Path) -> None:
    authority = open_in(tmp_path / "pki")
    async with page_on(authority.server_context()) as port:
        known = know(tmp_path / "knows", open_in(tmp_path / "other").ca_pem)
        found = await visits([NAME, "127.0.0.1"], port, known)
    assert set(found.values()) == {"net::ERR_CERT_AUTHORITY_INVALID"}


async def visits(hosts: Iterable[str], port: int, env: dict[str, str]) -> dict[str, str]:
    """What a browser shows for each host, or why it shows nothing."""
    needs_chromium()
    here = [f"MAP {host.strip('[]')} 127.0.0.1" for host in hosts if host != "[::1]"]
    rules = f"--host-resolver-rules={','.join(here)}"
    found = {}
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, rules], env={**env}
        )
        try:
            page = await chromium.new_page()
            for host in hosts:
                try:
                    await page.goto(f"https://{host}:{port}/")
                    found[host] = await page.inner_text("p")
                except Error as error:
                    found[host] = error.message.partition("goto: ")[2].partition(" at ")[0]
        finally:
            await chromium.close()
    return found
