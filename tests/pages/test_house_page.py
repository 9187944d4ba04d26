"""The owner's and admins' page of the house: problems first, and what led there."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
import re

import pytest

from ira_home.base.clock import SystemClock
from ira_home.base.errors import ModelFailed, StorageFull
from ira_home.domain.diagnosis import Finding, Said
from ira_home.domain.health import Health
from ira_home.domain.people import Role
from ira_home.web.pages.house import AWAY_LONG
from tests.pages.browser import browse
from tests.pages.test_looks import sign_in
from tests.support.callers import Member
from tests.support.clock import FakeClock
from tests.support.home import PASSWORD, Home, open_home
from tests.support.networks import ANYWHERE, CABLE, plug_in
from tests.web.scripted import lamp, scripted

IN_HINDI = {"Accept-Language": "hi"}
_DAY_S = 86_400


class SilentBrain:
    """A brain whose server is away."""

    name = "silent"

    def __init__(self) -> None:
        self.asked = 0

    async def check(self) -> str:
        self.asked += 1
        message = "The model's server cannot be reached."
        raise ModelFailed(message)

    async def close(self) -> None:
        """Nothing is held."""


def words(html: str) -> str:
    """What the page says, on one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


async def shown(member: Member, path: str = "/house", **headers: str) -> str:
    reply = await member.call("GET", path, headers=headers)
    assert reply.status == 200, reply.text
    return reply.text


async def found(*said: Finding) -> tuple[Finding, ...]:
    return said


def looks(home: Home, *said: Finding) -> None:
    """From now on this is what a look at the network finds."""
    home.services.diagnose = lambda: found(*said)


async def test_a_house_without_trouble_is_fine_and_says_what_was_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        looks(home, Finding(Said.REACH_GOOD, {"addresses": "192.168.1.23:8443"}))
        owner = await home.owner()
        device = await owner.pair()
        plain, looked = await shown(owner), await shown(owner, "/house?look=yes")
        hindi = words(await shown(owner, **IN_HINDI))
        await device.hang_up()
    for html in (plain, looked):
        assert "Nothing needs you." in html
        assert "needs" not in re.findall(r'<section class="([^"]*)"', html)[0]
    assert "looked at when you ask" in plain
    assert "Just looked" in looked
    assert "Just looked" not in plain
    assert "0 of 1 connected" in plain
    assert f"Version {home.services.version}" in plain
    assert "आपको कुछ नहीं करना है।" in hindi
    for path in (
        "/house/people", "/house/devices", "/house/brain", "/house/changes", "/house/did",
        "/address", "/connect", "/house?look=yes",
    ):  # fmt: skip
        assert f'href="{path}"' in plain


async def test_what_is_broken_stands_before_what_can_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "data" / "tools"
    tools.mkdir(parents=True)
    (tools / "lamp.py").write_text("raise OSError('no lamp')\n", encoding="utf-8")
    plug_in(monkeypatch, CABLE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        owner = await home.owner()

        async def full() -> None:
            raise StorageFull

        home.services.check_writing = full
        html = await shown(owner)
        hindi = words(await shown(owner, **IN_HINDI))
    marks = re.findall(r'class="dot-i (\w+)"', html)
    assert marks == ["stop", "yes"]
    said = words(html)
    assert said.index("Nothing can be kept now") < said.index("The tool file lamp.py")
    assert "2 things need you" in said
    assert "Nothing needs you." not in said
    assert "इरा वाले पीसी की डिस्क भर गई है।" in hindi


async def test_the_network_is_looked_at_and_the_brain_is_asked_only_when_somebody_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        owner, brain = await home.owner(), SilentBrain()
        home.services.brain = brain  # type: ignore[assignment]
        looks(home, Finding(Said.CLOCK_LOST, {"now": "1970-01-01 00:00 UTC"}))
        assert "does not answer" not in await shown(owner)
        assert brain.asked == 0
        said = words(await shown(owner, "/house?look=yes"))
        hindi = words(await shown(owner, "/house?look=yes", **IN_HINDI))
        assert brain.asked == 2
    assert "The brain does not answer The model&#39;s server cannot be reached." in said
    assert "1970-01-01" in said
    assert "मॉडल ने जवाब नहीं दिया।" in hindi


async def test_an_address_that_nobody_reaches_leads_to_the_page_of_addresses(
    tmp_path: Path,
) -> None:
    async with open_home(tmp_path / "data") as home:
        html = await shown(await home.owner())
    assert "Ira listens for this computer only" in html
    assert '<a class="btn" href="/address"' in html


async def test_devices_away_for_long_are_named_with_their_person(tmp_path: Path) -> None:
    clock = FakeClock(SystemClock().now() - timedelta(days=25))
    async with open_home(tmp_path / "data", clock=clock) as home:
        staff, owner = await home.person(), await home.owner()
        for label in ("Kitchen phone", "Old <b>laptop"):
            await (await staff.pair(label=label)).hang_up()
        clock.advance(AWAY_LONG.days * _DAY_S - 60)
        assert "two weeks" not in await shown(owner)
        await (await owner.pair(label="New one")).hang_up()
        clock.advance(120)
        html = await shown(owner)
    assert "2 devices have been away for more than two weeks" in html
    assert "Kitchen phone (Staff 1)" in html
    assert "Old &lt;b&gt;laptop" in html
    assert "New one" not in html


async def test_guessed_passwords_and_pins_are_told_for_a_day(tmp_path: Path) -> None:
    clock = FakeClock(SystemClock().now() - timedelta(days=3))
    async with open_home(tmp_path / "data", clock=clock) as home:
        staff, owner = await home.person(), await home.owner()
        stranger = home.caller()
        for wrong in range(11):
            wish = {"email": staff.person.email, "password": f"{PASSWORD}-{wrong}"}
            assert (await stranger.call("POST", "/v1/session", wish)).status in (401, 429)
        html = await shown(owner)
        changes = words(await shown(owner, "/house/changes"))
        clock.advance(_DAY_S + 60)
        later = await shown(owner)
    assert html.count(f"Too many wrong passwords for {staff.person.email}</span>") == 1
    assert "somebody was guessing" in html
    assert f"Somebody unknown · {staff.person.email}" in changes
    assert "Too many wrong passwords for" not in later


async def test_the_change_log_is_read_page_by_page(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        device = await owner.pair()
        await home.services.house.change(None, {"name": "Asha"})
        first = await shown(owner, "/house/changes?limit=2")
        assert words(first).count("On the server itself · name") == 1
        assert "A device joined" in first
        (older,) = re.findall(r'href="(/house/changes\?cursor=[^"]+)"', first)
        rest = await shown(owner, older)
        assert "A pairing code was made" in rest
        assert "A device joined" not in rest
        assert 'href="/house/changes?cursor=' not in rest
        assert "डिवाइस जुड़ा" in await shown(owner, "/house/changes", **IN_HINDI)
        await device.hang_up()


async def test_a_disk_that_fills_up_is_told_with_what_to_do_and_how_all_stands(
    tmp_path: Path,
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        health = await home.services.health.look()
        assert health.database > 100_000
        assert health.written_at is not None
        before = words(await shown(owner))
        full = replace(health, disk_free=1024**2, disk_total=1024**4, memory_free=1024**2)

        class Full:
            async def look(self) -> Health:
                return full

        home.services.health = Full()  # type: ignore[assignment]
        html = await shown(owner)
        hindi = words(await shown(owner, **IN_HINDI))
    assert "almost full" not in before
    assert "Database" in before
    said = words(html)
    assert said.index("The disk of Ira’s computer is almost full") < said.index(
        "has almost no memory"
    )
    assert "1.0 MB of 1024.0 GB free" in said
    assert "डिस्क लगभग भर गई है" in hindi


async def test_details_of_the_change_log_are_said_in_the_readers_language(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner, staff = await home.owner(), await home.person()
        device = await owner.pair(skills=("files", "of_my_own"))
        await home.services.house.change(None, {"name": "Asha", "time_zone": "Asia/Kolkata"})
        await owner.call("PATCH", f"/v1/admin/users/{staff.person.id}", {"role": "admin"})
        await owner.call("PATCH", "/v1/me/settings", {"assistant_name": "Meera"})
        path = f"/v1/me/devices/{device.number}/skills/files"
        assert (await owner.call("PUT", path, {"on": False})).status == 200
        english = words(await shown(owner, "/house/changes"))
        hindi = words(await shown(owner, "/house/changes", **IN_HINDI))
        await device.hang_up()
    for said in (
        "On the server itself · name, time zone", "from Staff to Admin", "name of the assistant",
        f"device {device.number} · Files", f"device {device.number} · Mac",
    ):  # fmt: skip
        assert said in english
    assert "नाम, टाइम ज़ोन" in hindi
    assert f"डिवाइस {device.number}" in hindi
    for raw in ("time_zone", "assistant_name", "role staff", "device 1"):
        assert raw not in english + hindi or raw == f"device {device.number}"
    assert "device" not in hindi
    assert "staff to" not in hindi


async def test_what_ira_did_for_others_is_shown_with_their_name_and_nothing_in_it(
    tmp_path: Path,
) -> None:
    async with scripted(tmp_path) as (home, _brain):
        staff, owner = await home.person(), await home.owner()
        device = await lamp(staff)
        for _ in range(2):
            await staff.ask("lamp_colour")
        assert len(device.calls) == 2
        html = await shown(owner, "/house/did?limit=1")
        assert "Lamp colour · Office Mac" in html
        assert "Staff 1 · " in words(html)
        assert "crimson" not in html
        (older,) = re.findall(r'href="(/house/did\?cursor=[^"]+)"', html)
        assert "Lamp colour · Office Mac" in await shown(owner, older)
        assert "Office Mac" not in await shown(owner, "/did")
        mine = await shown(staff, "/did")
        assert "Office Mac" in mine
        assert "Staff 1 · " not in words(mine)
        await device.hang_up()


@pytest.mark.parametrize(
    "path", ["/house", "/house/changes", "/house/did", "/house/devices", "/house/brain"]
)
async def test_only_owner_and_admins_may_open_it_and_are_led_there(
    tmp_path: Path, path: str
) -> None:
    async with open_home(tmp_path / "data") as home:
        staff, admin = await home.person(), await home.person(Role.ADMIN)
        assert (await staff.call("GET", path)).status == 403
        assert (await home.caller().call("GET", path)).status in (303, 401)
        assert 'href="/house"' not in await shown(staff, "/chat")
        assert 'href="/house"' in await shown(admin, "/chat")
        assert re.search(r'href="/house" aria-current="page"', await shown(admin, path))


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize(("lang", "width"), [("en-IN", 390), ("hi-IN", 320), ("en-IN", 1280)])
async def test_in_a_browser_the_pages_fit(tmp_path: Path, lang: str, width: int) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        device = await owner.pair()
        async with browse(home, lang=lang, width=width) as browser:
            await sign_in(browser, owner)
            await browser.open("/chat")
            await browser.press('.nav a[href="/house"]')
            await browser.page.wait_for_url("**/house")
            await browser.page.locator(".needs .item").first.wait_for()
            await browser.check()
            for path in ("/house/changes", "/house/did"):
                await browser.press(f'main a[href="{path}"]')
                await browser.page.wait_for_url(f"**{path}")
                await browser.check()
                await browser.press("main a.back")
                await browser.page.wait_for_url("**/house")
        await device.hang_up()
