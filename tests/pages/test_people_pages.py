"""The console's people by plain forms: who is listed, what may be changed, and by whom."""

from pathlib import Path
import re

import pytest

from ira_home.base.errors import PinWrong, WrongCredentials
from ira_home.base.ids import PersonId
from ira_home.domain.people import Role
from ira_home.web.guard import COOKIE
from tests.pages.house import EMAIL, PASSWORD, PIN, Pages, Visitor, open_pages

NEW, OTHER_PIN = "an entirely other lantern", "482915"


async def number(house: Pages, email: str) -> PersonId:
    return (await house.people.accounts.by_email(email)).id


async def role(house: Pages, email: str) -> Role:
    return (await house.people.accounts.by_email(email)).role


async def second(house: Pages, email: str, kind: Role) -> Visitor:
    """Somebody of this role in a browser of their own."""
    visitor = await house.another(email)
    await house.people.accounts.change(None, await number(house, email), role=kind)
    return visitor


async def test_everyone_is_listed_with_role_devices_and_when_they_were_here(
    tmp_path: Path,
) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        _, code = await house.code()
        await house.claim(code)
        await house.people.add("amit@example.com", Role.ADMIN)
        house.people.clock.advance(3 * 60)
        await house.another("ravi@example.com")
        house.people.clock.advance(5 * 60)
        listed = await house.visitor.get("/house/people")
        assert listed.status == 200
        assert "Olive Owner · you Owner · 1 device · last seen: just now" in listed.text
        assert "amit Admin · no devices · not here yet" in listed.text
        assert "ravi Staff · no devices · last seen: 5 minutes ago" in listed.text
        assert listed.text.index("Olive") < listed.text.index("amit") < listed.text.index("ravi")
        one = await house.visitor.get(f"/house/people/{await number(house, 'ravi@example.com')}")
        assert "ravi@example.com · Staff" in one.text
        assert "Open invitations" not in listed.text


@pytest.mark.parametrize("path", ["", "/invite", "/1", "/1/remove", "/1/role"])
async def test_people_are_shown_to_owner_and_admin_only(tmp_path: Path, path: str) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        staff = await house.another("ravi@example.com")
        admin = await second(house, "amit@example.com", Role.ADMIN)
        assert (await staff.get(f"/house/people{path}")).status == 403
        assert (await admin.get(f"/house/people{path}")).status in (200, 303)
        nobody = Visitor(staff.base, staff.origin, staff.http)
        assert (await nobody.get(f"/house/people{path}")).to.startswith("/signin")


async def test_the_way_to_them_is_on_the_page_of_those_who_may(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        mine = await house.visitor.get("/house/people")
        assert re.search(r'<a href="/house" aria-current="page">', mine.html)
        assert "/house" in (await house.visitor.get("/me")).page.links
        staff = await house.another("ravi@example.com")
        links = (await staff.get("/me")).page.links
        assert not [one for one in links if one.startswith("/house")]


@pytest.mark.parametrize("path", ["role", "remove"])
async def test_staff_change_and_remove_nobody(tmp_path: Path, path: str) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        staff = await house.another("ravi@example.com")
        mine = await number(house, "ravi@example.com")
        assert (await staff.post(f"/house/people/{mine}/{path}", {"role": "owner"})).status == 403
        assert await role(house, "ravi@example.com") is Role.STAFF


async def test_an_owner_gives_another_role(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.people.add("ravi@example.com")
        path = f"/house/people/{await number(house, 'ravi@example.com')}"
        shown = await house.visitor.get(path)
        assert 'name="role" value="staff" checked' in shown.html
        to = (await house.visitor.post(f"{path}/role", {"role": "admin"})).to
        assert to == f"{path}?saved=role#role"
        assert await role(house, "ravi@example.com") is Role.ADMIN
        saved = await house.visitor.get(to)
        assert 'name="role" value="admin" checked' in saved.html
        assert "Saved" in saved.text
        assert "Saved" not in shown.text
        assert (await house.visitor.get(f"{path}/role")).to == path


@pytest.mark.parametrize("wrong", ["king", ""])
async def test_a_role_that_there_is_not_is_refused(tmp_path: Path, wrong: str) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.people.add("ravi@example.com")
        path = f"/house/people/{await number(house, 'ravi@example.com')}/role"
        shown = await house.visitor.post(path, {"role": wrong})
        assert shown.status == 422
        assert "Something is missing or not right." in shown.text
        assert await role(house, "ravi@example.com") is Role.STAFF


@pytest.mark.parametrize("lang", ["en", "hi"])
async def test_the_last_owner_stays_and_the_page_says_so(tmp_path: Path, lang: str) -> None:
    said = {"en": "this is the last one", "hi": "यही आख़िरी है"}[lang]
    async with open_pages(tmp_path) as house:
        await house.owner()
        me = f"/house/people/{await number(house, EMAIL)}"
        before = await house.visitor.get(me, Accept_Language=lang)
        assert said in before.text
        assert f"{me}/role" not in before.page.forms
        assert f"{me}/remove" not in before.page.links
        assert (await house.visitor.get(f"{me}/remove")).to == me
        for path in ("role", "remove"):
            asked = {"role": "staff"}
            refused = await house.visitor.post(f"{me}/{path}", asked, Accept_Language=lang)
            assert refused.status == 409
            assert refused.text.count(said) == 1
        assert await role(house, EMAIL) is Role.OWNER


async def test_an_admin_manages_staff_and_nobody_above(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        admin = await second(house, "amit@example.com", Role.ADMIN)
        await house.people.add("ravi@example.com")
        staff = f"/house/people/{await number(house, 'ravi@example.com')}"
        owner = f"/house/people/{await number(house, EMAIL)}"
        for path in (owner, f"/house/people/{await number(house, 'amit@example.com')}"):
            shown = await admin.get(path)
            assert "Only an owner can change or remove this account." in shown.text
            assert f"{path}/role" not in shown.page.forms
            assert (await admin.get(f"{path}/remove")).to == path
            assert (await admin.post(f"{path}/role", {"role": "staff"})).status == 403
            refused = await admin.post(f"{path}/remove")
            assert refused.status == 403
            assert "You may not do this." in refused.text
        found = await admin.get(staff)
        assert 'value="staff"' in found.html
        assert 'value="admin"' not in found.html
        assert (await admin.post(f"{staff}/role", {"role": "owner"})).status == 403
        assert await role(house, "ravi@example.com") is Role.STAFF
        wrong = await admin.post(f"{staff}/remove", {"password": "not-mine"}, Accept_Language="hi")
        assert (wrong.status, "पासवर्ड" in wrong.text) == (403, True)
        assert len(await house.people.accounts.list()) == 3
        done = await admin.post(f"{staff}/remove", {"password": PASSWORD})
        assert done.to == "/house/people"
        assert [one.email for one in await house.people.accounts.list()] == [
            EMAIL,
            "amit@example.com",
        ]


async def test_the_effect_is_told_before_a_person_is_removed(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        ravi = await house.another("ravi@example.com")
        form = [("kind", "mac"), ("label", "Desk"), ("skill", "files"), ("pin", PIN)]
        code = (await ravi.get((await ravi.post("/devices/add", form)).to)).code
        await house.claim(code)
        path = f"/house/people/{await number(house, 'ravi@example.com')}"
        asked = await house.visitor.get(f"{path}/remove")
        assert "Remove ravi" in asked.text
        assert "1 device and every browser are signed out at once." in asked.text
        assert "gone for good" in asked.text
        assert "your own account" not in asked.text
        assert (await ravi.get("/me")).status == 200
        again = await house.visitor.post(f"{path}/remove")
        assert again.status == 403
        assert (await ravi.get("/me")).status == 200
        sent = {"password": PASSWORD}
        assert (await house.visitor.post(f"{path}/remove", sent)).to == "/house/people"
        assert (await ravi.get("/me")).to.startswith("/signin")
        assert "ravi" not in (await house.visitor.get("/house/people")).text
        for gone in (path, f"{path}/remove"):
            assert (await house.visitor.get(gone)).status == 404
        for gone in (f"{path}/remove", f"{path}/role"):
            assert (await house.visitor.post(gone, {"role": "admin"})).status == 404


async def test_a_forgotten_password_is_set_anew_with_ones_own(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        ravi = await house.another("ravi@example.com")
        path = f"/house/people/{await number(house, 'ravi@example.com')}"
        shown = await house.visitor.get(path)
        assert "Their browsers and scripts are signed out at once" in shown.text
        sent = {"new": NEW, "password": PASSWORD}
        to = (await house.visitor.post(f"{path}/password", sent)).to
        assert to == f"{path}?saved=password#password"
        saved = await house.visitor.get(to)
        assert "The new one holds from now on." in saved.text
        assert "The new one holds from now on." not in shown.text
        assert NEW not in saved.html
        assert (await ravi.get("/me")).to.startswith("/signin")
        await house.people.sign_in("ravi@example.com", NEW)
        with pytest.raises(WrongCredentials):
            await house.people.sign_in("ravi@example.com")
        assert (await house.visitor.get(f"{path}/password")).to == path


async def test_a_forgotten_pin_is_set_anew_with_ones_own_password(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        ravi = (await house.people.add("ravi@example.com")).id
        path = f"/house/people/{ravi}"
        sent = {"pin": OTHER_PIN, "password": PASSWORD}
        to = (await house.visitor.post(f"{path}/pin", sent)).to
        assert to == f"{path}?saved=pin#pin"
        assert "The new one holds from now on." in (await house.visitor.get(to)).text
        await house.people.accounts.check_pin(ravi, OTHER_PIN)
        with pytest.raises(PinWrong):
            await house.people.accounts.check_pin(ravi, PIN)
        assert (await house.visitor.get(f"{path}/pin")).to == path


@pytest.mark.parametrize(
    ("part", "sent", "status", "said", "at"),
    [
        ("password", {"new": NEW, "password": "no"}, 403, "That password is not right.", "own-password"),
        ("password", {"new": "password", "password": PASSWORD}, 422, "Easy to guess", "new"),
        ("password", {}, 403, "That password is not right.", "own-password"),
        ("pin", {"pin": OTHER_PIN, "password": "no"}, 403, "That password is not right.", "own-pin-password"),
        ("pin", {"pin": "12", "password": PASSWORD}, 422, "A PIN is 4 to 8 digits.", "new-pin"),
    ],
)  # fmt: skip
async def test_a_secret_that_is_not_set_is_told_beside_its_field(
    tmp_path: Path, part: str, sent: dict[str, str], status: int, said: str, at: str
) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        ravi = (await house.people.add("ravi@example.com")).id
        shown = await house.visitor.post(f"/house/people/{ravi}/{part}", sent)
        assert shown.status == status
        assert said in shown.text
        assert f'href="#{at}"' in shown.html
        assert f'<details id="{part}" open>' in shown.html
        await house.people.sign_in("ravi@example.com")
        await house.people.accounts.check_pin(ravi, PIN)


async def test_nobody_sets_secrets_of_their_own_or_above_so(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        admin = await second(house, "amit@example.com", Role.ADMIN)
        for email in (EMAIL, "amit@example.com"):
            path = f"/house/people/{await number(house, email)}"
            assert f"{path}/password" not in (await admin.get(path)).page.forms
            for part, secret in (("password", {"new": NEW}), ("pin", {"pin": OTHER_PIN})):
                refused = await admin.post(f"{path}/{part}", secret | {"password": PASSWORD})
                assert refused.status == 403
            await house.people.sign_in(email)
        await second(house, "olga@example.com", Role.OWNER)
        me = f"/house/people/{await number(house, EMAIL)}"
        forms = (await house.visitor.get(me)).page.forms
        assert f"{me}/role" in forms
        assert f"{me}/password" not in forms


async def test_whoever_steps_down_leaves_these_pages(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        other = await second(house, "amit@example.com", Role.OWNER)
        me = f"/house/people/{await number(house, 'amit@example.com')}"
        assert (await other.post(f"{me}/role", {"role": "admin"})).to == f"{me}?saved=role#role"
        owner = f"/house/people/{await number(house, EMAIL)}"
        await house.people.accounts.change(
            None, await number(house, "amit@example.com"), role=Role.OWNER
        )
        assert (await house.visitor.post(f"{owner}/role", {"role": "staff"})).to == "/me"
        assert (await house.visitor.get("/house/people")).status == 403


async def test_who_removes_their_own_account_is_signed_out(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await second(house, "amit@example.com", Role.OWNER)
        me = f"/house/people/{await number(house, EMAIL)}"
        assert "you are signed out here, too" in (await house.visitor.get(f"{me}/remove")).text
        sent = {"password": PASSWORD}
        assert (await house.visitor.post(f"{me}/remove", sent)).to == "/signin"
        assert COOKIE not in house.visitor.cookies


async def test_a_name_is_text_and_nothing_else(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.people.accounts.change(None, await number(house, EMAIL), name="<b>Olive</b>")
        for path in ("", f"/{await number(house, EMAIL)}"):
            shown = await house.visitor.get(f"/house/people{path}")
            assert "<b>Olive" not in shown.html
            assert "<b>Olive</b> · you" in shown.text
