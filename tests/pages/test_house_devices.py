"""Everybody's devices for owner and admins: seen without their tools, taken away, switched off, never on."""

from pathlib import Path
import re

from ira_home.domain.people import Role
from ira_home.web.body import FORM
from tests.pages.test_house_page import IN_HINDI, shown, words
from tests.support.callers import Member, Reply
from tests.support.home import open_home
from tests.support.requirements import requirement
from tests.web.scripted import lamp, scripted


async def post(member: Member, path: str) -> Reply:
    return await member.call("POST", path, b"", headers={"Content-Type": FORM})


@requirement("pair.page")
async def test_the_devices_page_is_in_the_menu_of_the_app_and_of_the_console(
    tmp_path: Path,
) -> None:
    async with open_home(tmp_path / "data") as home:
        admin = await home.person(Role.ADMIN)
        for path in ("/chat", "/me", "/house", "/house/devices"):
            menu = (await shown(admin, path)).partition("<nav")[2].partition("</nav>")[0]
            assert 'href="/devices"' in menu, path
        assert 'href="/devices/add"' in await shown(admin, "/devices")


async def test_devices_of_all_are_listed_by_pages_with_their_person(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        admin, staff = await home.person(Role.ADMIN), await home.person()
        assert "There is no device in this house yet." in await shown(admin, "/house/devices")
        for label in ("First", "Second <i>"):
            await (await staff.pair(label=label)).hang_up()
        newest = await shown(admin, "/house/devices?limit=1")
        assert "Second &lt;i&gt;" in newest
        assert "Staff 2 · Has not connected yet" in words(newest)
        assert "First" not in newest
        (older,) = re.findall(r'href="(/house/devices\?cursor=[^"]+)"', newest)
        assert "First" in await shown(admin, older)
        assert "सबके डिवाइस" in await shown(admin, "/house/devices", **IN_HINDI)


@requirement("console.devices")
async def test_a_device_is_shown_without_its_tools_and_a_skill_goes_off_and_stays_off(
    tmp_path: Path,
) -> None:
    async with scripted(tmp_path) as (home, _brain):
        staff, owner = await home.person(), await home.owner()
        device = await lamp(staff)
        path = f"/house/devices/{device.number}"
        html = await shown(owner, path)
        assert staff.person.email in html
        assert "lamp_colour" not in html
        assert f'action="{path}/skills/lamp"' in html
        assert 'name="on"' not in html
        done = await post(owner, f"{path}/skills/lamp")
        assert (done.status, done.headers["Location"]) == (303, path)
        assert f'action="{path}/skills/lamp"' not in await shown(owner, path)
        (listed,) = (await staff.call("GET", "/v1/me/devices")).body["items"]
        assert "lamp" not in listed["skills"]
        # Sent again, or by somebody who means "on": it stays off.
        await owner.call(
            "POST", f"{path}/skills/lamp", b"on=1&pin=739164", headers={"Content-Type": FORM}
        )
        (listed,) = (await staff.call("GET", "/v1/me/devices")).body["items"]
        assert "lamp" not in listed["skills"]
        back = await owner.call("GET", f"{path}/skills/lamp")
        assert (back.status, back.headers["Location"]) == (303, path)
        await device.hang_up()


@requirement("console.devices")
async def test_a_device_is_removed_after_a_page_that_says_whose_it_is(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        staff, owner = await home.person(), await home.owner()
        device = await lamp(staff)
        path = f"/house/devices/{device.number}"
        asked = words(await shown(owner, f"{path}/remove"))
        assert "It is Staff 1’s device." in asked
        assert (await staff.call("GET", "/v1/me/devices")).body["items"] != []
        done = await post(owner, f"{path}/remove")
        assert (done.status, done.headers["Location"]) == (303, "/house/devices")
        assert await device.closed() == 4403
        assert (await staff.call("GET", "/v1/me/devices")).body["items"] == []
        for gone in (path, f"{path}/remove"):
            assert (await owner.call("GET", gone)).status == 404
        for form in (f"{path}/remove", f"{path}/skills/lamp"):
            assert (await post(owner, form)).status == 404
        await device.hang_up()


async def test_staff_change_nothing_here(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        staff, owner = await home.person(), await home.owner()
        device = await lamp(owner)
        path = f"/house/devices/{device.number}"
        for form in (f"{path}/remove", f"{path}/skills/lamp"):
            assert (await post(staff, form)).status == 403
        (listed,) = (await owner.call("GET", "/v1/me/devices")).body["items"]
        assert "lamp" in listed["skills"]
        await device.hang_up()
