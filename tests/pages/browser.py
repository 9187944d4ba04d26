"""A real Chromium that notices what no page may do: errors, foreign requests, sideways scrolling."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import os
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from playwright.async_api import ConsoleMessage, Page, Request, async_playwright
import pytest

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--disable-sync", "--disable-quic",
]  # fmt: skip
STEP_MS = 15_000
HEIGHT = 780
# Such a browser's page was left before the refusal came.
_WORKER_CUT_OFF = "An unknown error occurred when fetching the script."
# A refused form is told by its status; Chromium writes every status over 399 into its console.
_STATUS = "Failed to load resource: the server responded with a status of"
# A browser that knows no names of the local network says so of the one that the server would rather go by.
_NO_NAME = "Failed to load resource: net::ERR_NAME_NOT_RESOLVED"
# This browser is one that was told to go on in spite of the certificate: it takes no worker, and says so.
NO_WORKER = "An SSL certificate error occurred when fetching the script."


class Serving(Protocol):
    """Something that serves the pages."""

    @property
    def base(self) -> str: ...

    @property
    def stable(self) -> str: ...


@dataclass
class Browser:
    """One page of one browser, and what was wrong on it."""

    page: Page
    base: str
    stable: str  # the server's address under the name that stays
    width: int
    scripts: bool
    wrong: list[str] = field(default_factory=list)
    no_worker: int = 0
    takes_worker: bool = True  # it trusts the server, so a worker that does not come is a fault

    async def open(self, path: str) -> None:
        """Go to a page of the server."""
        await self.page.goto(self.base + path)

    async def press(self, selector: str) -> None:
        """Press what is in the middle of the selector, by touch or mouse."""
        await self.page.click(selector)

    async def fill(self, **fields: str) -> None:
        """Fill fields by name."""
        for name, value in fields.items():
            await self.page.fill(f"[name={name}] >> visible=true", value)

    async def see(self, text: str) -> None:
        """Wait until the text can be seen."""
        await self.page.get_by_text(text).first.wait_for()

    async def check(self) -> None:
        """Nothing was wrong so far, and the page does not scroll sideways."""
        wide = await self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= self.width, f"{self.page.url} is {wide} px wide"
        assert self.wrong == [], self.wrong
        assert self.no_worker <= 1, "the same error again and again"

    def watch(self) -> None:
        """Listen to the page."""
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"{self.page.url}: {error}"))
        self.page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        is_name_asked_for = message.location.get("url") == self.stable + "/trust-ping"
        if message.text == NO_WORKER:
            self.no_worker += 1
        elif (message.text == _NO_NAME and is_name_asked_for) or (
            message.text == _WORKER_CUT_OFF and not self.takes_worker
        ):
            return
        elif message.type in {"error", "warning"} and not message.text.startswith(_STATUS):
            self.wrong.append(f"{self.page.url}: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.base + "/", self.stable + "/", "data:")):
            self.wrong.append(f"a request left the house: {request.url}")


def needs_chromium() -> None:
    """Skip the test where there is no Chromium."""
    if not Path(CHROMIUM).exists():
        pytest.skip("there is no Chromium here; set CHROMIUM to one")


@asynccontextmanager
async def browse(
    home: Serving, *, lang: str = "en-IN", width: int = 390, scripts: bool = True,
    own: Path | None = None, flags: Sequence[str] = (), **more: Any
) -> AsyncIterator[Browser]:  # fmt: skip
    """A fresh browser, which goes on in spite of any certificate.

    `own` is the folder of one that does not: there it looks which authorities its person has told it
    of (`know`), and it finds the server by its name. `flags` are the browser's own.
    """
    needs_chromium()
    args = [*FLAGS, *flags]
    known: dict[str, str | float | bool] = {**os.environ}
    if own is not None:
        args.append(f"--host-resolver-rules=MAP {urlsplit(home.stable).hostname} 127.0.0.1")
        known["HOME"] = str(own)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=args, env=known)
        try:
            context = await chromium.new_context(
                ignore_https_errors=own is None,
                locale=lang,
                viewport={"width": width, "height": HEIGHT},
                java_script_enabled=scripts,
                reduced_motion="reduce",
                **more,
            )
            context.set_default_timeout(STEP_MS)
            found = Browser(await context.new_page(), home.base, home.stable, width, scripts)
            found.takes_worker = own is not None
            found.watch()
            yield found
        finally:
            await chromium.close()
