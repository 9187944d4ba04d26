"""A brain for the chat's tests: it says what its script holds for the words it hears, and stops where it is told to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import TimeoutError  # noqa: A004 - its own

from ira_home.base.ids import CallId
from ira_home.domain.ports import CallPart, Part, TextPart
from ira_home.domain.turn_view import TurnView
from tests.pages.browser import Browser, browse
from tests.pages.test_looks import sign_in
from tests.support.callers import Member
from tests.support.home import Home, open_home

FIRST, SECOND = "The moon is made of ", "green cheese."
WHOLE = FIRST + SECOND


class Talker:
    """`hold` is waited for at "|" in what is said; a word that is a tool's name calls it."""

    name = "talker"

    def __init__(self) -> None:
        self.hold = asyncio.Event()
        self.says = {"moon": f"{FIRST}|{SECOND}"}
        self.heard: list[str] = []

    async def step(self, view: TurnView) -> AsyncIterator[Part]:
        self.heard.append(view.own_words)
        words = view.own_words.split()
        tool = next((one.name for one in view.tools if one.name in words), None)
        if tool is not None and not view.steps:
            yield CallPart(CallId("c1"), tool, "{}")
            return
        script = next((self.says[word] for word in words if word in self.says), None)
        for at, part in enumerate((script or f"You said: {view.own_words}").split("|")):
            if at:
                await self.hold.wait()
            for token in part.split(" ") if len(part) > 1_000 else [part]:
                yield TextPart(f"{token} " if len(part) > 1_000 else token)

    async def check(self) -> str:
        return "fine"

    async def close(self) -> None:
        self.hold.set()


class Chatting:
    """A home with a talker, its owner, and one browser of theirs."""

    def __init__(self, home: Home, owner: Member, brain: Talker, browser: Browser) -> None:
        self.home, self.owner, self.brain, self.browser = home, owner, brain, browser

    async def tab(self, path: str) -> Browser:
        """Another tab of the same browser."""
        page = await self.browser.page.context.new_page()
        found = Browser(page, self.home.base, self.home.stable, self.browser.width, scripts=True)
        found.watch()
        await found.open(path)
        return found

    async def said(self) -> list[tuple[str, str]]:
        """What stands in the newest conversation."""
        [newest, *_] = (await self.owner.call("GET", "/v1/me/conversations")).body["items"]
        whole = (await self.owner.call("GET", f"/v1/me/conversations/{newest['id']}")).body
        return [(one["kind"], one["text"]) for one in whole["messages"]]


@asynccontextmanager
async def chatting(folder: Path, **more: Any) -> AsyncIterator[Chatting]:
    brain = Talker()
    async with open_home(folder / "data", brain=brain) as home:
        owner = await home.owner()
        async with browse(home, **more) as browser:
            await sign_in(browser, owner)
            try:
                yield Chatting(home, owner, brain, browser)
            finally:
                brain.hold.set()


async def ask(browser: Browser, text: str) -> None:
    """Write it and send it."""
    await browser.page.fill("textarea", text)
    await browser.page.keyboard.press("Enter")


_SAID = """() => [...document.querySelectorAll(".whole .said, .whole .reply > div")].map((one) => {
  const copy = one.cloneNode(true);
  for (const other of copy.querySelectorAll(".banner, .doing, details")) other.remove();
  return copy.textContent.replace(/\\s+/g, " ").trim();
})"""


async def until(browser: Browser, said: list[str]) -> None:
    """Wait until the conversation on the page, waiting words and growing answers included, is exactly this."""
    wanted = [one.strip() for one in said]
    try:
        await browser.page.wait_for_function(
            f"wanted => JSON.stringify(({_SAID})()) === JSON.stringify(wanted)", arg=wanted
        )
    except TimeoutError:
        found = await browser.page.evaluate(_SAID)
        assert found == wanted, f"{found} is not {wanted}"
        raise


async def settled(browser: Browser) -> None:
    """Wait until nothing grows any more and all is the server's own rendering."""
    await browser.page.wait_for_function(
        "() => !document.body.dataset.answering && !document.getElementById('live').children.length"
    )
