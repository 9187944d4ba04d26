"""The first run in a real browser: on a phone and a desktop, with and without scripts, over a restart."""

from pathlib import Path

import pytest

from tests.pages.browser import Browser, browse
from tests.pages.inspection import barriers, out_of_reach
from tests.pages.test_looks import check_letters
from tests.support.home import open_home
from tests.support.ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
EMAIL, SECRET, DIGITS = "asha@example.com", "monsoon window tea", "246813"


async def onward(browser: Browser, field: str) -> None:
    """Press the one green button, and wait for the next question."""
    await browser.press("main .btn.go")
    await browser.page.wait_for_selector(f"[name={field}]")
    await browser.check()
    if browser.scripts:
        assert await barriers(browser) + await out_of_reach(browser) == []


@pytest.mark.parametrize(
    ("lang", "width", "scripts"),
    [("en-IN", 390, False), ("hi-IN", 320, True), ("en-IN", 1280, True)],
)
async def test_a_house_is_set_up_with_a_restart_in_the_middle(
    tmp_path: Path, lang: str, width: int, *, scripts: bool
) -> None:
    settings = {"port": str(free_port()), "http_port": str(free_port())}
    async with open_home(tmp_path / "data", settings=settings) as home:
        visit = browse(home, lang=lang, width=width, scripts=scripts, timezone_id="Asia/Kolkata")
        browser = await visit.__aenter__()
        page = browser.page
        await browser.open("/")
        await page.wait_for_selector("button[name=lang]")
        await browser.check()
        await browser.press(f"button[name=lang][value={lang[:2]}]")
        await page.wait_for_selector("[name=email]")
        await browser.check()
        await browser.fill(name="Asha", email=EMAIL, password=SECRET)
        await onward(browser, "time_zone")
        assert (await page.input_value("[name=time_zone]") == "Asia/Kolkata") == scripts
        await page.select_option("[name=time_zone]", "Asia/Kolkata")
        await onward(browser, "pin")
    try:
        async with open_home(tmp_path / "data", settings=settings):
            await browser.open("/")
            await page.wait_for_selector("[name=pin]")
            assert await page.get_attribute("html", "lang") == lang[:2]
            await browser.fill(pin=DIGITS, pin_again=DIGITS)
            await onward(browser, "choice")
            await page.check("[value=none]")
            # Fields that no choice needs are away, without a script, too.
            assert not await page.is_visible("[name=model_key]")
            await page.check("[value=openai]")
            assert await page.is_visible("[name=model_key]")
            await page.check("[value=none]")
            await onward(browser, "system")
            if lang == "hi-IN":
                await check_letters(browser)
            assert not await page.is_visible("[data-os=ios]")
            await page.locator(".seg label").nth(1).click()
            assert await page.is_visible("[data-os=ios]")
            if scripts:
                await page.wait_for_selector("[data-trust=no]:not([hidden])")
            await browser.press("main .btn.go")
            await page.wait_for_selector(".paper")
            await browser.check()
            await browser.press('[href="/devices/add?first=1"]')
            await page.wait_for_selector("[name=label]")
            await browser.check()
    finally:
        await visit.__aexit__(None, None, None)


async def test_every_step_is_reached_and_left_by_the_keyboard(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, browse(home, width=1280) as browser:
        page = browser.page
        await browser.open("/setup")
        await page.focus("button[name=lang][value=en]")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("[name=email]")
        for name, text in (("name", "Asha"), ("email", EMAIL), ("password", SECRET)):
            await page.focus(f"[name={name}]")
            await page.keyboard.type(text)
        # Enter in a field goes on; it never goes back, and never leaves the step for later.
        await page.keyboard.press("Enter")
        await page.wait_for_selector("[name=time_zone]")
        await page.focus("[name=name]")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("[name=pin]")
        assert (await home.services.house.get()).name == "Asha’s home"
        await page.focus("[name=pin]")
        await page.keyboard.type(DIGITS)
        await page.keyboard.press("Tab")
        await page.keyboard.type(DIGITS)
        await page.keyboard.press("Enter")
        await page.wait_for_selector("[name=choice]")
        await page.focus("[value=none]")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("[name=system]")
        await browser.check()
