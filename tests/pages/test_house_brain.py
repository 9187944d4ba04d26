"""Brain and search: chosen and tried on the page; a key is written and never shown."""

from pathlib import Path
from urllib.parse import urlencode

import pytest

from ira_home.base.errors import FetchFailed
from ira_home.domain.search import TRIED
from ira_home.web.body import FORM
from tests.pages.browser import browse
from tests.pages.test_house_page import IN_HINDI, SilentBrain, shown, words
from tests.pages.test_looks import sign_in
from tests.support.callers import Member, Reply
from tests.support.home import open_home

KEY = "sk-quince-4711"
MODEL = {"model_provider": "openai", "model_url": "http://127.0.0.1:9/v1", "model_name": "tiny"}


async def post(member: Member, path: str, lang: str = "en", **fields: str) -> Reply:
    sent = {"Content-Type": FORM, "Accept-Language": lang}
    return await member.call("POST", path, urlencode(fields).encode(), headers=sent)


async def test_a_brain_is_chosen_and_its_key_is_kept_left_alone_and_removed(
    tmp_path: Path,
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner, house = await home.owner(), home.services.house
        done = await post(owner, "/house/brain", **MODEL, model_key=KEY)
        assert (done.status, done.headers["Location"]) == (303, "/house/brain?saved=brain#brain")
        assert (await house.model()).key == KEY
        html = await shown(owner, "/house/brain?saved=brain")
        assert "Saved" in html
        assert 'value="http://127.0.0.1:9/v1"' in html
        assert "One is kept and is never shown." in html
        assert KEY not in html
        await post(owner, "/house/brain", **MODEL | {"model_name": "small"}, model_key="")
        assert ((await house.model()).key, (await house.model()).name) == (KEY, "small")
        await post(owner, "/house/brain", **MODEL, model_key="", model_key_remove="yes")
        assert (await house.model()).key == ""
        assert "One is kept" not in await shown(owner, "/house/brain")
        assert KEY not in await shown(owner, "/house/changes")


@pytest.mark.parametrize(
    ("path", "field", "bad", "hindi"),
    [
        ("/house/brain", "model_url", "ftp://x", "मॉडल के सर्वर का पता चाहिए"),
        ("/house/brain", "model_name", "", "मॉडल का नाम चाहिए"),
        ("/house/brain", "model_key", "ключ", "Key बहुत लंबी है"),
        ("/house/search", "search_url", "http://x", "पता https:// से शुरू होता है"),
        ("/house/search", "search_key", "ключ", "Key बहुत लंबी है"),
    ],
)
async def test_a_wrong_field_is_told_beside_it_and_nothing_is_kept(
    tmp_path: Path, path: str, field: str, bad: str, hindi: str
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        before = await home.services.house.get()
        form = (MODEL if path.endswith("brain") else {}) | {field: bad}
        refused = await post(owner, path, **form)
        assert refused.status == 422
        assert f'id="{field}-fault"' in refused.text
        assert ("tiny" in refused.text) == (path == "/house/brain" and field != "model_name")
        assert hindi in (await post(owner, path, "hi", **form)).text
        assert "ключ" not in refused.text
        assert await home.services.house.get() == before


async def test_the_brain_is_tried_and_its_fault_told(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        assert "The brain answers." in (await post(owner, "/house/brain/test")).text
        home.services.brain = SilentBrain()  # type: ignore[assignment]
        tried = await post(owner, "/house/brain/test")
        assert tried.status == 200
        assert "The model&#39;s server cannot be reached." in tried.text
        assert 'value="none" checked' in tried.text
        assert "मॉडल ने जवाब नहीं दिया।" in (await post(owner, "/house/brain/test", "hi")).text


class Searching:
    """A search service that finds so many pages, or fails."""

    def __init__(self, hits: int | None) -> None:
        self.hits, self.asked = hits, list[str]()

    async def search(self, query: str, *, count: int) -> list[object]:
        self.asked.append(query)
        if self.hits is None:
            message = "The search service does not know the key."
            raise FetchFailed(message)
        return [object()] * min(self.hits, count)


@pytest.mark.parametrize(
    ("hits", "english", "hindi"),
    [
        (1, "The search answers.", "खोज चल रही है।"),
        (0, "but it found nothing", "पर कुछ मिला नहीं"),
        (None, "does not know the key", "खोज से ठीक जवाब नहीं आया।"),
    ],
)
async def test_the_search_is_kept_and_tried(
    tmp_path: Path, hits: int | None, english: str, hindi: str
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        assert "/house/search/test" not in await shown(owner, "/house/brain")
        saved = await post(owner, "/house/search", search_url="", search_key=KEY)
        assert saved.headers["Location"] == "/house/brain?saved=search#search"
        html = await shown(owner, "/house/brain")
        assert 'action="/house/search/test"' in html
        assert KEY not in html
        searching = Searching(hits)
        home.services.search = searching  # type: ignore[assignment]
        assert english in (await post(owner, "/house/search/test")).text
        assert hindi in (await post(owner, "/house/search/test", "hi")).text
        assert searching.asked == [TRIED, TRIED]


async def test_staff_choose_and_try_nothing_and_addresses_of_forms_lead_back(
    tmp_path: Path,
) -> None:
    forms = ("/house/brain/test", "/house/search", "/house/search/test")
    async with open_home(tmp_path / "data") as home:
        staff, owner = await home.person(), await home.owner()
        before = await home.services.house.get()
        for path in ("/house/brain", *forms):
            assert (await post(staff, path, **MODEL, search_key=KEY)).status == 403
        assert await home.services.house.get() == before
        for path in forms:
            assert (await owner.call("GET", path)).headers["Location"] == "/house/brain"
        assert "मॉडल और खोज" in words(await shown(owner, "/house/brain", **IN_HINDI))


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("lang", "width", "scripts"), [("en-IN", 390, False), ("hi-IN", 320, True), ("en-IN", 1280, True)]
)  # fmt: skip
async def test_in_a_browser_the_owner_goes_through_devices_and_brain(
    tmp_path: Path, lang: str, width: int, *, scripts: bool
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner, staff = await home.owner(), await home.person()
        await (await staff.pair(label="Kitchen phone", skills=("files",))).hang_up()
        async with browse(home, lang=lang, width=width, scripts=scripts) as browser:
            await sign_in(browser, owner)
            page = browser.page
            await browser.open("/house")
            await browser.press('main a[href="/house/devices"]')
            await browser.press("text=Kitchen phone")
            await browser.press(".skills .btn")
            await page.wait_for_selector("p.card")
            await browser.check()
            await browser.press("main .btn.danger")
            await browser.press("main button.danger")
            await page.wait_for_selector(".card.empty")
            await browser.check()
            await browser.open("/house/brain")
            await page.check('[value="openai"]')
            await browser.fill(model_url="http://127.0.0.1:9/v1", model_name="tiny", model_key=KEY)
            await browser.press("#brain .btn.go")
            await page.wait_for_selector("#brain .saved")
            assert KEY not in await page.content()
            await browser.press('[action="/house/brain/test"] .btn')
            await page.wait_for_selector("#brain [role=alert]")
            await browser.check()
