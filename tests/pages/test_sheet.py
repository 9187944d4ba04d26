"""The recovery sheet: after the password, one page, with commands that really lead back in."""

import asyncio
from functools import partial
from pathlib import Path
import re
import shlex
from urllib.parse import urlencode

import pytest

from ira_home.domain.people import Role
from ira_home.web.body import FORM
from tests.pages.browser import browse
from tests.pages.inspection import barriers, out_of_reach
from tests.pages.test_looks import sign_in
from tests.support.callers import Member, Reply
from tests.support.home import PASSWORD, PIN, hands_of_now, open_home
from tests.support.program import Program

NEW = "harbour plum 9 lane"
_PAGES = re.compile(rb"/Type\s*/Page\b")


async def unlock(member: Member, password: str) -> Reply:
    body = urlencode({"password": password}).encode()
    return await member.call("POST", "/house/sheet", body, headers={"Content-Type": FORM})


async def test_it_is_shown_after_the_password_to_owner_and_admins_alone(tmp_path: Path) -> None:
    clock = hands_of_now()
    async with open_home(tmp_path / "data", clock=clock) as home:
        owner, admin, staff = await home.owner(), await home.person(Role.ADMIN), await home.person()
        assert (await staff.call("GET", "/house/sheet")).status == 403
        assert (await unlock(staff, PASSWORD)).status == 403
        assert 'href="/house/sheet"' in (await owner.call("GET", "/house")).text
        clock.advance(601)
        for member in (owner, admin):
            locked = (await member.call("GET", "/house/sheet")).text
            assert home.services.trust.fingerprint not in locked
            assert str(tmp_path) not in locked
            wrong = await unlock(member, "no no no")
            assert (wrong.status, str(tmp_path) in wrong.text) == (403, False)
            assert 'id="password-fault"' in wrong.text
            assert (await unlock(member, PASSWORD)).headers["Location"] == "/house/sheet"
            shown = (await member.call("GET", "/house/sheet")).text
            for told in (home.services.trust.fingerprint, home.stable, str(tmp_path / "data"), "owner1@example.com"):  # fmt: skip
                assert told in shown
            assert "makes no backups by itself" in shown
            assert "staff3@example.com" not in shown
            for secret in (PASSWORD, PIN, owner.cookie, home.services.first_run.setup_code):
                assert secret not in shown


async def test_its_commands_lead_back_in(tmp_path: Path) -> None:
    folder = tmp_path / "a data folder"
    async with open_home(folder) as home:
        owner = await home.owner()
        shown = (await owner.call("GET", "/house/sheet")).text
        found = [
            one.replace("&#39;", "'") for one in re.findall(r"<dd><code[^>]*>(.*?)</code>", shown)
        ]
        by_verb = {" ".join(shlex.split(one)[3:5]): shlex.split(one)[1:] for one in found}
        assert [shlex.split(one)[0] for one in found] == ["ira"] * len(found)
        assert set(by_verb) == {"user passwd", "pin set", "doctor", "cert show", "serve"}
        must = partial(asyncio.to_thread, Program(tmp_path).must)
        await must(*by_verb["user passwd"], "--password-stdin", stdin=f"{NEW}\n")
        await must(*by_verb["pin set"], "--pin-stdin", stdin="8642\n")
        assert home.services.trust.fingerprint in await must(*by_verb["cert show"])
        assert "CA fingerprint" in await must(*by_verb["doctor"])
        await home.services.accounts.check_password(owner.person.id, NEW)
        await home.services.accounts.check_pin(owner.person.id, "8642")


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize("lang", ["en-IN", "hi-IN"])
async def test_printed_it_is_one_page_of_a4_without_the_app_around_it(
    tmp_path: Path, lang: str
) -> None:
    # A long folder, a long name and an address of the longest kind find room, too.
    folder = tmp_path / ("a-rather-long-name-of-a-folder-" * 3) / "data"
    folder.mkdir(parents=True)
    async with open_home(folder) as home:
        owner = await home.owner()
        await home.services.house.change(
            None, {"name": "Sunrise Dental Clinic and Laboratory " * 2}
        )
        async with browse(home, lang=lang, width=1280, color_scheme="dark") as browser:
            await sign_in(browser, owner)
            await browser.open("/house/sheet")
            await browser.page.wait_for_selector("[data-print]:not([hidden])")
            await browser.check()
            assert await barriers(browser) + await out_of_reach(browser) == []
            await browser.page.emulate_media(media="print")
            assert not await browser.page.is_visible(".nav")
            assert not await browser.page.is_visible("[data-print]")
            assert await browser.page.is_visible(".on-paper")
            look = "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.querySelector('h1')).color"
            assert await browser.page.evaluate(look) == "rgb(255, 255, 255)rgb(0, 0, 0)"
            printed = await browser.page.pdf(format="A4")
            assert len(_PAGES.findall(printed)) == 1
