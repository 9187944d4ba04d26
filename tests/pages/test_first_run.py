"""The first run as plain forms over the real server: six steps that go on wherever they were left."""

from pathlib import Path

import pytest

from ira_home.domain.people import Role
from ira_home.web.guard import COOKIE
from ira_home.web.pages.setup import SETUP_COOKIE
from ira_home.web.pages.view import LANG_COOKIE
from tests.pages.newcomer import HOME, NEW_PIN, OWNER, asks, at_the_door, begin, later
from tests.support.home import PASSWORD, hands_of_now, open_home

ELSEWHERE = {"loopback_setup": "false"}


async def test_six_steps_lead_from_nothing_to_a_house_and_its_sheet(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        assert (await visitor.get("/")).to == "/setup"
        assert (await visitor.get("/signin")).to == "/setup"
        assert asks(await visitor.get("/setup")) == "language"
        await begin(visitor)
        assert (await visitor.get("/")).to == "/setup"
        shown = await visitor.get("/setup")
        assert asks(shown) == "home"
        assert shown.page.inputs["name"] == "Asha’s home"
        assert "Step 3 of 6" in shown.text
        assert (await visitor.post("/setup/home", HOME)).to == "/setup"
        assert asks(await visitor.get("/setup")) == "pin"
        assert (await visitor.post("/setup/pin", NEW_PIN)).to == "/setup"
        assert asks(await visitor.get("/setup")) == "brain"
        assert (await visitor.post("/setup/brain", {"choice": "none"})).to == "/setup"
        assert asks(await visitor.get("/setup")) == "phones"
        assert (
            await visitor.post("/setup/phones", {"system": "ios"})
        ).to == "/house/sheet?ready=yes"
        assert "Ira is ready, Asha." in (await visitor.get("/house/sheet?ready=yes")).text
        assert (await visitor.get("/")).to == "/chat"
        for over in ("/setup", "/setup/owner", "/setup/pin", "/setup/skip"):
            assert (await visitor.get(over)).to in {"/", "/setup"}
        view = await home.services.house.get()
        assert (view.name, view.time_zone) == ("Asha’s home", "Asia/Kolkata")
        owner = await home.services.accounts.by_email("asha@example.com")
        await home.services.accounts.check_pin(owner.id, NEW_PIN["pin"])
        assert owner.role is Role.OWNER


@pytest.mark.parametrize("answered", range(5))
async def test_it_goes_on_where_it_was_after_a_restart_in_another_browser(
    tmp_path: Path, answered: int
) -> None:
    steps = [
        ("/setup/language", {"lang": "hi"}), ("/setup/owner", OWNER), ("/setup/home", HOME),
        ("/setup/pin", NEW_PIN), ("/setup/brain", {"choice": "none"}),
    ][: answered + 1]  # fmt: skip
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        for path, form in steps:
            assert (await visitor.post(path, form)).to == "/setup"
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        assert (await visitor.get("/")).to == ("/setup" if answered == 0 else "/signin")
        if answered:
            assert (await visitor.get("/setup")).to == "/signin?next=%2Fsetup"
            known = {"email": OWNER["email"], "password": OWNER["password"], "next": "/setup"}
            assert (await visitor.post("/signin", known)).to == "/setup"
        wanted = ["owner", "home", "pin", "brain", "phones"][answered]
        # The language of the first browser is kept in this one, too.
        assert (await visitor.get("/setup")).to == f"/setup/{wanted}"
        assert visitor.cookies[LANG_COOKIE] == "hi"
        shown = await visitor.get("/setup")
        assert asks(shown) == wanted
        assert f"कदम {answered + 2}, कुल 6" in shown.text


async def test_every_step_but_the_owner_can_be_left_for_later_and_says_what_is_missed(
    tmp_path: Path,
) -> None:
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        await begin(visitor)
        missed = {
            "home": "Until then it is called Home",
            "pin": "you can add no device",
            "brain": "Until then Ira works in basic mode",
            "phones": "under House, Address and certificate",
        }
        to = ""
        for step, words in missed.items():
            shown = await visitor.get("/setup")
            assert asks(shown) == step
            assert words in shown.text
            assert 'formaction="/setup/skip"' in shown.html or step == "phones"
            to = await later(visitor, step)
        assert to == "/house/sheet?ready=yes"
        assert (await visitor.get("/")).to == "/chat"
        view = await home.services.house.get()
        assert (view.name, view.model_provider) == ("Home", "none")
        assert not (await home.services.accounts.by_email(OWNER["email"])).has_pin


async def test_one_can_go_back_and_change_an_answer(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        await begin(visitor)
        await visitor.post("/setup/home", HOME)
        await visitor.post("/setup/pin", NEW_PIN)
        assert "You have a PIN." in (await visitor.get("/setup/pin")).text
        assert (await visitor.get("/setup/home")).page.inputs["name"] == "Asha’s home"
        again = HOME | {"name": "Sunrise Clinic"}
        assert (await visitor.post("/setup/home", again)).to == "/setup"
        assert asks(await visitor.get("/setup")) == "brain"
        assert (await home.services.house.get()).name == "Sunrise Clinic"
        # The first PIN was set; another one needs the password, whoever sits at this browser.
        refused = await visitor.post("/setup/pin", {"pin": "1111", "pin_again": "1111"})
        assert refused.status == 403
        owner = await home.services.accounts.by_email(OWNER["email"])
        await home.services.accounts.check_pin(owner.id, NEW_PIN["pin"])


async def test_a_wrong_field_of_the_owner_is_named_and_what_was_typed_stays(
    tmp_path: Path,
) -> None:
    wrong = [
        ("email", "nope", "That is not an email address."),
        ("password", "password", "Easy to guess"),
        ("name", "", "Write a name"),
    ]
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        for field, value, said in wrong:
            shown = await visitor.post("/setup/owner", OWNER | {field: value})
            assert shown.status == 422
            assert said in shown.text
            assert shown.html.index(f'href="#{field}"') < shown.html.index('action="/setup/owner"')
            other = "email" if field == "name" else "name"
            assert shown.page.inputs[other] == OWNER[other]
            assert shown.page.inputs["password"] == ""
        assert not await home.services.accounts.is_set_up()


async def test_a_wrong_answer_is_told_and_the_step_stays(tmp_path: Path) -> None:
    wrong = [
        ("home", HOME | {"time_zone": "Nowhere/Land"}, "Choose one from the list."),
        ("home", HOME | {"name": " "}, "Write a name"),
        ("pin", NEW_PIN | {"pin_again": "246814"}, "The two PINs are not the same."),
        ("pin", {"pin": "12", "pin_again": "12"}, "A PIN is 4 to 8 digits."),
        ("brain", {"choice": "openai"}, "A model needs the address of its server."),
        ("brain", {"choice": "ftp://x tiny"}, "A model needs the address of its server."),
        ("brain", {}, "A model needs the address of its server."),
    ]
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        await begin(visitor)
        for step, form, said in wrong:
            while asks(await visitor.get("/setup")) != step:
                await later(visitor, asks(await visitor.get("/setup")))
            shown = await visitor.post(f"/setup/{step}", form)
            assert shown.status == 422, step
            assert said in shown.text
            assert asks(await visitor.get("/setup")) == step
        view = await home.services.house.get()
        assert (view.name, view.model_provider) == ("Home", "none")


async def test_another_machine_needs_the_code_and_goes_on_with_it(tmp_path: Path) -> None:
    async with (
        open_home(tmp_path / "data", settings=ELSEWHERE) as home,
        at_the_door(home) as visitor,
        at_the_door(home) as stranger,
    ):
        shown = await visitor.get("/setup")
        assert asks(shown) == "code"
        assert "Ira is being set up" in shown.text
        for path, form in (("/setup/language", {"lang": "en"}), ("/setup/owner", OWNER)):
            assert (await visitor.post(path, form)).status == 403
            assert (await visitor.get(path)).to == "/setup"
        wrong = await visitor.post("/setup/code", {"setup_code": "AAAA-AAAA"})
        assert (wrong.status, "not the set-up code" in wrong.text) == (403, True)
        assert SETUP_COOKIE not in visitor.cookies
        good = await visitor.post("/setup/code", {"setup_code": home.services.first_run.setup_code})
        assert good.to == "/setup"
        assert {"Secure", "HttpOnly", "SameSite=Strict"} <= set(
            good.headers["Set-Cookie"].split("; ")
        )
        assert asks(await visitor.get("/setup")) == "language"
        assert asks(await stranger.get("/setup")) == "code"
        stranger.cookies[SETUP_COOKIE] = "iraf_" + "x" * 43
        assert asks(await stranger.get("/setup")) == "code"
        await begin(visitor)
        assert SETUP_COOKIE not in visitor.cookies
        assert asks(await visitor.get("/setup")) == "home"
        # From here on it is the owner's, and a code is of no use any more.
        code = {"setup_code": home.services.first_run.setup_code}
        await stranger.post("/setup/code", code)
        assert (await stranger.get("/setup")).to == "/signin?next=%2Fsetup"
        for step in ("home", "pin", "brain", "phones", "skip"):
            assert (await stranger.post(f"/setup/{step}", HOME | {"step": "home"})).to.startswith("/signin")  # fmt: skip
        assert (await home.services.house.get()).name == "Home"


async def test_guessing_at_the_code_is_held_off(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data", settings=ELSEWHERE) as home, at_the_door(home) as visitor:  # fmt: skip
        for _ in range(5):
            assert (await visitor.post("/setup/code", {"setup_code": "AAAA-AAAA"})).status == 403
        good = {"setup_code": home.services.first_run.setup_code}
        assert (await visitor.post("/setup/code", good)).status == 429


async def test_a_pass_ends_with_the_start_that_gave_it(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data", settings=ELSEWHERE) as home, at_the_door(home) as visitor:  # fmt: skip
        await visitor.post("/setup/code", {"setup_code": home.services.first_run.setup_code})
        kept = visitor.cookies[SETUP_COOKIE]
    async with open_home(tmp_path / "data", settings=ELSEWHERE) as home, at_the_door(home) as visitor:  # fmt: skip
        visitor.cookies[SETUP_COOKIE] = kept
        assert asks(await visitor.get("/setup")) == "code"


async def test_a_house_made_on_the_command_line_is_asked_nothing(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        owner = await home.owner()
        visitor.cookies[COOKIE] = owner.cookie
        assert (await visitor.get("/")).to == "/chat"
        assert (await visitor.get("/setup")).to == "/"
        assert await later(visitor, "home") == "/"
        assert await home.services.first_run.progress() is None


async def test_after_ira_init_in_the_middle_only_what_is_open_is_asked(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        await visitor.post("/setup/language", {"lang": "en"})
        await home.services.accounts.create_owner(
            email="o@example.com", name="O", password=PASSWORD, pin="739164"
        )
        assert (await visitor.post("/setup/language", {"lang": "hi"})).to == "/setup"
        assert (await visitor.post("/setup/owner", OWNER)).to == "/setup"
        assert (await visitor.get("/setup")).to == "/signin?next=%2Fsetup"
        await visitor.post("/signin", {"email": "o@example.com", "password": PASSWORD})
        assert asks(await visitor.get("/setup")) == "home"
        await later(visitor, "home")
        assert asks(await visitor.get("/setup")) == "brain"
        assert await later(visitor, "brain", "phones") == "/house/sheet?ready=yes"


async def test_staff_are_not_asked(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        await begin(visitor)
        visitor.cookies[COOKIE] = (await home.person()).cookie
        assert (await visitor.get("/")).to == "/chat"
        assert (await visitor.get("/setup")).to == "/"
        assert (await visitor.get("/setup/home")).status == 403
        assert (await visitor.post("/setup/skip", {"step": "home"})).status == 403


async def test_the_first_pin_needs_the_password_again_after_ten_minutes(tmp_path: Path) -> None:
    clock = hands_of_now()
    async with open_home(tmp_path / "data", clock=clock) as home, at_the_door(home) as visitor:
        await begin(visitor)
        await later(visitor, "home")
        assert "password" not in (await visitor.get("/setup")).page.inputs
        clock.advance(601)
        assert "password" in (await visitor.get("/setup")).page.inputs
        assert (await visitor.post("/setup/pin", NEW_PIN)).status == 403
        wrong = await visitor.post("/setup/pin", NEW_PIN | {"password": "no no no"})
        assert (wrong.status, "That password is not right." in wrong.text) == (403, True)
        good = NEW_PIN | {"password": OWNER["password"]}
        assert (await visitor.post("/setup/pin", good)).to == "/setup"
        assert (await home.services.accounts.by_email(OWNER["email"])).has_pin


async def test_what_stands_in_the_settings_is_said_and_not_asked(tmp_path: Path) -> None:
    named = {"name": "Named outside"}
    async with open_home(tmp_path / "data", settings=named) as home, at_the_door(home) as visitor:
        await begin(visitor)
        shown = await visitor.get("/setup")
        assert "name" not in shown.page.inputs
        assert "so it is changed there: Name of the home or clinic." in shown.text
        assert (await visitor.post("/setup/home", {"time_zone": "Asia/Kolkata"})).to == "/setup"
        view = await home.services.house.get()
        assert (view.name, view.time_zone) == ("Named outside", "Asia/Kolkata")
