"""My page and the page of events by plain forms: name, words, time, looks, tokens, browsers, and being told."""

from pathlib import Path
import re

import pytest

from ira_home.domain.devices import EventKind
from ira_home.protocol.frames import Event
from tests.pages.house import EMAIL, PASSWORD, PIN, Pages, Visitor, open_pages
from tests.support.requirements import requirement

_OWN = {"assistant_name": "Tara", "wake_phrase": "Suno Tara", "reply_language": "hi"}


async def settings_of(house: Pages) -> dict[str, object]:
    person = await house.people.accounts.by_email(EMAIL)
    found = await house.services.person_settings.get(person.id)
    return {name: getattr(found, name) for name in found.__slots__}


async def test_one_goes_by_another_name_that_every_page_tells(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        assert (await house.visitor.post("/me/name", {"name": " "})).status == 422
        named = await house.visitor.post("/me/name", {"name": "Asha Rao"})
        assert named.to == "/me?saved=name#name"
        shown = await house.visitor.get(named.to.partition("#")[0])
        assert re.search(r"<h1>Asha Rao</h1>", shown.html)
        assert "Saved" in shown.text


@requirement("settings.own")
async def test_what_wakes_ira_and_what_one_speaks_is_chosen(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        none = await house.visitor.post("/me/settings", _OWN)
        assert none.status == 422
        assert "Choose at least one." in none.text
        form = [*_OWN.items(), ("language", "hi"), ("language", "hinglish")]
        assert (await house.visitor.post("/me/settings", form)).status == 303
        kept = await settings_of(house)
        assert kept["wake_phrase"] == "Suno Tara"
        assert kept["languages"] == ("hi", "hinglish")
        shown = await house.visitor.get("/me")
        assert shown.page.inputs["wake_phrase"] == "Suno Tara"
        assert re.findall(r'name="language" value="(\w+)" checked', shown.html) == [
            "hi",
            "hinglish",
        ]


async def test_times_are_told_in_ones_own_zone_from_then_on(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.claim((await house.code())[1])
        house.people.clock.advance(13 * 3600)
        device = await house.visitor.get("/devices/1")
        assert "As in the house: Asia/Kolkata" in (await house.visitor.get("/me")).text
        bad = await house.visitor.post("/me/time", {"time_zone": "Mars/Olympus"})
        assert bad.status == 422
        zone = await house.visitor.post("/me/time", {"time_zone": "America/New_York"})
        assert zone.to == "/me?saved=time#time"
        assert "<option selected>America/New_York" in (await house.visitor.get("/me")).html
        elsewhere = await house.visitor.get("/devices/1")
        assert "15:00" in device.text  # the clock of these tests begins at 9:30 UTC
        assert "04:30" in elsewhere.text
        assert "15:00" not in elsewhere.text


async def test_looks_are_chosen_once_and_come_along_to_the_next_browser(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        visitor = house.visitor
        for path, form in (
            ("/text-size", {"text_size": "larger"}),
            ("/theme", {"theme": "dark"}),
            ("/language", {"lang": "hi"}),
        ):
            assert (await visitor.post(path, form | {"back": "/me"})).to == "/me"
        other = Visitor(visitor.base, visitor.origin, visitor.http)
        before = await other.get("/signin")
        assert 'lang="en"' in before.html
        signed_in = await other.post("/signin", {"email": EMAIL, "password": PASSWORD})
        assert signed_in.status == 303
        shown = await other.get("/me")
        assert re.search(r'<html lang="hi" data-theme="dark" data-size="larger">', shown.html)
        assert (await visitor.post("/text-size", {"text_size": "huge"})).status == 422


async def test_every_other_browser_is_signed_out_by_one_button(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        visitor = house.visitor
        await visitor.post("/me/sessions/end")
        assert "/me/sessions/end" not in (await visitor.get("/me")).page.forms
        other = Visitor(visitor.base, visitor.origin, visitor.http)
        await other.post("/signin", {"email": EMAIL, "password": PASSWORD})
        assert "/me/sessions/end" in (await visitor.get("/me")).page.forms
        ended = await visitor.post("/me/sessions/end")
        assert ended.to == "/me?saved=sessions#sessions"
        assert (await other.get("/me")).to.startswith("/signin")
        assert (await visitor.get("/me")).status == 200


async def test_an_api_token_is_made_with_the_pin_shown_once_and_ended(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        visitor = house.visitor
        wish = [("name", "Hall display"), ("scope", "ask")]
        for form, said in (
            (wish, "PIN"),
            ([*wish, ("pin", "000000")], "That PIN is not right."),
            ([("name", "Hall display"), ("pin", PIN)], "Choose at least one thing it may do."),
            ([("name", ""), ("scope", "ask"), ("pin", PIN)], "Write a name of 1 to 80 characters."),
            ([*wish, ("scope", "devices"), ("pin", PIN)], "Choose at least one thing"),
        ):
            refused = await visitor.post("/me/tokens", form)
            assert refused.status in {403, 422}
            assert said in refused.text
            assert "Hall display" not in refused.text
        made = await visitor.post("/me/tokens", [*wish, ("pin", PIN)])
        assert made.status == 200
        assert made.headers["Cache-Control"] == "no-store"
        [token] = set(re.findall(r"irat_[A-Za-z0-9_-]+", made.html))
        principal = await house.services.credentials.bearer(token)
        assert {one.value for one in principal.permissions} == {"ask"}
        listed = await visitor.get("/me")
        assert token not in listed.html
        assert "Hall display" in listed.text
        assert "Ask Ira · used" in listed.text
        stranger = await house.another("ravi@example.com")
        path = next(one for one in listed.page.forms if re.fullmatch(r"/me/tokens/\d+/end", one))
        await stranger.post(path)
        assert "Hall display" in (await visitor.get("/me")).text
        assert (await visitor.post(path)).to == "/me?saved=tokens#tokens"
        assert "Hall display" not in (await visitor.get("/me")).text
        assert (await visitor.post(path)).to == "/me#tokens"


async def keep(house: Pages, title: str, kind: EventKind = EventKind.TASK_DONE) -> None:
    """The person's device announces something."""
    person = await house.people.accounts.by_email(EMAIL)
    [listed] = await house.services.registry.list(person.id)
    house.people.clock.advance(30)
    await house.services.events.accept(
        listed.device, Event(event=kind.value, title=title, text="In the shop.")
    )


async def test_events_are_counted_told_as_new_and_read_all_at_once(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.claim((await house.code())[1])
        assert "all caught up" in (await house.visitor.get("/events")).text
        await keep(house, "The first")
        await keep(house, "The second", EventKind.TASK_FAILED)
        shown = await house.visitor.get("/events")
        assert shown.text.index("The second") < shown.text.index("The first")
        assert shown.text.count("New · ") == 2
        assert "New · A task has failed · Office Mac" in shown.text
        assert 'data-bell="2" aria-label="News from your devices, 2 new"' in shown.html
        up_to = shown.page.inputs["up_to"]
        await keep(house, "The third")
        assert (await house.visitor.post("/events", {"up_to": up_to})).to == "/events"
        shown = await house.visitor.get("/events")
        assert shown.text.count("New · ") == 1, "what came after the page was shown is new still"
        assert 'data-bell="1"' in shown.html


async def test_how_one_is_told_is_chosen_by_kind_and_hour(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        await house.claim((await house.code())[1])
        await keep(house, "It is done")
        assert 'data-bell="1"' in (await house.visitor.get("/events")).html
        half = [("quiet_from", "14:00"), ("quiet_until", "")]
        refused = await house.visitor.post("/events/telling", half)
        assert refused.status == 422
        assert "Write a time like 07:00" in refused.text
        assert refused.page.inputs["quiet_from"] == "14:00"
        # It is 15:00 in the house.
        form = [
            ("task_failed", "bell"), ("task_failed", "phones"), ("task_failed", "quiet_hours"),
            ("task_done", "bell"), ("quiet_from", "14:00"), ("quiet_until", "16:00"),
        ]  # fmt: skip
        saved = await house.visitor.post("/events/telling", form)
        assert saved.to == "/events?saved=telling#telling"
        shown = await house.visitor.get("/events?saved=telling")
        assert "Saved" in shown.text
        assert shown.page.inputs["quiet_until"] == "16:00"
        ticked = re.findall(r'type="checkbox" name="(\w+)" value="(\w+)" checked', shown.html)
        assert sorted(ticked) == sorted(form[:4])
        assert 'data-bell="0"' in shown.html, "the bell is silent until four"
        await keep(house, "It has failed", EventKind.TASK_FAILED)
        assert 'data-bell="1"' in (await house.visitor.get("/events")).html
        house.people.clock.advance(3600)
        assert 'data-bell="2"' in (await house.visitor.get("/events")).html


@pytest.mark.parametrize("lang", ["en-IN", "hi-IN"])
async def test_every_part_stands_on_the_pages_in_both_languages(tmp_path: Path, lang: str) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        me = await house.visitor.get("/me", Accept_Language=lang)
        forms = {
            "name",
            "settings",
            "search",
            "time",
            "pin",
            "password",
            "tokens",
            "export",
            "delete",
        }
        assert {f"/me/{one}" for one in forms} <= set(me.page.forms)
        assert {"/theme", "/text-size", "/language", "/signout"} <= set(me.page.forms)
        assert "/events#telling" in me.page.links
        events = await house.visitor.get("/events", Accept_Language=lang)
        assert "/events/telling" in events.page.forms
