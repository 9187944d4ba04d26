"""The first steps of a house in a real browser: set up, pair, switch, ask, answer, sign out."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.pages.browser import Browser, browse
from tests.support.callers import Caller, DeviceLine
from tests.support.home import Home, open_home
from tests.support.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
PASSWORD, PIN = "monsoon window tea", "246813"


def tool(name: str, description: str, tier: int, **properties: str) -> dict[str, Any]:
    """A tool of a hello whose arguments are texts, all required."""
    fields = {key: {"type": "string", "description": about} for key, about in properties.items()}
    parameters = {"type": "object", "properties": fields, "required": list(fields)}
    return {"name": name, "description": description, "tier": tier, "parameters": parameters}


TOOLS = [
    tool("lantern_colour", "Tell the colour of the lantern", 0),
    tool(
        "parcel_send", "Send the parcel to the person with the given name", 2, person="their name"
    ),
    tool("vault_empty", "Empty the vault", 3),
    tool("telescope_aim", "Aim the telescope at the moon", 0),
]


async def set_up(browser: Browser, name: str = "Asha") -> None:
    page = browser.page
    await browser.open("/")
    await browser.press(f"button[name=lang][value={await page.get_attribute('html', 'lang')}]")
    await page.wait_for_selector("[name=email]")
    await browser.fill(name=name, email="asha@example.com", password=PASSWORD)
    for following in ("time_zone", "pin"):
        await browser.press("main .btn.go")
        await page.wait_for_selector(f"[name={following}]")
    await browser.fill(pin=PIN, pin_again=PIN)
    for following in ("[name=choice]", "[name=system]", ".paper"):
        await browser.check()
        await browser.press("main .btn.go")
        await page.wait_for_selector(following)
    await browser.press('[href="/devices/add?first=1"]')
    await page.wait_for_url("**/devices/add**")


async def make_code(browser: Browser, label: str = "Office Mac", kind: str = "mac") -> str:
    page = browser.page
    await page.check(f"[value={kind}]", force=True)
    await page.click(".add details summary")
    await browser.fill(label=label, own_skills="lantern, parcel, vault", pin=PIN)
    await browser.check()
    await browser.press(".add .btn.go")
    await page.wait_for_url("**/devices/code/**")
    await browser.check()
    return await page.inner_text(".code-big")


async def pair(stack: AsyncExitStack, home: Home, browser: Browser) -> DeviceLine:
    """A computer that claims the code on the page and connects."""
    code = await make_code(browser)
    claim = {"code": code, "kind": "mac"}
    stranger = Caller(home.base, home.trust)
    claimed = (await stranger.call("POST", "/v1/devices/pair", claim)).body
    await stranger.close()
    mac = DeviceLine(
        home.base, home.trust, token=claimed["token"], number=claimed["device_id"], kind="mac"
    )
    stack.push_async_callback(mac.hang_up)
    mac.answers = {
        "lantern_colour": {"summary": "The lantern is green. <b>Not bold</b>"},
        "parcel_send": {"summary": "The parcel is on its way."},
        "vault_empty": {"summary": "The vault is empty."},
    }
    await mac.connect()
    await mac.hello(TOOLS)
    return mac


def done(mac: DeviceLine) -> list[tuple[str, Any]]:
    """What the computer was asked to do."""
    return [(call["tool"], call["args"]) for call in mac.calls]


async def ask(browser: Browser, text: str) -> None:
    await browser.page.fill("textarea", text)
    await browser.press("[data-send]")


@requirement("pair.claim.person", "tier.2.yes", "tier.3.pin")
async def test_from_a_fresh_house_to_an_answered_question(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(open_home(tmp_path / "data"))
        browser = await stack.enter_async_context(browse(home))
        page = browser.page
        await set_up(browser)
        mac = await pair(stack, home, browser)

        # The page of the code learns by itself that the device is here.
        await browser.see("Office Mac has joined")
        await page.wait_for_selector(".door.lit")
        await browser.check()

        await browser.press("a.go")
        await page.wait_for_selector(".skills")
        await browser.check()
        telescope = page.locator("form", has_text="Telescope")
        await telescope.locator("summary.switch").click()
        assert await telescope.locator("[aria-checked=true]").count() == 0
        await telescope.locator("[name=pin]").fill("999999")
        await telescope.locator(".btn.key").click()
        await browser.see("That PIN is not right.")
        await telescope.locator("[name=pin]").fill(PIN)
        await telescope.locator(".btn.key").click()
        await telescope.locator("[aria-checked=true]").wait_for()
        await telescope.locator("[aria-checked=true]").click()
        await telescope.locator("summary.switch").wait_for()

        await browser.open("/chat")
        await ask(browser, "Tell me the colour of the lantern")
        await page.wait_for_selector(".source")
        assert "The lantern is green. <b>Not bold</b>" in await page.inner_text(".reply")
        assert "Read from Office Mac" in await page.inner_text(".source")
        assert page.url.rpartition("/")[0].endswith("/chat")
        await browser.check()

        await ask(browser, "Send the parcel to the person named Marigold")
        card = page.locator(".ask")
        await card.wait_for()
        assert "Marigold" in await card.inner_text()
        assert "Yes, send it" in await card.inner_text()
        assert done(mac) == [("lantern_colour", {})]
        await card.locator("[value=yes]").click()
        await page.wait_for_selector(".ended.ok")
        assert done(mac)[-1] == ("parcel_send", {"person": "Marigold"})
        await browser.check()

        await ask(browser, "Empty the vault")
        await page.wait_for_selector(".ask.pin")
        await page.fill(".ask.pin .pin", "000000")
        await browser.press(".ask.pin [value=yes]")
        await browser.see("That PIN is not right. Nothing was done.")
        assert done(mac)[-1][0] == "parcel_send"
        await page.fill(".ask.pin .pin", PIN)
        await browser.press(".ask.pin [value=yes]")
        await page.wait_for_selector(".ended.ok >> nth=1")
        assert done(mac)[-1] == ("vault_empty", {})
        await browser.check()

        await ask(browser, "Send the parcel to the person named Jasmine")
        await browser.press(".ask [value=no]")
        await browser.see("You said no. Nothing was done")
        assert done(mac)[-1] == ("vault_empty", {})

        event = {"type": "event", "event": "task_done", "title": "The lantern is lit", "text": ""}
        await mac.send(event)
        await page.wait_for_selector("[data-bell] .count >> visible=true")
        for path, text in (
            ("/events", "The lantern is lit"), ("/did", "Send the parcel"), ("/chats", "colour"),
            ("/me", "this browser"), ("/devices", "Office Mac"),
        ):  # fmt: skip
            await browser.open(path)
            await browser.see(text)
            await browser.check()

        await browser.open("/me")
        await browser.press("[action='/signout'] button")
        await page.wait_for_url("**/signin")
        await browser.fill(email="asha@example.com", password=PASSWORD)
        await browser.press("main form .btn.go")
        await page.wait_for_url("**/chat")
        await browser.check()


@pytest.mark.parametrize("width", [320])
async def test_the_same_without_scripts_in_hindi_on_a_narrow_phone(
    tmp_path: Path, width: int
) -> None:
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(open_home(tmp_path / "data"))
        opened = browse(home, lang="hi-IN", width=width, scripts=False, color_scheme="dark")
        browser = await stack.enter_async_context(opened)
        page = browser.page
        await set_up(browser, "आशा")
        mac = await pair(stack, home, browser)
        await page.get_by_role("link", name="फिर देखें").click()
        await browser.see("Office Mac जुड़ गया")

        await browser.press("a.go")
        telescope = page.locator("form", has_text="Telescope")
        await telescope.locator("summary.switch").click()
        await telescope.locator("[name=pin]").fill(PIN)
        await telescope.locator(".btn.key").click()
        await telescope.locator("[aria-checked=true]").click()
        await telescope.locator("summary.switch").wait_for()

        await browser.open("/chat")
        await ask(browser, "Tell me the colour of the lantern")
        await page.wait_for_selector(".source")
        assert "The lantern is green." in await page.inner_text(".reply")
        await ask(browser, "Send the parcel to the person named Marigold")
        assert "हाँ, भेज दो" in await page.inner_text(".ask")
        await browser.press(".ask [value=yes]")
        await page.wait_for_selector(".ended.ok")
        assert done(mac)[-1] == ("parcel_send", {"person": "Marigold"})
        await ask(browser, "Empty the vault")
        await page.fill(".ask.pin .pin", "000000")
        await browser.press(".ask.pin [value=yes]")
        await browser.see("पिन ग़लत है। कुछ नहीं किया गया।")
        await page.fill(".ask.pin .pin", PIN)
        await browser.press(".ask.pin [value=yes]")
        await page.wait_for_selector(".ended.ok >> nth=1")
        assert done(mac)[-1] == ("vault_empty", {})
        await browser.check()

        await browser.open("/me")
        await page.get_by_role("button", name="English").first.click()
        await browser.see("What you call her")


async def test_the_code_of_a_scanned_link_is_shown_and_leaves_the_address(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, browse(home, width=320) as browser:
        sent: list[str] = []
        browser.page.on(
            "request", lambda request: sent.append(request.url + (request.post_data or ""))
        )
        own = home.services.trust.identity.removeprefix("ira-").removesuffix(".local")
        await browser.open(f"/pair#code=K7MD9QXT&fp=abc&id={own}")
        await browser.see("K7MD-9QXT")
        assert browser.page.url == f"{home.base}/pair"
        assert not any("K7MD9QXT" in one for one in sent)
        await browser.check()
        await browser.open("/pair")
        await browser.see("No code came with this address.")


async def test_everything_can_be_reached_by_keyboard_alone(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, browse(home, width=1280) as browser:
        await set_up(browser)
        page = browser.page
        await browser.open("/chat")
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.className") == "skip"
        names = set()
        for _ in range(30):
            await page.keyboard.press("Tab")
            names.add(
                await page.evaluate(
                    "document.activeElement.getAttribute('href') || document.activeElement.name || document.activeElement.dataset.send"
                )
            )
        assert {"/devices", "/did", "/me", "text"} <= names
        await page.focus("textarea")
        await page.keyboard.type("What time is it?")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".reply")
        await browser.check()
