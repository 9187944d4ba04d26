"""What the chat costs: the bytes of a first visit, the work of an answer that streams, and of a long conversation."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from ira_home.storage.database import Transaction
from tests.pages.browser import Browser
from tests.pages.talker import Chatting, ask, chatting, settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
FIRST_LOAD_BYTES = 55 * 1024
TOKENS, SLOWER = 1_500, 6
ANSWER_MS, OPENING_MS = 250, 1_000


@pytest.mark.parametrize("lang", ["en-IN", "hi-IN"])
async def test_a_first_visit_is_light(tmp_path: Path, lang: str) -> None:
    async with chatting(tmp_path, lang=lang) as at:
        taken: dict[str, int] = {}

        async def weigh(response: Any) -> None:
            name = response.url.removeprefix(at.home.base)
            if name.startswith("/v1/") or name.endswith(".woff2"):
                return
            body = await response.body()
            is_packed = response.headers.get("content-encoding") == "gzip"
            taken[name] = len(gzip.compress(body)) if is_packed else len(body)

        at.browser.page.on("response", weigh)
        await at.browser.open("/chat")
        await at.browser.page.wait_for_selector(".link-state:not(.off) >> visible=true")
        assert "/static/" in str(taken)
        assert sum(taken.values()) <= FIRST_LOAD_BYTES, dict(
            sorted(taken.items(), key=lambda one: -one[1])
        )


async def spent(browser: Browser, cdp: Any) -> dict[str, float]:
    """Milliseconds of the page's main thread so far, by what they went into."""
    found = (await cdp.send("Performance.getMetrics"))["metrics"]
    named = {one["name"]: one["value"] * 1000 for one in found}
    return {name: named[f"{name}Duration"] for name in ("Script", "Layout", "RecalcStyle")}


async def test_a_long_answer_streams_without_keeping_a_slow_phone_busy(tmp_path: Path) -> None:
    async with chatting(tmp_path) as at:
        at.brain.says["long"] = "wait |" + " ".join(f"word{n}" for n in range(TOKENS))
        await at.browser.open("/chat")
        for _ in range(3):
            await ask(at.browser, "hello")
            await settled(at.browser)
        cdp = await at.browser.page.context.new_cdp_session(at.browser.page)
        await cdp.send("Performance.enable")
        await cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        tried = []
        # What this machine does beside is counted too: the least of three is the page's own.
        for attempt in range(3):
            at.brain.hold.clear()
            await ask(at.browser, "long")
            await at.browser.page.locator("#live .reply", has_text="wait").wait_for()
            before = await spent(at.browser, cdp)
            at.brain.hold.set()
            await at.browser.page.get_by_text(f"word{TOKENS - 1}").nth(attempt).wait_for()
            after = await spent(at.browser, cdp)
            await settled(at.browser)
            tried.append({name: round(after[name] - before[name]) for name in after})
        took = min(tried, key=lambda one: sum(one.values()))
        assert sum(took.values()) <= ANSWER_MS, tried


async def test_a_conversation_of_five_thousand_messages_opens_quickly(tmp_path: Path) -> None:
    async with chatting(tmp_path) as at:
        number = (await at.owner.ask("hello")).body["conversation_id"]
        await fill(at, number, 2_500)
        await at.browser.open("/did")
        cdp = await at.browser.page.context.new_cdp_session(at.browser.page)
        await cdp.send("Performance.enable")
        before = await spent(at.browser, cdp)
        await at.browser.open(f"/chat/{number}")
        await at.browser.see("answer 2499")
        await at.browser.page.wait_for_selector(".link-state:not(.off) >> visible=true")
        after = await spent(at.browser, cdp)
        assert after["Script"] - min(before["Script"], after["Script"]) < OPENING_MS
        shown = await at.browser.page.locator(".log .said").count()
        assert shown < 100
        await at.browser.page.locator("[data-older] a").click()
        await at.browser.page.wait_for_function(
            f"() => document.querySelectorAll('.log .said').length > {shown}"
        )
        texts = await at.browser.page.locator(".whole .said").all_inner_texts()
        assert texts == [f"question {n}" for n in range(2_500 - len(texts), 2_500)]
        await ask(at.browser, "and now")
        await settled(at.browser)
        again = await at.browser.page.locator(".whole .said").all_inner_texts()
        assert again == [*texts, "and now"]
        await at.browser.check()


async def fill(at: Chatting, conversation: int, turns: int) -> None:
    def work(tx: Transaction) -> None:
        for n in range(turns):
            for kind, text in (("person", f"question {n}"), ("ira", f"answer {n}")):
                tx.insert(
                    "INSERT INTO messages (conversation_id, user_id, turn_id, kind, text, label,"
                    " created_at) VALUES (?, ?, ?, ?, ?, 'house', 0)",
                    (conversation, at.owner.person.id, f"t{n}", kind, text),
                )

    await at.home.storage.write(work)
