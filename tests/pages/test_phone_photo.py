"""A phone's browser takes a photo, its person sends it, and the chat on another screen shows it."""

import asyncio
from pathlib import Path
import struct
from typing import Any
import zlib

from playwright.async_api import FilePayload
import pytest

from tests.pages.browser import Browser, browse
from tests.pages.inspection import barriers
from tests.pages.talker import ask, settled
from tests.pages.test_looks import sign_in
from tests.pages.test_phone import Phone, join, phone
from tests.support.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
# A camera that shows a moving pattern; nobody needs to say that the page may use it.
CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
NO_CAMERA = ("--use-fake-device-for-media-stream=device-count=0", "--use-fake-ui-for-media-stream")
TAKE, AGAIN, SEND = ("#phone-photo [data-take]", "#phone-photo [data-again]", "#phone-photo [data-go]")  # fmt: skip
NOT_NOW = "#phone-photo [data-no] >> visible=true"
_SEEN = """() => {
  const canvas = document.querySelector('#phone-photo canvas');
  const dots = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  return new Set(dots).size;
}"""


def png(width: int, height: int) -> bytes:
    """A large picture of noise-like stripes, as a phone's own camera might hand over."""
    rows = b"".join(
        b"\0" + bytes((x * y) % 251 for x in range(width) for _ in range(3)) for y in range(height)
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    packed = b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + packed


async def pictures(one: Phone) -> list[Any]:
    """What the person's conversations show."""
    heads = (await one.owner.call("GET", "/v1/me/conversations")).body["items"]
    paths = [f"/v1/me/conversations/{head['id']}" for head in heads]
    wholes = [(await one.owner.call("GET", path)).body for path in paths]
    return [m["picture"] for whole in wholes for m in whole["messages"] if m["picture"]]


async def is_shown(browser: Browser) -> None:
    """The picture stands under the answer, loaded, with words for who cannot see it."""
    image = await browser.page.wait_for_selector(".reply .shot img")
    assert image is not None
    await image.scroll_into_view_if_needed()
    await browser.page.wait_for_function(
        "() => document.querySelector('.shot img').naturalWidth > 0"
    )
    alt = await image.get_attribute("alt")
    assert alt is not None
    assert "Asha" in alt


@requirement("page.photo")
async def test_a_photo_is_taken_again_sent_and_shown_in_the_chat(tmp_path: Path) -> None:
    async with phone(tmp_path, flags=CAMERA, permissions=["camera"]) as one:
        await join(one)
        async with browse(one.home, width=1280) as chat:
            await sign_in(chat, one.owner)
            await chat.open("/chat")
            await ask(chat, "take a photo")
            await one.browser.see("Ira would like a photo")
            await one.page.click(TAKE)
            await one.browser.see("Send this photo to Ira?")
            assert await one.page.evaluate(_SEEN) > 8, "the canvas is empty"
            assert await pictures(one) == [], "nothing is sent before its person has seen it"
            await one.page.click(AGAIN)
            await one.page.click(TAKE)
            await one.page.click(SEND)
            await one.page.wait_for_selector("#phone-photo", state="hidden")
            await is_shown(chat)
            await settled(chat)
            assert "A photo was taken and sent." in await chat.page.inner_text("#log")
            await chat.page.reload()
            await is_shown(chat)
            [picture] = await pictures(one)
            assert picture["media_type"] == "image/jpeg"
            assert 0 < max(picture["width"], picture["height"]) <= 1280
            assert not await one.page.evaluate("document.querySelector('video').srcObject")
            await chat.check()
            await one.browser.check()


@requirement("page.photo")
async def test_it_is_sent_only_by_a_touch(tmp_path: Path) -> None:
    async with phone(tmp_path, flags=CAMERA, permissions=["camera"]) as one:
        await join(one)
        for until_then in ([], [TAKE]):
            asked = asyncio.create_task(one.ask("photo khincho"))
            await one.browser.see("Ira would like a photo")
            for step in until_then:
                await one.page.click(step)
            await one.page.click(NOT_NOW)
            assert "nobody at the phone agreed" in (await asked)["text"]
        assert await pictures(one) == []


async def test_the_browsers_own_question_is_explained_before_it_is_asked(tmp_path: Path) -> None:
    async with phone(tmp_path, flags=CAMERA[:1], permissions=None) as one:
        await join(one)
        asked = asyncio.create_task(one.ask("फ़ोटो खींचो"))
        await one.browser.see("The browser asks next whether this page may use the camera.")
        assert await one.page.is_hidden(TAKE)
        await one.page.context.grant_permissions(["camera"])
        await one.page.click("#phone-photo [data-open]")
        await one.page.click(TAKE)
        await one.page.click(SEND)
        await asked
        assert len(await pictures(one)) == 1
        await one.browser.check()


def file(body: bytes) -> FilePayload:
    return {"name": "a.png", "mimeType": "image/png", "buffer": body}


async def test_where_the_camera_is_denied_what_is_no_picture_is_not_sent(tmp_path: Path) -> None:
    async with phone(tmp_path, flags=CAMERA[:1], permissions=[]) as one:
        await join(one)
        asked = asyncio.create_task(one.ask("take a photo"))
        await one.browser.see("This page may not use the camera.")
        await one.page.set_input_files("#photo-file", file(b"no picture"))
        await one.browser.see("That is no picture that this browser can read.")
        await one.page.click(NOT_NOW)
        assert "nobody at the phone agreed" in (await asked)["text"]


async def test_without_a_camera_a_file_is_taken_and_cut_down(tmp_path: Path) -> None:
    large = file(png(2_000, 1_500))
    async with phone(tmp_path, flags=NO_CAMERA, permissions=["camera"]) as one:
        await join(one)
        asked = asyncio.create_task(one.ask("take a photo"))
        await one.browser.see("The camera could not be opened here.")
        await one.page.set_input_files("#photo-file", large)
        await one.browser.see("Send this photo to Ira?")
        await one.page.click(SEND)
        await asked
        [picture] = await pictures(one)
        assert picture["media_type"] == "image/jpeg"
        assert (picture["width"], picture["height"]) in {(1280, 960), (960, 720), (640, 480)}


@requirement("page.barriers", "page.keyboard")
async def test_the_sheet_is_for_everybody_however_it_stands(tmp_path: Path) -> None:
    stand = """look => {
      const sheet = document.getElementById("phone-photo");
      for (const one of sheet.querySelectorAll("[data-when]")) one.hidden = !one.dataset.when.split(" ").includes(look);
      for (const one of sheet.querySelectorAll("[data-take]")) one.disabled = false;
      if (!sheet.open) sheet.showModal();
    }"""
    async with phone(tmp_path, width=320, lang="hi-IN") as one:
        await one.browser.open("/phone")
        for look in ("ask", "live", "taken", "file"):
            await one.page.evaluate(stand, look)
            assert await barriers(one.browser) == [], look
            wanted = "#phone-photo :is(button, input):not([hidden] *, [hidden])"
            acts = await one.page.locator(wanted).count()
            await one.page.evaluate("document.activeElement.blur()")
            reached = set()
            for _ in range(acts + 3):
                await one.page.keyboard.press("Tab")
                reached.add(await one.page.evaluate("document.activeElement.outerHTML"))
            there = await one.page.locator(wanted).evaluate_all(
                "all => all.map((e) => e.outerHTML)"
            )
            assert set(there) <= reached, look
        await one.browser.check()
