"""Conversations of others in the console: that something happened, and placeholders for the rest."""

from pathlib import Path

import pytest

from ira_home.domain.people import Role
from tests.pages.browser import browse
from tests.pages.test_looks import sign_in
from tests.support.home import open_home
from tests.support.requirements import requirement
from tests.web.scripted import lamp, scripted

IN_HINDI = {"Accept-Language": "hi"}


@requirement("privacy.placeholder", "privacy.nobody", "privacy.params")
async def test_owner_and_admin_see_placeholders_where_a_device_answered(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        staff, owner, admin = await home.person(), await home.owner(), await home.person(Role.ADMIN)
        device = await lamp(staff)
        number = (await staff.ask("lamp_colour")).body["conversation_id"]
        other = (await staff.ask("good <i>morning</i>")).body["conversation_id"]
        asked = await staff.ask("door_open")
        assert asked.body["proposals"]
        assert "crimson" in (await staff.call("GET", f"/chat/{number}")).text
        for reader in (owner, admin):
            listed = (await reader.call("GET", "/house/chats")).text
            html = (await reader.call("GET", f"/house/chats/{number}")).text
            assert staff.person.email in listed
            assert f'href="/house/chats/{number}"' in listed
            assert staff.person.email in html
            # What came back, and what Ira made of it.
            assert html.count("(private device output)") == 2
            assert "Ira used: Lamp colour" in html
            plain = (await reader.call("GET", f"/house/chats/{other}")).text
            assert "You said: good &lt;i&gt;morning&lt;/i&gt;" in plain
            assert "(private device output)" not in plain
            open_one = asked.body["conversation_id"]
            opened = (await reader.call("GET", f"/house/chats/{open_one}")).text
            hindi = (await reader.call("GET", f"/house/chats/{number}", headers=IN_HINDI)).text
            assert hindi.count("(डिवाइस का निजी जवाब)") == 2
            for text in (listed, html, plain, opened, hindi):
                assert "crimson" not in text
                assert "Office Mac" not in text
        await device.hang_up()


async def test_the_list_is_read_page_by_page_and_a_number_of_nothing_is_not_found(
    tmp_path: Path,
) -> None:
    async with scripted(tmp_path) as (home, _brain):
        staff, owner = await home.person(), await home.owner()
        for words in ("first words", "second words"):
            await staff.ask(words)
        page = (await owner.call("GET", "/house/chats?limit=1")).text
        assert "second words" in page
        assert "first words" not in page
        assert 'href="/house/chats?cursor=' in page
        for number in ("999999", "nothing"):
            assert (await owner.call("GET", f"/house/chats/{number}")).status == 404


@pytest.mark.parametrize("path", ["/house/chats", "/house/chats/1"])
async def test_only_owner_and_admins_read_them(tmp_path: Path, path: str) -> None:
    async with scripted(tmp_path) as (home, _brain):
        staff = await home.person()
        await staff.ask("first words")
        assert (await staff.call("GET", path)).status == 403
        assert (await home.caller().call("GET", path)).status in (303, 401)


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize(("lang", "width"), [("en-IN", 390), ("hi-IN", 320), ("en-IN", 1280)])
async def test_in_a_browser_they_fit(tmp_path: Path, lang: str, width: int) -> None:
    async with open_home(tmp_path / "data") as home:
        staff, owner = await home.person(), await home.owner()
        await staff.ask("what time is it " + "and again " * 30)
        async with browse(home, lang=lang, width=width) as browser:
            await sign_in(browser, owner)
            await browser.open("/house")
            await browser.press('main a[href="/house/chats"]')
            await browser.page.wait_for_url("**/house/chats")
            await browser.check()
            await browser.press("main a.item")
            await browser.page.locator(".past-log .reply").first.wait_for()
            await browser.check()
