"""The page of addresses and certificate, and what a code's page says where no other device can follow it."""

from collections.abc import AsyncIterator
from pathlib import Path
import re
from urllib.parse import urlencode

import pytest

from ira_home.domain.people import Role
from ira_home.net.interfaces import Interface
from ira_home.web.body import FORM
from tests.pages.browser import browse
from tests.pages.test_looks import sign_in
from tests.support.callers import Member, Reply
from tests.support.home import PIN, Home, open_home
from tests.support.networks import ANYWHERE, CABLE, OUTSIDE, TUNNEL, WIFI, plug_in
from tests.support.requirements import requirement

IN_HINDI = {"Accept-Language": "hi"}


async def pick(member: Member, address: str, **headers: str) -> Reply:
    """Send the page's form."""
    sent = {"Content-Type": FORM} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return await member.call(
        "POST", "/address", urlencode({"advertise": address}).encode(), headers=sent
    )


async def code_page(member: Member, kind: str, lang: str = "en") -> str:
    """The page of a fresh code."""
    wish = urlencode({"kind": kind, "label": "Kitchen", "pin": PIN}).encode()
    made = await member.call("POST", "/devices/add", wish, headers={"Content-Type": FORM})
    assert made.status == 303, made.text
    return (
        await member.call("GET", made.headers["Location"], headers={"Accept-Language": lang})
    ).text


def options(html: str) -> dict[str, bool]:
    """Each address that can be picked, and whether it is."""
    found = re.findall(r'name="advertise" value="([^"]*)"( checked)?', html)
    return {value: bool(checked) for value, checked in found}


async def test_the_owner_sees_where_ira_is_opened_and_picks_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE, WIFI, TUNNEL, OUTSIDE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        owner = await home.owner()
        port = home.services.addresses.https_port
        before = (await owner.call("GET", "/address")).text
        assert options(before) == {"": True, "192.168.1.23": False, "10.0.0.7": False, "203.0.113.9": False, "100.64.0.7": False}  # fmt: skip
        assert 'class="qr"' in before
        assert home.services.trust.fingerprint in before
        assert before.count("the certificate cannot name it") == 1
        assert f'data-copy="https://192.168.1.23:{port}"' in before
        assert f"https://{home.services.trust.identity}:{port}" in before
        done = await pick(owner, "10.0.0.7")
        assert (done.status, done.headers["Location"]) == (303, "/address?saved=yes#which")
        after = (await owner.call("GET", "/address?saved=yes")).text
        assert options(after) == options(before) | {"": False, "10.0.0.7": True}
        assert f'data-copy="https://10.0.0.7:{port}"' in after
        assert "Saved" in after
        assert "10.0.0.7" in (await code_page(owner, "mac"))
        assert (await pick(owner, "")).status == 303
        assert options((await owner.call("GET", "/address")).text) == options(before)


async def test_a_pick_that_cannot_be_is_told_in_the_persons_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE, WIFI)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        owner = await home.owner()
        refused = await pick(owner, "192.168.1.99")
        assert (refused.status, options(refused.text)[""]) == (400, True)
        assert "This computer does not have that address now." in refused.text
        assert (
            "यह पता अभी इस कंप्यूटर का नहीं है।" in (await pick(owner, "x", Accept_Language="hi")).text
        )


async def test_a_choice_whose_card_is_gone_and_a_setting_that_goes_before_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE, WIFI)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        assert (await pick(await home.owner(), "10.0.0.7")).status == 303
    plug_in(monkeypatch, CABLE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        gone = (await (await home.person(Role.ADMIN)).call("GET", "/address")).text
        assert options(gone) == {"": True, "192.168.1.23": False}
        assert "The address that was picked, 10.0.0.7, is not on this computer now" in gone
    given = ANYWHERE | {"advertise": "203.0.113.50"}
    async with open_home(tmp_path / "other", settings=given) as home:
        set_outside = (await (await home.owner()).call("GET", "/address")).text
        assert "Whoever runs the server has set <b>203.0.113.50</b>." in set_outside
        assert 'data-copy="https://203.0.113.50:' in set_outside


@requirement("pair.qr")
@pytest.mark.parametrize(
    ("cards", "settings", "said", "hindi"),
    [
        ((CABLE,), {}, "Ira listens for this computer only", "इरा सिर्फ़ इसी कंप्यूटर के लिए सुन रही है"),
        ((TUNNEL,), ANYWHERE, "This computer has only the address of a VPN", "इस कंप्यूटर पर सिर्फ़ VPN का पता है"),
        ((), ANYWHERE, "This computer is on no network.", "यह कंप्यूटर किसी नेटवर्क पर नहीं है।"),
    ],
)  # fmt: skip
async def test_where_no_device_could_follow_it_no_code_is_drawn_and_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    cards: tuple[Interface, ...], settings: dict[str, str], said: str, hindi: str,
) -> None:  # fmt: skip
    plug_in(monkeypatch, *cards)
    async with open_home(tmp_path / "data", settings=settings) as home:
        owner = await home.owner()
        for kind in ("android", "mac"):
            shown = await code_page(owner, kind)
            assert ('class="qr"' in shown, said in shown, 'href="/address"' in shown) == (False, True, True)  # fmt: skip
            # A program on this very computer can still use the link.
            assert ("/pair#code=" in shown) == (kind == "mac")
        staff = await home.person()
        assert 'href="/address"' not in await code_page(staff, "android")
        assert hindi in await code_page(staff, "android", "hi")
        page = await owner.call("GET", "/address", headers=IN_HINDI)
        assert ('class="qr"' in page.text, hindi in page.text) == (False, True)


async def test_where_a_device_can_follow_it_the_code_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        shown = await code_page(await home.owner(), "android")
    assert 'class="qr"' in shown
    assert "no network" not in shown


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Home]:
    async with open_home(tmp_path / "data") as found:
        yield found


async def test_only_owner_and_admins_are_led_there(house: Home) -> None:
    staff, owner = await house.person(), await house.owner()
    assert (await staff.call("GET", "/address")).status == 403
    assert (await pick(staff, "")).status == 403
    assert 'href="/address"' not in (await staff.call("GET", "/me")).text
    # Whoever runs the house finds it there, and nowhere twice.
    assert 'href="/address"' not in (await owner.call("GET", "/me")).text
    assert 'href="/address"' in (await owner.call("GET", "/house")).text
    page = (await owner.call("GET", "/address")).text
    assert re.search(r'href="/house" aria-current="page"', page)
    assert '<a class="back" href="/house"' in page


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize(("lang", "width"), [("en-IN", 390), ("hi-IN", 320), ("en-IN", 1280)])
async def test_in_a_browser_the_page_fits_and_a_pick_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, width: int
) -> None:
    plug_in(monkeypatch, CABLE, WIFI, TUNNEL, OUTSIDE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        owner = await home.owner()
        async with browse(home, lang=lang, width=width) as browser:
            await sign_in(browser, owner)
            await browser.open("/address")
            await browser.page.check('[value="10.0.0.7"]')
            await browser.press("#which .btn.go")
            await browser.page.wait_for_selector("#which .saved")
            assert await browser.page.is_checked('[value="10.0.0.7"]')
            await browser.check()


@pytest.mark.browser
@pytest.mark.timeout(180)
async def test_the_page_of_a_link_names_the_server_and_takes_no_code_of_another(
    house: Home,
) -> None:
    own = house.services.trust.identity.removeprefix("ira-").removesuffix(".local")
    async with browse(house) as browser:
        page = browser.page
        await browser.open(f"/pair#code=abcd-efgh&fp={'x' * 43}&id={own}")
        await browser.see("ABCD-EFGH")
        await browser.see(house.services.trust.identity)
        assert page.url == f"{house.base}/pair"
        assert "ABCD" not in await page.evaluate("history.state + document.URL + document.referrer")
        await page.goto("about:blank")
        await browser.open("/pair#code=ABCDEFGH&id=000000")
        await browser.see("This link belongs to another Ira.")
        assert page.url == f"{house.base}/pair"
        for hidden in ("[data-code-card]", "[data-ways]", "[data-no-code]"):
            assert not await page.is_visible(hidden)
        await page.goto("about:blank")
        # An older link says nothing of the server.
        await browser.open("/pair#code=ABCDEFGH")
        await browser.see("ABCD-EFGH")
        await browser.check()
        await browser.press("text=Use this browser")
        await page.wait_for_url("**/setup")
