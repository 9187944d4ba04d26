"""A phone with no app: its browser claims a code, answers Ira, and leaves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Page
import pytest

from ira_home.web.pages.skills import IN_BROWSER
from tests.pages.browser import Browser, browse
from tests.support.callers import Member
from tests.support.home import PIN, Home, open_home

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36"
SOMEWHERE = {"latitude": 18.52043, "longitude": 73.85674, "accuracy": 12.0}


@dataclass
class Phone:
    """A phone's browser that has joined, and the person whose it is."""

    home: Home
    owner: Member
    browser: Browser
    number: int = 0

    @property
    def page(self) -> Page:
        return self.browser.page

    async def ask(self, text: str) -> Any:
        """What Ira answers to the person on another screen."""
        return (await self.owner.call("POST", "/v1/ask", {"text": text})).body

    async def is_connected(self) -> bool:
        devices = (await self.owner.call("GET", "/v1/me/devices")).body["items"]
        return any(one["online"] for one in devices)


async def code_for(
    owner: Member, *, kind: str = "android", skills: tuple[str, ...] = IN_BROWSER
) -> str:
    made = {"kind": kind, "label": "Asha's phone", "skills": list(skills), "pin": PIN}
    return str((await owner.call("POST", "/v1/me/pairings", made)).body["code"])


@asynccontextmanager
async def phone(tmp_path: Path, **more: Any) -> AsyncIterator[Phone]:
    more = {"user_agent": ANDROID, "geolocation": SOMEWHERE, "permissions": ["geolocation"]} | more
    async with (
        open_home(tmp_path) as home,
        browse(home, has_touch=True, **more) as browser,
    ):
        yield Phone(home, await home.owner(), browser)


async def join(one: Phone) -> None:
    """Type the code on the phone's page and be connected."""
    await one.browser.open("/phone")
    await one.browser.fill(code=(await code_for(one.owner)).lower())
    await one.browser.press("[data-join] .btn.go")
    await one.browser.see("Connected")
    assert await one.is_connected()


async def test_it_joins_by_a_typed_code_rings_and_tells_where_it_is(tmp_path: Path) -> None:
    async with phone(tmp_path) as one:
        await join(one)
        await one.page.tap("h1 >> visible=true")
        said = await one.ask("ring my phone")
        await one.browser.see("Here I am")
        assert "rings for 20 seconds" in said["text"]
        await one.page.click("#phone-ringing [data-no]")
        await one.page.wait_for_selector("#phone-ringing", state="hidden")
        for asked in ("location of my phone", "phone ki location bata do", "फ़ोन की लोकेशन क्या है"):
            assert "18.52043, 73.85674" in (await one.ask(asked))["text"], asked
        await one.browser.check()


async def test_it_joins_by_a_scanned_code_at_a_touch(tmp_path: Path) -> None:
    async with phone(tmp_path) as one:
        made = {"kind": "android", "label": "Asha's phone", "skills": [*IN_BROWSER], "pin": PIN}
        pairing = (await one.owner.call("POST", "/v1/me/pairings", made)).body
        await one.browser.open("/pair" + pairing["url"].partition("/pair")[2])
        await one.browser.see("Use this phone")
        assert await one.page.is_hidden("#how")
        assert "code" not in one.page.url
        await one.browser.press("[data-claim]")
        await one.browser.see("Connected")
        assert await one.is_connected()
        await one.browser.check()


async def test_what_leaves_the_house_waits_for_a_yes_and_then_for_a_touch(tmp_path: Path) -> None:
    async with phone(tmp_path) as one:
        await join(one)
        asked = await one.ask("open https://example.com/menu on my phone")
        [card] = asked["proposals"]
        yes = one.owner.call(
            "POST", f"/v1/actions/{card['id']}/confirm", {"digest": card["digest"]}
        )
        answer = asyncio.create_task(yes)
        await one.browser.see("Open example.com?")
        await one.browser.see("https://example.com/menu")
        await one.page.click("#phone-do [data-no]")
        assert "nobody at the phone agreed" in (await answer).body["text"]


async def test_what_the_browser_may_not_do_is_said(tmp_path: Path) -> None:
    async with phone(tmp_path, permissions=[]) as one:
        await join(one)
        assert "allow it on the phone" in (await one.ask("location of my phone"))["text"]
        await one.page.reload()
        await one.browser.see("Connected")
        # Nobody has touched this page since it was opened.
        assert "may make no sound" in (await one.ask("ring my phone"))["text"]


async def test_it_leaves_for_good(tmp_path: Path) -> None:
    async with phone(tmp_path) as one:
        await join(one)
        await one.browser.press("[data-leave]")
        await one.page.click("#phone-leave [data-go]")
        await one.browser.see("This phone has left")
        assert (await one.owner.call("GET", "/v1/me/devices")).body["items"] == []
        await one.page.reload()
        await one.browser.see("This phone has not joined")
        assert await one.page.evaluate("localStorage.length") == 0


async def test_a_phone_that_was_removed_says_so_and_keeps_nothing(tmp_path: Path) -> None:
    async with phone(tmp_path) as one:
        await join(one)
        [device] = (await one.owner.call("GET", "/v1/me/devices")).body["items"]
        await one.owner.call("DELETE", f"/v1/me/devices/{device['id']}")
        await one.browser.see("This phone was removed")
        assert await one.page.evaluate("localStorage.length") == 0


async def test_a_second_page_waits_for_the_first(tmp_path: Path) -> None:
    async with phone(tmp_path) as one:
        await join(one)
        second = await one.page.context.new_page()
        await second.goto(one.home.base + "/phone")
        await second.get_by_text("Another page of this browser is connected").wait_for()
        await one.page.close()
        await second.get_by_text("Connected", exact=True).wait_for()
        assert await one.is_connected()


async def test_what_another_app_shared_is_told_as_a_quotation(tmp_path: Path) -> None:
    async with phone(tmp_path) as one:
        await one.browser.open("/phone")
        put = """async () => {
            const cache = await caches.open("shared-with-ira");
            await cache.put("/phone/shared", new Response("Pay 500\\nto Ravi"));
        }"""
        await one.page.evaluate(put)
        await join(one)
        assert await one.page.input_value("#shared") == "Pay 500\nto Ravi"
        await one.page.fill("#words", "hello")
        sent: list[str] = []
        one.page.on("request", lambda request: sent.append(request.post_data or ""))
        await one.page.click("[data-tell] .btn.go")
        await one.page.wait_for_selector("#shared", state="hidden")
        assert any('"hello\\n\\n> Pay 500\\n> to Ravi"' in text for text in sent)
        await one.page.reload()
        await one.browser.see("Connected")
        assert await one.page.is_hidden("#shared")


@pytest.mark.parametrize(("kind", "fault"), [("ios", "another kind"), ("", "not good any more")])
async def test_a_code_that_cannot_be_taken_is_said_in_words(
    tmp_path: Path, kind: str, fault: str
) -> None:
    async with phone(tmp_path) as one:
        await one.browser.open("/phone")
        code = await code_for(one.owner, kind=kind) if kind else "ABCD-EFGH"
        await one.browser.fill(code=code)
        await one.browser.press("[data-join] .btn.go")
        await one.browser.see(fault)


async def test_a_computer_is_sent_to_the_companion(tmp_path: Path) -> None:
    async with phone(tmp_path, user_agent="Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0") as one:
        await one.browser.open("/phone")
        await one.browser.see("ira-companion pair")
        assert await one.page.is_hidden("[data-join]")
