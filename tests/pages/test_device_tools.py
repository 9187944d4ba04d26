"""What a device's page says of its tools: how freely each acts, what is new, and what waits for the person's agreement."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
import re

import aiohttp

from ira_home.web.guard import COOKIE
from tests.pages.house import Visitor
from tests.support.callers import DeviceLine, Member
from tests.support.home import open_home
from tests.support.requirements import requirement

_NONE = {"type": "object", "properties": {}}
LOOK = {"name": "lantern_colour", "description": "Tell the colour of the lantern", "tier": 0, "parameters": _NONE}  # fmt: skip
SEND = {"name": "parcel_send", "description": "Send the parcel to Marigold", "tier": 3, "parameters": _NONE}  # fmt: skip
FREER = SEND | {
    "description": "Send any parcel to anyone", "tier": 2,
    "parameters": {"type": "object", "properties": {"person": {"type": "string"}}},
}  # fmt: skip
AIM = {"name": "telescope_aim", "description": "Aim the telescope", "tier": 1, "parameters": _NONE}


@asynccontextmanager
async def at_its_page(folder: Path) -> AsyncIterator[tuple[Member, DeviceLine, Visitor, str]]:
    """Somebody, their computer with two tools agreed to, a browser without scripts, and the page's path."""
    async with open_home(folder / "data") as home:
        member = await home.person()
        mac = await member.online([LOOK, SEND])
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=home.trust), cookie_jar=aiohttp.DummyCookieJar()
        ) as http:
            visitor = Visitor(home.base, home.base, http, {COOKIE: member.cookie})
            try:
                yield member, mac, visitor, f"/devices/{mac.number}"
            finally:
                await mac.hang_up()


@requirement("web.skills")
async def test_each_tool_says_how_freely_it_acts_and_which_skill_is_new(tmp_path: Path) -> None:
    async with at_its_page(tmp_path) as (_member, mac, visitor, path):
        shown = await visitor.get(path)
        assert "Tell the colour of the lantern Looks" in shown.text
        assert "Send the parcel to Marigold Needs PIN" in shown.text
        assert "New" not in shown.text
        await mac.hello([LOOK, SEND, AIM])
        shown = await visitor.get(path)
        assert "Telescope · New" in shown.text
        assert re.search("Aim the telescope · New Small, can undo", shown.text)
        for lang, said in (("en", "Allow Telescope on Office Mac"), ("hi", "Telescope")):
            again = await visitor.get(path, Accept_Language=lang)
            assert re.search(f'aria-label="[^"]*{said}', again.html)


async def test_a_tool_that_wants_more_shows_both_and_waits_for_the_pin(tmp_path: Path) -> None:
    async with at_its_page(tmp_path) as (member, mac, visitor, path):
        await mac.hello([LOOK, FREER])
        assert "Has something new to offer" in (await visitor.get("/devices")).text
        shown = await visitor.get(path)
        before, _, after = shown.text.partition("From then on")
        assert before.rstrip().endswith("Send the parcel to Marigold Needs PIN")
        assert after.lstrip().startswith("Send any parcel to anyone Asks first")
        assert "What it can be told changes, too." in after
        assert "It goes over to another skill." not in after
        agree = f"{path}/agree/parcel_send"
        assert agree in shown.page.forms
        wrong = await visitor.post(agree, {"pin": "000000"})
        assert (wrong.status, "That PIN is not right." in wrong.text) == (403, True)
        assert (await visitor.post(agree, {"pin": member.pin})).to == path
        shown = await visitor.get(path)
        assert agree not in shown.page.forms
        assert "Send any parcel to anyone Asks first" in shown.text


async def test_a_device_that_went_away_says_since_when_to_the_second(tmp_path: Path) -> None:
    async with at_its_page(tmp_path) as (member, mac, visitor, path):
        async with member.stream() as stream:
            assert mac.line is not None
            await mac.line.close()
            await stream.until(lambda one: one.event == "device" and not one.data["online"])
        listed = (await member.call("GET", f"/v1{path.replace('/devices', '/me/devices')}")).body
        for page in (path, "/devices"):
            [seen] = set(
                re.findall(
                    r'<time datetime="([^"]+)">Away · last seen', (await visitor.get(page)).html
                )
            )
            assert seen[:19] == listed["last_seen"][:19]
