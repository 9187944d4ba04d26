"""The same pages in a browser whose person went on in spite of the warning, and in one that knows Ira's certificate."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Error
import pytest

from tests.pages.browser import Browser, browse
from tests.support.callers import Member
from tests.support.home import PASSWORD, Home, open_home
from tests.support.requirements import requirement
from tests.support.tls_page import know

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
HINT = "[data-trust-hint]"


@asynccontextmanager
async def told(folder: Path, home: Home) -> AsyncIterator[Browser]:
    """A browser whose person has installed the certificate."""
    know(folder, home.services.authority.ca_pem)
    async with browse(home, own=folder) as browser:
        yield browser


async def go_on_in_spite_of_the_warning(browser: Browser, path: str) -> None:
    """Press what a person presses on the page that the browser puts in front of this one."""
    with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        await browser.open(path)
    await browser.press("#details-button")
    await browser.press("#proceed-link")
    await browser.page.wait_for_url(f"**{path}")


async def sign_in(browser: Browser, member: Member) -> None:
    await browser.fill(email=member.person.email, password=PASSWORD)
    await browser.press("main .btn.go")
    await browser.page.wait_for_url("**/chat")


async def ask(browser: Browser, text: str) -> None:
    """Ask, and wait for the answer as it comes."""
    await browser.page.fill("textarea", text)
    await browser.press("[data-send]")
    await browser.page.wait_for_selector(".reply p")


async def test_in_spite_of_the_warning_all_works_with_one_calm_hint(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner, own = await home.owner(), tmp_path / "nobody"
        own.mkdir()
        async with browse(home, own=own) as browser:
            page = browser.page
            sockets: list[str] = []
            page.on("websocket", lambda one: sockets.append(one.url))
            await go_on_in_spite_of_the_warning(browser, "/signin")
            await sign_in(browser, owner)
            # Said once, by a browser that takes everything but a worker.
            await page.locator(HINT).wait_for()
            assert await page.evaluate("isSecureContext") is True
            await page.locator("[data-link]:not(.off)").first.wait_for()
            await ask(browser, "hello")
            # Something that happens elsewhere is seen here, over the stream of events.
            await browser.open("/devices")
            await owner.pair(label="Garden gate")
            await browser.see("Garden gate")
            assert await page.locator(HINT).count() == 1
            await browser.press(f"{HINT} button")
            for path in ("/chat", "/me", "/devices"):
                await browser.open(path)
                assert await page.locator(HINT).is_hidden()
            await browser.check()
            assert browser.no_worker == 1
            assert sockets == []
            await browser.open("/trust")
            await browser.see("This browser does not know Ira yet.")


@requirement("lan.https")
async def test_a_browser_that_knows_the_certificate_has_no_warning_and_keeps_a_page_for_bad_days(
    tmp_path: Path,
) -> None:
    async with open_home(tmp_path / "data") as home, told(tmp_path / "own", home) as browser:
        page, owner = browser.page, await home.owner()
        await browser.open("/trust")
        await browser.see("This browser knows Ira.")
        scope = await page.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)")
        assert scope == f"{home.base}/"
        await browser.open("/signin")
        await sign_in(browser, owner)
        await ask(browser, "hello")
        await page.locator("[data-link]:not(.off)").first.wait_for()
        assert await page.locator(HINT).is_hidden()
        await browser.check()
        assert browser.no_worker == 0
        kept = await page.evaluate(
            "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name)"
            ".then((one) => one.keys())))).then((all) => all.flat().map((one) => new URL(one.url).pathname))"
        )
        assert kept
        assert all(one.startswith("/static/") or one == "/offline" for one in kept), kept
        await page.context.set_offline(True)
        await browser.open("/me")
        assert await page.inner_text("h1") == "Can’t reach Ira"
        assert owner.person.email not in await page.content()
        await page.context.set_offline(False)
        await browser.press("[data-again]")
        await browser.see(owner.person.email)


@requirement("lan.https")
async def test_a_link_goes_on_by_the_name_that_stays_with_its_code(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, told(tmp_path / "own", home) as browser:
        page = browser.page
        own = home.services.trust.identity.removeprefix("ira-").removesuffix(".local")
        await browser.open(f"/pair#code=ABCDEFGH&fp={'x' * 43}&id={own}")
        await browser.see("ABCD-EFGH")
        await browser.press("[data-stable] a")
        await page.wait_for_url(f"{browser.stable}/pair")
        await browser.see("ABCD-EFGH")
        # There is nowhere to go on to from there.
        await page.wait_for_load_state("networkidle")
        assert await page.locator("[data-stable]").is_hidden()
        await browser.check()


async def test_another_authority_of_the_same_name_is_not_taken_for_this_one(tmp_path: Path) -> None:
    async with open_home(tmp_path / "other") as other:
        foreign = other.services.authority.ca_pem
    async with open_home(tmp_path / "data") as home:
        own = tmp_path / "own"
        own.mkdir()
        know(own, foreign)
        async with browse(home, own=own) as browser:
            with pytest.raises(Error, match="ERR_CERT"):
                await browser.open("/trust")
