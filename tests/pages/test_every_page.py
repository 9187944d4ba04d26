"""Every page of the router: no barrier, everything by keyboard, no broken policy, no request that leaves the house."""

from collections.abc import Sequence
import hashlib
from pathlib import Path
from typing import Any

import pytest

from tests.pages.browser import Browser, browse
from tests.pages.every import House, Scene, cookies, first_scenes, lived_house, scenes
from tests.pages.inspection import AXE, barriers, out_of_reach
from tests.support.home import Home, open_home
from tests.support.requirements import requirement

# axe-core 4.14.1 as it was published.
_AXE = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
LOOKS = [
    (lang, scheme, width)
    for lang in ("en-IN", "hi-IN")
    for scheme in ("light", "dark")
    for width in (390, 1280)
]
# Of these each page is looked at in one, and `make test-web` looks at each in all.
FEW = [
    ("en-IN", "light", 390),
    ("hi-IN", "dark", 390),
    ("en-IN", "dark", 1280),
    ("hi-IN", "light", 1280),
]
Look = tuple[str, str, int]


def test_axe_core_is_the_file_that_was_published() -> None:
    assert hashlib.sha256(AXE.read_bytes()).hexdigest() == _AXE
    assert (AXE.parent / "LICENSE").read_text(encoding="utf-8").startswith("Mozilla Public License")


async def looked_at(browser: Browser, address: str) -> list[str]:
    """What is wrong with one page."""
    await browser.open(address)
    found = await barriers(browser) + await out_of_reach(browser)
    wide = await browser.page.evaluate("document.documentElement.scrollWidth")
    if wide > browser.width:
        found.append(f"{wide} px wide")
    found += browser.wrong
    browser.wrong.clear()
    return found


async def walk(home: Home, house: House | None, chosen: Sequence[Scene], look: Look) -> list[str]:
    """What is wrong with these pages in one language, theme and width."""
    lang, scheme, width = look
    found = []
    more: dict[str, Any] = {"color_scheme": scheme}
    async with browse(home, lang=lang, width=width, **more) as browser:
        who = ""
        for scene in chosen:
            if scene.who != who:
                who = scene.who
                await browser.page.context.clear_cookies()
                if given := cookies(who, house, home.base):
                    await browser.page.context.add_cookies(given)  # type: ignore[arg-type]
            address = scene.path if house is None else await scene.address(house)
            found += [
                f"{scene.name} ({address}, {lang}, {scheme}, {width}): {one}"
                for one in await looked_at(browser, address)
            ]
    return found


@requirement("page.barriers", "page.keyboard", "page.policy")
@pytest.mark.browser
@pytest.mark.timeout(600)
@pytest.mark.parametrize("look", FEW, ids=str)
async def test_every_page_is_for_everybody_and_stays_in_the_house(
    tmp_path: Path, look: Look
) -> None:
    async with lived_house(tmp_path) as house:
        chosen = await scenes(house)
        assert len(chosen) > 50
        mine = sorted(chosen[FEW.index(look) :: len(FEW)], key=lambda one: one.who)
        wrong = await walk(house.home, house, mine, look)
    assert not wrong, "\n".join(wrong)


@pytest.mark.web
@pytest.mark.browser
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("look", LOOKS, ids=str)
async def test_so_is_each_in_both_languages_and_themes_on_phone_and_desktop(
    tmp_path: Path, look: Look
) -> None:
    async with lived_house(tmp_path) as house:
        chosen = sorted(await scenes(house), key=lambda one: one.who)
        wrong = await walk(house.home, house, chosen, look)
    assert not wrong, "\n".join(wrong)


@pytest.mark.browser
@pytest.mark.timeout(300)
@pytest.mark.parametrize("look", FEW, ids=str)
async def test_so_are_the_pages_of_the_first_run(tmp_path: Path, look: Look) -> None:
    async with open_home(tmp_path / "data") as home:
        chosen = await first_scenes(home)
        assert any(one.path.startswith("/setup") for one in chosen)
        wrong = await walk(home, None, chosen, look)
    assert not wrong, "\n".join(wrong)


@pytest.mark.browser
async def test_what_is_looked_for_would_be_found(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, browse(home) as browser:
        await browser.open("/pair")
        assert await barriers(browser) + await out_of_reach(browser) == []
        await browser.page.evaluate(
            """() => {
              const main = document.querySelector("main");
              const add = (tag, given) => main.append(Object.assign(document.createElement(tag), given));
              add("button", { textContent: "Hidden from Tab", tabIndex: -1 });
              add("div", { textContent: "Only by mouse", id: "mouse" });
              add("input", {});
              document.getElementById("mouse").style.cursor = "pointer";
              add("button", { textContent: "Unseen", id: "unseen" });
              document.getElementById("unseen").style.outline = "none";
            }"""
        )
        assert any(one.startswith("label: ") for one in await barriers(browser))
        found = await out_of_reach(browser)
        assert sum("Hidden from Tab" in one for one in found) == 1
        assert any(one.startswith("only by pointer: ") and "mouse" in one for one in found)
        assert any(one.startswith("focus not seen: ") and "unseen" in one for one in found)
