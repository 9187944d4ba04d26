"""What the page of a code tells to type: the companion takes it as it stands there."""

import asyncio
from html import unescape
import os
from pathlib import Path
import re
import shlex
import signal
import sys

import pytest

from ira_home.protocol.pairing_link import parse
from ira_home.web.pages.skills import IN_BROWSER, PROVIDED
from tests.support.callers import Member
from tests.support.home import PIN, Home, open_home
from tests.support.networks import ANYWHERE, WIFI, plug_in

_COPIED = re.compile(r'data-copy="([^"]*)"')


async def shown(owner: Member, path: str) -> str:
    async with owner.http.get(owner.base + path, headers=owner.headers()) as reply:
        return await reply.text()


async def make_code(owner: Member, kind: str) -> str:
    """The page of a fresh code, as its address."""
    form = [("kind", kind), ("label", "Office PC"), ("skill", "files"), ("pin", PIN)]
    async with owner.http.post(
        owner.base + "/devices/add", data=form, headers=owner.headers("POST"), allow_redirects=False
    ) as reply:
        return reply.headers["Location"]


async def companion(home: Home, *words: str) -> asyncio.subprocess.Process:
    """The companion's own program, with a state folder of its own."""
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "ira_companion", *words,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env=kept | {"HOME": str(home.folder), "IRA_COMPANION_DIR": str(home.folder / "companion")},
    )  # fmt: skip


async def test_the_command_and_the_link_of_the_page_pair_this_computer(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        page = await make_code(owner, "linux")
        html = await shown(owner, page)
        command, link, downloads = map(unescape, _COPIED.findall(html))
        assert downloads == link.partition("/pair#")[0] + "/downloads"
        program, *words = shlex.split(command)
        assert program == "ira-companion"
        assert parse(link).code not in command
        process = await companion(home, *words)
        out, _ = await process.communicate(f"{link}\n".encode())
        assert process.returncode == 0, out.decode()
        assert "Office PC has joined" in await shown(owner, page)

        # The skills that the form puts first are those that the companion brings, or a phone's browser.
        running = await companion(home, "run")
        assert running.stdout is not None
        async with asyncio.timeout(30):
            while b"connected as device" not in await running.stdout.readline():
                assert running.returncode is None
        (listed,) = await home.services.registry.list(owner.person.id)
        assert set(listed.skills_known) == PROVIDED - set(IN_BROWSER)
        running.send_signal(signal.SIGTERM)
        await running.communicate()


async def test_the_page_for_a_phone_tells_no_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, WIFI)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        html = await shown(owner := await home.owner(), await make_code(owner, "android"))
        assert not [text for text in _COPIED.findall(html) if not text.startswith("https://")]
        assert "ira-companion" not in html
        assert "A phone needs no app" in html
