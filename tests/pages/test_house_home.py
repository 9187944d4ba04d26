"""The house's name, time zone and news feeds on their page, with how each feed is doing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ira_home.domain.people import Role
from tests.pages.browser import browse
from tests.pages.inspection import barriers, out_of_reach
from tests.pages.test_house_brain import post
from tests.pages.test_house_page import IN_HINDI, shown, words
from tests.pages.test_looks import sign_in
from tests.support.callers import Member
from tests.support.home import Home, open_home
from tests.support.internet import LoopbackPolicy
from tests.support.outside import answering, item, rss, site

FINE, NAMED = "/fine.xml", "/named.xml"


async def change_log(member: Member) -> str:
    return words(await shown(member, "/house/changes"))


async def test_name_and_zone_are_changed_by_owner_and_admins_and_it_is_written_down(
    tmp_path: Path,
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner, admin, staff = await home.owner(), await home.person(Role.ADMIN), await home.person()
        wish = {"name": "Sunrise Clinic", "time_zone": "Asia/Kolkata"}
        assert (await post(staff, "/house/home", **wish)).status == 403
        assert (await staff.call("GET", "/house/home")).status == 403
        done = await post(owner, "/house/home", **wish)
        assert (done.status, done.headers["Location"]) == (303, "/house/home?saved=home#home")
        html = await shown(owner, "/house/home?saved=home")
        assert "Saved" in html
        assert 'value="Sunrise Clinic"' in html
        assert "<option selected>Asia/Kolkata</option>" in html
        view = await home.services.house.get()
        assert (view.name, view.time_zone) == ("Sunrise Clinic", "Asia/Kolkata")
        assert "name, time zone" in await change_log(owner)
        await post(admin, "/house/home", **wish | {"name": "Moonrise"})
        assert (await home.services.house.get()).name == "Moonrise"
        assert 'href="/house/home"' in await shown(owner, "/house")


@pytest.mark.parametrize(
    ("field", "bad", "english", "hindi"),
    [
        ("name", " ", "Write a name", "नाम लिखिए"),
        ("time_zone", "Nowhere/Land", "Choose one from the list.", "सूची में से एक चुनिए"),
    ],
)
async def test_a_wrong_field_is_told_beside_it(
    tmp_path: Path, field: str, bad: str, english: str, hindi: str
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        before = await home.services.house.get()
        form = {"name": "Kept text", "time_zone": "Asia/Kolkata"} | {field: bad}
        refused = await post(owner, "/house/home", **form)
        assert refused.status == 422
        assert english in refused.text
        assert 'aria-invalid="true"' in refused.text
        assert "Saved" not in refused.text
        assert hindi in (await post(owner, "/house/home", "hi", **form)).text
        assert await home.services.house.get() == before


async def test_what_the_server_was_told_is_said_and_no_field(tmp_path: Path) -> None:
    told = {
        "name": "Named outside", "time_zone": "Asia/Tokyo", "model_provider": "none", "search_url": "https://search.example.com/",
    }  # fmt: skip
    async with open_home(tmp_path / "data", settings=told) as home:
        owner = await home.owner()
        html = await shown(owner, "/house/home")
        assert 'name="name"' not in html
        assert 'name="time_zone"' not in html
        assert "Name of the home or clinic, Time zone." in words(html)
        await post(owner, "/house/home", name="Other", time_zone="Asia/Kolkata")
        assert "name" not in await home.services.house.kept()
        brain = words(await shown(owner, "/house/brain"))
        assert "so it is changed there: Who answers." in brain
        assert "so it is changed there: Address of the service." in brain


@asynccontextmanager
async def with_feeds(folder: Path) -> AsyncIterator[tuple[Home, Member, str]]:
    """A house, its owner, and the address of a newspaper that has a feed; one more stands in the settings."""
    paper = answering(rss(item("Monsoon"), item("Metro")), kind="application/rss+xml")
    async with site(paper) as fine, site(answering("", 404)) as gone:
        policy, settings = LoopbackPolicy(), {"feeds": [gone.url(NAMED)]}
        async with open_home(folder, policy=policy, settings=settings) as home:
            yield home, await home.owner(), fine.url(FINE)


async def test_feeds_are_added_read_and_removed_and_their_health_is_shown(tmp_path: Path) -> None:
    async with with_feeds(tmp_path / "data") as (home, owner, url):
        html = words(await shown(owner, "/house/home"))
        assert "Not read since Ira was started." in html
        assert "Stands in the settings of the server" in html
        done = await post(owner, "/house/feeds", url=f" {url} ")
        assert done.headers["Location"] == "/house/home?saved=feeds#feeds"
        assert (await home.services.house.get()).feeds == (url,)
        html = await shown(owner, "/house/home")
        assert "2 items, read just now" in words(html)
        # Only what the house itself keeps can be taken away here.
        assert html.count('action="/house/feeds/remove"') == 1
        assert (await post(owner, "/house/feeds/read")).status == 303
        html = words(await shown(owner, "/house/home"))
        assert "It could not be read the last time." in html
        assert "404" in html
        hindi = words(await shown(owner, "/house/home", **IN_HINDI))
        assert "पिछली बार पढ़ा नहीं जा सका।" in hindi
        assert "feeds" in await change_log(owner)
        assert (await post(owner, "/house/feeds/remove", url=url)).status == 303
        assert (await home.services.house.get()).feeds == ()
        again = await post(owner, "/house/feeds/remove", url=url)
        assert again.headers["Location"] == "/house/home#feeds"


async def test_a_feed_that_cannot_be_kept_is_told_and_staff_keep_none(tmp_path: Path) -> None:
    async with with_feeds(tmp_path / "data") as (home, owner, url):
        refused = await post(owner, "/house/feeds", url="file:///etc/passwd")
        assert refused.status == 422
        assert 'id="url-fault"' in refused.text
        assert 'value="file:///etc/passwd"' in refused.text
        assert "फ़ीड का पता चाहिए" in (await post(owner, "/house/feeds", "hi", url="x")).text
        staff = await home.person()
        for path in ("/house/feeds", "/house/feeds/remove", "/house/feeds/read"):
            assert (await post(staff, path, url=url)).status == 403
            assert (await owner.call("GET", path)).headers["Location"] == "/house/home"
        assert (await home.services.house.get()).feeds == ()


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("lang", "width", "scripts"), [("en-IN", 390, False), ("hi-IN", 320, True), ("en-IN", 1280, True)]
)  # fmt: skip
async def test_in_a_browser_the_owner_names_the_house_and_a_feed(
    tmp_path: Path, lang: str, width: int, *, scripts: bool
) -> None:
    async with (
        with_feeds(tmp_path / "data") as (home, owner, url),
        browse(home, lang=lang, width=width, scripts=scripts) as browser,
    ):
        await sign_in(browser, owner)
        page = browser.page
        await browser.open("/house")
        await browser.press('main a[href="/house/home"]')
        await browser.fill(name="Sunrise Clinic")
        await browser.press("#home .btn.go")
        await page.wait_for_selector("#home .saved")
        await browser.fill(url=url)
        await browser.press('[action="/house/feeds"] .btn')
        await page.wait_for_selector("#feeds .saved")
        await browser.press('[action="/house/feeds/read"] .btn')
        await page.wait_for_selector(".feed-fault")
        if scripts:
            assert await barriers(browser) + await out_of_reach(browser) == []
        await browser.check()
