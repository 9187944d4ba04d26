"""What to do about a device that cannot connect: steps for everybody, findings for whoever runs the house."""

from dataclasses import replace
from pathlib import Path

import pytest

from ira_home.domain.diagnosis import Finding, Said
from ira_home.domain.network import NetworkView, NoQr
from tests.pages.house import Pages, open_pages
from tests.pages.test_looks import seen
from tests.support.home import hands_of_now
from tests.support.web import NETWORK

TROUBLE = Finding(
    Said.FIREWALL_CLOSED,
    {"firewall": "ufw", "ports": "8443/tcp", "command": "sudo ufw allow 8443/tcp"},
)
WELL = Finding(Said.REACH_GOOD, {"addresses": "192.168.1.20:8443"})
WRONG = Finding(Said.CLOCK_LOST, {"now": "1970-01-01 00:00 UTC"})


class Looks:
    """What is found, and how often it was looked."""

    def __init__(self, *found: Finding) -> None:
        self.found, self.count = found, 0

    async def look(self) -> tuple[Finding, ...]:
        self.count += 1
        return self.found


def looking(house: Pages, *found: Finding) -> Looks:
    looks = Looks(*found)
    house.services.diagnose = looks.look
    return looks


async def test_everybody_sees_the_address_to_type_and_nobody_looks_unasked(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        looks = looking(house, TROUBLE)
        shown = await house.visitor.get("/connect")
        staff = await (await house.another("ravi@example.com")).get("/connect?look=yes")
        port = house.port
    assert f"https://192.168.1.20:{port}" in shown.text
    assert f"http://192.168.1.20:{port}" in shown.text
    assert f"https://ira-7f3a9c.local:{port}" in shown.text
    assert "/connect?look=yes#look" in shown.page.links
    assert {"/trust", "/address"} <= set(shown.page.links)
    assert looks.count == 0
    assert not {"/connect?look=yes#look", "/address"} & set(staff.page.links)
    assert "Whoever runs this Ira" in staff.text


@pytest.mark.parametrize("lang", ["en", "hi"])
async def test_what_is_wrong_stands_first_with_its_next_step(tmp_path: Path, lang: str) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        looking(house, WELL, TROUBLE, WRONG)
        shown = await house.visitor.get("/connect?look=yes", Accept_Language=lang)
    assert shown.status == 200, shown.text
    places = [shown.html.index(one) for one in ("1970-01-01", "sudo ufw allow 8443/tcp", "192.168.1.20:8443")]  # fmt: skip
    assert places == sorted(places)
    assert ("इस कंप्यूटर के टर्मिनल में चलाएँ" in shown.text) is (lang == "hi")


async def test_where_all_is_well_that_is_said(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        looking(house, WELL)
        shown = await house.visitor.get("/connect?look=yes")
    assert "Ira found nothing wrong" in shown.text


@pytest.mark.parametrize("why", NoQr)
async def test_where_there_is_no_address_it_is_said_why(tmp_path: Path, why: NoQr) -> None:
    def nowhere() -> NetworkView:
        return replace(NETWORK, chosen=None, why_no_qr=why, addresses=())

    async with open_pages(tmp_path) as house:
        await house.owner()
        house.services.network = nowhere
        shown = await house.visitor.get("/connect")
    assert "http://192" not in shown.text
    wanted = {
        NoQr.ONLY_THIS_COMPUTER: "“bind”",
        NoQr.ONLY_TUNNEL: "a VPN",
        NoQr.NO_NETWORK: "is on no network",
    }
    assert wanted[why] in shown.text


async def test_devices_and_a_code_that_waits_lead_there(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        assert "/connect" in (await house.visitor.get("/devices")).page.links
        path = await house.add_device()
        assert "/connect" in (await house.visitor.get(path)).page.links


@pytest.mark.browser
@pytest.mark.timeout(120)
@pytest.mark.parametrize(("minutes", "is_told"), [(0, False), (90, True)])
async def test_a_browser_whose_clock_is_another_is_told(
    tmp_path: Path, minutes: int, is_told: bool
) -> None:
    async with seen(tmp_path) as (_home, _owner, browser):
        start = hands_of_now().now().timestamp() + minutes * 60
        await browser.page.clock.set_system_time(start)
        await browser.open("/connect?look=yes")
        await browser.see("Look again")
        told = browser.page.get_by_text("90 minutes apart")
        assert await told.is_visible() is is_told
        await browser.check()
