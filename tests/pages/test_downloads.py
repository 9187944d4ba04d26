"""The page that hands out programs: what it says fits the files, and what it prints installs and runs the companion."""

import asyncio
import hashlib
from html import unescape
import os
from pathlib import Path
import re
import subprocess

import pytest

from ira_home.web import carried
from ira_home.web.pages.downloads import steps_of
from tests.pages.browser import browse
from tests.support.callers import Member
from tests.support.home import PIN, Home, open_home
from tests.support.requirements import requirement

TOP = Path(__file__).parents[2]
NAME = "ira_home-0.1.0-py3-none-any.whl"
BODY = b"PK\x03\x04" + bytes(range(256)) * 400
AGENTS = {
    "linux": "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0",
    "mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605",
    "windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/156.0",
    "android": "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/156.0 Mobile",
    "ios": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build that carries one program, and beside it what is none."""
    made = tmp_path / "downloads"
    made.mkdir()
    (made / NAME).write_bytes(BODY)
    for other in (".made-from", "notes.txt", "ira_home-1/../x-py3.whl".replace("/", "_")):
        (made / other).write_text("no program", encoding="utf-8")
    monkeypatch.setattr(carried, "FOLDER", made)
    return made


async def seen(home: Home, agent: str = "", **headers: str) -> str:
    """The page as a visitor without a credential gets it."""
    sent = {"User-Agent": agent} | {name.replace("_", "-"): one for name, one in headers.items()}
    reply = await home.caller().call("GET", "/downloads", headers=sent)
    assert reply.status == 200
    return reply.text


@requirement("page.downloads")
async def test_the_file_is_what_list_and_page_say(tmp_path: Path, folder: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        visitor = home.caller()
        [one] = (await visitor.call("GET", "/v1/downloads")).body["items"]
        assert one == {
            "name": NAME, "version": "0.1.0", "kinds": ["windows", "mac", "linux"],
            "size": len(BODY), "sha256": hashlib.sha256(BODY).hexdigest(),
            "url": f"/v1/downloads/{NAME}",
        }  # fmt: skip
        async with visitor.http.get(home.base + one["url"]) as reply:
            assert (reply.status, await reply.read()) == (200, BODY)
            said = reply.headers
        assert said["Content-Type"] == "application/octet-stream"
        assert said["Content-Disposition"] == f'attachment; filename="{NAME}"'
        assert said["X-Content-Type-Options"] == "nosniff"
        page = await seen(home)
        assert f'href="{one["url"]}"' in page
        assert one["sha256"] in page
        assert f"{len(BODY):,} B" in page
        # Another file of the same name and another sum: nothing of the old one is said any more.
        (folder / NAME).write_bytes(BODY + b"more")
        [again] = (await visitor.call("GET", "/v1/downloads")).body["items"]
        assert again["sha256"] == hashlib.sha256(BODY + b"more").hexdigest()


async def test_nothing_but_programs_is_handed_out(tmp_path: Path, folder: Path) -> None:
    (folder.parent / "secret").write_text("s", encoding="utf-8")
    async with open_home(tmp_path / "data") as home:
        for name in (".made-from", "notes.txt", "..%2Fsecret", "%2e%2e/secret", NAME + "x", "%00"):
            reply = await home.caller().call("GET", f"/v1/downloads/{name}")
            assert reply.status == 404, name


@pytest.mark.parametrize("system", AGENTS)
async def test_the_visitors_own_system_comes_first(
    tmp_path: Path, folder: Path, system: str
) -> None:
    async with open_home(tmp_path / "data") as home:
        page = await seen(home, AGENTS[system])
        opened = re.findall(r"<details open><summary>([^<]+)", page)
        first = re.findall(r"<summary>([^<]+)", page)[0]
        names = {"linux": "Linux PC", "mac": "Mac", "windows": "Windows PC"}
        assert opened == ([names[system]] if system in names else [])
        assert first == names.get(system, "Windows PC")
        assert ("A phone needs no program" in page) is (system not in names)


async def test_a_build_without_programs_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carried, "FOLDER", tmp_path / "nothing")
    async with open_home(tmp_path / "data") as home:
        assert (await home.caller().call("GET", "/v1/downloads")).body["items"] == []
        page = await seen(home)
        assert "This server carries no programs" in page
        assert "/v1/downloads/" not in page
        assert "इस सर्वर के साथ कोई प्रोग्राम नहीं है" in await seen(home, Accept_Language="hi")


def test_each_system_has_its_own_commands(folder: Path) -> None:
    [program] = carried.programs()
    steps = {kind: steps_of(program, kind) for kind in program.kinds}
    assert len({one.check.split()[0] for one in steps.values()}) == 3
    for kind, one in steps.items():
        assert ("\\Scripts\\" in one.pair) is (kind == "windows")
        assert f"{NAME}[companion]" in one.install[1]


@pytest.mark.browser
@pytest.mark.timeout(120)
@pytest.mark.parametrize(("width", "lang"), [(320, "hi-IN"), (390, "en-IN"), (1280, "en-IN")])
async def test_it_is_reached_from_the_code_and_fits_every_screen(
    tmp_path: Path, folder: Path, width: int, lang: str
) -> None:
    async with (
        open_home(tmp_path / "data") as home,
        browse(home, width=width, lang=lang) as browser,
    ):
        await browser.open("/pair")
        await browser.page.click("a[href='/downloads']")
        await browser.page.wait_for_selector("h1")
        for closed in await browser.page.query_selector_all("details:not([open]) > summary"):
            await closed.click()
        async with browser.page.expect_download() as taken:
            await browser.page.click("a[download]")
        path = await (await taken.value).path()
        assert await asyncio.to_thread(path.read_bytes) == BODY
        await browser.check()


# --- the real file


async def typed(line: str, folder: Path, given: str = "") -> str:
    """Type a command in a terminal of that folder."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "IRA_", "VIRTUAL_ENV"))}  # fmt: skip
    made = await asyncio.create_subprocess_exec(
        "sh", "-c", line, cwd=folder, env=keep | {"IRA_COMPANION_DIR": str(folder / "state")},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await made.communicate(given.encode())
    assert made.returncode == 0, f"{line}: {said.decode()}"
    return said.decode()


async def linked(owner: Member) -> str:
    wish = {"kind": "linux", "label": "Another PC", "skills": ["files"], "pin": PIN}
    return str((await owner.call("POST", "/v1/me/pairings", wish)).body["url"])


async def is_online(owner: Member) -> bool:
    [device] = (await owner.call("GET", "/v1/me/devices")).body["items"]
    return bool(device["online"])


@requirement("page.downloads")
@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_the_printed_commands_install_pair_and_run_the_companion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "downloads"
    script = [str(TOP / "packaging" / "clients.sh"), ".venv", str(made)]
    await asyncio.to_thread(subprocess.run, script, check=True, timeout=300)
    monkeypatch.setattr(carried, "FOLDER", made)
    at = tmp_path / "another computer"
    (at / "papers").mkdir(parents=True)
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        [one] = (await owner.call("GET", "/v1/downloads")).body["items"]
        async with owner.http.get(home.base + one["url"]) as reply:
            (at / one["name"]).write_bytes(await reply.read())
        page = await seen(home, AGENTS["linux"])
        of_linux = page[page.index("<details open>") :].partition("</details>")[0]
        check, *install, pair, run = map(unescape, re.findall(r'data-copy="([^"]+)"', of_linux))
        assert (await typed(check, at)).split()[0] == one["sha256"]
        for line in install:
            await typed(line, at)
        allowed = f"{pair} --link - --folder papers"
        await typed(allowed, at, await linked(owner) + "\n")
        assert not await is_online(owner)
        async with owner.stream() as stream:
            running = asyncio.create_task(typed(f"timeout -s INT 60 {run} || true", at))
            await stream.until(lambda told: told.event == "device" and told.data["online"])
            assert await is_online(owner)
            status = await typed(f"{pair.removesuffix('pair')}unpair", at)
            assert status
            await running
