"""From a fresh data folder to the text of a PDF on this computer: server, companion and question, all real."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import os
from pathlib import Path
import signal
import sys
from typing import Any

import aiohttp

from ira_home.base.jsontext import parse
from tests.clients import papers
from tests.support.ports import free_port

_EMAIL, _PASSWORD, _PIN = "asha@example.com", "correct horse battery", "246813"


class Computer:
    """One computer with a server, a companion and a person at the web page."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.origin = f"https://127.0.0.1:{self.port}"
        self._environment = {
            key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ
        } | {
            "HOME": str(folder),
            "IRA_DATA_DIR": str(folder / "data"),
            "IRA_COMPANION_DIR": str(folder / "companion"),
        }

    async def start(self, module: str, *words: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", module, *words,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=self._environment, cwd=self.folder,
        )  # fmt: skip

    async def run(self, module: str, *words: str, stdin: str = "") -> str:
        process = await self.start(module, *words)
        out, err = await process.communicate(stdin.encode())
        assert process.returncode == 0, (words, err)
        return out.decode()

    @asynccontextmanager
    async def running(self, module: str, *words: str) -> AsyncIterator[asyncio.subprocess.Process]:
        process = await self.start(module, *words)
        try:
            yield process
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            await process.communicate()

    async def post(self, http: aiohttp.ClientSession, path: str, body: dict[str, Any]) -> Any:
        async with http.post(
            self.origin + path, json=body, headers={"Origin": self.origin}, ssl=False
        ) as answer:
            text = await answer.text()
            assert answer.status in (200, 201), text
            return parse(text)


async def _said(stream: asyncio.StreamReader | None, words: str) -> None:
    """Wait for a line that holds the words."""
    assert stream is not None
    async with asyncio.timeout(30):
        while line := (await stream.readline()).decode():
            if words in line:
                return
    raise AssertionError(words)


async def test_asked_on_the_web_the_companion_reads_a_real_pdf_on_this_computer(
    tmp_path: Path,
) -> None:
    computer = Computer(tmp_path)
    downloads = tmp_path / "Downloads"
    downloads.mkdir()
    (downloads / "invoice.pdf").write_bytes(papers.pdf("Invoice 4711", "Total 990 rupees"))
    await computer.run(
        "ira_home", "init", "--email", _EMAIL, "--name", "Asha", "--password-stdin", "--pin-stdin",
        stdin=f"{_PASSWORD}\n{_PIN}\n",
    )  # fmt: skip
    serve = ("serve", "--bind", "127.0.0.1", "--port", str(computer.port), "--http-port", "0", "--no-mdns")  # fmt: skip
    jar = aiohttp.CookieJar(unsafe=True)
    async with (
        computer.running("ira_home", *serve) as server,
        aiohttp.ClientSession(cookie_jar=jar) as http,
    ):
        await _said(server.stdout, "ready https://")
        await computer.post(http, "/v1/session", {"email": _EMAIL, "password": _PASSWORD})
        wish = {"kind": "linux", "label": "Office PC", "skills": ["files"], "pin": _PIN}
        pairing = await computer.post(http, "/v1/me/pairings", wish)
        await computer.run(
            "ira_companion", "pair", "--code", "-", "--address", f"127.0.0.1:{computer.port}",
            "--ca", str(tmp_path / "data" / "pki" / "ca.crt.pem"), "--folder", str(downloads),
            stdin=pairing["code"] + "\n",
        )  # fmt: skip
        async with computer.running("ira_companion", "run") as companion:
            await _said(companion.stderr, "connected as device")
            answer = await computer.post(http, "/v1/ask", {"text": "read invoice.pdf in Downloads"})
    assert "Invoice 4711" in answer["text"]
    assert "Total 990 rupees" in answer["text"]
    assert answer["tools"] == [{"tool": "files_read", "device": "Office PC", "outcome": "done"}]
