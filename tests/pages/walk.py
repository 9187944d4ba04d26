"""What a person does on the pages, step by step, whatever the language: by names and places, never by words."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import os
from pathlib import Path
import re
import signal
import sys

from ira_home.net.qr import svg
from tests.pages.browser import Browser
from tests.support.program import Program

EMAIL, PASSWORD, PIN = "asha@example.com", "monsoon window tea", "246813"
TYPED = {
    "name": "Asha", "email": EMAIL, "password": PASSWORD, "pin": PIN, "pin_again": PIN, "house": "Asha’s home",
}  # fmt: skip
_COPIED = "[data-copy]"


async def first_run(browser: Browser, lang: str) -> None:
    """Answer whatever the first run asks until it leads on to the first device; the brain is the built-in one."""
    page = browser.page
    await browser.open("/")
    for _ in range(10):
        await browser.check()
        if await page.locator("[name=label]").count():
            return
        if await page.locator("button[name=lang].wide").count():
            await browser.press(f"button[name=lang][value={lang}]")
        elif await page.locator(".paper").count():
            await browser.press('[href="/devices/add?first=1"]')
        else:
            for name, text in TYPED.items():
                for field in await page.locator(f"main input[name={name}]").all():
                    if await field.is_visible():
                        await field.fill(text)
            if await page.locator("[name=choice][value=none]").count():
                await page.check("[name=choice][value=none]")
            await browser.press("main .btn.go >> visible=true")
        await page.wait_for_load_state()
    raise AssertionError(page.url)


async def new_code(browser: Browser, kind: str, label: str, skills: tuple[str, ...]) -> str:
    """Make a code for a device on its page; the code as it is shown."""
    page = browser.page
    await browser.open("/devices/add")
    await page.check(f"[name=kind][value={kind}]", force=True)
    for skill in await page.locator("[name=skill]:checked").all():
        if await skill.is_visible() and await skill.get_attribute("value") not in skills:
            await skill.uncheck()
    for name in skills:
        await page.check(f"[name=skill][value={name}] >> visible=true")
    await browser.fill(label=label, pin=PIN)
    await browser.check()
    await browser.press(".add .btn.go")
    await page.wait_for_url("**/devices/code/**")
    await browser.check()
    return await page.inner_text(".code-big")


async def link_on(browser: Browser) -> str:
    """The link that a computer's page of a code shows to be copied."""
    shown = [await one.get_attribute("data-copy") or "" for one in await browser.page.locator(_COPIED).all()]  # fmt: skip
    [link] = [one for one in shown if "#code=" in one]
    return link


async def scanned(browser: Browser, like: str, code: str) -> str:
    """The text of the QR code on the page, which is the link `like` with this code in it."""
    wanted = re.sub(r"code=[^&]*", f"code={code.replace('-', '')}", like)
    drawn = await browser.page.locator(".qr svg.qr path").evaluate_all("all => all.map((one) => one.getAttribute('d'))")  # fmt: skip
    assert drawn == re.findall(r' d="([^"]*)"', svg(wanted)), "the picture says something else"
    return wanted


@asynccontextmanager
async def companion(house: Program, link: str, folder: Path) -> AsyncIterator[None]:
    """A real companion, paired by the link and connected."""
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
    environment = kept | {
        "HOME": str(house.folder),
        "IRA_COMPANION_DIR": str(house.folder / "companion"),
    }

    async def start(*words: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "ira_companion", *words, env=environment, cwd=house.folder,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip

    pairing = await start("pair", "--link", "-", "--folder", str(folder))
    out, _ = await pairing.communicate(f"{link}\n".encode())
    assert pairing.returncode == 0, out.decode()
    running = await start("run")
    assert running.stdout is not None
    try:
        async with asyncio.timeout(60):
            while b"connected as device" not in await running.stdout.readline():
                assert running.returncode is None
        reading = asyncio.create_task(running.stdout.read())  # so that it never waits for a reader
        yield
    finally:
        if running.returncode is None:
            running.send_signal(signal.SIGTERM)
        await running.wait()
    await reading
