"""Somebody in front of a house that is not set up yet, in a browser without scripts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from ira_home.web.guard import COOKIE
from tests.pages.house import Shown, Visitor
from tests.support.home import Home

OWNER = {"name": "Asha", "email": "Asha@Example.com", "password": "monsoon window tea"}
HOME = {"name": "Asha’s home", "time_zone": "Asia/Kolkata"}
NEW_PIN = {"pin": "246813", "pin_again": "246813"}


@asynccontextmanager
async def at_the_door(home: Home) -> AsyncIterator[Visitor]:
    """A browser without scripts that has never been here."""
    connector = aiohttp.TCPConnector(ssl=home.trust)
    async with aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar()
    ) as http:
        yield Visitor(home.base, home.base, http)


async def begin(visitor: Visitor, lang: str = "en") -> None:
    """The language and the owner."""
    assert (await visitor.post("/setup/language", {"lang": lang})).to == "/setup"
    assert (await visitor.post("/setup/owner", OWNER)).to == "/setup"
    assert COOKIE in visitor.cookies


async def later(visitor: Visitor, *steps: str) -> str:
    """Leave steps for later; where the last one leads."""
    return [(await visitor.post("/setup/skip", {"step": step})).to for step in steps][-1]


def asks(shown: Shown) -> str:
    """The step that a page asks, by the form on it."""
    assert shown.status == 200, shown.text
    found = [one.removeprefix("/setup/") for one in shown.page.forms if one.startswith("/setup/")]
    assert len(found) == 1, found
    return found[0]
