"""The programs of docs/device-sdk.md, run as they stand there and asked what the page tells to ask."""

import asyncio
import os
from pathlib import Path
import signal
import sys

import pytest

from ira_device import Device
from tests.clients.fake_home import FakeHome
from tests.support.home import open_home
from tests.support.keeping import check_promises
from tests.support.pages import fenced, promises, read

_PAGE = read("docs/device-sdk.md")
_RUN = "device.run()\n"


async def started(folder: Path, program: str, link: str) -> asyncio.subprocess.Process:
    """The program as a person starts it, with the pairing link pasted."""
    (folder / "lamp.py").write_text(program, encoding="utf-8")
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable, folder / "lamp.py",
        stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env=kept | {"HOME": str(folder)},
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(f"{link}\n".encode())
    return process


async def test_ten_lines_pair_connect_and_answer(home: FakeHome, tmp_path: Path) -> None:
    process = await started(tmp_path, fenced(_PAGE, "python")[0], home.link().url())
    line = await home.line()
    hello = await line.welcome()
    assert [tool["name"] for tool in hello["tools"]] == ["lamp_state"]
    await line.call("lamp_state", {})
    assert (await line.frame("result"))["content"] == {"summary": "The lamp is on."}
    process.send_signal(signal.SIGINT)
    _out, err = await process.communicate()
    assert process.returncode == 0
    assert "Paired with Ira as “Lamp”." in err.decode()
    assert "Traceback" not in err.decode()


async def test_the_lamp_of_the_page_is_understood_without_a_key(tmp_path: Path) -> None:
    first, second = fenced(_PAGE, "python")[:2]
    assert first.endswith(_RUN)
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        wish = {"kind": "linux", "label": "My lamp", "skills": ["lamp"], "pin": owner.pin}
        link = (await owner.call("POST", "/v1/me/pairings", wish)).body["url"]
        process = await started(tmp_path, first.removesuffix(_RUN) + second + _RUN, link)
        assert process.stderr is not None
        async with asyncio.timeout(30):
            while b"connected as device" not in await process.stderr.readline():
                assert process.returncode is None
        told = promises(_PAGE)
        assert {one.tool for one in told} == {"lamp_state", "lamp_dim"}
        await check_promises(owner, told)
        process.send_signal(signal.SIGINT)
        await process.communicate()


LAMP = """
from pathlib import Path
from ira_device import Device
from ira_device.store import Store

Device("My lamp", store=Store.of(Path("state"), use_keyring=False)).run()
"""


async def lamp(folder: Path) -> asyncio.subprocess.Process:
    """A program of three lines, with its pairing in its own folder."""
    (folder / "lamp.py").write_text(LAMP, encoding="utf-8")
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
    return await asyncio.create_subprocess_exec(
        sys.executable, "lamp.py", cwd=folder, env=kept | {"HOME": str(folder)},
        stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def last_words(
    process: asyncio.subprocess.Process, stdin: str = ""
) -> tuple[int | None, str]:
    """How the program ended: its status, and the last line that it wrote."""
    _out, err = await process.communicate(stdin.encode())
    assert "Traceback" not in err.decode()
    return process.returncode, err.decode().strip().splitlines()[-1]


@pytest.mark.parametrize(("code", "status", "words"), [
    (4403, 4, "This device was removed on the server. Pair it again."),
    (4000, 7, "The same device connected from another program, so this one stops."),
    (4400, 1, "The server does not take what this device offers: the server closed the line (4400)"),
])  # fmt: skip
async def test_what_ends_a_device_for_good_is_one_line_and_a_status(
    home: FakeHome, tmp_path: Path, code: int, status: int, words: str
) -> None:
    process = await lamp(tmp_path)
    assert process.stdin is not None
    process.stdin.write(f"{home.link().url()}\n".encode())
    line = await home.line()
    await line.welcome()
    await line.close(code)
    assert await last_words(process) == (status, f"My lamp: {words}")


@pytest.mark.parametrize(
    ("stdin", "status", "words"),
    [
        ("", 3, "This device is not paired yet, and there is no terminal to ask on. Run it in one once, or give it the pairing link on standard input."),
        ("https://127.0.0.1:1/pair#code=ABCDEFGH\n", 6, "127.0.0.1 port 1 cannot be reached: "),
    ],
)  # fmt: skip
async def test_what_keeps_a_device_from_pairing_is_one_line_and_a_status(
    tmp_path: Path, stdin: str, status: int, words: str
) -> None:
    ended, said = await last_words(await lamp(tmp_path), stdin)
    assert (ended, said.partition("My lamp: ")[2][: len(words)]) == (status, words)


def test_a_kind_that_no_server_knows_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="'toaster' is no kind of device: the kinds are mac, "):
        Device("My toaster", kind="toaster")
