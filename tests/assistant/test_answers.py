"""Proposals from question to end: yes, no, PIN, time, what makes them void, and races."""

import asyncio
from dataclasses import replace

import pytest

from ira_home.base.errors import (
    DigestMismatch,
    Forbidden,
    Invalid,
    NotFound,
    PinLocked,
    PinRequired,
    PinWrong,
    ProposalExpired,
    ProposalOver,
)
from ira_home.base.limits import PROPOSAL_S
from ira_home.domain.conversations import EntryKind
from ira_home.domain.facts import ProposalEnded, ProposalOpened
from ira_home.domain.people import Permission
from ira_home.domain.proposals import Proposal, ProposalState, digest_of
from tests.assistant.asking import ASK_PARCEL, asked, refused, state
from tests.support.brains import call
from tests.support.device_house import PIN
from tests.support.requirements import requirement
from tests.support.talk import KETTLE, LANTERN, PARCEL, VAULT, Talk, ended


@requirement("tier.proposal", "tier.readback")
async def test_a_question_holds_the_exact_bytes_and_says_all_of_them(talk: Talk) -> None:
    _asha, _mac, proposal = await asked(talk)
    assert proposal.digest == digest_of(proposal.payload)
    assert b'"arguments":{"name":"Marigold"}' in proposal.payload
    assert "Marigold" in proposal.text
    assert "Send the parcel" in proposal.text
    assert "Office Mac" in proposal.text
    assert [one.proposal.id for one in talk.house.told(ProposalOpened)] == [proposal.id]


@requirement("tier.2.yes", "tier.2.yes.typed")
@pytest.mark.parametrize("word", ["yes", "Yes, please.", "haan", "हाँ", "yes, send the parcel"])
async def test_a_typed_yes_runs_it_once(talk: Talk, word: str) -> None:
    asha, mac, proposal = await asked(talk)
    result = await talk.ask(asha, word, proposal.conversation_id)
    assert [one["args"] for one in mac.calls] == [{"name": "Marigold"}]
    assert [(one.tool, one.outcome.value) for one in result.tools] == [("parcel_send", "done")]
    await talk.ask(asha, word, proposal.conversation_id)
    assert len(mac.calls) == 1
    assert await state(talk, asha, proposal) is ProposalState.DONE
    assert await talk.log(asha) == [
        ("parcel_send", "proposed", "none"),
        ("parcel_send", "done", "yes"),
    ]


@requirement("tier.2.yes")
@pytest.mark.parametrize(
    "word",
    ["yes?", "if it is cheap, yes", 'he said "yes"', "what is it?", "maybe", "yes no", "hello"],
)
async def test_what_is_no_plain_yes_runs_nothing_and_leaves_the_card_open(
    talk: Talk, word: str
) -> None:
    asha, mac, proposal = await asked(talk)
    await talk.ask(asha, word, proposal.conversation_id)
    assert not mac.calls
    assert await state(talk, asha, proposal) is ProposalState.WAITING


@pytest.mark.parametrize("word", ["no", "nahi", "rehne do"])
async def test_a_no_ends_it_and_a_later_yes_does_nothing(talk: Talk, word: str) -> None:
    asha, mac, proposal = await asked(talk)
    await talk.ask(asha, word, proposal.conversation_id)
    await talk.ask(asha, "yes", proposal.conversation_id)
    await refused(talk, asha, proposal, ProposalOver)
    assert not mac.calls
    assert await state(talk, asha, proposal) is ProposalState.CANCELLED
    assert (await talk.log(asha))[-1] == ("parcel_send", "cancelled", "none")


@requirement("tier.2.yes")
async def test_the_card_s_yes_runs_exactly_what_was_shown(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    result = await talk.confirm(asha, proposal)
    assert result.text
    assert len(mac.calls) == 1
    await refused(talk, asha, proposal, ProposalOver)
    assert len(mac.calls) == 1


async def test_the_card_s_no_ends_it(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    await ended(await talk.answer(asha, proposal.id, yes=False))
    await refused(talk, asha, proposal, ProposalOver)
    with pytest.raises(ProposalOver):
        await talk.answer(asha, proposal.id, yes=False)
    assert not mac.calls


async def test_another_digest_or_none_is_refused_and_leaves_it_waiting(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    for wrong in ("", "0" * 64, proposal.digest[:-1], proposal.digest.upper() + "x"):
        with pytest.raises(DigestMismatch):
            await talk.answer(asha, proposal.id, digest=wrong)
    with pytest.raises(Invalid):
        await talk.answer(asha, proposal.id, digest=None)
    assert not mac.calls
    await talk.confirm(asha, proposal)
    assert len(mac.calls) == 1


@requirement("tier.2.120s")
async def test_a_yes_counts_until_the_120th_second(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    talk.house.clock.advance(PROPOSAL_S - 0.1)
    await talk.ask(asha, "yes", proposal.conversation_id)
    assert len(mac.calls) == 1


@requirement("tier.2.120s")
@pytest.mark.parametrize("typed", [True, False])
async def test_after_120_seconds_nothing_runs_it(talk: Talk, typed: bool) -> None:
    asha, mac, proposal = await asked(talk)
    talk.house.clock.advance(PROPOSAL_S)
    assert await talk.workshop.proposals.list_open(asha.person.id) == []
    if typed:
        result = await talk.ask(asha, "yes", proposal.conversation_id)
        assert "too late" in result.text
    else:
        await refused(talk, asha, proposal, ProposalExpired)
        await refused(talk, asha, proposal, ProposalExpired)
    assert not mac.calls
    assert await state(talk, asha, proposal) is ProposalState.EXPIRED
    assert (await talk.log(asha))[-1] == ("parcel_send", "expired", "none")


async def test_a_turned_wall_clock_neither_ends_nor_revives_it(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    talk.house.clock.set_wall(talk.house.clock.now().replace(year=2030))
    await talk.workshop.watch.expire_due()
    assert await state(talk, asha, proposal) is ProposalState.WAITING
    talk.house.clock.advance(PROPOSAL_S)
    talk.house.clock.set_wall(talk.house.clock.now().replace(year=2020))
    await refused(talk, asha, proposal, ProposalExpired)
    assert not mac.calls


async def test_time_running_out_is_said_in_the_conversation(talk: Talk) -> None:
    asha, _mac, proposal = await asked(talk)
    talk.house.clock.advance(PROPOSAL_S)
    await talk.workshop.watch.expire_due()
    notes = [one.text for one in await talk.entries(proposal.conversation_id)
             if one.kind is EntryKind.NOTE]  # fmt: skip
    assert "Time ran out" in notes[-1]
    assert talk.house.told(ProposalEnded)[-1].proposal.state is ProposalState.EXPIRED
    assert await talk.workshop.proposals.list_open(asha.person.id) == []


@requirement("tier.3.pin")
async def test_tier_3_runs_only_with_the_pin_in_its_own_field(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk, "vault_empty", "Empty the vault")
    for text in ("yes", f"yes, my PIN is {PIN}", PIN, f"{PIN[:3]} {PIN[3:]}"):
        result = await talk.ask(asha, text, proposal.conversation_id)
        assert "card" in result.text
    with pytest.raises(PinRequired):
        await talk.confirm(asha, proposal)
    with pytest.raises(PinWrong):
        await talk.confirm(asha, proposal, pin="999999")
    assert not mac.calls
    await talk.confirm(asha, proposal, pin=PIN)
    assert len(mac.calls) == 1
    await refused(talk, asha, proposal, ProposalOver)
    assert (await talk.log(asha))[-1] == ("vault_empty", "done", "pin")


async def test_five_wrong_pins_lock_the_right_one_out_and_the_card_goes_on_waiting(
    talk: Talk,
) -> None:
    asha, mac, proposal = await asked(talk, "vault_empty", "Empty the vault")
    for number in range(5):
        with pytest.raises(PinWrong):
            await talk.confirm(asha, proposal, pin=f"11111{number}")
    await refused(talk, asha, proposal, PinLocked)
    assert not mac.calls
    assert await state(talk, asha, proposal) is ProposalState.WAITING


async def test_a_typed_no_ends_a_tier_3_question(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk, "vault_empty", "Empty the vault")
    await talk.ask(asha, "no", proposal.conversation_id)
    await refused(talk, asha, proposal, ProposalOver)
    assert not mac.calls


async def test_a_yes_counts_in_its_own_conversation_only(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    other = await talk.ask(asha, "Hello")
    await talk.ask(asha, "yes", other.conversation_id)
    await talk.ask(asha, "yes")
    assert not mac.calls
    assert await state(talk, asha, proposal) is ProposalState.WAITING


@requirement("tools.private")
async def test_nobody_else_can_answer_it_or_speak_in_its_conversation(talk: Talk) -> None:
    _asha, mac, proposal = await asked(talk)
    ravi = await talk.house.person_with_pin()
    for yes in (True, False):
        with pytest.raises(NotFound):
            await talk.answer(ravi, proposal.id, yes=yes, digest=proposal.digest, pin=PIN)
    with pytest.raises(NotFound):
        await talk.ask(ravi, "yes", proposal.conversation_id)
    assert await talk.workshop.proposals.list_open(ravi.person.id) == []
    assert not mac.calls


async def test_a_credential_without_actions_confirms_nothing(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    lame = replace(asha, permissions=frozenset({Permission.ASK}))
    with pytest.raises(Forbidden):
        await talk.ask(lame, "yes", proposal.conversation_id)
    with pytest.raises(Forbidden):
        await talk.confirm(lame, proposal)
    assert not mac.calls


async def test_two_yeses_at_once_run_it_once(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    answers = await asyncio.gather(
        *(talk.answer(asha, proposal.id, digest=proposal.digest) for _ in range(5)),
        talk.run(asha, "yes", proposal.conversation_id),
        talk.run(asha, "yes", proposal.conversation_id),
        talk.answer(asha, proposal.id, yes=False),
        return_exceptions=True,
    )
    for one in answers:
        if isinstance(one, BaseException):
            assert isinstance(one, ProposalOver)
        else:
            await ended(one)
    log = await talk.log(asha)
    assert len(mac.calls) == log.count(("parcel_send", "done", "yes")) <= 1
    assert len(mac.calls) + log.count(("parcel_send", "cancelled", "none")) == 1


async def test_here_and_channel_are_those_of_the_question(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    talk.brain.call("parcel_send", name="Marigold")
    result = await talk.ask(asha, ASK_PARCEL, here=mac.device)
    await talk.confirm(asha, result.proposals[0])
    assert mac.calls[0]["here"] is True
    page = await talk.house.storage.tool_log.list(asha.person.id, None, 10)
    assert {one.channel for one in page.items} == {"device"}


async def test_after_the_answer_the_turn_goes_on_under_its_own_words(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk, text="Send the parcel to Marigold and to Ravi")
    talk.brain.call("parcel_send", name="Ravi")
    talk.brain.say("Both are on their way.")
    first = await talk.ask(asha, "yes", proposal.conversation_id)
    assert [one.arguments for one in first.proposals] == [{"name": "Ravi"}]
    view = talk.brain.views[-1]
    assert view.own_words == "Send the parcel to Marigold and to Ravi"
    assert [one.kind for one in view.steps] == [EntryKind.CALL, EntryKind.RESULT]
    second = await talk.ask(asha, "haan", proposal.conversation_id)
    assert second.text == "Both are on their way."
    assert [one["args"]["name"] for one in mac.calls] == ["Marigold", "Ravi"]


async def test_a_turn_asks_six_times_and_no_more(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    waiting: Proposal | None = proposal
    for number in range(8):
        assert waiting is not None
        talk.brain.call("parcel_send", name=f"Marigold {number}")
        result = await talk.confirm(asha, waiting)
        waiting = result.proposals[0] if result.proposals else None
        if waiting is None:
            break
    assert len(mac.calls) == 6
    assert "often enough" in talk.brain.views[-1].steps[-1].text


async def test_calls_after_a_question_in_one_step_are_not_run_and_the_brain_is_told(
    talk: Talk,
) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    talk.brain.then(
        call("lantern_colour"), call("parcel_send", name="Marigold"), call("kettle_boil"),
        call("parcel_send", name="Ravi"),
    )  # fmt: skip
    result = await talk.ask(asha, "look at the lantern, send the parcel to Marigold")
    assert [one["tool"] for one in mac.calls] == ["lantern_colour"]
    assert len(result.proposals) == 1
    await talk.confirm(asha, result.proposals[0])
    assert [one["tool"] for one in mac.calls] == ["lantern_colour", "parcel_send"]
    told = [one for one in talk.brain.views[-1].steps if one.kind is EntryKind.RESULT]
    assert [one.outcome.value for one in told if one.outcome] == ["done", "done", "refused", "refused"]  # fmt: skip
    assert "Call it again" in told[-1].text


async def test_something_else_meanwhile_leaves_the_card_and_a_second_one_is_refused(
    talk: Talk,
) -> None:
    asha, mac, proposal = await asked(talk)
    talk.brain.then(call("lantern_colour"), call("vault_empty"))
    talk.brain.say("It is crimson.")
    words = "Tell me the colour of the lantern and empty the vault"
    result = await talk.ask(asha, words, proposal.conversation_id)
    assert result.text == "It is crimson."
    assert not result.proposals
    steps = talk.brain.views[-1].steps
    assert "parcel_send already waits" in steps[-1].text
    waiting = [one for one in talk.brain.views[-1].history if one.kind is EntryKind.RESULT]
    assert [one.outcome.value for one in waiting if one.outcome] == ["proposed"]
    await talk.ask(asha, "yes", proposal.conversation_id)
    assert [one["tool"] for one in mac.calls] == ["lantern_colour", "parcel_send"]


async def test_what_cannot_be_read_back_whole_is_refused(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    talk.brain.call("parcel_send", name="x" * 30_000)
    result = await talk.ask(asha, ASK_PARCEL)
    assert not result.proposals
    assert not mac.calls
    assert "too long" in talk.brain.views[-1].steps[-1].text


@pytest.mark.parametrize("hiding", ["Am\u202eti", "Am\u200bit", "Am\x1b[2Kit", "Am\U000e0041it"])
async def test_what_hides_from_the_eye_is_refused(talk: Talk, hiding: str) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    talk.brain.call("parcel_send", name=hiding)
    result = await talk.ask(asha, ASK_PARCEL)
    assert not result.proposals
    assert not mac.calls
    assert "cannot be seen" in talk.brain.views[-1].steps[-1].text


@pytest.mark.parametrize("plain", ["अमित क्‍या", "Amit\r\nShah", "👩‍👩‍👧 \U0001fae8", "Amit\tShah"])
async def test_line_ends_joiners_and_new_emoji_hide_nothing(talk: Talk, plain: str) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("parcel_send", name=plain)
    assert (await talk.ask(asha, ASK_PARCEL)).proposals


async def test_a_device_error_after_a_yes_is_a_failed_proposal(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    mac.contents["parcel_send"] = OSError("no stamps")
    await talk.confirm(asha, proposal)
    assert await state(talk, asha, proposal) is ProposalState.FAILED
    assert talk.brain.views[-1].steps[-1].text == "no stamps"


@requirement("tier.from_hello")
async def test_the_stricter_tier_holds_while_a_freer_one_waits_for_agreement(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha, [LANTERN, KETTLE, PARCEL, VAULT])
    freer = [LANTERN, KETTLE, PARCEL | {"tier": 0}, VAULT | {"tier": 1}]
    mac.link.say({"type": "hello", "kind": "mac", "label": "x", "version": "2", "tools": freer})
    await mac.link.hear("welcome")
    talk.brain.call("parcel_send", name="Marigold")
    result = await talk.ask(asha, ASK_PARCEL)
    assert len(result.proposals) == 1
    assert not mac.calls
