"""The pages as an app: installed, out of reach, and in letters that run the other way."""

from contextlib import AsyncExitStack
import json
from pathlib import Path

import pytest

from tests.pages.browser import browse
from tests.pages.test_cards import asking
from tests.pages.test_chat_pages import PARCEL
from tests.pages.test_looks import seen, sign_in
from tests.pages.test_trusting import told
from tests.support.home import open_home

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
# Everything that can be seen and stands outside the window to the left or right of it.
_OUTSIDE = """() => [...document.querySelectorAll("body *")].filter((one) => {
  if (!one.checkVisibility() || one.closest(".sr, .skip")) return false;
  const box = one.getBoundingClientRect();
  return box.width > 1 && (box.left < -1 || box.right > innerWidth + 1);
}).map((one) => one.outerHTML.slice(0, 120))"""


async def test_a_browser_that_knows_ira_may_install_her(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, told(tmp_path / "own", home) as browser:
        owner = await home.owner()
        await browser.open("/trust")
        await browser.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        await sign_in(browser, owner)
        await browser.open("/chat")
        cdp = await browser.page.context.new_cdp_session(browser.page)
        found = await cdp.send("Page.getAppManifest")
        assert found["errors"] == []
        manifest = json.loads(found["data"])
        assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
        errors = (await cdp.send("Page.getInstallabilityErrors"))["installabilityErrors"]
        # A browser without a window of its own installs nothing, and a fresh profile counts as private.
        assert [one for one in errors if one["errorId"] != "in-incognito"] == []
        await browser.check()


async def test_out_of_reach_is_said_after_a_while_and_is_not_being_signed_out(
    tmp_path: Path,
) -> None:
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(open_home(tmp_path / "data"))
        browser = await stack.enter_async_context(browse(home))
        page, owner = browser.page, await home.owner()
        await page.clock.install()
        await sign_in(browser, owner)
        await browser.open("/me")
        await page.locator("[data-link]:not([hidden])").first.wait_for()
        away, out = page.locator("[data-away]"), page.locator("[data-out]")
        await page.context.set_offline(True)
        await page.wait_for_function("!navigator.onLine")
        await page.clock.run_for(2_500)
        assert await away.is_hidden(), "a moment's break is nobody's business"
        await page.clock.run_for(1_000)
        assert "Trying to reach Ira" in await away.inner_text()
        await page.clock.run_for(12_000)
        assert "Can’t reach Ira" in await away.inner_text()
        assert await out.is_hidden()
        assert await page.inner_text("h1") == owner.person.name, "what was there stays"
        await page.context.set_offline(False)
        await page.wait_for_function("navigator.onLine")
        await page.clock.run_for(4_000)
        await away.wait_for(state="hidden")
        await page.clock.resume()


async def test_the_bell_tells_its_number_on_the_tab_and_what_was_missed_comes_later(
    tmp_path: Path,
) -> None:
    async with seen(tmp_path, skills=("garden",)) as (_home, owner, browser):
        page = browser.page
        device = await owner.online([], label="Shop PC")
        await browser.open("/events")
        await page.locator("[data-link]:not([hidden])").first.wait_for()
        assert not (await page.title()).startswith("(")
        await device.send({"type": "event", "event": "task_done", "title": "Lit", "text": ""})
        await browser.see("Lit")
        assert (await page.title()).startswith("(1) ")
        await page.context.set_offline(True)
        other = await owner.online([], label="Hall PC")
        await other.send({"type": "event", "event": "task_failed", "title": "Not lit", "text": ""})
        async with owner.stream(headers={"Last-Event-ID": "1"}) as stream:
            assert (await stream.until(lambda one: one.event == "event")).data["title"] == "Not lit"
        await page.context.set_offline(False)
        await browser.see("Not lit")
        assert (await page.title()).startswith("(2) ")
        await page.get_by_role("button", name="Mark as read").click()
        await page.wait_for_function("!document.title.startsWith('(')")
        await device.hang_up()
        await other.hang_up()


@pytest.mark.parametrize("width", [320, 1280])
async def test_nothing_falls_out_of_the_window_where_writing_runs_from_right_to_left(
    tmp_path: Path, width: int
) -> None:
    async with asking(tmp_path) as here:
        page = here.browser.page
        await page.set_viewport_size({"width": width, "height": 780})
        await here.ask(PARCEL)
        for path in (
            page.url.removeprefix(here.home.base),
            "/devices/1",
            "/me",
            "/events",
            "/house",
        ):
            await here.browser.open(path)
            await page.evaluate("document.documentElement.dir = 'rtl'")
            assert await page.evaluate(_OUTSIDE) == [], path
            wide = await page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, path
