"""A server that stops at the worst moment: nothing is done twice, and what is not known is said."""

import asyncio
from pathlib import Path

import pytest

from ira_home.domain.conversations import EntryKind
from ira_home.domain.facts import DataDeleted
from ira_home.domain.ports import TextPart
from ira_home.domain.proposals import ProposalState
from ira_home.domain.turns import TurnState
from tests.assistant.asking import turn_state
from tests.support.requirements import requirement
from tests.support.talk import Talk, ended, open_talk


@requirement("tier.2.yes")
async def test_killed_between_sending_and_result_the_outcome_is_unknown_and_never_run_again(
    tmp_path: Path,
) -> None:
    async with open_talk(tmp_path) as talk:
        asha = await talk.house.person()
        mac = await talk.gadget(asha)
        mac.holds = True
        talk.brain.call("parcel_send", name="Marigold")
        result = await talk.ask(asha, "Send the parcel to Marigold")
        proposal = result.proposals[0]
        await talk.answer(asha, proposal.id, digest=proposal.digest)
        await mac.called(1)
        await talk.assistant.close()
    async with open_talk(tmp_path) as talk:
        again = await talk.connect(mac.device)
        found = await talk.workshop.proposals.get(asha.person.id, proposal.id)
        assert found.state is ProposalState.UNKNOWN
        assert await talk.log(asha) == [
            ("parcel_send", "proposed", "none"),
            ("parcel_send", "unknown", "yes"),
        ]
        notes = [e.text for e in await talk.entries(proposal.conversation_id) if e.kind is EntryKind.NOTE]  # fmt: skip
        assert "do not know whether it happened" in notes[-1]
        told = await talk.ask(asha, "yes", proposal.conversation_id)
        assert "too late" in told.text
        assert not again.calls
        talk.brain.say("I do not know whether it was sent.")
        await talk.ask(asha, "was it sent?", proposal.conversation_id)
        results = [e for e in talk.brain.views[-1].history if e.kind is EntryKind.RESULT]
        assert [e.outcome.value for e in results if e.outcome] == ["unknown"]
        assert [e.text for e in results] == [
            "The server stopped meanwhile: whether it was done is not known."
        ]


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("Send the parcel to Marigold", "do not know whether it happened"),
        ("पार्सल Marigold को भेजो", "पता नहीं"),
    ],
)
async def test_what_is_not_known_is_said_in_the_language_of_the_wish(
    tmp_path: Path, words: str, note: str
) -> None:
    async with open_talk(tmp_path) as talk:
        asha = await talk.house.person()
        mac = await talk.gadget(asha)
        mac.holds = True
        talk.brain.call("parcel_send", name="Marigold")
        proposal = (await talk.ask(asha, words)).proposals[0]
        await talk.answer(asha, proposal.id, digest=proposal.digest)
        await mac.called(1)
        await talk.assistant.close()
    async with open_talk(tmp_path) as talk:
        last = (await talk.entries(proposal.conversation_id))[-1]
        assert (last.kind, last.private) == (EntryKind.NOTE, True)
        assert note in last.text
        assert await turn_state(talk, proposal) is TurnState.ENDED


async def test_a_question_outlives_a_restart_and_its_time_runs_on(tmp_path: Path) -> None:
    async with open_talk(tmp_path) as talk:
        asha = await talk.house.person()
        mac = await talk.gadget(asha)
        talk.brain.call("parcel_send", name="Marigold")
        proposal = (await talk.ask(asha, "Send the parcel to Marigold")).proposals[0]
    async with open_talk(tmp_path) as talk:
        again = await talk.connect(mac.device)
        await talk.confirm(asha, proposal)
        assert len(again.calls) == 1
        assert talk.brain.views[-1].own_words == "Send the parcel to Marigold"


async def test_a_turn_that_was_cut_off_is_said_to_be(tmp_path: Path) -> None:
    async with open_talk(tmp_path) as talk:
        asha = await talk.house.person()
        result = await talk.ask(asha, "Hello")
        sql = "UPDATE turns SET state = 'working'"
        await talk.house.storage.write(lambda tx: tx.run(sql))
    async with open_talk(tmp_path) as talk:
        last = (await talk.entries(result.conversation_id))[-1]
        assert last.kind is EntryKind.NOTE
        assert "stopped before I could finish" in last.text
        assert (await talk.ask(asha, "again", result.conversation_id)).text == "Done."


async def test_deleted_data_does_not_come_back_from_a_turn_that_was_working(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    mac.holds = True
    talk.brain.call("lantern_colour")
    talk.brain.then(TextPart("late words"))
    run = await talk.run(asha, "Tell me the colour of the lantern")
    sent = (await mac.called(1))[0]
    tables = ("messages", "pending_actions", "turns", "tool_log", "conversations")
    await talk.house.storage.write(
        lambda tx: [tx.run(f"DELETE FROM {table}") for table in tables]  # noqa: S608
    )
    talk.house.bus.publish(DataDeleted(asha.person.id))
    mac.holds = False
    await mac.answer(sent)
    await ended(run)
    await asyncio.sleep(0.05)
    for table in tables:
        assert await talk.house.storage.database.all(f"SELECT * FROM {table}") == []  # noqa: S608


async def test_a_deleted_conversation_s_call_is_never_sent(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    door = asyncio.Event()
    talk.brain.then(door)
    run = await talk.run(asha, "Tell me the colour of the lantern")
    await talk.until(lambda: bool(talk.brain.views))
    await talk.assistant.conversations.delete(asha.person.id, run.conversation_id)
    door.set()
    await ended(run)
    assert not mac.calls
    assert await talk.house.storage.database.all("SELECT * FROM messages") == []
