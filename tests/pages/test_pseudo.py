"""Every page in a language that nobody speaks: no text is written into a template, and longer ones find room."""

from contextlib import AsyncExitStack
from pathlib import Path
import re
from typing import Any

import pytest

from ira_home.domain.people import Role
from tests.pages.browser import Browser, browse
from tests.pages.test_looks import seen
from tests.support.home import open_home
from tests.support.pseudo import plain_words, pseudo_locale

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
# What is read or heard on a page: text, names for screen readers, hints, what is written on buttons.
_SAID = """() => {
  const found = [document.title];
  for (const one of document.querySelectorAll("body *")) {
    if (["SCRIPT", "STYLE", "NOSCRIPT"].includes(one.tagName) || one.closest("[data-data], pre, .exact, select")) continue;
    for (const name of ["aria-label", "placeholder", "title", "alt"]) if (one.getAttribute(name)) found.push(one.getAttribute(name));
    for (const node of one.childNodes) if (node.nodeType === 3 && node.data.trim()) found.push(node.data.trim());
  }
  return found;
}"""
# People, devices and what they said: data of this house, in no catalogue.
_DATA = {
    "Home", "Owner", "Office", "Mac", "Garden", "water", "owner", "example", "com", "Chrome", "Linux", "hello",
    "What", "time", "is", "it", "Water", "https", "Empty", "the", "vault", "Vault", "test", "UTC", "Etc", "Staff", "staff", "guest",
    "MB", "GB",  # signs of units, the same in every language
}  # fmt: skip
_ADDRESS = re.compile(r"https?://\S+|ira-[0-9a-f]{6}\.local")
_TOOLS: list[dict[str, Any]] = [
    {"name": "garden_water", "description": "Water it", "parameters": {"type": "object"}},
    {"name": "vault_empty", "description": "Empty the vault", "tier": 3, "parameters": {"type": "object"}},
]  # fmt: skip


async def loose(browser: Browser, path: str) -> list[str]:
    """The texts of a page that went through no catalogue; none makes it scroll sideways."""
    await browser.open(path)
    texts: list[str] = await browser.page.evaluate(_SAID)
    assert any("[" in one for one in texts), texts
    wide = await browser.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= browser.width, f"{path} is {wide} px wide"
    return [f"{path}: {one}" for one in texts if set(plain_words(_ADDRESS.sub("", one))) - _DATA]


@pytest.mark.parametrize("width", [320, 1280])
async def test_no_text_is_written_into_a_page_and_longer_ones_find_room(
    tmp_path: Path, width: int
) -> None:
    async with AsyncExitStack() as stack:
        stack.enter_context(pseudo_locale(tmp_path / "locales"))
        house = seen(tmp_path, width=width, tools=_TOOLS, skills=("vault",))
        home, owner, browser = await stack.enter_async_context(house)
        other = (await home.person()).person.id
        await home.services.invitations.make(
            (await home.services.credentials.session(owner.cookie)), "guest@example.com", Role.STAFF
        )
        chat = (await owner.ask("Empty the vault")).body["conversation_id"]
        found: list[str] = []
        for path in (
            "/chat", f"/chat/{chat}", f"/chat/{chat}/delete", "/chats", "/chats?q=nothing", "/devices", "/devices/1",
            "/devices/1/remove", "/devices/add", "/did", "/events", "/me", "/me?saved=settings", "/address", "/devices/code/1",
            "/house/people", "/house/people/1", f"/house/people/{other}", f"/house/people/{other}/remove", "/house/people/invite", "/join",
            "/house", "/house?look=yes", "/house/devices", "/house/devices/1", "/house/devices/1/remove", "/house/brain", "/house/home",
            "/house/changes", "/house/did", "/house/sheet", "/nowhere", "/connect", "/connect?look=yes", "/trust", "/pair", "/offline",
        ):  # fmt: skip
            found += await loose(browser, path)
        await browser.page.context.clear_cookies()
        found += await loose(browser, "/signin")
        assert not found, "\n".join(found)


async def test_neither_is_any_into_the_set_up(tmp_path: Path) -> None:
    with pseudo_locale(tmp_path / "locales"):
        async with open_home(tmp_path / "data") as home, browse(home, width=320) as browser:
            found = await loose(browser, "/setup")
            await browser.press("button[name=lang][value=en]")
            found += await loose(browser, "/setup")
            await browser.fill(
                name="Owner", email="owner@example.com", password="quince harbour tea"
            )
            await browser.press("main .btn.go")
            for step in ("home", "pin", "brain", "phones"):
                found += await loose(browser, f"/setup/{step}")
            assert not found, "\n".join(found)
        async with (
            open_home(tmp_path / "other", settings={"loopback_setup": "false"}) as home,
            browse(home, width=320) as browser,
        ):
            assert await loose(browser, "/setup") == []
