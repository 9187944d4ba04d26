"""How the certificate is installed, on both listeners, and the worker that registers where it is trusted."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
import re

import aiohttp
import pytest

from ira_home.web.door import Door
from ira_home.web.pages.assets import assets
from ira_home.web.pages.trust import opened_for
from ira_home.web.plain import build_plain_app
from ira_home.web.services import Addresses
from tests.pages.house import open_pages
from tests.support.ports import free_port
from tests.support.web import fake_services

ANDROID = (
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36"
)
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36"
LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0"
WINDOWS_FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:152.0) Gecko/20100101 Firefox/152.0"
SYSTEMS = ["ios", "android", "mac", "windows", "linux", "firefox"]


@asynccontextmanager
async def plain() -> AsyncIterator[tuple[str, aiohttp.ClientSession]]:
    port = free_port()
    addresses = Addresses(https_port=8443, http_port=port, names=frozenset({"localhost"}))
    app = build_plain_app(fake_services(port, addresses=addresses))
    door = await Door.open(app, host="127.0.0.1", port=port)
    async with aiohttp.ClientSession() as http:
        try:
            yield f"http://127.0.0.1:{port}", http
        finally:
            await door.close()


def sections(html: str) -> dict[str, bool]:
    """Each system's section, and whether it stands open."""
    found = re.findall(r'<details data-system="([a-z]+)"( open)?>', html)
    return {name: bool(is_open) for name, is_open in found}


@pytest.mark.parametrize(
    ("agent", "wanted"),
    [
        (ANDROID, {"android"}),
        (IPHONE, {"ios"}),
        (MAC, {"mac"}),
        (WINDOWS, {"windows"}),
        (LINUX, {"linux"}),
        (FIREFOX, {"firefox"}),
        (WINDOWS_FIREFOX, {"windows", "firefox"}),
        ("curl/8", {""}),
    ],
)
def test_a_browsers_own_steps_stand_open_first(agent: str, wanted: set[str]) -> None:
    assert opened_for(agent) == wanted


@pytest.mark.parametrize("lang", ["en", "hi"])
async def test_the_plain_page_has_every_system_in_both_languages(lang: str) -> None:
    asked = {"Accept-Language": lang, "User-Agent": IPHONE}
    async with plain() as (base, http), http.get(base + "/", headers=asked) as reply:
        html = await reply.text()
    assert f'<html lang="{lang}">' in html
    assert ("इस डिवाइस को इरा से मिलाएँ" in html) is (lang == "hi")
    assert sections(html) == {name: name == "ios" for name in SYSTEMS}
    assert "Certificate Trust Settings" in html  # the switch that is most often missed


async def test_the_plain_page_has_a_link_to_the_other_language_and_no_cookie() -> None:
    async with plain() as (base, http):
        async with http.get(base + "/pair", headers={"Accept-Language": "hi"}) as reply:
            assert 'href="/pair?lang=en"' in await reply.text()
        async with http.get(base + "/pair?lang=en", headers={"Accept-Language": "hi"}) as reply:
            html = await reply.text()
            assert "Set-Cookie" not in reply.headers
    assert '<html lang="en">' in html
    assert "Do not type a pairing code here" in html


async def test_the_plain_page_says_what_to_compare_and_where_to_go_on() -> None:
    async with plain() as (base, http), http.get(base + "/trust") as reply:
        html = await reply.text()
        policy = reply.headers["Content-Security-Policy"]
    assert "the same numbers: in the window where Ira was started" in html
    assert 'href="https://127.0.0.1:8443/trust"' in html
    assert 'href="/ca.crt"' in html
    assert re.findall(r"(?:src|href)=\"(?!/|https://127|data:)([^\"]*)", html) == []
    assert "script" not in policy
    assert "unsafe" not in policy


async def test_the_page_over_https_looks_for_itself_and_knows_the_name_that_stays(
    tmp_path: Path,
) -> None:
    async with open_pages(tmp_path) as house:
        shown = await house.visitor.get("/trust", User_Agent=ANDROID)
        hindi = await house.visitor.get("/trust", Accept_Language="hi")
        policy = shown.headers["Content-Security-Policy"]
        stable = f"https://ira-7f3a9c.local:{house.port}"
    assert sections(shown.html) == {name: name == "android" for name in SYSTEMS}
    assert f'data-stable="{stable}"' in shown.html
    assert stable in policy.partition("connect-src")[2].partition(";")[0]
    assert "यह ब्राउज़र इरा को पहचानता है" in hindi.html


async def test_the_worker_comes_from_the_root_and_is_asked_for_anew(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        found = await house.visitor.get("/sw.js?lang=hi&version=0123456789ab")
    assert found.status == 200
    assert found.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert found.headers["Cache-Control"] == "no-cache"
    assert found.html.encode() == assets().files["sw.js"].body


async def test_all_that_the_worker_keeps_from_the_start_is_there(tmp_path: Path) -> None:
    script = assets().files["sw.js"].body.decode()
    named = re.findall(r'"([a-z-]+\.(?:css|js|svg|woff2))"', script)
    assert len(named) > 6
    assert set(named) <= assets().files.keys()
    async with open_pages(tmp_path) as house:
        for lang, said in (("en", "Can’t reach Ira"), ("hi", "इरा से जुड़ नहीं पा रहे")):
            shown = await house.visitor.get(f"/offline?lang={lang}")
            assert (shown.status, said in shown.text) == (200, True)
            loaded = set(re.findall(r"/static/[0-9a-f]+/([a-z-]+\.[a-z0-9]+)", shown.html))
            assert loaded <= set(named), "the offline page needs a file that is not kept"
            assert "page.js" not in loaded  # it would speak to a server that is not there


async def test_the_offline_page_names_nobody_of_the_house(tmp_path: Path) -> None:
    async with open_pages(tmp_path) as house:
        await house.owner()
        shown = await house.visitor.get("/offline")
        house_name = (await house.services.house.get()).name
    assert "Olive" not in shown.html
    assert not house_name or house_name not in shown.html
    assert shown.page.forms == []
