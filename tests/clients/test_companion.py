"""The companion as its own program, against a house that plays the server's side."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import StringIO
import os
from pathlib import Path
import signal
import stat
import sys
from typing import Any

import pytest

from ira_companion.main import main
from ira_home.base.jsontext import parse
from tests.clients import papers
from tests.clients.authority import Authority
from tests.clients.fake_home import TOKEN, FakeHome, claimed
from tests.support.streams import listening

Run = Callable[..., Any]


@dataclass
class Ran:
    """How a command ended."""

    status: int
    out: str
    err: str


class Companion:
    """The program with a state folder and a home of its own; nothing is asked, stdin is no terminal."""

    def __init__(self, tmp_path: Path) -> None:
        self.home = tmp_path / "home"
        self.state = tmp_path / "state"
        self.downloads = self.home / "Downloads"
        self.downloads.mkdir(parents=True)
        (self.downloads / "invoice.pdf").write_bytes(papers.pdf("Invoice 4711", "Total 990"))

    async def start(self, *words: str) -> asyncio.subprocess.Process:
        """Start the program with a pipe on every end."""
        kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "ira_companion", *words,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=kept | {"HOME": str(self.home), "IRA_COMPANION_DIR": str(self.state)},
        )  # fmt: skip

    async def run(self, *words: str, stdin: str = "") -> Ran:
        """Run the program to its end."""
        process = await self.start(*words)
        out, err = await process.communicate(stdin.encode())
        assert process.returncode is not None
        return Ran(process.returncode, out.decode(), err.decode())

    async def refused(self, *words: str, stdin: str = "") -> tuple[int, str]:
        """Run the program, which must say why not in one line."""
        ran = await self.run(*words, stdin=stdin)
        assert "Traceback" not in ran.err
        assert len(ran.err.strip().splitlines()) == 1, ran.err
        return ran.status, ran.err.strip()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """`ira-companion run` in the background."""
        process = await self.start("run")
        try:
            yield process
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            await process.wait()

    async def status(self) -> dict[str, Any]:
        found: dict[str, Any] = parse((await self.run("status", "--json")).out)
        return found


@pytest.fixture
def companion(tmp_path: Path) -> Companion:
    return Companion(tmp_path)


@pytest.fixture
async def paired(home: FakeHome, companion: Companion) -> Companion:
    home.claim_answer = (201, claimed(label="Office PC"), {})
    ran = await companion.run(
        "pair", "--link", "-", "--folder", str(companion.downloads), stdin=home.link().url() + "\n"
    )
    assert ran.status == 0, ran.err
    assert f"Ira may read: {companion.downloads}" in ran.out
    assert "no keyring here" in ran.err
    return companion


async def test_paired_and_running_it_finds_and_reads_a_real_pdf(
    home: FakeHome, paired: Companion
) -> None:
    async with paired.running() as process:
        line = await home.line()
        hello = await line.welcome()
        assert {tool["name"]: tool["tier"] for tool in hello["tools"]} == {
            "files_find": 0,
            "files_read": 0,
        }
        assert {tool["skill"] for tool in hello["tools"]} == {"files"}
        await line.call("files_read", {"path": "invoice.pdf in Downloads"})
        result = await line.frame("result")
        assert result["content"] == {
            "summary": "Read invoice.pdf (PDF).",
            "text": "Invoice 4711\n\nTotal 990",
            "page": 1,
            "pages": 1,
            "path": "~/Downloads/invoice.pdf",
        }
        await line.call("files_find", {"query": "invoice"})
        assert (await line.frame("result"))["content"]["files"][0]["path"].endswith("invoice.pdf")
        await line.call("files_read", {"path": "/etc/passwd"})
        assert "not in a folder that I may read" in (await line.frame("result"))["error"]
        process.send_signal(signal.SIGTERM)
        _out, err = await process.communicate()
        assert process.returncode == 0
    log = err.decode()
    assert "files_read done in" in log
    assert "invoice" not in log
    assert "passwd" not in log
    assert TOKEN not in log


async def test_a_folder_is_opened_and_closed_while_it_runs(
    home: FakeHome, paired: Companion
) -> None:
    notes = paired.home / "Notes"
    notes.mkdir()
    (notes / "a.txt").write_text("a note")
    async with paired.running():
        line = await home.line()
        await line.welcome()
        await line.call("files_read", {"path": "a.txt in Notes"})
        assert (await line.frame("result"))["ok"] is False
        assert (await paired.run("folders", "add", str(notes))).status == 0
        await line.call("files_read", {"path": "a.txt in Notes"})
        assert (await line.frame("result"))["content"]["text"] == "a note"
        assert (await paired.run("folders", "remove", "Notes")).status == 0
        await line.call("files_read", {"path": "~/Notes/a.txt"})
        assert (await line.frame("result"))["ok"] is False


async def test_status_tells_whether_it_is_paired_running_and_connected(
    home: FakeHome, companion: Companion, paired: Companion
) -> None:
    found = await paired.status()
    assert (found["paired"], found["running"], found["connected"]) == (True, False, False)
    assert (found["label"], found["token_in"]) == ("Office PC", "file")
    async with paired.running():
        line = await home.line()
        await line.welcome()
        await line.say({"type": "ping"})
        await line.frame("pong")
        found = await paired.status()
        assert (found["running"], found["connected"]) == (True, True)
        assert found["words"] == "connected as device 3"
        status, words = await paired.refused("run")
        assert (status, words) == (7, "ira-companion: The companion is running already.")
    assert (await paired.status())["running"] is False
    assert "Office PC" in (await paired.run("status")).out


async def test_a_device_removed_on_the_server_stops_and_is_no_longer_paired(
    home: FakeHome, paired: Companion
) -> None:
    async with paired.running() as process:
        line = await home.line()
        await line.welcome()
        await line.close(4403)
        _out, err = await process.communicate()
        assert process.returncode == 4
    assert err.decode().splitlines()[-1] == (
        "ira-companion: This device was removed on the server. Pair it again."
    )
    assert (await paired.status())["paired"] is False
    assert not (paired.state / "token").exists()


async def test_unpair_says_bye_and_forgets(home: FakeHome, paired: Companion) -> None:
    process = await paired.start("unpair")
    line = await home.line()
    await line.frame("bye")
    await line.close(1000)
    await process.communicate()
    assert process.returncode == 0
    assert (await paired.status())["paired"] is False


async def test_unpair_without_a_server_keeps_the_pairing_until_told_to_forget(
    home: FakeHome, paired: Companion
) -> None:
    home.refuse_socket = (503, {})
    status, words = await paired.refused("unpair")
    assert status == 6
    assert "--forget" in words
    assert (await paired.status())["paired"] is True
    assert (await paired.run("unpair", "--forget")).status == 0
    assert (await paired.status())["paired"] is False


async def test_every_file_of_the_state_folder_is_private(paired: Companion) -> None:
    assert stat.S_IMODE(paired.state.stat().st_mode) == 0o700
    for path in paired.state.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


async def test_a_typed_code_needs_the_fingerprint_or_the_servers_own_certificate(
    home: FakeHome, companion: Companion, tmp_path: Path
) -> None:
    where = ("--code", "-", "--address", f"127.0.0.1:{home.port}")
    status, words = await companion.refused("pair", *where, stdin="abcd-efgh\n")
    assert status == 8
    assert "The server's fingerprint is" in words
    assert home.claims == []
    (tmp_path / "ca.pem").write_bytes(home.authority.pem)
    ran = await companion.run("pair", *where, "--ca", str(tmp_path / "ca.pem"), stdin="abcd-efgh\n")
    assert ran.status == 0, ran.err
    assert "no folder yet" in ran.out
    assert home.claims == [{"code": "ABCDEFGH", "kind": "linux"}]


async def test_a_terminal_like_conversation_pairs_with_a_link_from_stdin(
    home: FakeHome, companion: Companion
) -> None:
    ran = await companion.run("pair", stdin="nonsense\n" + home.link().url() + "\n")
    assert ran.status == 0, ran.err
    assert "A pairing code has eight letters and digits" in ran.err


@pytest.mark.parametrize(
    ("words", "stdin", "status", "said"),
    [
        (("run",), "", 3, "not paired yet"),
        (("unpair",), "", 3, "not paired yet"),
        (("pair", "--link", "-"), "https://x/pair#code=OOOOOOOO\n", 8, "without I, L, O, U"),
        (("pair", "--link", "-"), "https://127.0.0.1:1/pair#code=ABCDEFGH\n", 6, "reached"),
        (("pair", "--link", "-"), "ABCD-EFGH\n", 1, "--address"),
        (("pair", "--link", "-", "--code", "-"), "\n", 1, "not both"),
        (("pair", "--link", "-", "--folder", "/nowhere"), "\n", 1, "no folder /nowhere"),
        (("pair", "--link", "-", "--ca", "/etc/hostname"), "\n", 1, "no certificate"),
        (("folders", "remove", "Music"), "", 1, "not among"),
        (("folders", "add", "/"), "", 1, "whole disk"),
    ],
)
def test_every_refusal_is_one_line_with_its_own_status(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    stdin: str,
    status: int,
    said: str,
) -> None:
    monkeypatch.setenv("IRA_COMPANION_DIR", str(tmp_path / "state"))
    monkeypatch.setattr(sys, "stdin", StringIO(stdin))
    with pytest.raises(SystemExit) as ended:
        main(words)
    line = capsys.readouterr().err
    assert (ended.value.code, line.startswith("ira-companion: ")) == (status, True), line
    assert said in line
    assert line.count("\n") == 1


async def test_the_wrong_server_has_a_status_of_its_own(
    home: FakeHome, companion: Companion
) -> None:
    link = home.link(fingerprint="A" * 43).url()
    status, words = await companion.refused("pair", "--link", "-", stdin=link + "\n")
    assert (status, words) == (5, "ira-companion: This is not the server you scanned.")


async def test_folders_are_listed_for_people_and_for_scripts(companion: Companion) -> None:
    assert "No folder" in (await companion.run("folders", "list")).out
    added = await companion.run("folders", "--state", "x", "add", "y")
    assert added.status == 2
    await companion.run("folders", "add", str(companion.downloads))
    listed = parse((await companion.run("folders", "list", "--json")).out)
    assert listed == {"items": [{"path": str(companion.downloads), "exists": True}]}


async def test_the_state_folder_may_be_named_before_or_behind_the_command(
    companion: Companion, tmp_path: Path
) -> None:
    for words in (("--state", str(tmp_path / "o"), "status", "--json"), ("status", "--json", "--state", str(tmp_path / "o"))):  # fmt: skip
        assert parse((await companion.run(*words)).out)["state"] == str(tmp_path / "o")
    assert (await companion.status())["state"] == str(companion.state)


async def test_unpaired_its_status_says_so_to_scripts_too(companion: Companion) -> None:
    ran = await companion.run("status", "--json")
    assert (ran.status, parse(ran.out)["paired"]) == (3, False)
    ran = await companion.run("status")
    assert (ran.status, "Not paired." in ran.out) == (3, True)


async def test_the_commands_it_suggests_can_be_typed_as_they_stand(
    home: FakeHome, companion: Companion, tmp_path: Path
) -> None:
    state = tmp_path / "other state"
    start = f"{sys.executable} -m ira_companion --state '{state}'"
    ran = await companion.run("--state", str(state), "run")
    assert ran.err.strip().endswith(f"Pair it: {start} pair")
    home.claim_answer = (201, claimed(label="Office PC"), {})
    ran = await companion.run(
        "--state", str(state), "pair", "--link", "-", stdin=home.link().url() + "\n"
    )
    assert ran.out.endswith(
        f"Ira may read no folder yet: {start} folders add DIR\nNow start it: {start} run\n"
    )


async def test_a_folder_that_was_there_keeps_its_mode(
    home: FakeHome, companion: Companion, tmp_path: Path
) -> None:
    mine = tmp_path / "photos"
    mine.mkdir()
    mine.chmod(0o755)
    (mine / "a.jpg").write_bytes(b"x")
    home.claim_answer = (201, claimed(), {})
    ran = await companion.run(
        "--state", str(mine), "pair", "--link", "-", "--folder", str(companion.downloads),
        stdin=home.link().url() + "\n",
    )  # fmt: skip
    assert ran.status == 0, ran.err
    assert stat.S_IMODE(mine.stat().st_mode) == 0o755
    assert stat.S_IMODE((mine / "token").stat().st_mode) == 0o600


async def test_it_finds_a_server_that_moved_and_keeps_where_it_is(
    home: FakeHome, paired: Companion
) -> None:
    kept = paired.state / "device.json"
    kept.write_text(kept.read_text().replace(f'"port": {home.port}', '"port": 1'))
    assert (await paired.status())["server"] == "127.0.0.1 port 1"
    process = await paired.start("run", "--address", f"127.0.0.1:{home.port}")
    line = await home.line()
    await line.welcome()
    await line.say({"type": "ping"})
    await line.frame("pong")
    assert (await paired.status())["server"] == f"127.0.0.1 port {home.port}"
    process.send_signal(signal.SIGTERM)
    await process.wait()


async def test_an_address_where_another_server_is_is_not_kept(
    home: FakeHome, paired: Companion, tmp_path: Path
) -> None:
    async def other(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        """Says nothing and hangs up."""

    async with listening(other, ssl=Authority.make().context(tmp_path)) as port:
        process = await paired.start("run", "--address", f"127.0.0.1:{port}")
        assert process.stderr is not None
        while b"is not the server this device knows" not in await process.stderr.readline():
            pass
        assert (await paired.status())["server"] == f"127.0.0.1 port {home.port}"
        process.send_signal(signal.SIGTERM)
        await process.communicate()
