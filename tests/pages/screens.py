"""Screenshots of every screen to build/screens: `python -m tests.pages.screens [WORD...]` takes those whose names hold a word.

Each page of the router and each scene of `every.py`, on a phone and a desktop, light and dark, in English and
Hindi: `WIDTH-THEME-LANGUAGE/NAME.png`.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
import re
import sys
import tempfile

from tests.pages.browser import Browser, browse
from tests.pages.every import House, Scene, cookies, first_scenes, lived_house, scenes
from tests.support.home import Home, open_home

TOP = Path(__file__).parents[2]
FOLDER = TOP / "build" / "screens"
Look = tuple[str, str, int]
LOOKS: list[Look] = [
    (lang, scheme, width)
    for lang in ("en", "hi")
    for scheme in ("light", "dark")
    for width in (390, 1280)
]


async def take(browser: Browser, address: str, file: Path) -> None:
    """One screen as its person sees it first, without what moves."""
    await browser.open(address)
    await browser.page.evaluate("document.fonts.ready")
    await browser.page.screenshot(path=file, animations="disabled", caret="hide")


async def all_of(home: Home, house: House | None, chosen: Sequence[Scene], look: Look) -> int:
    """Take each in one look; how many were taken."""
    lang, scheme, width = look
    folder = FOLDER / f"{width}-{scheme}-{lang}"
    folder.mkdir(parents=True, exist_ok=True)
    async with browse(home, lang=f"{lang}-IN", width=width, color_scheme=scheme) as browser:
        for scene in chosen:
            await browser.page.context.clear_cookies()
            if given := cookies(scene.who, house, home.base):
                await browser.page.context.add_cookies(given)  # type: ignore[arg-type]
            address = scene.path if house is None else await scene.address(house)
            name = re.sub(r"[^a-z0-9]+", "-", scene.name.lower()).strip("-")
            await take(browser, address, folder / f"{name}.png")
    return len(chosen)


async def main(words: Sequence[str]) -> None:
    """Every screen of a house in use, and those of one that is not set up; a house of its own for each look."""

    def wanted(found: Sequence[Scene]) -> list[Scene]:
        return [one for one in found if not words or any(word in one.name for word in words)]

    taken = 0
    for look in LOOKS:
        with tempfile.TemporaryDirectory() as lived, tempfile.TemporaryDirectory() as fresh:
            async with lived_house(Path(lived)) as house:
                taken += await all_of(house.home, house, wanted(await scenes(house)), look)
            async with open_home(Path(fresh) / "data") as home:
                taken += await all_of(home, None, wanted(await first_scenes(home)), look)
    print(f"{taken} screens in {FOLDER.relative_to(TOP)}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
