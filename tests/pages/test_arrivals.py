"""Whoever brings the phones in sees which of them have opened Ira, and which know her certificate."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest

from ira_home.base.limits import ARRIVALS, ARRIVALS_S
from ira_home.web.arrivals import Arrivals
from tests.pages.browser import browse
from tests.pages.test_house_page import IN_HINDI, shown, words
from tests.pages.test_looks import sign_in
from tests.support.home import hands_of_now, open_home
from tests.support.tls_page import know

ANDROID = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/605.1"
# Nobody is told of oneself, so the one who looks on is another browser.
DESK = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0"
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_the_newest_are_kept_and_what_was_shown_once_holds() -> None:
    arrivals = Arrivals()
    arrivals.note("192.168.1.9", "Firefox", NOW, knows=True)
    arrivals.note("192.168.1.9", "Firefox", NOW)
    assert [one.knows for one in arrivals.lately(NOW)] == [True]
    for number in range(ARRIVALS + 5):
        arrivals.note(f"192.168.2.{number}", "x" * 10_000 + "\n", NOW)
    found = arrivals.lately(NOW)
    assert len(found) == ARRIVALS
    assert found[0].address == f"192.168.2.{ARRIVALS + 4}"
    assert max(len(one.agent) for one in found) <= 201
    assert arrivals.lately(NOW + timedelta(seconds=ARRIVALS_S)) == []


async def test_a_phone_is_told_of_and_what_it_shows_of_its_trust(tmp_path: Path) -> None:
    clock = hands_of_now()
    async with open_home(tmp_path / "data", clock=clock) as home:
        owner, staff = await home.owner(), await home.person()
        assert "Nobody has opened Ira elsewhere" in words(await shown(owner, "/address"))
        phone = home.caller()
        await phone.call("GET", "/trust", headers={"User-Agent": ANDROID})
        told = "Chrome, Android at 127.0.0.1 opened Ira, but does not know her yet."
        for place in ("/address", "/address/arrivals"):
            assert told in words(await shown(owner, place))
        # A worker's script is fetched whether or not the certificate is known.
        worker = {"User-Agent": ANDROID, "Service-Worker": "script"}
        await phone.call("GET", "/sw.js", headers=worker)
        for says, site in (
            ("", "same-origin"),
            ("?knows=yes", "cross-site"),
            ("?knows=no", "same-origin"),
        ):
            ping = {"User-Agent": ANDROID, "Sec-Fetch-Site": site}
            assert (await phone.call("GET", f"/trust-ping{says}", headers=ping)).status == 204
            assert told in words(await shown(owner, "/address"))
        page = {"User-Agent": ANDROID, "Sec-Fetch-Site": "same-origin"}
        assert (await phone.call("GET", "/trust-ping?knows=yes", headers=page)).status == 204
        html = words(await shown(owner, "/address"))
        assert "Chrome, Android at 127.0.0.1 knows Ira." in html
        hindi = words(await shown(owner, "/address", **IN_HINDI))
        assert "127.0.0.1 पर Chrome, Android इरा को पहचानता है।" in hindi
        assert (await staff.call("GET", "/address/arrivals")).status == 403
        clock.advance(ARRIVALS_S)
        assert "Nobody has opened Ira elsewhere" in words(await shown(owner, "/address"))


async def test_of_a_browser_that_cannot_tell_it_is_said_that_its_page_may(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner, phone = await home.owner(), home.caller()
        await phone.call("GET", "/trust", headers={"User-Agent": IPHONE})
        told = "Safari, iPhone at 127.0.0.1 opened Ira. Its own page says whether it knows her."
        assert told in words(await shown(owner, "/address"))


async def test_the_plain_start_page_counts_and_one_is_not_told_of_oneself(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        async with aiohttp.ClientSession() as http:
            agent = {"User-Agent": ANDROID}
            async with http.get(home.plain + "/trust", headers=agent) as reply:
                assert reply.status == 200
        assert "opened Ira, but" in words(await shown(owner, "/address"))
        mine = words(await shown(owner, "/address", **{"User-Agent": ANDROID}))
        assert "Nobody has opened Ira elsewhere" in mine


@pytest.mark.browser
@pytest.mark.timeout(180)
async def test_who_looks_on_sees_a_phone_come_and_learn_without_touching_anything(
    tmp_path: Path,
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        async with browse(home, width=1280, user_agent=DESK) as pc:
            await sign_in(pc, owner)
            await pc.open("/address")
            await pc.page.wait_for_selector("#arrivals .quiet")
            async with browse(home) as phone:
                await phone.open("/trust")
                await pc.see("opened Ira, but does not know her yet.")
            own = tmp_path / "own"
            know(own, home.services.authority.ca_pem)
            async with browse(home, own=own) as phone:
                await phone.page.goto(home.stable + "/trust")
                await phone.see("This browser knows Ira.")
                await pc.see("knows Ira. The microphone works there.")
            await pc.check()
