"""What Ira has said is kept while she says it, and nothing of it stands twice."""

import asyncio
from pathlib import Path
import shutil

import pytest

from ira_home.domain.conversations import EntryKind
from ira_home.domain.ports import TextPart
from tests.support.brains import call
from tests.support.talk import Talk, ended, open_talk

HALF = "The moon is made of"


async def drafts(talk: Talk) -> list[tuple[str, str]]:
    rows = await talk.house.storage.database.all("SELECT text, label FROM message_drafts")
    return [(row["text"], row["label"]) for row in rows]


async def until_kept(talk: Talk, text: str) -> None:
    for _ in range(500):
        if text in [one[0] for one in await drafts(talk)]:
            return
        await asyncio.sleep(0.01)
    pytest.fail(f"{text} was not kept")


async def test_a_killed_server_has_kept_what_it_was_saying(tmp_path: Path) -> None:
    async with open_talk(tmp_path / "one") as talk:
        asha = await talk.house.person()
        mac = await talk.gadget(asha)
        talk.brain.then(TextPart("I look first."), call("lantern_colour"))
        talk.brain.then(TextPart(HALF), asyncio.Event())
        run = await talk.run(asha, "Tell me the colour of the lantern")
        await until_kept(talk, HALF)
        assert await drafts(talk) == [(HALF, "device")]
        shutil.copytree(tmp_path / "one", tmp_path / "two")  # what a kill at this moment leaves
        await talk.assistant.cancel(asha.person.id, run.id)
        assert await drafts(talk) == []
        said = [e for e in await talk.entries(run.conversation_id) if e.kind is EntryKind.IRA]
        assert [(e.text, e.complete) for e in said] == [("I look first.", True), (HALF, False)]
    async with open_talk(tmp_path / "two") as talk:
        assert await drafts(talk) == []
        kept = await talk.entries(run.conversation_id)
        assert [(e.kind, e.text, e.complete) for e in kept if e.kind is EntryKind.IRA] == [
            (EntryKind.IRA, "I look first.", True),
            (EntryKind.IRA, HALF, False),
        ]
        assert (kept[-2].label.is_trusted, kept[-2].source) == (False, mac.device.label)
        assert (kept[-1].kind, kept[-1].complete) == (EntryKind.NOTE, False)


async def test_an_answer_that_ends_leaves_no_draft(tmp_path: Path) -> None:
    async with open_talk(tmp_path) as talk:
        asha = await talk.house.person()
        go_on = asyncio.Event()
        talk.brain.then(TextPart(HALF), go_on, TextPart(" cheese."))
        run = await talk.run(asha, "What is the moon made of?")
        await until_kept(talk, HALF)
        go_on.set()
        assert (await ended(run)).text == f"{HALF} cheese."
        assert await drafts(talk) == []
        said = [e.text for e in await talk.entries(run.conversation_id)]
        assert said == ["What is the moon made of?", f"{HALF} cheese."]
