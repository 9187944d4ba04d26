"""The server's log in the console: by level, page by page, growing while it is looked at."""

from collections.abc import AsyncIterator
import logging
from pathlib import Path
import re

import pytest

from ira_home.base.errors import IraError
from ira_home.base.limits import LOG_LOOKED_AT_S
from ira_home.domain.facts import LogGrew
from ira_home.domain.people import Role
from tests.pages.browser import browse
from tests.pages.test_looks import sign_in
from tests.support.clock import FakeClock
from tests.support.home import PASSWORD, Home, hands_of_now, open_home
from tests.web.scripted import lamp, scripted

LOG = logging.getLogger("ira_home.tests")
IN_HINDI = {"Accept-Language": "hi"}


@pytest.fixture(autouse=True)
def spoken(caplog: pytest.LogCaptureFixture) -> None:
    """As the server runs: reports and more."""
    caplog.set_level(logging.INFO)


@pytest.fixture
def hands() -> FakeClock:
    return hands_of_now()


@pytest.fixture
async def home(tmp_path: Path, hands: FakeClock) -> AsyncIterator[Home]:
    async with open_home(tmp_path / "data", clock=hands) as found:
        yield found


def words_of_lines(html: str) -> list[str]:
    return re.findall(r'<span class="words"[^>]*>([^<]*)', html)


async def test_lines_are_shown_by_level_and_page_by_page(home: Home) -> None:
    owner = await home.owner()
    LOG.info("the lamp is lit")
    LOG.warning("the lamp flickers")
    LOG.error("the lamp is <b>out</b>")
    html = (await owner.call("GET", "/house/log")).text
    assert words_of_lines(html)[:3] == [
        "the lamp is &lt;b&gt;out&lt;/b&gt;", "the lamp flickers", "the lamp is lit"
    ]  # fmt: skip
    worse = (await owner.call("GET", "/house/log?level=warning")).text
    assert words_of_lines(worse)[:2] == words_of_lines(html)[:2]
    assert "the lamp is lit" not in worse
    assert 'aria-current="true">Warnings' in worse
    assert "ग़लतियाँ" in (await owner.call("GET", "/house/log", headers=IN_HINDI)).text
    first = (await owner.call("GET", "/house/log?level=error&limit=1")).text
    assert 'data-fresh="log"' in first
    LOG.error("one more")
    (older,) = re.findall(r'href="(/house/log\?[^"]*cursor=[^"]+)"', (
        await owner.call("GET", "/house/log?level=warning&limit=2")).text)  # fmt: skip
    rest = (await owner.call("GET", older.replace("&amp;", "&"))).text
    assert words_of_lines(rest)[0] == "the lamp flickers"
    assert "data-fresh" not in re.findall(r'<div id="server-log"[^>]*>', rest)[0]
    assert (await owner.call("GET", "/house/log?level=nonsense")).status == 200


async def test_programs_read_the_same_lines(home: Home) -> None:
    owner = await home.owner()
    LOG.warning("the lamp flickers")
    reply = await owner.call("GET", "/v1/admin/server-log?level=warning&limit=1")
    (line,) = reply.body["items"]
    assert (line["level"], line["part"], line["text"]) == ("warning", "tests", "the lamp flickers")
    LOG.warning("again")
    assert (await owner.call("GET", "/v1/admin/server-log?level=warning")).body["items"][0][
        "id"
    ] > line["id"]
    assert (await owner.call("GET", "/v1/admin/server-log?level=loud")).body["field"] == "level"


@pytest.mark.parametrize("path", ["/house/log", "/v1/admin/server-log"])
async def test_only_owner_and_admins_read_it(home: Home, path: str) -> None:
    staff, admin = await home.person(), await home.person(Role.ADMIN)
    assert (await staff.call("GET", path)).status == 403
    assert (await home.caller().call("GET", path)).status in (303, 401)
    assert (await admin.call("GET", path)).status == 200


async def test_whoever_looks_is_told_of_more_and_nobody_else(home: Home, hands: FakeClock) -> None:
    owner, other, staff = await home.owner(), await home.owner(), await home.person()
    told: list[LogGrew] = []
    home.bus.subscribe(LogGrew, told.append)
    async with owner.stream() as mine, staff.stream() as theirs:
        await owner.call("GET", "/house/log")
        LOG.info("something new")
        news = await mine.until(lambda one: one.event == "log")
        assert news.data == {}
        assert {one.person_id for one in told} == {owner.person.id}
        # A look makes no line that would call for the next look.
        seen = (await owner.call("GET", "/v1/admin/server-log")).body["items"][0]["id"]
        await owner.call("GET", "/house/log")
        newest = (await owner.call("GET", "/v1/admin/server-log")).body["items"][0]
        assert newest["id"] == seen
        hands.advance(LOG_LOOKED_AT_S + 1)
        await other.call("GET", "/house/log")
        told.clear()
        async with other.stream() as others:
            LOG.info("and more")
            await others.until(lambda one: one.event == "log")
        assert {one.person_id for one in told} == {other.person.id}
        device = await staff.pair()
        first = await theirs.until(lambda one: True)
        assert first.event == "device"
        await device.hang_up()


async def test_what_people_say_and_devices_answer_is_never_in_it(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        staff, owner = await home.person(), await home.owner()
        device = await lamp(staff)
        assert (await staff.ask("lamp_colour")).status == 200
        await home.caller().call("GET", "/v1/nothing/of-marigold?q=marigold")
        wish = {"email": staff.person.email, "password": PASSWORD + "x"}
        await home.caller().call("POST", "/v1/session", wish)

        async def breaks(*_: object, **__: object) -> None:
            message = "crimson marigold"
            raise ValueError(message)

        async def fails(*_: object, **__: object) -> None:
            message = "crimson marigold"
            raise IraError(message)

        for broken in (breaks, fails):
            home.services.events.list = broken  # type: ignore[method-assign,assignment]
            assert (await staff.call("GET", "/v1/me/events")).status == 500
        items = (await owner.call("GET", "/v1/admin/server-log?limit=200")).body["items"]
        await device.hang_up()
    said = "\n".join(f"{one['part']} {one['text']}" for one in items)
    assert "POST /v1/ask 200" in said
    assert "GET … 404" in said
    assert "ValueError" in said
    for secret in (
        "crimson", "marigold", "lamp_colour", "Office Mac", staff.person.email, staff.person.name,
        staff.cookie, PASSWORD,
    ):  # fmt: skip
        assert secret not in said


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize(("lang", "width"), [("en-IN", 390), ("hi-IN", 320), ("en-IN", 1280)])
async def test_in_a_browser_it_grows_until_it_is_held(home: Home, lang: str, width: int) -> None:
    owner = await home.owner()
    LOG.warning("the lamp flickers")
    async with browse(home, lang=lang, width=width) as browser:
        await sign_in(browser, owner)
        await browser.open("/house")
        await browser.press('main a[href="/house/log"]')
        await browser.page.wait_for_url("**/house/log")
        await browser.see("the lamp flickers")
        await browser.page.locator("[data-link]:not([hidden]):not(.off)").first.wait_for(
            state="attached"
        )
        LOG.info("the first new line")
        await browser.see("the first new line")
        pause = browser.page.locator("[data-pause]")
        await pause.click()
        assert await pause.get_attribute("aria-pressed") == "true"
        LOG.info("the second new line")
        assert await browser.page.get_by_text("the second new line").count() == 0
        await pause.click()
        await browser.see("the second new line")
        await browser.press('.seg a[href="/house/log?level=warning"]')
        await browser.page.wait_for_url("**level=warning")
        assert await browser.page.get_by_text("the first new line").count() == 0
        await browser.check()
    async with browse(home, lang=lang, width=width, scripts=False) as browser:
        await sign_in(browser, owner)
        await browser.open("/house/log")
        await browser.see("the second new line")
        assert not await browser.page.locator("[data-pause]").is_visible()
