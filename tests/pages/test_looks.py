"""What can only be seen: letters, lines, distances and where the eye is led, in a real browser."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
import re
from typing import Any

import pytest

from ira_home.web.guard import COOKIE
from tests.pages.browser import Browser, browse
from tests.support.callers import Member
from tests.support.home import PASSWORD, Home, open_home

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
_HINDI = re.compile("[\u0900-\u097f\u200c\u200d]")
_TOOLS = [{"name": "garden_water", "description": "Water it", "parameters": {"type": "object"}}]
# Every element with text of its own that can be seen, marked by a number.
_TEXTS = """() => {
  const found = [];
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (own && one.checkVisibility()) {
      one.setAttribute("data-text", String(found.length));
      // The number of a list's item is drawn, too.
      found.push((getComputedStyle(one).display === "list-item" ? "1. " : "") + one.innerText);
    }
  }
  return document.fonts.ready.then(() => found);
}"""


async def sign_in(browser: Browser, member: Member) -> None:
    cookie = {"name": COOKIE, "value": member.cookie, "url": browser.base}
    await browser.page.context.add_cookies([cookie | {"secure": True, "httpOnly": True}])  # type: ignore[list-item]


@asynccontextmanager
async def seen(
    folder: Path,
    *,
    tools: Sequence[Mapping[str, Any]] = _TOOLS,
    skills: tuple[str, ...] = (),
    **more: Any,
) -> AsyncIterator[tuple[Home, Member, Browser]]:
    """A home with a signed-in owner who has a computer with these tools, and a browser of theirs."""
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(open_home(folder / "data"))
        owner = await home.owner()
        computer = await owner.online(tools, skills=skills)
        stack.push_async_callback(computer.hang_up)
        browser = await stack.enter_async_context(browse(home, **more))
        await sign_in(browser, owner)
        yield home, owner, browser


async def drawn(browser: Browser) -> list[tuple[str, int, int]]:
    """Of each text of the page: the text, its glyphs in letters the page brought, and all others."""
    texts: list[str] = await browser.page.evaluate(_TEXTS)
    cdp = await browser.page.context.new_cdp_session(browser.page)
    await cdp.send("DOM.enable")
    await cdp.send("CSS.enable")
    root = (await cdp.send("DOM.getDocument"))["root"]["nodeId"]
    found = []
    for number, text in enumerate(texts):
        wanted = {"nodeId": root, "selector": f'[data-text="{number}"]'}
        node = await cdp.send("DOM.querySelector", wanted)
        fonts = (await cdp.send("CSS.getPlatformFontsForNode", node))["fonts"]
        own = sum(int(one["glyphCount"]) for one in fonts if one["isCustomFont"])
        found.append((text, own, sum(int(one["glyphCount"]) for one in fonts) - own))
    await cdp.detach()
    return found


async def check_letters(browser: Browser) -> None:
    """Hindi is drawn by the letters that the page brings, everything else by the machine's own."""
    texts = await drawn(browser)
    assert any(own for _text, own, _others in texts), texts
    for text, own, others in texts:
        hindi = len(_HINDI.findall(text))
        assert bool(own) == bool(hindi), text
        # A letter that is missing is a box of the machine's own font.
        assert others <= len(text) - hindi, text


@pytest.mark.parametrize("lang", ["hi-IN", "en-IN"])
async def test_hindi_is_readable_on_a_machine_without_letters_for_it(
    tmp_path: Path, lang: str
) -> None:
    async with seen(tmp_path, lang=lang) as (home, _owner, browser):
        for path in ("/devices", "/devices/1", "/me", "/chat", "/did", "/nowhere"):
            await browser.open(path)
            await check_letters(browser)
            await browser.check()
        await browser.page.context.clear_cookies()
        await browser.open("/signin")
        await check_letters(browser)
        await browser.page.goto(home.plain)
        await check_letters(browser)
        assert not [one for one in browser.wrong if "Content Security Policy" in one]


@pytest.mark.parametrize("lang", ["hi-IN", "en-IN"])
@pytest.mark.parametrize("width", [390, 320])
async def test_a_tab_stays_on_one_line_when_its_page_is_open(
    tmp_path: Path, lang: str, width: int
) -> None:
    async with seen(tmp_path, lang=lang, width=width) as (_home, _owner, browser):
        for path in ("/chat", "/devices", "/did", "/me", "/house"):
            await browser.open(path)
            lines = await browser.page.locator(".nav li span").evaluate_all(
                """spans => spans.map((span) => {
                  const text = document.createRange();
                  text.selectNodeContents(span);
                  return new Set([...text.getClientRects()].map((line) => line.top)).size;
                })"""
            )
            assert lines == [1] * 5
            await browser.check()


@pytest.mark.parametrize("scripts", [True, False])
async def test_a_switch_that_waits_for_the_pin_looks_off(tmp_path: Path, scripts: bool) -> None:
    async with seen(tmp_path, scripts=scripts) as (_home, _owner, browser):
        page = browser.page
        await browser.open("/devices/1")
        switch = page.locator("summary.switch")
        look = "one => getComputedStyle(one).backgroundColor + getComputedStyle(one, '::before').translate"
        before = await switch.evaluate(look)
        await switch.click()
        await page.locator("input.pin").wait_for()
        assert await switch.evaluate(look) == before
        await page.fill("input.pin", "000000")
        await page.click(".btn.key")
        await browser.see("That PIN is not right.")
        assert await switch.evaluate(look) == before
        await browser.check()


async def test_a_wrong_pin_is_told_in_view_and_leads_to_its_field_without_scripts(
    tmp_path: Path,
) -> None:
    async with seen(tmp_path, scripts=False) as (_home, _owner, browser):
        page = browser.page
        await browser.open("/devices/add")
        await browser.fill(label="Office Mac", pin="000000")
        await page.click(".add .btn.go")
        told = page.locator("[role=alert] a")
        box = await told.bounding_box()
        assert box is not None
        assert await page.evaluate("scrollY") == 0
        assert box["y"] + box["height"] < 780
        await told.click()
        field = await page.locator(".add input.pin").bounding_box()
        assert field is not None
        assert 0 < field["y"] < 780 - field["height"]


@pytest.mark.parametrize("width", [390, 320])
async def test_rows_of_signed_in_browsers_keep_clear_of_the_lines_between_them(
    tmp_path: Path, width: int
) -> None:
    async with seen(tmp_path, lang="hi-IN", width=width) as (home, owner, browser):
        for agent in ("Mozilla/5.0 (Linux; Android 15) Chrome/130.0", "curl/8"):
            await home.services.sessions.sign_in(
                email=owner.person.email, password=PASSWORD, address="192.168.1.40", agent=agent
            )
        await browser.open("/me")
        gaps = await browser.page.locator("#sessions li").evaluate_all(
            """rows => rows.flatMap((row) => {
              const outer = row.getBoundingClientRect();
              return [...row.querySelectorAll(":scope > span, button")].map((one) => {
                const inner = one.getBoundingClientRect();
                return [inner.top - outer.top, outer.bottom - inner.bottom, outer.right - inner.right];
              });
            })"""
        )
        assert len(gaps) == 5
        for above, below, behind in gaps:
            assert min(above, below) >= 8
            assert behind >= 0
