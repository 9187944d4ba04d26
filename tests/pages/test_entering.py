"""The first run, signing in and out, and the two switches of every page, as plain forms."""

from pathlib import Path

import pytest

from ira_home.web.guard import COOKIE
from tests.pages.house import EMAIL, PASSWORD, PIN, open_pages
from tests.support.requirements import requirement


async def test_a_stranger_sees_an_email_field_and_nobodys_name(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.people.owner()
        shown = await house.visitor.get("/signin")
        assert "Olive" not in shown.html
        assert EMAIL not in shown.html


async def test_signing_in_leads_back_to_where_one_wanted_to_go(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.people.owner()
        asked = (await house.visitor.get("/devices?x=1")).to
        assert asked == "/signin?next=%2Fdevices%3Fx%3D1"
        form = await house.visitor.get(asked)
        assert form.page.inputs["next"] == "/devices?x=1"
        known = {"email": EMAIL, "password": PASSWORD, "next": "/devices?x=1"}
        answer = await house.visitor.post("/signin", known)
        assert answer.to == "/devices?x=1"
        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith(f"{COOKIE}=iras_")
        assert {"Secure", "HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))


@pytest.mark.parametrize("next_page", ["//evil.example", "https://evil.example/", "/\\evil"])
async def test_signing_in_never_leads_to_another_site(tmp_path: Path, next_page: str) -> None:
    async with open_pages(tmp_path) as house:
        await house.people.owner()
        known = {"email": EMAIL, "password": PASSWORD, "next": next_page}
        assert (await house.visitor.post("/signin", known)).to == "/"


async def test_an_unknown_person_and_a_wrong_password_are_told_the_same(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.people.owner()
        wrong = [
            await house.visitor.post("/signin", {"email": email, "password": "no no no"})
            for email in (EMAIL, "nobody@example.com")
        ]
        assert [shown.status for shown in wrong] == [401, 401]
        assert wrong[0].text == wrong[1].text
        assert "The email and the password do not match." in wrong[0].text


async def test_signing_out_ends_the_session(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        old = dict(house.visitor.cookies)
        assert (await house.visitor.post("/signout")).to == "/signin"
        assert COOKIE not in house.visitor.cookies
        house.visitor.cookies = old
        assert (await house.visitor.get("/devices")).to.startswith("/signin")


async def test_a_form_of_another_site_does_nothing(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        shown = await house.visitor.post("/signout", Origin="https://evil.example")
        assert shown.status == 403
        assert "did not come from Ira’s own page" in shown.text
        shown = await house.visitor.post("/signout", Sec_Fetch_Site="cross-site")
        assert shown.status == 403
        assert (await house.visitor.get("/devices")).status == 200


async def test_language_and_theme_are_kept_in_the_browser(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        visitor = house.visitor
        answer = await visitor.post("/language", {"lang": "hi", "back": "/devices"})
        assert answer.to == "/devices"
        assert {"Secure", "SameSite=Lax"} <= set(answer.headers["Set-Cookie"].split("; "))
        assert (await visitor.post("/theme", {"theme": "dark", "back": "/me"})).to == "/me"
        shown = await visitor.get("/devices")
        assert '<html lang="hi" data-theme="dark">' in shown.html
        assert "आपके डिवाइस" in shown.text
        assert (await visitor.post("/language", {"lang": "xx"})).status == 422
        assert (await visitor.post("/language", {"lang": "en", "back": "//evil"})).to == "/"


async def test_before_a_choice_the_browsers_own_language_holds(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        shown = await house.visitor.get("/setup", Accept_Language="hi-IN,en;q=0.5")
        assert "ये पेज किस भाषा में हों?" in shown.text


async def test_a_page_that_is_not_there_says_so_in_the_visitors_language(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        shown = await house.visitor.get("/nowhere", Accept_Language="hi")
        assert shown.status == 404
        assert "यहाँ कुछ नहीं है" in shown.text
        assert "require-trusted-types-for" in shown.headers["Content-Security-Policy"]


async def test_my_page_changes_settings_password_and_pin(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        visitor = house.visitor
        settings = {"assistant_name": "Tara", "reply_language": "hinglish", "language": "hi"}
        assert (await visitor.post("/me/settings", settings)).to == "/me?saved=settings#settings"
        assert "Saved" in (await visitor.get("/me?saved=settings")).text
        assert (await visitor.get("/me")).page.inputs["assistant_name"] == "Tara"
        wrong = await visitor.post(
            "/me/password", {"old": "nope nope", "new": "harbour plum 9 lane"}
        )
        assert (wrong.status, "That password is not right." in wrong.text) == (403, True)
        assert wrong.html.index('href="#old"') < wrong.html.index("<h1>")
        weak = await visitor.post("/me/password", {"old": PASSWORD, "new": "12345678"})
        assert (weak.status, "Easy to guess" in weak.text) == (422, True)
        pin = {"password": PASSWORD, "pin": "8642", "pin_again": "8642"}
        assert (await visitor.post("/me/pin", pin)).to == "/me?saved=pin#pin"
        new = {"old": PASSWORD, "new": "harbour plum 9 lane"}
        assert (await visitor.post("/me/password", new)).to == "/me?saved=password#password"
        assert (await visitor.get("/me")).status == 200


@requirement("settings.web.on", "settings.web.off")
async def test_web_search_is_switched_on_with_the_pin_and_off_without(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        visitor = house.visitor
        shown = await visitor.get("/me")
        assert "Neither is set up on this server yet." in shown.text
        assert "pin" in shown.page.inputs
        wrong = await visitor.post("/me/search", {"on": "yes", "pin": "000000"})
        assert (wrong.status, "That PIN is not right." in wrong.text) == (403, True)
        assert 'href="#search-pin"' in wrong.html
        assert (await visitor.post("/me/search", {"on": "yes"})).status == 403
        assert "It is on for you." not in (await visitor.get("/me")).text
        on = await visitor.post("/me/search", {"on": "yes", "pin": PIN})
        assert on.to == "/me?saved=search#search"
        assert "It is on for you." in (await visitor.get(on.to)).text
        assert (await visitor.post("/me/search", {"on": "no"})).to == "/me?saved=search#search"
        assert "It is on for you." not in (await visitor.get("/me")).text


async def test_other_browsers_are_listed_and_signed_out(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.people.token(EMAIL)
        shown = await house.visitor.get("/me")
        others = [path for path in shown.page.forms if path.startswith("/me/sessions/")]
        assert others
        for path in others:
            assert (await house.visitor.post(path)).status == 303
        assert not any("/me/sessions/" in f for f in (await house.visitor.get("/me")).page.forms)


@requirement("web.mine")
async def test_my_data_is_a_file_after_the_password_and_can_be_deleted(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.claim((await house.code())[1])
        refused = await house.visitor.post("/me/export", {"password": "no no no"})
        assert refused.status == 403
        got = await house.visitor.post("/me/export", {"password": PASSWORD})
        assert got.headers["Content-Disposition"] == 'attachment; filename="ira-my-data.json"'
        assert '"Office Mac"' in got.html
        assert (await house.visitor.post("/me/delete", {"password": "no no no"})).status == 403
        receipt = await house.visitor.post("/me/delete", {"password": PASSWORD})
        assert "Your data is deleted" in receipt.text
        assert "No devices yet" in (await house.visitor.get("/devices")).text


async def test_somebody_without_a_pin_is_led_to_set_one(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.people.add("new@example.com", pin=None)
        await house.sign_in("new@example.com")
        shown = await house.visitor.get("/devices/add")
        form = [("kind", "mac"), ("label", "X"), ("pin", PIN)]
        refused = await house.visitor.post("/devices/add", form)
        assert refused.status == 403
        for page in (shown, refused):
            # Nothing can be filled in here before, so the first thing after the heading says why.
            assert set(page.page.inputs) == {"lang", "back"}
            assert page.text.rpartition("Add a device")[2].startswith(" You have no PIN yet.")
            assert "/me#pin" in page.page.links
