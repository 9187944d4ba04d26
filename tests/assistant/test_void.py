"""Proposals that no longer stand when their person answers: nothing runs, and it is said."""

import pytest

from ira_home.base.errors import DeviceAway, ProposalOver
from ira_home.base.limits import PROPOSAL_S
from ira_home.domain.conversations import EntryKind
from ira_home.domain.facts import DeviceRevoked, PersonChanged, ProposalEnded
from ira_home.domain.proposals import ProposalState
from ira_home.domain.turns import TurnState
from tests.assistant.asking import asked, refused, state, turn_state
from tests.support.requirements import requirement
from tests.support.talk import KETTLE, PARCEL, TOYS, Talk, toy


@requirement("grant.off.no_pin")
@pytest.mark.parametrize("typed", [True, False])
async def test_a_skill_switched_off_meanwhile_makes_it_void(talk: Talk, typed: bool) -> None:
    asha, mac, proposal = await asked(talk)
    await talk.house.registry.switch(asha, mac.device.id, "parcel", on=False)
    if typed:
        result = await talk.ask(asha, "yes", proposal.conversation_id)
        assert result.text
    else:
        await refused(talk, asha, proposal, ProposalOver)
    await talk.until(lambda: bool(talk.house.told(ProposalEnded)))
    assert not mac.calls
    assert await state(talk, asha, proposal) is ProposalState.VOID


async def test_another_skill_switched_off_leaves_it_alone(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    await talk.house.registry.switch(asha, mac.device.id, "kettle", on=False)
    other = await talk.gadget(asha, [KETTLE, PARCEL], label="Pad")
    await talk.house.registry.switch(asha, other.device.id, "parcel", on=False)
    await talk.confirm(asha, proposal)
    assert len(mac.calls) == 1


@pytest.mark.parametrize(
    ("words", "note"),
    [("Send the parcel to Marigold", "Time ran out"), ("पार्सल Marigold को भेजो", "समय")],
)
async def test_who_did_not_answer_is_told_in_their_language_and_the_turn_is_over(
    talk: Talk, words: str, note: str
) -> None:
    asha, _mac, proposal = await asked(talk, text=words)
    assert await turn_state(talk, proposal) is TurnState.WAITING
    talk.house.clock.advance(PROPOSAL_S)
    await talk.workshop.watch.expire_due()
    last = (await talk.entries(proposal.conversation_id))[-1]
    assert (last.kind, last.private) == (EntryKind.NOTE, True)
    assert note in last.text
    assert await turn_state(talk, proposal) is TurnState.ENDED
    assert (await talk.log(asha))[-1] == ("parcel_send", "expired", "none")


async def test_a_removed_device_makes_it_void(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    await talk.house.registry.revoke(asha, mac.device.id)
    assert talk.house.told(DeviceRevoked)
    await refused(talk, asha, proposal, ProposalOver)
    await talk.until(lambda: bool(talk.house.told(ProposalEnded)))
    assert not mac.calls


async def test_a_changed_definition_makes_it_void(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    changed = toy("parcel_send", "Send everything to everybody", 2, takes=("name",))
    mac.link.say({"type": "hello", "kind": "mac", "label": "x", "version": "1", "tools": [changed]})
    await mac.link.hear("welcome")
    await refused(talk, asha, proposal, ProposalOver)
    assert not mac.calls


async def test_a_changed_definition_ends_the_question_by_itself(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    changed = toy("parcel_send", "Send everything to everybody", 2, takes=("name",))
    mac.link.say({"type": "hello", "kind": "mac", "label": "x", "version": "1", "tools": [changed]})
    await talk.until(lambda: bool(talk.house.told(ProposalEnded)))
    assert await state(talk, asha, proposal) is ProposalState.VOID
    assert "changed" in (await talk.entries(proposal.conversation_id))[-1].text
    assert (await talk.log(asha))[-1] == ("parcel_send", "cancelled", "none")


async def test_the_same_definition_said_again_changes_nothing(talk: Talk) -> None:
    asha, mac, proposal = await asked(talk)
    mac.link.say({"type": "hello", "kind": "mac", "label": "x", "version": "1", "tools": TOYS})
    await mac.link.hear("welcome")
    await talk.confirm(asha, proposal)
    assert len(mac.calls) == 1


@pytest.mark.parametrize("typed", [True, False])
async def test_a_yes_while_the_device_is_away_is_not_kept_for_later(
    talk: Talk, typed: bool
) -> None:
    asha, mac, proposal = await asked(talk)
    mac.link.drop()
    await talk.until(lambda: not talk.house.hub.is_online(mac.device.id))
    if typed:
        result = await talk.ask(asha, "yes", proposal.conversation_id)
        assert "not connected" in result.text
    else:
        await refused(talk, asha, proposal, DeviceAway)
    again = await talk.connect(mac.device)
    await refused(talk, asha, proposal, ProposalOver)
    assert not again.calls
    assert (await talk.log(asha))[-1] == ("parcel_send", "away", "none")
    assert "Office Mac" in (await talk.entries(proposal.conversation_id))[-1].text


async def test_a_changed_account_makes_it_void(talk: Talk) -> None:
    asha, _mac, proposal = await asked(talk)
    talk.house.bus.publish(PersonChanged(asha.person.id, removed=False))
    await talk.until(lambda: bool(talk.house.told(ProposalEnded)))
    assert await state(talk, asha, proposal) is ProposalState.VOID


async def test_what_a_question_says_of_a_device_is_private(talk: Talk) -> None:
    _asha, _mac, proposal = await asked(talk)
    entries = await talk.entries(proposal.conversation_id)
    private = {one.kind: one.private for one in entries}
    assert private == {EntryKind.PERSON: False, EntryKind.CALL: True, EntryKind.NOTE: True}


async def test_the_watch_ends_what_has_run_out_by_itself(talk: Talk) -> None:
    asha, _mac, proposal = await asked(talk)
    talk.house.clock.advance(PROPOSAL_S)
    talk.brain.call("parcel_send", name="Ravi")
    await talk.ask(asha, "Send the parcel to Ravi")
    await talk.until(lambda: bool(talk.house.told(ProposalEnded)))
    assert await state(talk, asha, proposal) is ProposalState.EXPIRED
