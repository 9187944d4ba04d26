"""The bundle at work, where nothing of Python is installed: demo, companion, server, commands, a model."""

import asyncio
from pathlib import Path
import re
import secrets
import ssl
import urllib.request

import pytest

from ira_home import __version__
from ira_home.base.jsontext import parse
from ira_home.net.addresses import ranked
from ira_home.net.interfaces import interfaces
from ira_home.protocol.mdns_look import Server, look
from tests.bundle.bundle import STOP_S, Bundle, started
from tests.clients import papers
from tests.providers.model_server import chunk, model_server, streaming, text
from tests.support.announcing import announced
from tests.support.program import OWNER, Program
from tests.support.requirements import requirement

pytestmark = [pytest.mark.bundle, pytest.mark.timeout(180)]


def page(program: Program, path: str) -> str:
    """A page or one of its files, over TLS that the house's CA vouches for."""
    trust = ssl.create_default_context(cafile=str(program.data / "pki" / "ca.crt.pem"))
    address = f"https://127.0.0.1:{program.port}{path}"
    with urllib.request.urlopen(address, context=trust, timeout=STOP_S) as reply:
        return str(reply.read().decode())


@requirement("ship.bundle")
def test_the_demo_pairs_its_companion_reads_for_the_person_and_stops_without_a_trace(
    bundle: Bundle, tmp_path: Path
) -> None:
    program = bundle.program(tmp_path / "demo")
    with started(program, "demo", "--companion") as (process, printed):
        found = re.search(r"sign in +(\S+) +(\S+)\n", printed)
        assert found is not None
        cookie = program.sign_in(found[1], found[2])
        downloads = program.data / "Downloads"
        (downloads / "letter.docx").write_bytes(papers.docx("Dear Asha, the drill is repaired."))
        locked = papers.locked_pdf(papers.pdf("Warranty of the chair"), user="", owner="x")
        (downloads / "warranty.pdf").write_bytes(locked)
        for name, content in (
            ("invoice.pdf", "Bright Smile Dental Supplies"),
            ("letter.docx", "the drill is repaired"),
            ("warranty.pdf", "Warranty of the chair"),
        ):
            ask = {"text": f"read {name} in Downloads"}
            status, body, _ = program.call("POST", "/v1/ask", ask, cookie=cookie)
            assert (status, body["tools"][0]["outcome"]) == (200, "done"), body
            assert content in body["text"]
        ask = {"text": "आज के अपॉइंटमेंट दिखाओ"}
        _, body, _ = program.call("POST", "/v1/ask", ask, cookie=cookie)
        assert [one["tool"] for one in body["tools"]] == ["clinic_appointments"]
        assert bundle.running() == {"ira", "ira-companion"}
        process.terminate()
        assert process.wait(STOP_S) == 0
    assert bundle.running() == set()


def test_a_house_is_made_served_and_signed_in_to(bundle: Bundle, tmp_path: Path) -> None:
    program = bundle.program(tmp_path / "home")
    with started(program, "serve") as (process, printed):
        assert "set-up code" in printed
        entering = page(program, "/setup")
        assert "<form" in entering
        style = re.search(r'href="(/static/[^"]+\.css)"', entering)
        assert style is not None
        assert "{" in page(program, style[1])
        process.terminate()
        assert process.wait(STOP_S) == 0
    program.init()
    with started(program, "serve") as (process, printed):
        assert "set-up code" not in printed
        assert program.sign_in(OWNER)
        assert program.must("healthcheck").strip() == "healthy"
    assert bundle.running() == set()


async def test_a_model_is_asked_over_its_library(bundle: Bundle, tmp_path: Path) -> None:
    program = bundle.program(tmp_path / "home")
    program.init()

    def asked() -> str:
        with started(program, "serve"):
            cookie = program.sign_in()
            _, body, _ = program.call("POST", "/v1/ask", {"text": "Ring it"}, cookie=cookie)
        return str(body["text"])

    async with model_server(streaming(text("Ding."), chunk({}, "stop"))) as server:
        words = ["brain", "use", "openai", "--url", server.url, "--model", "tiny"]
        await asyncio.to_thread(program.must, *words)
        assert await asyncio.to_thread(asked) == "Ding."


@pytest.mark.parametrize("name", ["ira", "ira-companion"])
def test_a_program_knows_its_version(bundle: Bundle, tmp_path: Path, name: str) -> None:
    program = bundle.program(tmp_path / "home")
    program.started_as = [str(bundle.folder / name)]
    assert __version__ in program.must("--version").split()


async def test_it_hears_what_is_announced_on_the_network(bundle: Bundle, tmp_path: Path) -> None:
    program, mine = bundle.program(tmp_path / "home"), secrets.token_hex(4)
    async with announced(mine):
        said = await asyncio.to_thread(program.must, "find", "--id", mine, "--seconds", "20")
    assert mine in said


@pytest.mark.skipif(
    not ranked(interfaces(), source=None),
    reason="this computer is on no network to be announced on",
)
async def test_its_server_is_announced_on_the_network(bundle: Bundle, tmp_path: Path) -> None:
    program = bundle.program(tmp_path / "home")
    program.environment["IRA_BIND"] = "all"

    async def heard() -> list[Server]:
        mine = parse(await asyncio.to_thread(program.must, "cert", "show", "--json"))["identity"]
        wanted = mine.removeprefix("ira-").removesuffix(".local")
        return [one for one in await look(30.0, wanted=wanted) if one.id == wanted]

    with program.serving(mdns=True):
        assert [one.port for one in await heard()] == [program.port]
