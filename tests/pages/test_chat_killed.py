"""A server that is killed in the middle of an answer and started again: nothing is lost, and nothing stands twice."""

import asyncio
from contextlib import closing
from pathlib import Path
import signal
import sqlite3
from typing import Any

from aiohttp import web
import pytest

from tests.pages.browser import Browser, browse
from tests.pages.talker import FIRST, WHOLE, ask, settled, until
from tests.providers.model_server import begin, model_server, send, text
from tests.support.program import Program

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
MOON = "Of what is the moon"


def kept(house: Program) -> list[str]:
    """What the killed server will find of answers that were not ended."""
    with closing(sqlite3.connect(house.data / "ira.sqlite", timeout=5)) as database:
        return [row[0] for row in database.execute("SELECT text FROM message_drafts")]


async def until_kept(house: Program, wanted: str) -> None:
    for _ in range(500):
        if wanted in await asyncio.to_thread(kept, house):
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"{wanted} was not kept")


async def sign_in(house: Program, browser: Browser) -> None:
    name, _, value = (await asyncio.to_thread(house.sign_in)).partition("=")
    cookie: Any = {"name": name, "value": value, "url": browser.base, "secure": True, "httpOnly": True}  # fmt: skip
    await browser.page.context.add_cookies([cookie])


@pytest.mark.parametrize("lang", ["en-IN", "hi-IN"])
async def test_an_answer_that_was_cut_off_is_kept_and_what_was_written_meanwhile_is_asked_once(
    tmp_path: Path, lang: str
) -> None:
    house = Program(tmp_path)
    house.init()
    asked: list[str] = []
    forever = asyncio.Event()

    async def behave(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        asked.append(
            next(one["content"] for one in reversed(body["messages"]) if one["role"] == "user")
        )
        response = await begin(request)
        await send(response, text(FIRST if len(asked) == 1 else WHOLE))
        if len(asked) == 1:
            await forever.wait()
        await send(response, text("", "stop"), "[DONE]")
        return response

    async with model_server(behave) as model:
        house.environment |= {
            "IRA_MODEL_PROVIDER": "openai", "IRA_MODEL_URL": model.url, "IRA_MODEL_NAME": "m", "IRA_MODEL_KEY": "k",
        }  # fmt: skip
        async with browse(house, lang=lang) as browser:
            with house.serving() as server:
                await sign_in(house, browser)
                await browser.open("/chat")
                await ask(browser, MOON)
                await until(browser, [MOON, FIRST])
                await until_kept(house, FIRST)
                server.send_signal(signal.SIGKILL)
                await asyncio.to_thread(server.wait)
            await ask(browser, "and the sun")
            await browser.page.wait_for_selector(".said.waiting")
            await browser.page.wait_for_selector("[data-away] >> visible=true")
            shown = await browser.page.inner_text(".whole")
            assert FIRST.strip() in shown
            with house.serving():
                await browser.page.wait_for_selector("[data-away]", state="hidden")
                await browser.page.get_by_text(WHOLE).first.wait_for()
                await settled(browser)
                said = await browser.page.locator(".whole .said").all_inner_texts()
                assert said == [MOON, "and the sun"]
                answers = await browser.page.locator(".whole .reply").all_inner_texts()
                assert len(answers) == 2
                assert answers[0].startswith(FIRST.strip())
                assert answers[1].strip() == WHOLE
                assert len(asked) == 2
                await browser.page.reload()
                assert await browser.page.locator(".whole .said").all_inner_texts() == said
                assert await browser.page.locator(".whole .reply").all_inner_texts() == answers
                browser.wrong[:] = [one for one in browser.wrong if "net::ERR_" not in one]
                await browser.check()
