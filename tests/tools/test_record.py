"""Calls on record: before they are sent, after they ended, and whoever asked looked at in between."""

from dataclasses import replace
from typing import Any

import pytest

from ira_home.base.errors import NotFound, StorageFull, Unavailable
from ira_home.base.ids import PersonId
from ira_home.base.tokens import mint_token, token_hash
from ira_home.domain.conversations import EntryKind
from ira_home.domain.people import Credential, Permission, Principal, Role
from ira_home.domain.ports import CallPart
from ira_home.domain.proposals import ProposalState
from ira_home.domain.tools import Outcome
from ira_home.tools.calls import Ended, Ousted, TurnContext
from tests.support.brains import call
from tests.support.device_house import PIN
from tests.support.requirements import requirement
from tests.support.talk import Talk
from tests.tools.gating import Bench, held

READ = call("files_read", path="a.pdf")


@requirement("tier.0")
async def test_a_call_is_in_its_conversation_and_counted_before_it_is_sent(bench: Bench) -> None:
    await bench.ended(READ)
    assert bench.hub.entries == [("call", '{"path": "a.pdf"}', "files_read", 1, None)]
    assert bench.hub.spent == 1
    sql = "SELECT kind, call_id, outcome FROM messages ORDER BY id"
    kept = [tuple(row) for row in await bench.storage.database.all(sql)]
    assert kept == [("call", "call_1", None), ("result", "call_1", "done")]


async def test_a_call_costs_two_commits_and_a_refused_one_costs_one(bench: Bench) -> None:
    turn, box = await bench.turn(), await bench.box()
    before = bench.storage.database.commits
    await bench.ended(READ, turn=turn, box=box)
    assert bench.storage.database.commits - before == 2
    await bench.ended(call("files_read"), turn=turn, box=box)
    assert bench.storage.database.commits - before == 3


async def test_a_call_whose_entry_cannot_be_written_is_not_sent_and_leaves_no_line(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageFull

    turn = await bench.turn()
    monkeypatch.setattr(bench.storage.conversations, "add", full)
    with pytest.raises(StorageFull):
        await bench.run(READ, turn)
    assert not bench.hub.calls
    assert await bench.outcomes() == []


async def test_an_end_that_cannot_be_written_is_not_told_as_nothing_done(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **_more: object) -> None:
        raise StorageFull

    monkeypatch.setattr(bench.storage.tool_log, "finish", full)
    with pytest.raises(Unavailable, match="It was sent") as told:
        await bench.ended(READ)
    assert "othing was done" not in told.value.message
    assert await bench.outcomes() == ["unknown"]


async def test_a_result_does_not_bring_a_deleted_conversation_back(bench: Bench) -> None:
    turn = await bench.turn()
    real = bench.hub.call

    async def deletes(*words: Any, **named: Any) -> Any:
        content = await real(*words, **named)
        person_id, number = turn.turn.person_id, turn.turn.conversation_id
        await bench.storage.write(
            lambda tx: bench.storage.conversations.delete(tx, person_id, number)
        )
        return content

    bench.hub.call = deletes  # type: ignore[method-assign]
    assert (await bench.ended(READ, turn=turn)).outcome is Outcome.DONE
    assert await bench.storage.database.all("SELECT * FROM messages") == []
    assert await bench.outcomes() == ["done"]


# --- whoever asked, at the moment of running. No fact is published here: the commit alone counts.


async def with_token(talk: Talk, principal: Principal) -> Principal:
    storage, person = talk.house.storage, principal.person
    made = await storage.write(
        lambda tx: storage.api_tokens.add(
            tx, person_id=person.id, name="x", token_hash=token_hash(mint_token("irat_")),
            scopes={Permission.ASK, Permission.ACTIONS}, at=talk.house.clock.now(),
        )
    )  # fmt: skip
    return Principal(person, Credential.API_TOKEN, made.id, made.scopes)


async def with_device(talk: Talk, principal: Principal) -> Principal:
    device = await talk.house.paired(principal)
    scopes = frozenset({Permission.ASK, Permission.ACTIONS})
    return Principal(principal.person, Credential.DEVICE_TOKEN, device.id, scopes, device.id)


END = {
    Credential.SESSION: "DELETE FROM sessions WHERE id = ?",
    Credential.API_TOKEN: "DELETE FROM api_tokens WHERE id = ?",
    Credential.DEVICE_TOKEN: "UPDATE devices SET revoked_at = 1 WHERE id = ?",
}


async def as_asker(talk: Talk, bench: Bench, credential: Credential) -> Principal:
    if credential is Credential.API_TOKEN:
        return await with_token(talk, bench.principal)
    if credential is Credential.DEVICE_TOKEN:
        return await with_device(talk, bench.principal)
    return bench.principal


async def asked_by(bench: Bench, principal: Principal) -> TurnContext:
    return replace(await bench.turn(), principal=principal)


@pytest.mark.parametrize("credential", list(END))
@pytest.mark.parametrize("tier", [0, 1, 2, 3])
async def test_a_credential_that_ended_calls_and_asks_nothing_more(
    talk: Talk, bench: Bench, credential: Credential, tier: int
) -> None:
    principal = await as_asker(talk, bench, credential)
    turn = await asked_by(bench, principal)
    bench.hub.give(principal.person.id, held("files_read", 0))
    assert isinstance(await bench.run(READ, turn), Ended)
    sent = len(bench.hub.calls)
    bench.hub.give(principal.person.id, held("files_read", tier))
    await bench.storage.write(lambda tx: tx.run(END[credential], (principal.credential_id,)))
    with pytest.raises(Ousted) as told:
        await bench.run(READ, turn)
    assert "sign-in or account" in told.value.message
    assert len(bench.hub.calls) == sent
    assert await bench.outcomes() == ["done", "refused"]
    assert await bench.storage.proposals.waiting(principal.person.id) == []
    results = "SELECT outcome FROM messages WHERE kind = 'result' ORDER BY id"
    kept = [row[0] for row in await bench.storage.database.all(results)]
    assert kept == ["done", "refused"]


@pytest.mark.parametrize("part", [call("files_read"), call("files_erase")])
async def test_a_call_that_would_be_refused_anyway_ends_the_turn_as_well(
    bench: Bench, part: CallPart
) -> None:
    turn = await bench.turn()
    await bench.storage.write(lambda tx: tx.run("DELETE FROM sessions"))
    with pytest.raises(Ousted):
        await bench.run(part, turn)
    assert await bench.outcomes() == ["refused"]


@pytest.mark.parametrize("credential", list(END))
async def test_a_credential_of_somebody_else_is_none(
    talk: Talk, bench: Bench, credential: Credential
) -> None:
    stranger = await talk.house.person()
    other = await as_asker(talk, Bench(talk, stranger), credential)
    forged = replace(other, person=bench.principal.person)
    with pytest.raises(Ousted):
        await bench.run(READ, await asked_by(bench, forged))
    assert not bench.hub.calls


@pytest.mark.parametrize("role", [Role.ADMIN, Role.OWNER])
async def test_what_was_asked_in_another_role_is_not_gone_on_with(bench: Bench, role: Role) -> None:
    before = replace(bench.principal, person=replace(bench.principal.person, role=role))
    with pytest.raises(Ousted):
        await bench.run(READ, await asked_by(bench, before))
    assert not bench.hub.calls
    assert await bench.outcomes() == ["refused"]


async def test_a_removed_person_s_call_is_not_sent_and_leaves_nothing(bench: Bench) -> None:
    turn = await bench.turn()
    await bench.storage.write(lambda tx: bench.storage.people.remove(tx, turn.turn.person_id))
    with pytest.raises(Ousted):
        await bench.run(READ, turn)
    assert not bench.hub.calls
    assert await bench.outcomes() == []


async def test_a_yes_of_a_session_that_ended_runs_nothing_and_another_s_still_can(
    talk: Talk,
) -> None:
    asha = await talk.house.person_with_pin()
    mac = await talk.gadget(asha)
    talk.brain.call("vault_empty")
    proposal = (await talk.ask(asha, "Empty the vault")).proposals[0]
    again = await talk.house.signed_in(asha.person)
    await talk.house.storage.write(
        lambda tx: tx.run("DELETE FROM sessions WHERE id = ?", (asha.credential_id,))
    )
    with pytest.raises(Exception, match="Sign in first"):
        await talk.confirm(asha, proposal, pin=PIN)
    found = await talk.workshop.proposals.get(asha.person.id, proposal.id)
    assert found.state is ProposalState.WAITING
    assert not mac.calls
    await talk.confirm(again, proposal, pin=PIN)
    assert len(mac.calls) == 1


async def test_a_turn_ends_with_a_clear_sentence_when_its_asker_has_no_say(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    talk.brain.then(call("lantern_colour"), call("kettle_boil"))
    await talk.house.storage.write(
        lambda tx: tx.run("DELETE FROM sessions WHERE id = ?", (asha.credential_id,))
    )
    result = await talk.ask(asha, "Tell me the colour of the lantern, boil the water")
    assert "sign-in or account was ended" in result.text
    assert result.error is not None
    assert result.error.code == "forbidden"
    assert [(one.tool, one.outcome) for one in result.tools] == [
        ("lantern_colour", Outcome.REFUSED)
    ]
    assert len(talk.brain.views) == 1
    assert not mac.calls
    last = (await talk.entries(result.conversation_id))[-1]
    assert (last.kind, last.text) == (EntryKind.NOTE, result.text)
    sql = "SELECT state FROM turns"
    assert [row[0] for row in await talk.house.storage.database.all(sql)] == ["ended"]


@requirement("tools.private")
async def test_a_call_on_another_person_s_device_is_refused_by_the_hub_itself(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    theirs = await talk.gadget(ravi)
    hub = talk.house.hub
    with pytest.raises(NotFound):
        await hub.call(
            theirs.device.id, person_id=asha.person.id, tool="lantern_colour", args={}, here=False
        )
    mine = await talk.gadget(asha)
    real = hub.offers

    async def mixed_up(person_id: PersonId) -> Any:
        """A fault above: everybody is offered what is Ravi's."""
        return await real(ravi.person.id)

    hub.offers = mixed_up  # type: ignore[method-assign]
    talk.brain.call("lantern_colour")
    result = await talk.ask(asha, "Tell me the colour of the lantern")
    assert [one.outcome for one in result.tools] == [Outcome.REFUSED]
    assert not theirs.calls
    assert not mine.calls
    assert await talk.log(asha) == [("lantern_colour", "refused", "none")]
