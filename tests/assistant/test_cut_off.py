"""Calls whose turn was stopped, or whose server was, while they were on their way."""

import asyncio
from pathlib import Path
import shutil
import threading

import pytest

from ira_home.assistant.runs import Run
from ira_home.base.limits import CALL_S
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.people import Principal
from ira_home.domain.tools import Outcome
from tests.support.brains import call
from tests.support.requirements import requirement
from tests.support.talk import Gadget, Talk, ended, open_talk

ASK_LANTERN = "Tell me the colour of the lantern"
SLOW = '''
import asyncio
from ira_home.tools.declare import tool

@tool
async def lighthouse_watch() -> str:
    """Watch the lighthouse."""
    await asyncio.Event().wait()
'''


async def under_way(talk: Talk) -> tuple[Principal, Gadget, Run]:
    """A run whose call the device has and does not answer."""
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    mac.holds = True
    talk.brain.call("lantern_colour")
    run = await talk.run(asha, ASK_LANTERN)
    await mac.called(1)
    return asha, mac, run


async def results(talk: Talk, run: Run) -> list[Entry]:
    entries = await talk.entries(run.conversation_id)
    return [one for one in entries if one.kind is EntryKind.RESULT]


async def logged(talk: Talk, asha: Principal, outcome: Outcome) -> None:
    """Wait until the newest line of the log has this outcome."""
    for _ in range(500):
        if [one[1] for one in await talk.log(asha)][-1:] == [outcome]:
            return
        await asyncio.sleep(0.002)
    pytest.fail(f"{await talk.log(asha)} is not {outcome}")


async def test_what_a_killed_server_had_sent_is_unknown_afterwards_and_never_sent_again(
    tmp_path: Path,
) -> None:
    async with open_talk(tmp_path / "one") as talk:
        asha, mac, run = await under_way(talk)
        shutil.copytree(tmp_path / "one", tmp_path / "two")  # what a kill at this moment leaves
        await talk.assistant.cancel(asha.person.id, run.id)
    async with open_talk(tmp_path / "two") as talk:
        again = await talk.connect(mac.device)
        kept = await talk.entries(run.conversation_id)
        assert [one.kind for one in kept] == [
            EntryKind.PERSON, EntryKind.CALL, EntryKind.RESULT, EntryKind.NOTE
        ]  # fmt: skip
        asked, result, note = kept[1:]
        assert (result.call_id, result.device_id) == (asked.call_id, mac.device.id)
        assert (result.outcome, result.label.is_trusted) == (Outcome.UNKNOWN, True)
        assert "do not know whether it happened: lantern_colour" in note.text
        assert await talk.log(asha) == [("lantern_colour", "unknown", "none")]
        await talk.ask(asha, "and now?", run.conversation_id)
        shown = [e for e in talk.brain.views[-1].history if e.kind is EntryKind.RESULT]
        assert [one.outcome for one in shown] == [Outcome.UNKNOWN]
        assert not again.calls
    async with open_talk(tmp_path / "two") as talk:
        assert len(await results(talk, run)) == 1


async def test_a_start_leaves_a_question_that_waits_alone(tmp_path: Path) -> None:
    async with open_talk(tmp_path) as talk:
        asha = await talk.house.person()
        mac = await talk.gadget(asha)
        talk.brain.call("parcel_send", name="Marigold")
        question = await talk.ask(asha, "Send the parcel to Marigold")
    async with open_talk(tmp_path) as talk:
        again = await talk.connect(mac.device)
        entries = await talk.entries(question.conversation_id)
        assert EntryKind.RESULT not in {one.kind for one in entries}
        await talk.confirm(asha, question.proposals[0])
        assert len(again.calls) == 1


@requirement("tier.0")
async def test_what_was_sent_comes_to_its_end_on_record_after_its_run_was_stopped(
    talk: Talk,
) -> None:
    asha, mac, run = await under_way(talk)
    await talk.assistant.cancel(asha.person.id, run.id)
    result = await ended(run)
    assert [(one.tool, one.outcome) for one in result.tools] == [
        ("lantern_colour", Outcome.UNKNOWN)
    ]
    assert await talk.log(asha) == [("lantern_colour", "unknown", "none")]
    mac.holds = False
    await mac.answer(mac.calls[0])
    await logged(talk, asha, Outcome.DONE)
    (came,) = await results(talk, run)
    assert (came.text, came.outcome) == ("Finished lantern_colour.", Outcome.DONE)
    assert came.private
    await talk.ask(asha, "and now?", run.conversation_id)
    assert len(mac.calls) == 1


async def test_a_stopped_call_that_is_never_answered_times_out_on_record(talk: Talk) -> None:
    asha, _mac, run = await under_way(talk)
    await talk.assistant.cancel(asha.person.id, run.id)
    talk.house.advance(CALL_S)
    await logged(talk, asha, Outcome.TIMEOUT)
    assert [one.outcome for one in await results(talk, run)] == [Outcome.TIMEOUT]


async def test_a_turn_out_of_time_leaves_its_call_to_come_to_an_end(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ira_home.assistant.turn.TURN_S", 0.2)
    asha, mac, run = await under_way(talk)
    assert "took too long" in (await ended(run)).text
    mac.holds = False
    await mac.answer(mac.calls[0])
    await logged(talk, asha, Outcome.DONE)


async def test_what_is_stopped_before_it_is_sent_is_not_sent_and_told_as_cancelled(
    talk: Talk,
) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    door, pen = asyncio.Event(), threading.Event()
    talk.brain.then(door, call("lantern_colour"))
    run = await talk.run(asha, ASK_LANTERN)
    await talk.until(lambda: bool(talk.brain.views))
    held = talk.house.tasks.start(talk.house.storage.write(lambda _tx: pen.wait(5)), "held")
    door.set()
    await talk.until(lambda: bool(talk.workshop.gate._tasks._running))
    stopping = talk.house.tasks.start(talk.assistant.cancel(asha.person.id, run.id), "stop")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    pen.set()
    await asyncio.wait((held, stopping), timeout=5)
    await logged(talk, asha, Outcome.CANCELLED)
    await mac.link.settled()
    assert not mac.calls
    assert [one.outcome for one in await results(talk, run)] == [Outcome.CANCELLED]


async def test_a_stopping_house_writes_down_that_it_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "coast.py").write_text(SLOW, encoding="utf-8")
    async with open_talk(tmp_path) as talk:
        asha = await talk.house.person()
        talk.brain.call("lighthouse_watch")
        run = await talk.run(asha, "Watch the lighthouse")
        await talk.until(lambda: bool(talk.brain.views))
        await talk.until(lambda: bool(talk.workshop.gate._tasks._running))
        await logged(talk, asha, Outcome.UNKNOWN)
        async with asyncio.timeout(2):
            await talk.assistant.close()
        (came,) = await results(talk, run)
        assert came.outcome is Outcome.UNKNOWN
        line = (await talk.house.storage.tool_log.list(asha.person.id, None, 1)).items[0]
        assert line.outcome is Outcome.UNKNOWN


async def test_a_conversation_deleted_under_a_call_stays_deleted(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    asha, mac, run = await under_way(talk)
    await talk.assistant.conversations.delete(asha.person.id, run.conversation_id)
    mac.holds = False
    await mac.answer(mac.calls[0])
    await logged(talk, asha, Outcome.DONE)
    assert await talk.house.storage.database.all("SELECT * FROM messages") == []
    assert "failed" not in caplog.text
