"""Adding, switching, renaming and removing devices by plain forms, and whose they are."""

from pathlib import Path
import re

import pytest

from ira_home.base.ids import DeviceId, PersonId
from ira_home.base.tokens import read_code
from ira_home.web.pages.skills import IN_BROWSER
from tests.pages.house import EMAIL, PIN, Pages, open_pages
from tests.support.requirements import requirement


async def own_device(house: Pages) -> int:
    _, code = await house.code()
    return await house.claim(code)


@requirement("pair.code.format", "pair.qr")
async def test_a_code_is_shown_as_letters_and_as_qr_and_survives_a_reload(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        path, code = await house.code()
        assert re.fullmatch(r"[A-Z0-9]{4}-[A-Z0-9]{4}", code)
        again = await house.visitor.get(path)
        assert code in again.html
        assert f"https://192.168.1.20:8443/pair#code={read_code(code)}&amp;fp=" in again.html
        assert "192.168.1.20:8443 · ira-7f3a9c.local:" in again.text
        assert '<svg xmlns="http://www.w3.org/2000/svg" class="qr"' in again.html


async def test_a_code_is_nobody_elses_to_see(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        path, code = await house.code()
        other = await house.another("ravi@example.com")
        shown = await other.get(path)
        assert code not in shown.html
        assert "This code is over" in shown.text
        await other.post(f"{path}/cancel")
        assert code in (await house.visitor.get(path)).html


async def test_the_code_page_says_when_the_device_has_joined_and_from_where(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        path, code = await house.code()
        assert "Waiting for the device" in (await house.visitor.get(path)).text
        await house.claim(code)
        joined = await house.visitor.get(path)
        assert "Office Mac has joined" in joined.text
        assert "From 192.168.1.34" in joined.text
        assert code not in joined.html
        listed = await house.visitor.get("/devices")
        assert "Office Mac joined from 192.168.1.34, just now. Not yours?" in listed.text


async def test_a_device_of_the_same_name_from_before_has_not_joined_with_the_code(
    tmp_path: Path,
) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await own_device(house)
        path, _ = await house.code()
        house.people.clock.advance(601)
        assert "This code is over" in (await house.visitor.get(path)).text


async def test_a_code_can_be_stopped(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        path, code = await house.code()
        assert (await house.visitor.post(f"{path}/cancel")).to == "/devices"
        assert code not in (await house.visitor.get(path)).html
        assert (await house.visitor.post(f"{path}/cancel")).to == "/devices"


@requirement("pair.pin")
@pytest.mark.parametrize(
    ("pin", "said"), [("", "This needs your PIN."), ("000000", "That PIN is not right.")]
)
async def test_no_code_is_made_without_the_pin(tmp_path: Path, pin: str, said: str) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        form = [("kind", "mac"), ("label", "Office Mac"), ("skill", "files"), ("pin", pin)]
        shown = await house.visitor.post("/devices/add", form)
        assert shown.status == 403
        assert said in shown.text
        # Without scripts the page begins at its top, so that is where it says so.
        assert (
            0
            < shown.html.index('href="#pin"')
            < shown.html.index("<form", shown.html.index("<main"))
        )
        assert shown.page.inputs["label"] == "Office Mac"
        assert re.search(r'value="files" checked', shown.html)
        assert await house.services.pairings.list_open(await owner_id(house)) == []


async def owner_id(house: Pages) -> PersonId:
    return (await house.services.accounts.by_email(EMAIL)).id


async def test_what_comes_with_ira_is_offered_before_what_other_programs_bring(
    tmp_path: Path,
) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        shown = await house.visitor.get("/devices/add")
        offered = re.findall(r'name="skill" value="([a-z]+)"', shown.html)
        others = shown.html.index("<summary>Other skills")
        assert [one for one in offered if shown.html.index(f'value="{one}"') < others] == [
            "files",
            *IN_BROWSER,
        ]
        assert '<p class="hint" data-kinds="android ios">A phone needs no app:' in shown.html
        form = [("kind", "mac"), ("label", "M"), ("skill", "screen"), ("pin", "000000")]
        again = await house.visitor.post("/devices/add", form)
        assert re.search(r'<details open>.*value="screen" checked', again.html, re.DOTALL)


@requirement("pair.skills", "pair.form")
async def test_the_device_starts_with_exactly_the_chosen_skills(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        form = [("kind", "linux"), ("label", "Pi"), ("skill", "files"), ("skill", "calls"),
                ("own_skills", "garden, music"), ("pin", PIN)]  # fmt: skip
        path = (await house.visitor.post("/devices/add", form)).to
        device_id = await house.claim((await house.visitor.get(path)).code, "linux")
        device = await house.services.registry.get(DeviceId(device_id))
        assert device is not None
        assert device.skills == {"files", "garden", "music"}


async def test_a_skill_of_a_bad_name_is_named(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        form = [("kind", "mac"), ("label", "M"), ("own_skills", "फ़ाइल"), ("pin", PIN)]
        shown = await house.visitor.post("/devices/add", form)
        assert shown.status == 422
        assert "Small English letters" in shown.text


@requirement("grant.on.pin", "grant.off.no_pin", "web.skills")
async def test_a_skill_goes_on_with_the_pin_and_off_without(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        number = await own_device(house)
        path = f"/devices/{number}/skills/screen"
        wrong = await house.visitor.post(path, {"on": "1", "pin": "000000"})
        assert wrong.status == 403
        assert "That PIN is not right. Nothing was done." in wrong.text
        assert (await house.visitor.post(path, {"on": "1"})).status == 403
        assert (await house.visitor.post(path, {"on": "1", "pin": PIN})).to == f"/devices/{number}"
        assert await skills(house, number) == {"files", "screen"}
        assert (await house.visitor.post(path)).to == f"/devices/{number}"
        assert await skills(house, number) == {"files"}


async def skills(house: Pages, number: int) -> frozenset[str]:
    device = await house.services.registry.get(DeviceId(number))
    assert device is not None
    return device.skills


async def test_a_skill_that_is_off_says_so_until_its_pin_is_right(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        number = await own_device(house)
        await house.visitor.post(f"/devices/{number}/skills/files")
        for shown in (
            await house.visitor.get(f"/devices/{number}"),
            await house.visitor.post(f"/devices/{number}/skills/files", {"on": "1", "pin": "0000"}),
        ):
            assert 'class="switch"' in shown.html
            assert 'aria-checked="true"' not in shown.html
        assert 'href="#pin-skill.files"' in shown.html
        assert 'id="pin-skill.files"' in shown.html


async def test_a_device_is_removed_by_one_word(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        number = await own_device(house)
        for path, said in (("", "Remove this device"), ("/remove", "Remove Office Mac?")):
            shown = await house.visitor.get(f"/devices/{number}{path}")
            assert said in shown.text
            assert "sign out" not in shown.text.lower()


async def test_a_device_is_renamed_and_removed(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        number = await own_device(house)
        new = {"label": "<b>Desk</b>"}
        assert (await house.visitor.post(f"/devices/{number}/name", new)).status == 303
        shown = await house.visitor.get(f"/devices/{number}")
        assert "<b>Desk</b>" in shown.text
        assert "<b>Desk</b>" not in shown.html
        assert (await house.visitor.post(f"/devices/{number}/name", {"label": ""})).status == 422
        asked = await house.visitor.get(f"/devices/{number}/remove")
        assert "Ira stops reaching it at once" in asked.text
        assert (await house.visitor.post(f"/devices/{number}/remove")).to == "/devices"
        assert (await house.visitor.get(f"/devices/{number}")).status == 404


async def test_anothers_device_is_not_there(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        number = await own_device(house)
        other = await house.another("ravi@example.com")
        for path in ("", "/remove"):
            assert (await other.get(f"/devices/{number}{path}")).status == 404
        for path in ("/skills/files", "/name", "/remove", "/agree/files_read"):
            assert (await other.post(f"/devices/{number}{path}")).status == 404
        assert "Office Mac" not in (await other.get("/devices")).html
        assert await skills(house, number) == {"files"}


async def test_the_pairing_page_learns_no_code_and_shows_nobody(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        house.visitor.cookies.clear()
        shown = await house.visitor.get("/pair")
        assert shown.status == 200
        assert "Olive" not in shown.html
        assert "Type the code from the other screen into the program that you pair." in shown.text
        assert not [path for path in shown.page.forms if path != "/language"]
