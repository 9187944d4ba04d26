"""The card of a question in a real browser: what it says, who may answer it, where it was answered, and how it ends."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
import re

import pytest

from ira_home.base.limits import PROPOSAL_S
from tests.pages.browser import Browser, browse
from tests.pages.test_chat_pages import PARCEL, TOOLS, VAULT
from tests.pages.test_looks import sign_in
from tests.support.callers import Caller, DeviceLine, Member
from tests.support.clock import FakeClock
from tests.support.home import HOST, PASSWORD, Home, hands_of_now, open_home
from tests.support.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


class Asking:
    """A home with somebody at a browser, their computer, and a clock under the test's hand."""

    def __init__(
        self, home: Home, clock: FakeClock, member: Member, mac: DeviceLine, browser: Browser
    ) -> None:
        self.home, self.clock, self.member, self.mac, self.browser = (
            home, clock, member, mac, browser,
        )  # fmt: skip

    async def ask(self, text: str, by: Caller | None = None) -> int:
        """Ask as somebody else would, so that this browser only looks on; opens the conversation."""
        asked = (await (by or self.member).ask(text)).body
        await self.browser.open(f"/chat/{asked['conversation_id']}")
        await self.browser.page.wait_for_selector("[data-question]")
        return int(asked["conversation_id"])

    async def waiting(self) -> dict[str, str]:
        """The question that waits, as the API tells it."""
        [one] = (await self.member.call("GET", "/v1/me/actions")).body["items"]
        found: dict[str, str] = one
        return found

    @property
    def done(self) -> list[str]:
        """The tools that were called."""
        return [call["tool"] for call in self.mac.calls]


@asynccontextmanager
async def asking(folder: Path, lang: str = "en-IN") -> AsyncIterator[Asking]:
    async with AsyncExitStack() as stack:
        clock = hands_of_now()
        home = await stack.enter_async_context(open_home(folder / "data", clock=clock))
        member = await home.owner()
        mac = await member.online(TOOLS)
        mac.answers = {"parcel_send": {"summary": "It is on its way."}, "vault_empty": {}}
        stack.push_async_callback(mac.hang_up)
        browser = await stack.enter_async_context(browse(home, lang=lang))
        await sign_in(browser, member)
        yield Asking(home, clock, member, mac, browser)


async def elsewhere(here: Asking, agent: str) -> Caller:
    """The same person in another browser."""
    cookie, _ = await here.home.services.sessions.sign_in(
        email=here.member.person.email, password=PASSWORD, address=HOST, agent=agent
    )
    return here.home.caller(cookie=cookie)


@requirement("tier.2.yes.tapped")
async def test_each_button_says_what_it_does_and_nothing_is_chosen_beforehand(
    tmp_path: Path,
) -> None:
    async with asking(tmp_path) as here:
        await here.ask(PARCEL)
        page = here.browser.page
        card = page.get_by_role("group", name=re.compile("Send the parcel"))
        no = card.get_by_role("button", name=re.compile("^No, do not do this: Send the parcel"))
        assert await no.inner_text() == "No"
        yes = card.get_by_role("button", name="Yes, send it")
        assert await page.evaluate("document.activeElement.tagName") == "BODY"
        text = await card.inner_text()
        assert "Marigold" in text
        assert "Office Mac" in text
        for technical in ("parcel_send", "{", "}"):
            assert technical not in text
        waits = await here.waiting()
        for name, held in (("digest", waits["digest"]), ("proposal", str(waits["id"]))):
            values = await card.locator(f"[name={name}]").evaluate_all(
                "all => all.map(o => o.value)"
            )
            assert values == [held, held], "each of its two answers carries the card's own"
        await yes.click()
        await page.wait_for_selector(".ended.ok")
        assert here.done == ["parcel_send"]
        assert "answered" not in await page.inner_text(".ended")
        await here.browser.check()


async def test_in_hindi_the_no_says_what_it_refuses_too(tmp_path: Path) -> None:
    async with asking(tmp_path, lang="hi-IN") as here:
        await here.ask(PARCEL)
        no = here.browser.page.get_by_role("button", name=re.compile("^नहीं, यह मत करो: .*"))
        await no.click()
        await here.browser.page.wait_for_selector(".ended")
        assert here.done == []
        await here.browser.check()


async def test_a_card_answered_in_another_browser_says_where_without_a_reload(
    tmp_path: Path,
) -> None:
    async with asking(tmp_path) as here:
        await here.ask(PARCEL)
        other = await elsewhere(here, _FIREFOX)
        assert (await other.confirm(await here.waiting())).status == 200
        await here.browser.see("answered in Firefox, Linux")
        assert await here.browser.page.locator("[data-question]").count() == 0
        assert here.done == ["parcel_send"]

        await here.ask(PARCEL)
        number = (await here.waiting())["id"]
        assert (await other.call("POST", f"/v1/actions/{number}/cancel")).status == 200
        await here.browser.see("You said no. Nothing was done")
        await here.browser.see("answered in Firefox, Linux")
        assert here.done == ["parcel_send"]
        await here.browser.check()


async def test_a_card_answered_on_a_device_or_by_a_token_says_which(tmp_path: Path) -> None:
    async with asking(tmp_path) as here:
        await here.ask(PARCEL)
        device = here.home.caller(bearer=here.mac.token)
        assert (await device.confirm(await here.waiting())).status == 200
        await here.browser.see("answered on Office Mac")

        made = await here.member.call(
            "POST",
            "/v1/me/tokens",
            {"name": "Door bell", "scopes": ["ask", "actions"], "pin": here.member.pin},
        )
        script = here.home.caller(bearer=made.body["token"])
        await here.ask(PARCEL)
        assert (await script.confirm(await here.waiting())).status == 200
        await here.browser.see("answered through the token Door bell")
        tokens = f"/v1/me/tokens/{made.body['id']}"
        assert (await here.member.call("DELETE", tokens)).status == 204
        await here.browser.page.reload()
        await here.browser.see("answered somewhere else")
        await here.browser.check()


async def test_the_end_of_a_cards_time_is_told_by_the_server(tmp_path: Path) -> None:
    async with asking(tmp_path) as here:
        await here.ask(PARCEL)
        page = here.browser.page
        left = page.get_by_role("timer", name="Time left to answer")
        assert re.fullmatch(r"[12]:\d\d", (await left.inner_text()).strip())
        # Only the server's clock goes on: the browser would wait for two minutes more.
        here.clock.advance(PROPOSAL_S + 1)
        await here.member.ask(VAULT)  # the server looks at its clock when the next question opens
        await here.browser.see("Time ran out. Nothing was done")
        assert await page.locator("[data-question]").count() == 0
        assert here.done == []
        assert "parcel_send" not in await page.inner_text(".ended")
        await page.get_by_role("button", name="Ask again").click()
        await page.wait_for_selector(".said >> nth=1")
        assert await page.locator(".said").all_inner_texts() == [PARCEL, PARCEL]
        await here.browser.check()


async def test_the_pin_has_a_numeric_field_of_its_own_and_too_many_wrong_ones_are_told(
    tmp_path: Path,
) -> None:
    async with asking(tmp_path) as here:
        await here.ask(VAULT)
        page = here.browser.page
        pin = page.locator("[data-question] input.pin")
        assert [await pin.get_attribute(name) for name in ("type", "inputmode", "autocomplete")] == [
            "password", "numeric", "off",
        ]  # fmt: skip
        for _ in range(5):
            await pin.fill("000000")
            async with page.expect_response("**/confirm"):
                await pin.press("Enter")
            await page.wait_for_function("document.activeElement.matches('[data-question] .pin')")
        await pin.fill(here.member.pin)
        await pin.press("Enter")
        await here.browser.see("Too many wrong PINs. Try again in 15 min.")
        assert here.done == []
        assert await pin.input_value() == ""
        await here.browser.check()
