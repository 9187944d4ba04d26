"""An invitation from the form that makes it to the account that comes of it."""

from pathlib import Path
import re

import pytest

from ira_home.base.limits import INVITATION_S, INVITATIONS_OPEN
from ira_home.domain.people import Role
from ira_home.web.guard import COOKIE
from tests.pages.house import EMAIL, Pages, Shown, Visitor, open_pages

RAVI = "ravi@example.com"
CHOSEN = {
    "name": "Ravi", "password": "monsoon window tea", "pin": "246813", "pin_again": "246813",
}  # fmt: skip


async def invite(by: Visitor, email: str = RAVI, role: str = "staff") -> Shown:
    return await by.post("/house/people/invite", {"email": email, "role": role})


def link_of(shown: Shown) -> str:
    found = re.search(r'data-copy="(https://[^"]*/join#irai_[\w-]{43})"', shown.html)
    assert found is not None, shown.text
    return found[1]


def newcomer(house: Pages) -> Visitor:
    return Visitor(house.visitor.base, house.visitor.origin, house.visitor.http)


@pytest.mark.parametrize("whole", [True, False])
async def test_who_is_invited_makes_their_account_and_is_signed_in(
    tmp_path: Path, whole: bool
) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        made = await invite(house.visitor, "Ravi@Example.com", "admin")
        assert made.status == 200
        assert "For ravi@example.com" in made.text
        assert "It ends" in made.text
        assert 'class="qr"' in made.html
        link = link_of(made)
        assert link.startswith("https://192.168.1.20:")
        ravi = newcomer(house)
        form = await ravi.get("/join")
        assert form.status == 200
        assert form.headers["Cache-Control"] == "no-store"
        told = f" {link} " if whole else link.partition("#")[2]
        joined = await ravi.post("/join", CHOSEN | {"invitation": told})
        assert joined.to == "/devices/add?first=1"
        assert "Ira is ready, Ravi" in (await ravi.get(joined.to)).text
        person = await house.people.accounts.by_email(RAVI)
        assert (person.name, person.role, person.has_pin) == ("Ravi", Role.ADMIN, True)
        listed = await house.visitor.get("/house/people")
        assert "Open invitations" not in listed.text
        again = await newcomer(house).post("/join", CHOSEN | {"invitation": link})
        assert again.status == 410
        assert "This invitation is over or was used." in again.text
        assert COOKIE not in (await _signed_out(house)).cookies


async def _signed_out(house: Pages) -> Visitor:
    """A browser that came with an invitation that is none."""
    visitor = newcomer(house)
    assert (await visitor.post("/join", CHOSEN | {"invitation": "irai_" + "x" * 43})).status == 410
    return visitor


async def test_the_link_is_shown_once_and_stays_out_of_every_address(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        secret = link_of(await invite(house.visitor)).partition("#")[2]
        listed = await house.visitor.get("/house/people")
        assert RAVI in listed.text
        for path in ("/house/people", "/house/people/invite", "/join"):
            assert secret not in (await house.visitor.get(path)).html
        refused = await newcomer(house).post("/join", CHOSEN | {"invitation": secret, "name": ""})
        assert not [one for one in (*refused.page.links, *refused.page.forms) if secret in one]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", "Write a name"),
        ("password", "password", "Easy to guess"),
        ("password", RAVI, "Easy to guess"),
        ("pin", "12", "The two PINs are not the same."),
        ("pin_again", "246814", "The two PINs are not the same."),
    ],
)
async def test_a_wrong_field_is_named_and_the_invitation_is_not_used_up(
    tmp_path: Path, field: str, value: str, said: str
) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        link = link_of(await invite(house.visitor))
        ravi = newcomer(house)
        sent = CHOSEN | {"invitation": link}
        shown = await ravi.post("/join", sent | {field: value})
        assert shown.status == 422
        assert said in shown.text
        at = "pin_again" if field == "pin" else field
        assert f'href="#{at}"' in shown.html
        assert shown.page.inputs["invitation"] == link
        assert shown.page.inputs["password"] == ""
        assert shown.page.inputs["pin"] == ""
        assert COOKIE not in ravi.cookies
        assert (await ravi.post("/join", sent)).to == "/devices/add?first=1"


async def test_a_pin_of_letters_is_named(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        link = link_of(await invite(house.visitor))
        wrong = CHOSEN | {"invitation": link, "pin": "abcd", "pin_again": "abcd"}
        shown = await newcomer(house).post("/join", wrong)
        assert shown.status == 422
        assert "A PIN is 4 to 8 digits." in shown.text


@pytest.mark.parametrize("lang", ["en", "hi"])
async def test_an_invitation_ends_by_itself(tmp_path: Path, lang: str) -> None:
    said = {"en": "Ask for a new one.", "hi": "नया माँगें।"}[lang]
    async with open_pages(tmp_path) as house:
        await house.owner()
        link = link_of(await invite(house.visitor))
        house.people.clock.advance(INVITATION_S + 1)
        sent = CHOSEN | {"invitation": link}
        shown = await newcomer(house).post("/join", sent, Accept_Language=lang)
        assert shown.status == 410
        assert said in shown.text
        assert 'href="#invitation"' in shown.html
        assert RAVI not in (await house.visitor.get("/house/people")).text


async def test_an_open_invitation_is_listed_and_can_be_taken_back(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        link = link_of(await invite(house.visitor))
        listed = await house.visitor.get("/house/people")
        assert f"{RAVI} Staff · ends " in listed.text
        [path] = [one for one in listed.page.forms if one.startswith("/house/people/invitations/")]
        assert (await house.visitor.get(path)).to == "/house/people"
        assert (await house.visitor.post(path)).to == "/house/people"
        assert RAVI not in (await house.visitor.get("/house/people")).text
        assert (await house.visitor.post(path)).to == "/house/people"
        assert (await newcomer(house).post("/join", CHOSEN | {"invitation": link})).status == 410


async def test_a_second_invitation_takes_the_place_of_the_first(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        first = link_of(await invite(house.visitor))
        second = link_of(await invite(house.visitor, role="admin"))
        assert (await newcomer(house).post("/join", CHOSEN | {"invitation": first})).status == 410
        joined = await newcomer(house).post("/join", CHOSEN | {"invitation": second})
        assert joined.to == "/devices/add?first=1"
        assert (await house.people.accounts.by_email(RAVI)).role is Role.ADMIN


@pytest.mark.parametrize(
    ("email", "role", "status", "said"),
    [
        ("nope", "staff", 422, "That is not an email address."),
        ("", "staff", 422, "That is not an email address."),
        (EMAIL, "staff", 409, "Somebody has an account with this email already."),
        (RAVI, "king", 422, "Something is missing or not right."),
    ],
)
async def test_a_wrong_invitation_is_refused_and_what_was_typed_stays(
    tmp_path: Path, email: str, role: str, status: int, said: str
) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        shown = await invite(house.visitor, email, role)
        assert shown.status == status
        assert said in shown.text
        assert shown.page.inputs["email"] == email
        assert await house.people.invitations.list() == []


async def test_there_is_an_end_of_open_invitations(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        owner = await house.people.sign_in(EMAIL)
        for one in range(INVITATIONS_OPEN):
            await house.people.invitations.make(owner, f"guest{one}@example.com", Role.STAFF)
        shown = await invite(house.visitor)
        assert shown.status == 409
        assert "There are too many open invitations. Take one back first." in shown.text


async def test_an_admin_invites_staff_only_and_takes_back_no_owners_invitation(
    tmp_path: Path,
) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await invite(house.visitor, "amit@example.com", "admin")
        admin = await house.another("asha@example.com")
        asha = await house.people.accounts.by_email("asha@example.com")
        await house.people.accounts.change(None, asha.id, role=Role.ADMIN)
        form = await admin.get("/house/people/invite")
        assert re.findall(r'name="role" value="(\w+)"', form.html) == ["staff"]
        assert (await invite(admin, role="admin")).status == 403
        link_of(await invite(admin))
        listed = await admin.get("/house/people")
        assert "amit@example.com Admin" in listed.text
        mine, theirs = (await house.people.invitations.list())[:2]
        assert f"/house/people/invitations/{mine.id}/cancel" in listed.page.forms
        path = f"/house/people/invitations/{theirs.id}/cancel"
        assert path not in listed.page.forms
        assert (await admin.post(path)).status == 403


async def test_staff_invite_nobody(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        staff = await house.another("asha@example.com")
        assert (await invite(staff)).status == 403
        assert (await staff.post("/house/people/invitations/1/cancel")).status == 403
        assert await house.people.invitations.list() == []


async def test_whoever_is_signed_in_is_told_and_signed_out_for_the_new_one(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        link = link_of(await invite(house.visitor))
        assert "Olive Owner is signed in in this browser" in (await house.visitor.get("/join")).text
        old = house.visitor.cookies[COOKIE]
        joined = await house.visitor.post("/join", CHOSEN | {"invitation": link})
        assert joined.to == "/devices/add?first=1"
        assert house.visitor.cookies[COOKIE] != old
        left = newcomer(house)
        left.cookies[COOKIE] = old
        assert (await left.get("/me")).to.startswith("/signin")
