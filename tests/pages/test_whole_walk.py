"""The whole way of a house, all of it real: set up, pair, ask, say yes, give the PIN, be cut off, revoke, export."""

import asyncio
from contextlib import AsyncExitStack
import io
from pathlib import Path
import re
import signal
import ssl
from typing import Any
import zipfile

from playwright.async_api import Page, TimeoutError  # noqa: A004 - its own
import pytest

from tests.pages.browser import Browser, browse
from tests.pages.talker import ask, settled
from tests.pages.test_phone import ANDROID, SOMEWHERE
from tests.pages.test_phone_photo import CAMERA, SEND, TAKE, is_shown
from tests.pages.walk import PASSWORD, PIN, companion, first_run, link_on, new_code, scanned
from tests.support.callers import Caller, DeviceLine
from tests.support.program import Program
from tests.support.requirements import requirement

pytestmark = [pytest.mark.web, pytest.mark.browser, pytest.mark.timeout(900)]
PATIENCE_MS = 60_000  # a server, a companion and two browsers share this machine
PHONE = ("ring", "location", "camera", "links")
SAFE: dict[str, Any] = {
    "name": "safe_open", "title": "Open the safe", "description": "Open the safe in the office.", "tier": 3,
    "parameters": {"type": "object", "properties": {}}, "examples": ["open the safe", "तिजोरी खोलो"],
}  # fmt: skip
SAYS = {
    "en": {
        "read": "read menu.txt in Downloads", "ring": "ring my phone", "where": "location of my phone",
        "photo": "take a photo", "open": "open the link https://example.com/menu on my phone", "safe": "open the safe",
    },
    "hi": {
        "read": "read menu.txt in Downloads", "ring": "मेरा फ़ोन बजाओ", "where": "फ़ोन की लोकेशन क्या है",
        "photo": "फ़ोटो खींचो", "open": "मेरे फ़ोन पर यह लिंक खोलो https://example.com/menu", "safe": "तिजोरी खोलो",
    },
}  # fmt: skip


class Named(Program):
    """A house that its pages also ask for by the name that stays, to see whether that is trusted."""

    @property
    def stable(self) -> str:
        """The address by that name, which the certificate has."""
        told = (self.data / "pki" / "server.meta.json").read_text(encoding="utf-8")
        found = re.search(r"ira-[0-9a-f]+\.local", told)
        assert found is not None, told
        return f"https://{found[0]}:{self.port}"


async def said(browser: Browser) -> list[str]:
    """What stands on the page as the person's own."""
    return await browser.page.locator(".whole .said").all_inner_texts()


async def asked(browser: Browser, text: str) -> str:
    """Ask, and wait for the whole answer: its text."""
    before = await browser.page.locator(".whole .reply").count()
    await ask(browser, text)
    await browser.page.wait_for_function(
        f"() => document.querySelectorAll('.whole .reply').length > {before}"
    )
    await settled(browser)
    return await browser.page.locator(".whole .reply").last.inner_text()


async def carded(browser: Browser) -> None:
    """Wait for the card of a question; what came instead is told."""
    try:
        await browser.page.wait_for_selector(".ask")
    except TimeoutError:
        raise AssertionError(await browser.page.inner_text(".whole")) from None


async def with_safe(stack: AsyncExitStack, house: Program, code: str) -> DeviceLine:
    """A computer with a tool that needs the PIN."""
    trust = ssl.create_default_context(cafile=str(house.data / "pki" / "ca.crt.pem"))
    stranger = Caller(house.base, trust)
    claimed = (
        await stranger.call("POST", "/v1/devices/pair", {"code": code, "kind": "windows"})
    ).body
    await stranger.close()
    safe = DeviceLine(
        house.base, trust, token=claimed["token"], number=claimed["device_id"], kind="windows"
    )
    stack.push_async_callback(safe.hang_up)
    safe.answers = {"safe_open": {"summary": "The safe is open."}}
    await safe.connect()
    await safe.hello([SAFE])
    return safe


async def joined(phone: Browser, link: str) -> None:
    """The phone opens what it scanned and joins at a touch."""
    await phone.open("/pair" + link.partition("/pair")[2])
    await phone.press("[data-claim]")
    await phone.page.wait_for_url("**/phone")
    await connected(phone.page)


async def connected(page: Page) -> None:
    await page.wait_for_selector("[data-state=on] >> visible=true")


@requirement("page.walk")
@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("width", [390, 1280])
async def test_from_an_empty_computer_to_an_export(tmp_path: Path, lang: str, width: int) -> None:
    house, says = Named(tmp_path), SAYS[lang]
    house.environment["IRA_BIND"] = "0.0.0.0"  # where nobody else could follow it, no code is drawn
    downloads = tmp_path / "Downloads"
    downloads.mkdir()
    (downloads / "menu.txt").write_text("Dosa and filter coffee", encoding="utf-8")
    async with AsyncExitStack() as stack:
        server = stack.enter_context(house.serving())
        opened = browse(house, lang=f"{lang}-IN", width=width)
        browser = await stack.enter_async_context(opened)
        page = browser.page
        page.context.set_default_timeout(PATIENCE_MS)
        await first_run(browser, lang)

        code = await new_code(browser, "linux", "Office PC", ("files",))
        link = await link_on(browser)
        await stack.enter_async_context(companion(house, link, downloads))
        await page.wait_for_selector(".door.lit")
        assert code not in await page.content()

        code = await new_code(browser, "android", "Asha's phone", PHONE)
        phone = await stack.enter_async_context(
            browse(
                house, lang=f"{lang}-IN", flags=CAMERA, has_touch=True, user_agent=ANDROID, geolocation=SOMEWHERE,
                permissions=["geolocation", "camera"],
            )
        )  # fmt: skip
        phone.page.context.set_default_timeout(PATIENCE_MS)
        await joined(phone, await scanned(browser, link, code))
        await page.wait_for_selector(".door.lit")

        await browser.open("/chat")
        assert "Dosa and filter coffee" in await asked(browser, says["read"])
        await phone.page.tap("h1 >> visible=true")
        await asked(browser, says["ring"])
        await phone.page.click("#phone-ringing [data-no]")
        assert "18.52043, 73.85674" in await asked(browser, says["where"])
        await ask(browser, says["photo"])
        await phone.page.click(TAKE)
        await phone.page.click(SEND)
        await is_shown(browser)
        await settled(browser)

        await ask(browser, says["open"])
        await carded(browser)
        await page.click(".ask [value=yes]")
        await phone.page.wait_for_selector("#phone-do[open]")
        assert "example.com/menu" in await phone.page.inner_text("#phone-do")
        await phone.page.click("#phone-do [data-no]")
        await page.wait_for_selector(".ended")
        await settled(browser)
        await browser.check()

        code = await new_code_of_safe(browser)
        safe = await with_safe(stack, house, code)
        await browser.open("/chat")
        await ask(browser, says["safe"])
        await page.fill(".ask.pin .pin", "000000")
        await page.click(".ask.pin [value=yes]")
        await page.wait_for_selector(".ask.pin .error, .ask.pin [role=alert]")
        assert safe.calls == []
        await page.fill(".ask.pin .pin", PIN)
        await page.click(".ask.pin [value=yes]")
        await page.wait_for_selector(".ended.ok")
        assert [one["tool"] for one in safe.calls] == ["safe_open"]
        await browser.check()

        # In the middle of an answer: the phone is asked, and the server is killed before its person has touched it.
        before = await said(browser)
        await ask(browser, says["photo"])
        await phone.page.wait_for_selector(f"{TAKE} >> visible=true")
        server.send_signal(signal.SIGKILL)
        await asyncio.to_thread(server.wait)
        await page.wait_for_selector("[data-away] >> visible=true")
        await ask(browser, says["read"])
        await page.wait_for_selector(".said.waiting")
        stack.enter_context(house.serving())
        await page.wait_for_selector("[data-away]", state="hidden")
        await page.wait_for_selector(".said.waiting", state="detached")
        await settled(browser)
        now = [*before, says["photo"], says["read"]]
        assert await said(browser) == now
        await page.reload()
        assert await said(browser) == now
        for one in (browser, phone):
            one.wrong[:] = [line for line in one.wrong if "net::ERR_" not in line and "WebSocket" not in line]  # fmt: skip
            await one.check()
        await connected(phone.page)

        await browser.open("/devices")
        mine = page.locator("main a[href^='/devices/']", has_text="Asha's phone").first
        await browser.open(f"{await mine.get_attribute('href')}/remove")
        await page.click("main .btn.danger")
        await phone.page.wait_for_function("() => localStorage.length === 0")
        await browser.check()

        await browser.open("/me")
        await page.click("#export summary")
        await page.fill("#export [name=password]", PASSWORD)
        async with page.expect_download() as coming:
            await page.click("#export .btn")
        kept = await asyncio.to_thread((await (await coming.value).path()).read_bytes)
        whole = exported(kept)
        assert says["photo"] in whole
        assert "Dosa and filter coffee" in whole
        assert PIN not in whole
        assert PASSWORD not in whole


async def new_code_of_safe(browser: Browser) -> str:
    """A code for a computer with a skill of its own."""
    page = browser.page
    await browser.open("/devices/add")
    await page.check("[name=kind][value=windows]", force=True)
    await page.click(".add details summary")
    await browser.fill(label="Office safe", own_skills="safe", pin=PIN)
    await browser.press(".add .btn.go")
    await page.wait_for_url("**/devices/code/**")
    return await page.inner_text(".code-big")


def exported(body: bytes) -> str:
    """All the text of an export, whether it is one file or many in one."""
    if not zipfile.is_zipfile(io.BytesIO(body)):
        return body.decode()
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return "\n".join(archive.read(name).decode(errors="replace") for name in archive.namelist())
