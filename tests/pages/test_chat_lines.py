"""What becomes of asking and answers when lines break, sign-ins end and the program is another."""

from pathlib import Path

from playwright.async_api import Route
import pytest

from ira_home.web.pages.assets import assets
from tests.pages.browser import Browser
from tests.pages.talker import FIRST, WHOLE, ask, chatting, settled, until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
MOON = "Of what is the moon"


async def quiet(browser: Browser) -> None:
    """A line that is cut is said in the console by the browser itself; nothing else may be."""
    browser.wrong[:] = [one for one in browser.wrong if "net::ERR_" not in one]
    await browser.check()


async def test_words_written_while_ira_cannot_be_reached_go_once_and_the_answer_goes_on(
    tmp_path: Path,
) -> None:
    async with chatting(tmp_path) as at:
        page = at.browser.page
        await at.browser.open("/chat")
        await ask(at.browser, MOON)
        await until(at.browser, [MOON, FIRST])
        await page.wait_for_selector(".link-state:not(.off) >> visible=true")
        await page.context.set_offline(True)
        await ask(at.browser, "hello")
        await page.wait_for_selector(".said.waiting")
        await at.browser.see("Waiting. Goes once, when Ira is back")
        await ask(at.browser, "not this")
        await page.locator(".said-note >> visible=true").last.locator("button").click()
        assert await page.input_value("textarea") == "not this"
        await page.wait_for_selector("[data-away] >> visible=true")
        assert "Sign in" not in await page.inner_text("main")
        at.brain.hold.set()
        await page.context.set_offline(False)
        await until(at.browser, [MOON, WHOLE, "hello", "You said: hello"])
        await settled(at.browser)
        await page.wait_for_selector("[data-away]", state="hidden")
        assert [text for kind, text in await at.said() if kind == "person"] == [MOON, "hello"]
        assert at.brain.heard == [MOON, "hello"]
        await quiet(at.browser)


async def test_words_whose_receipt_was_lost_are_not_asked_twice(tmp_path: Path) -> None:
    async with chatting(tmp_path) as at:
        lost: list[str] = []

        async def lose(route: Route) -> None:
            lost.append(route.request.headers["idempotency-key"])
            if len(lost) == 1:
                await route.fetch()
                await route.abort("connectionreset")
            else:
                await route.continue_()

        await at.browser.page.route("**/v1/ask/stream", lose)
        await at.browser.open("/chat")
        await ask(at.browser, "hello")
        await until(at.browser, ["hello", "You said: hello"])
        await settled(at.browser)
        assert len(lost) == 2
        assert len(set(lost)) == 1
        assert at.brain.heard == ["hello"]
        await quiet(at.browser)


async def test_words_that_wait_survive_a_reload(tmp_path: Path) -> None:
    async with chatting(tmp_path) as at:
        page = at.browser.page
        await at.browser.open("/chat")
        refused = "**/v1/ask/stream"
        await page.route(refused, lambda route: route.abort("internetdisconnected"))
        await ask(at.browser, "first")
        await page.wait_for_selector(".said.waiting")
        await ask(at.browser, "second")
        await page.reload()
        await page.wait_for_selector(".said >> nth=1")
        await page.unroute(refused)
        await page.evaluate("document.dispatchEvent(new Event('ira:wake'))")
        await page.wait_for_selector(".reply >> nth=1")
        await settled(at.browser)
        said = await at.said()
        assert sorted(said) == [
            ("ira", "You said: first"),
            ("ira", "You said: second"),
            ("person", "first"),
            ("person", "second"),
        ]
        assert await page.locator(".said").count() == 2
        assert at.brain.heard == ["first", "second"]
        assert len((await at.owner.call("GET", "/v1/me/conversations")).body["items"]) == 1
        await quiet(at.browser)


async def test_all_tabs_of_a_browser_share_one_stream_and_another_takes_over(
    tmp_path: Path,
) -> None:
    async with chatting(tmp_path) as at:
        await at.browser.open("/devices")
        tabs = [at.browser] + [await at.tab("/devices") for _ in range(6)]
        for tab in tabs:
            await tab.page.wait_for_selector(".link-state:not(.off)", state="attached")
        assert at.home.services.live.count(at.owner.person.id) == 1
        await at.browser.page.close()
        phone = await at.owner.pair("android", "Asha's phone")
        for tab in tabs[1:]:
            await tab.page.get_by_text("Asha's phone").first.wait_for()
        assert at.home.services.live.count(at.owner.person.id) == 1
        assert phone.number


async def test_a_session_that_ended_is_said_as_that_and_keeps_what_was_typed(
    tmp_path: Path,
) -> None:
    async with chatting(tmp_path) as at:
        page = at.browser.page
        await at.browser.open("/chat")
        await page.wait_for_selector(".link-state:not(.off) >> visible=true")
        await page.fill("textarea", "half a thought")
        [session] = (await at.owner.call("GET", "/v1/me/sessions")).body["items"]
        await at.owner.call("DELETE", f"/v1/me/sessions/{session['id']}")
        await at.browser.see("You are signed out here. What you wrote is kept.")
        assert await page.locator("[data-away]").is_hidden()
        assert await page.input_value("textarea") == "half a thought"
        await page.locator("[data-out] a").click()
        await page.wait_for_url("**/signin?next=%2Fchat")


async def test_a_page_of_an_older_program_offers_to_load_the_newer_one(tmp_path: Path) -> None:
    async with chatting(tmp_path) as at:
        page = at.browser.page
        await at.browser.open("/chat")
        await ask(at.browser, MOON)
        await until(at.browser, [MOON, FIRST])

        async def newer(route: Route) -> None:
            reply = await route.fetch()
            text = (await reply.text()).replace(assets().version, "0123456789ab")
            await route.fulfill(response=reply, body=text)

        await page.route("**/chat/*", newer)
        at.brain.hold.set()
        await settled(at.browser)
        await at.browser.see("Ira was updated. This page is from before.")
        await page.unroute_all(behavior="ignoreErrors")
        await page.click("[data-updated-go]")
        await until(at.browser, [MOON, WHOLE])
        await page.wait_for_selector("[data-updated]", state="hidden")
        await at.browser.check()
