"""From the owner's invitation to the new person's first page, in a real browser of a phone in Hindi."""

from pathlib import Path

import pytest

from ira_home.domain.people import Role
from tests.pages.test_looks import check_letters, seen
from tests.support.home import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
_PASSWORD, _PIN = "monsoon window tea", "246813"


@pytest.mark.parametrize("scripts", [True, False])
async def test_somebody_is_invited_joins_and_is_removed(tmp_path: Path, scripts: bool) -> None:
    async with seen(tmp_path, lang="hi-IN", scripts=scripts) as (home, owner, browser):
        page = browser.page
        await browser.open("/me")
        await page.click("nav a[href='/house']")
        await page.wait_for_url("**/house")
        await page.click("a[href='/house/people']")
        await page.click("a[href='/house/people/invite']")
        await browser.fill(email="ravi@example.com")
        await page.check("[name=role][value=admin]")
        await page.click("main form .btn.go")
        await browser.see("यह सिर्फ़ अभी दिखेगा।")
        await check_letters(browser)
        await browser.check()
        link = await page.inner_text(".addr .ltr")
        assert await page.locator("[data-copy]").is_visible() == scripts

        owners = await page.context.cookies()
        await page.context.clear_cookies()
        await page.goto(link)
        invitation = page.locator("[name=invitation]")
        # The secret is in the address no longer than a script needs to read it, and survives the other language.
        if scripts:
            await page.wait_for_url("**/join")
            await page.click("header form button")
            await browser.see("Make my account")
            await page.click("header form button")
            await browser.see("मेरा खाता बनाएँ")
            assert not await invitation.is_visible()
        else:
            await invitation.fill(link)
        await check_letters(browser)
        await browser.fill(name="रवि", password=_PASSWORD, pin=_PIN, pin_again="000000")
        await page.click("main form .btn.go")
        await browser.see("दोनों पिन एक जैसे नहीं हैं।")
        assert await invitation.is_visible() == (not scripts)
        await browser.fill(password=_PASSWORD, pin=_PIN, pin_again=_PIN)
        await page.click("main form .btn.go")
        await page.wait_for_url("**/devices/add**")
        await browser.see("इरा तैयार है, रवि।")
        await browser.check()
        ravi = await home.services.accounts.by_email("ravi@example.com")
        assert (ravi.name, ravi.role) == ("रवि", Role.ADMIN)

        await page.context.clear_cookies()
        await page.context.add_cookies(owners)  # type: ignore[arg-type]
        await browser.open("/house/people")
        await page.click("li a:has-text('रवि')")
        await page.check("[name=role][value=staff]")
        await page.click("main form .btn.go")
        await browser.see("सेव हो गया")
        await browser.check()
        await page.click("a.cut")
        await browser.see("खाता, उसकी बातचीत")
        await check_letters(browser)
        await browser.check()
        await browser.fill(password=PASSWORD)
        await page.click(".btn.danger")
        await page.wait_for_url("**/house/people")
        assert await page.locator("li a:has-text('रवि')").count() == 0
        assert [one.id for one in await home.services.accounts.list()] == [owner.person.id]


async def test_an_invitation_that_is_over_can_be_replaced_in_its_place(tmp_path: Path) -> None:
    async with seen(tmp_path, lang="hi-IN") as (home, owner, browser):
        page = browser.page
        principal = await home.services.credentials.session(owner.cookie)
        good = await home.services.invitations.make(principal, "ravi@example.com", Role.STAFF)
        await page.context.clear_cookies()
        await browser.open("/join#irai_" + "x" * 43)
        await browser.fill(name="रवि", password=_PASSWORD, pin=_PIN, pin_again=_PIN)
        await page.click("main form .btn.go")
        await browser.see("यह न्योता ख़त्म या इस्तेमाल हो चुका है।")
        await page.fill("[name=invitation]", good)
        await browser.fill(password=_PASSWORD, pin=_PIN, pin_again=_PIN)
        await page.click("main form .btn.go")
        await page.wait_for_url("**/devices/add**")
        await browser.check()


@pytest.mark.parametrize("width", [320, 390])
async def test_long_names_and_addresses_break_and_push_nothing_aside(
    tmp_path: Path, width: int
) -> None:
    long, email = "n" * 80, "e" * 60 + "@" + "d" * 60 + ".com"
    async with seen(tmp_path, lang="hi-IN", width=width) as (home, owner, browser):
        accounts = home.services.accounts
        principal = await home.services.credentials.session(owner.cookie)
        other = (await home.person()).person.id
        await accounts.change(None, other, name=long)
        await accounts.change(None, owner.person.id, name=long)
        await browser.open("/house/people/invite")
        await browser.fill(email=email)
        await browser.page.click("main form .btn.go")
        await browser.page.wait_for_selector("#invited")
        await browser.check()
        guest = await home.services.invitations.make(principal, f"g{email}", Role.STAFF)
        await browser.open("/house/people")
        assert await browser.page.locator("h2#open + ul li").count() == 2
        await browser.check()
        joined = await home.services.invitations.accept(guest, long, _PASSWORD, _PIN)
        for one in (other, joined.id):
            for path in (f"/house/people/{one}", f"/house/people/{one}/remove"):
                await browser.open(path)
                await browser.check()
        for path in ("/house/people/1", "/join"):
            await browser.open(path)
            await browser.check()
