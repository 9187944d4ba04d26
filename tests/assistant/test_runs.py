"""Runs: told as they come, attached to again, stopped; and what one turn may use."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from ira_home.base.errors import Busy, Forbidden, Invalid, ModelFailed, NotFound
from ira_home.base.ids import ConversationId, RunId
from ira_home.base.limits import ASK_CHARS, CALLS_A_TURN, RUN_KEPT_S, TURN_S
from ira_home.domain.conversations import EntryKind
from ira_home.domain.facts import ConversationChanged, ProposalEnded
from ira_home.domain.ports import TextPart
from tests.support.brains import call
from tests.support.requirements import requirement
from tests.support.talk import Talk, ended, events, open_talk

ASK_LANTERN = "Tell me the colour of the lantern"


async def texts(talk: Talk, conversation_id: ConversationId, kind: EntryKind) -> list[str]:
    return [one.text for one in await talk.entries(conversation_id) if one.kind is kind]


async def test_an_answer_is_told_as_it_comes_and_its_tokens_are_its_text(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.then(TextPart("Let me "), TextPart("look."), call("lantern_colour"))
    talk.brain.then(TextPart("It is "), TextPart("crimson."))
    run = await talk.run(asha, ASK_LANTERN)
    result = await ended(run)
    told = await events(run)
    assert [one.id for one in told] == list(range(1, len(told) + 1))
    assert [one.name for one in told] == ["start", "token", "token", "tool", "tool", "token", "token", "done"]  # fmt: skip
    said = "".join(one.data["text"] for one in told if one.name == "token")
    assert said == result.text == "Let me look.\n\nIt is crimson."
    assert told[-1].data["text"] == result.text
    assert told[-1].data["tools"] == [
        {"tool": "lantern_colour", "device": "Office Mac", "outcome": "done"}
    ]
    assert [one.data["outcome"] for one in told if one.name == "tool"] == [None, "done"]


async def test_a_question_is_told_with_its_card(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("parcel_send", name="Marigold")
    run = await talk.run(asha, "Send the parcel to Marigold")
    told = await events(run)
    cards = [one.data for one in told if one.name == "proposal"]
    assert [one["arguments"] for one in cards] == [{"name": "Marigold"}]
    assert told[-1].data["proposals"] == cards
    assert cards[0]["text"] in told[-1].data["text"]


async def test_whoever_attaches_again_is_told_from_there_on(talk: Talk) -> None:
    asha = await talk.house.person()
    go_on = asyncio.Event()
    talk.brain.then(TextPart("one "), go_on, TextPart("two"))
    run = await talk.run(asha, "Hello")
    heard = []
    async with asyncio.timeout(5):
        async for event in run.follow():
            heard.append(event)
            if event.name == "token":
                break
    go_on.set()
    same = talk.assistant.run(asha.person.id, run.id)
    rest = await events(same, after=heard[-1].id)
    assert [one.name for one in rest] == ["token", "done"]
    assert await events(same, after=rest[-1].id) == []
    assert await events(same, after=999) == []


async def test_a_run_is_kept_ten_minutes_and_is_its_person_s_alone(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    run = await talk.run(asha, "Hello")
    await ended(run)
    with pytest.raises(NotFound):
        talk.assistant.run(ravi.person.id, run.id)
    talk.house.clock.advance(RUN_KEPT_S)
    assert talk.assistant.run(asha.person.id, run.id) is run
    talk.house.clock.advance(1)
    with pytest.raises(NotFound):
        talk.assistant.run(asha.person.id, run.id)
    with pytest.raises(NotFound):
        talk.assistant.run(asha.person.id, RunId("nothing"))


async def test_whoever_stops_waiting_does_not_stop_the_run(talk: Talk) -> None:
    asha = await talk.house.person()
    go_on = asyncio.Event()
    talk.brain.then(go_on, TextPart("finished"))
    run = await talk.run(asha, "Hello")
    waiting = talk.house.tasks.start(run.result(), "waits")
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    go_on.set()
    assert (await ended(run)).text == "finished"


async def test_a_stopped_run_keeps_what_it_said(talk: Talk) -> None:
    asha = await talk.house.person()
    talk.brain.then(TextPart("so far "), asyncio.Event(), TextPart("never"))
    run = await talk.run(asha, "Hello")
    await talk.until(lambda: bool(talk.brain.views))
    await asyncio.sleep(0)
    await talk.assistant.cancel(asha.person.id, run.id)
    assert (await ended(run)).text == "so far "
    last = (await talk.entries(run.conversation_id))[-1]
    assert (last.kind, last.text, last.complete) == (EntryKind.IRA, "so far ", False)
    assert (await events(run))[-1].name == "done"
    await talk.assistant.cancel(asha.person.id, run.id)


async def test_stopping_does_not_take_back_what_a_device_was_told_to_do(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    mac.holds = True
    talk.brain.call("parcel_send", name="Marigold")
    result = await talk.ask(asha, "Send the parcel to Marigold")
    run = await talk.answer(asha, result.proposals[0].id, digest=result.proposals[0].digest)
    sent = (await mac.called(1))[0]
    await talk.assistant.cancel(asha.person.id, run.id)
    mac.holds = False
    await mac.answer(sent)
    await talk.until(
        lambda: any(one.proposal.state.value == "done" for one in talk.house.told(ProposalEnded))
    )
    assert (await talk.log(asha))[-1] == ("parcel_send", "done", "yes")


@requirement("call.result.error")
async def test_a_device_s_error_reaches_the_brain(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    mac.contents["lantern_colour"] = OSError("the lantern is rusty")
    talk.brain.call("lantern_colour")
    result = await talk.ask(asha, ASK_LANTERN)
    assert talk.brain.views[-1].steps[-1].text == "the lantern is rusty"
    assert [one.outcome.value for one in result.tools] == ["failed"]


@requirement("call.summary", "call.content.any")
@pytest.mark.parametrize("content", ["words", [1, {"a": None}], 42, True, {}, None, {"summary": ""}, {"summary": 5}])  # fmt: skip
async def test_any_content_is_told(talk: Talk, content: object) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    mac.contents["lantern_colour"] = content
    talk.brain.call("lantern_colour")
    await talk.ask(asha, ASK_LANTERN)
    assert talk.brain.views[-1].steps[-1].text


@requirement("tier.1.said")
async def test_a_turn_never_ends_without_a_word(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("kettle_boil")
    talk.brain.then()
    result = await talk.ask(asha, "Boil the water in the kettle")
    assert result.text


async def test_a_turn_calls_twelve_times_and_no_more(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    for _ in range(30):
        talk.brain.call("lantern_colour")
    result = await talk.ask(asha, ASK_LANTERN)
    assert len(mac.calls) == CALLS_A_TURN
    assert "more steps" in result.text
    assert talk.brain.views[-1].may_call is False
    assert len(talk.brain.views) == CALLS_A_TURN + 1


async def test_twenty_calls_in_one_step_are_cut_to_twelve_too(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    talk.brain.then(*(call("lantern_colour") for _ in range(20)))
    await talk.ask(asha, ASK_LANTERN)
    assert len(mac.calls) == CALLS_A_TURN


async def test_refused_calls_count_as_well(talk: Talk) -> None:
    asha = await talk.house.person()
    for _ in range(30):
        talk.brain.call("there_is_no_such_tool")
    await talk.ask(asha, "Hello")
    assert len(talk.brain.views) == CALLS_A_TURN + 1


async def test_a_turn_works_120_seconds_over_all_its_answers(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ira_home.assistant.turn.TURN_S", TURN_S - 119.95)
    asha = await talk.house.person()
    talk.brain.then(TextPart("so far"), asyncio.Event())
    run = await talk.run(asha, "Hello")
    result = await ended(run)
    assert result.text == "so far\n\nI stopped here: this took too long."
    assert isinstance(result.error, ModelFailed)
    assert (await events(run))[-1].name == "error"


async def test_time_that_a_turn_waits_for_its_person_is_no_working_time(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("parcel_send", name="Marigold")
    result = await talk.ask(asha, "Send the parcel to Marigold")
    talk.house.clock.advance(110)
    await talk.confirm(asha, result.proposals[0])
    turn = await talk.house.storage.turns.get(result.proposals[0].turn_id)
    assert turn is not None
    assert turn.seconds < 1
    assert turn.state.value == "ended"


async def test_a_failing_model_is_one_sentence_and_what_it_said_is_kept(talk: Talk) -> None:
    asha = await talk.house.person()
    talk.brain.fail("The model's server refused the connection.", TextPart("I think"))
    run = await talk.run(asha, "Hello")
    result = await ended(run)
    assert result.text == "I think\n\nThe model's server refused the connection."
    last = (await events(run))[-1]
    assert (last.name, last.data["error"]["code"]) == ("error", "model_failed")
    kept = await talk.entries(result.conversation_id)
    assert [(one.kind, one.complete) for one in kept[-2:]] == [
        (EntryKind.IRA, False),
        (EntryKind.NOTE, False),
    ]
    assert (await talk.ask(asha, "And now?", result.conversation_id)).text == "Done."


async def test_a_bug_in_a_brain_ends_the_run_and_nothing_else(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    asha = await talk.house.person()
    talk.brain.then(RuntimeError("a bug"))
    result = await talk.ask(asha, "Hello")
    assert result.text == "Something went wrong on the server."
    assert "a turn failed" in caplog.text
    assert (await talk.ask(asha, "Hello again", result.conversation_id)).text == "Done."


async def test_one_turn_works_at_a_time_three_wait_and_the_next_is_busy(talk: Talk) -> None:
    asha = await talk.house.person()
    first = await talk.ask(asha, "Hello")
    doors = [asyncio.Event() for _ in range(4)]
    for number, door in enumerate(doors):
        talk.brain.then(door, TextPart(f"answer {number}"))
    runs = [await talk.run(asha, f"ask {n}", first.conversation_id) for n in range(4)]
    with pytest.raises(Busy):
        await talk.run(asha, "one too many", first.conversation_id)
    await talk.until(lambda: len(talk.brain.views) == 2)
    for number, door in enumerate(doors):
        door.set()
        assert (await ended(runs[number])).text == f"answer {number}"
    again = await talk.ask(asha, "and now", first.conversation_id)
    assert again.text == "Done."
    said = await texts(talk, first.conversation_id, EntryKind.PERSON)
    assert said == ["Hello", *(f"ask {n}" for n in range(4)), "and now"]
    assert talk.assistant._queues._queues == {}


async def test_a_waiting_ask_is_shown_nothing_that_was_asked_after_it(talk: Talk) -> None:
    asha = await talk.house.person()
    door = asyncio.Event()
    talk.brain.then(door, TextPart("first answer"))
    one = await talk.run(asha, "first")
    two = await talk.run(asha, "second", one.conversation_id)
    three = await talk.run(asha, "third", one.conversation_id)
    door.set()
    for run in (one, two, three):
        await ended(run)
    shown = [[entry.text for entry in view.history] for view in talk.brain.views]
    assert shown == [
        [],
        ["first", "first answer"],
        ["first", "first answer", "second", "Done."],
    ]


async def test_other_conversations_and_people_never_wait(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    talk.brain.then(asyncio.Event())
    slow = await talk.run(asha, "slow")
    assert (await talk.ask(asha, "another conversation")).text == "Done."
    assert (await talk.ask(ravi, "another person")).text == "Done."
    await talk.assistant.cancel(asha.person.id, slow.id)


async def test_stopping_a_waiting_ask_frees_its_place(talk: Talk) -> None:
    asha = await talk.house.person()
    door = asyncio.Event()
    talk.brain.then(door)
    first = await talk.run(asha, "first")
    second = await talk.run(asha, "second", first.conversation_id)
    await asyncio.sleep(0)
    await talk.assistant.cancel(asha.person.id, second.id)
    assert (await ended(second)).text == ""
    door.set()
    await ended(first)
    assert len(talk.brain.views) == 1
    await talk.until(lambda: talk.assistant._queues._queues == {})


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "x" * (ASK_CHARS + 1)])
async def test_a_message_that_is_empty_or_too_long_is_refused(talk: Talk, text: str) -> None:
    asha = await talk.house.person()
    with pytest.raises(Invalid):
        await talk.run(asha, text)
    page = await talk.assistant.conversations.list(asha.person.id)
    assert page.items == ()


async def test_a_conversation_that_is_not_there_and_one_of_another_are_the_same(
    talk: Talk,
) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    mine = await talk.ask(asha, "Hello")
    for number in (mine.conversation_id, ConversationId(999_999)):
        with pytest.raises(NotFound):
            await talk.ask(ravi, "Hello", number)
    assert len(await talk.entries(mine.conversation_id)) == 2


async def test_a_credential_without_ask_asks_nothing(talk: Talk) -> None:
    asha = await talk.house.person()
    with pytest.raises(Forbidden):
        await talk.run(replace(asha, permissions=frozenset()), "Hello")


async def test_a_stopping_house_keeps_what_was_said_and_says_so_to_whoever_waits(
    tmp_path: Path,
) -> None:
    async with open_talk(tmp_path) as talk:
        asha = await talk.house.person()
        talk.brain.then(TextPart("so far"), asyncio.Event())
        run = await talk.run(asha, "Hello")
        await talk.until(lambda: bool(talk.brain.views))
        await asyncio.sleep(0)
        await talk.assistant.close()
        assert (await ended(run)).text == "so far"
        last = (await talk.entries(run.conversation_id))[-1]
        assert (last.text, last.complete) == ("so far", False)
        with pytest.raises(Exception, match="stopping"):
            await talk.run(asha, "Hello")


async def test_every_change_of_a_conversation_is_published(talk: Talk) -> None:
    asha = await talk.house.person()
    result = await talk.ask(asha, "Hello")
    changes = [one.conversation_id for one in talk.house.told(ConversationChanged)]
    assert changes == [result.conversation_id] * 2


async def test_the_first_words_name_the_conversation(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.ask(asha, "  Tell me\n about " + "the colours " * 20)
    page = await talk.assistant.conversations.list(asha.person.id)
    title = page.items[0].title
    assert title.startswith("Tell me about the colours")
    assert title.endswith("…")
    assert len(title) <= 60
