"""Asking, answering and reading back by plain forms, over a whole home."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
import re

import aiohttp

from ira_home.storage.database import Transaction
from ira_home.web.guard import COOKIE
from tests.pages.house import Shown, Visitor
from tests.support.callers import DeviceLine, Member
from tests.support.home import Home, open_home
from tests.support.requirements import requirement

TOOLS = [
    {"name": "lantern_colour", "description": "Tell the colour of the lantern", "tier": 0,
     "parameters": {"type": "object", "properties": {}}},
    {"name": "parcel_send", "description": "Send the parcel to the person with the given name", "tier": 2,
     "parameters": {"type": "object", "required": ["person"],
                    "properties": {"person": {"type": "string", "description": "their name"}}}},
    {"name": "vault_empty", "description": "Empty the vault", "tier": 3,
     "parameters": {"type": "object", "properties": {}}},
    {"name": "clinic_book", "description": "Book an appointment at the clinic", "tier": 2,
     "parameters": {"type": "object", "required": ["when"],
                    "properties": {"when": {"type": "string", "format": "date-time"}}}},
]  # fmt: skip
LANTERN = "Tell me the colour of the lantern"
PARCEL = "Send the parcel to the person named Marigold"
VAULT = "Empty the vault"


class Talk:
    """Somebody of the house at the chat's forms, and their computer."""

    def __init__(self, home: Home, member: Member, mac: DeviceLine, visitor: Visitor) -> None:
        self.home, self.member, self.mac, self.visitor = home, member, mac, visitor

    async def ask(self, text: str, path: str = "/chat") -> tuple[str, Shown]:
        """The conversation's path and its page after asking."""
        answer = await self.visitor.post(path, {"text": text})
        to = answer.to.removesuffix("#end")
        return to, await self.visitor.get(to)

    async def answer(self, shown: Shown, answer: str, pin: str = "") -> Shown:
        """Answer the card that a page shows."""
        form = {name: shown.page.inputs[name] for name in ("proposal", "digest")}
        path = next(path for path in shown.page.forms if path.endswith("/answer"))
        return await self.visitor.post(path, form | {"answer": answer, "pin": pin})


@asynccontextmanager
async def talk(folder: Path) -> AsyncIterator[Talk]:
    async with open_home(folder / "data") as home:
        member = await home.person()
        mac = await member.online(TOOLS)
        mac.answers = {
            "lantern_colour": {"summary": "The lantern is <i>green</i>."},
            "parcel_send": {"summary": "It is on its way."},
            "vault_empty": {"summary": "It is empty."},
        }
        cookies = {COOKIE: member.cookie}
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=home.trust), cookie_jar=aiohttp.DummyCookieJar()
        ) as http:
            visitor = Visitor(home.base, home.base, http, cookies)
            try:
                yield Talk(home, member, mac, visitor)
            finally:
                await mac.hang_up()


async def test_a_question_is_asked_and_its_answer_shown_with_where_it_came_from(
    tmp_path: Path,
) -> None:
    async with talk(tmp_path) as here:
        path, shown = await here.ask(LANTERN)
        assert re.fullmatch(r"/chat/\d+", path)
        assert LANTERN in shown.text
        assert "The lantern is <i>green</i>." in shown.text
        assert "<i>green" not in shown.html
        assert "Read from Office Mac" in shown.text
        again, shown = await here.ask(LANTERN, path)
        assert again == path
        assert shown.text.count(LANTERN) >= 2


@requirement("tier.2.yes")
async def test_a_yes_by_the_form_runs_what_was_shown_once(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        _, shown = await here.ask(PARCEL)
        assert "Needs your yes" in shown.text
        assert "Marigold" in shown.text
        assert "Yes, send it" in shown.text
        assert here.mac.calls == []
        done = await here.answer(shown, "yes")
        assert (await here.visitor.get(done.to)).text.count("Done") >= 1
        assert [call["args"] for call in here.mac.calls] == [{"person": "Marigold"}]
        twice = await here.answer(shown, "yes")
        assert twice.status == 409
        assert len(here.mac.calls) == 1


async def test_a_time_on_a_card_stands_there_exactly_and_as_people_say_it(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        _, shown = await here.ask("Book an appointment at the clinic on 5 March 2031 at 11 am")
        assert re.search(r"2031-03-05T11:00:00\S+\s+Wednesday 5 March 2031, 11:00", shown.text)


async def test_a_no_by_the_form_runs_nothing(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        _, shown = await here.ask(PARCEL)
        answered = await here.visitor.get((await here.answer(shown, "no")).to)
        assert "You said no. Nothing was done" in answered.text
        assert here.mac.calls == []


@requirement("tier.3.pin")
async def test_a_wrong_pin_leaves_the_card_open_and_the_right_one_runs_it(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        _, shown = await here.ask(VAULT)
        assert "Needs your PIN" in shown.text
        wrong = await here.answer(shown, "yes", "000000")
        assert wrong.status == 403
        assert "That PIN is not right. Nothing was done." in wrong.text
        assert re.search(
            r'role="alert".*?<a href="#(p\d+)">.*?role="log".*?id="\1"', wrong.html, re.DOTALL
        )
        assert (await here.answer(wrong, "yes")).status == 403
        assert here.mac.calls == []
        done = await here.answer(wrong, "yes", here.member.pin)
        assert done.status == 303
        assert [call["tool"] for call in here.mac.calls] == ["vault_empty"]


async def test_anothers_conversation_is_not_there(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        path, shown = await here.ask(PARCEL)
        other = await here.home.owner()
        here.visitor.cookies = {COOKIE: other.cookie}
        for found in (path, f"{path}/delete"):
            assert (await here.visitor.get(found)).status == 404
        assert (await here.visitor.post(path, {"text": "yes"})).status == 404
        assert (await here.visitor.post(f"{path}/delete")).status == 404
        assert (await here.answer(shown, "yes")).status == 404
        assert PARCEL not in (await here.visitor.get("/chats")).text
        assert here.mac.calls == []


async def test_nothing_to_ask_is_said_beside_the_box(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        shown = await here.visitor.post("/chat", {"text": "   "})
        assert shown.status == 422
        assert "Write something first." in shown.text


@requirement("web.what_ira_did")
async def test_what_ira_did_is_told_in_words_and_without_contents(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        _, shown = await here.ask(PARCEL)
        await here.answer(shown, "yes")
        await here.ask("What time is it?")
        told = (await here.visitor.get("/did")).text
        assert "Send the parcel to the person with the given name · Office Mac" in told
        assert "Done · you said yes" in told
        assert "Tell the time and the date" in told
        assert "Marigold" not in told
        here.visitor.cookies = {COOKIE: (await here.home.owner()).cookie}
        assert "parcel" not in (await here.visitor.get("/did")).text


async def test_the_examples_of_an_empty_chat_are_understood_without_a_model(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        tried: list[str] = []
        for language in ("en-IN", "hi-IN"):
            shown = await here.visitor.get("/chat", Accept_Language=language)
            examples = re.findall(r'data-try><input[^>]*value="([^"]+)"', shown.html)
            assert examples
            tried += examples
        for example in tried:
            await here.ask(unescape(example))
        done = await here.home.services.tool_log.list(here.member.person.id, None, 50)
        assert [line.tool for line in done.items] == ["house_time"] * len(tried)


async def test_conversations_are_listed_found_and_deleted(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        path, _ = await here.ask(LANTERN)
        assert path in (await here.visitor.get("/chats")).page.links
        found = await here.visitor.get("/chats?q=lantern")
        assert any(link.startswith(f"{path}?at=") for link in found.page.links)
        assert "Nothing found" in (await here.visitor.get("/chats?q=zebra")).text
        assert "gone for good" in (await here.visitor.get(f"{path}/delete")).text
        assert (await here.visitor.post(f"{path}/delete")).to == "/chats"
        assert (await here.visitor.get(path)).status == 404


async def test_a_number_that_no_id_can_have_names_nothing(tmp_path: Path) -> None:
    async with talk(tmp_path) as found:
        path, _shown = await found.ask(LANTERN)
        for number in ("9" * 30, "9" * 5_000, "²", "-1", ""):
            form = {"proposal": number, "digest": "x", "answer": "yes"}
            assert (await found.visitor.post(f"{path}/answer", form)).status == 404
            assert (await found.visitor.post("/events", {"up_to": number})).status == 303


async def test_a_long_conversation_is_read_upward_by_pages(tmp_path: Path) -> None:
    async with talk(tmp_path) as here:
        path, _ = await here.ask(LANTERN)
        number = int(path.rpartition("/")[2])
        await fill(here, number, 300)
        seen: list[str] = []
        at: str | None = path
        while at is not None:
            shown = await here.visitor.get(at)
            seen = re.findall(r">(question \d+|answer \d+)<", shown.html) + seen
            older = re.search(r'data-older><a[^>]*href="([^"]+)"', shown.html)
            at = None if older is None else older[1]
        assert seen == [f"{kind} {n}" for n in range(300) for kind in ("question", "answer")]
        found = await here.visitor.get("/chats?q=question+150")
        [link] = [one for one in found.page.links if one.startswith(f"{path}?at=")]
        shown = await here.visitor.get(link)
        page, _, entry = link.partition("#")
        assert f'id="{entry}"' in shown.html
        assert "question 150" in shown.text
        assert "question 299" not in shown.text
        assert f"{path}#end" in shown.page.links
        assert page.startswith(path)


async def fill(here: Talk, conversation: int, turns: int) -> None:
    """So many questions and answers, straight into the store."""

    def work(tx: Transaction) -> None:
        for n in range(turns):
            for kind, text in (("person", f"question {n}"), ("ira", f"answer {n}")):
                tx.insert(
                    "INSERT INTO messages (conversation_id, user_id, turn_id, kind, text, label,"
                    " created_at) VALUES (?, ?, ?, ?, ?, 'house', 0)",
                    (conversation, here.member.person.id, f"t{n}", kind, text),
                )

    await here.home.storage.write(work)
