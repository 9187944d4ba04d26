"""The gate: nothing reaches a device or a function unless it is found, permitted, valid and on record."""

from dataclasses import replace
import random

import pytest

from ira_home.base.errors import DeviceAway, Forbidden, StorageFull
from ira_home.base.ids import CallId, PersonId
from ira_home.base.limits import BODY_BYTES
from ira_home.devices.outcomes import CallLost, CallTimedOut, DeviceBusy, ToolWithdrawn
from ira_home.domain.people import Permission
from ira_home.domain.ports import CallPart
from ira_home.domain.tools import Outcome, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.protocol.schemas import validate
from ira_home.tools.calls import Proposed
from tests.support.brains import call
from tests.support.requirements import requirement
from tests.tools.gating import PATH, Bench, held


@requirement("tier.0", "tier.1", "call.frame")
async def test_a_good_call_is_logged_then_sent_then_its_end_is_written(bench: Bench) -> None:
    for tier in (0, 1):
        bench.hub.give(bench.principal.person.id, held("files_read", tier))
        ended = await bench.ended(call("files_read", path="a.pdf"))
        assert ended.text == "Finished."
        assert (ended.label, ended.source, ended.private) == (TrustLabel.DEVICE, "Mac 1", True)
    assert bench.hub.calls == [(1, "files_read", {"path": "a.pdf"}, False)] * 2
    assert bench.hub.rows == [["files_read", 1, "unknown"]] * 2
    assert await bench.outcomes() == ["done", "done"]


async def test_nothing_is_sent_when_the_log_cannot_be_written(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise StorageFull

    turn = await bench.turn()
    monkeypatch.setattr(bench.storage.tool_log, "add", full)
    with pytest.raises(StorageFull):
        await bench.run(call("files_read", path="a.pdf"), turn)
    assert not bench.hub.calls


async def test_nothing_is_sent_for_a_turn_that_was_deleted(bench: Bench) -> None:
    turn = await bench.turn()
    await bench.storage.write(
        lambda tx: bench.storage.conversations.delete(tx, turn.turn.person_id, turn.turn.conversation_id)
    )  # fmt: skip
    with pytest.raises(Exception, match="no such thing"):
        await bench.run(call("files_read", path="a.pdf"), turn)
    assert not bench.hub.calls


async def test_a_tool_that_is_not_there_is_refused_and_on_record(bench: Bench) -> None:
    ended = await bench.ended(call("files_erase"))
    assert ended.outcome is Outcome.REFUSED
    assert await bench.outcomes() == ["refused"]


@requirement("call.frame")
@pytest.mark.parametrize(
    "arguments", ["", "[]", '"x"', "{", '{"path": 5}', '{"path": "a", "path": "b"}', '{"path": NaN}', "null"]
)  # fmt: skip
async def test_arguments_that_do_not_fit_are_never_sent(bench: Bench, arguments: str) -> None:
    ended = await bench.ended(CallPart(CallId("c"), "files_read", arguments))
    assert ended.outcome is Outcome.REFUSED
    assert not bench.hub.calls
    assert await bench.outcomes() == ["refused"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"path": 5}', "path must be as its schema says under type."),
        ("{}", "path is missing."),
        ("[]", "one JSON object"),
        ('"\ud800"', "are not valid"),
        ('{"path": "' + "a" * BODY_BYTES + '"}', "too long"),
    ],
)
async def test_what_does_not_fit_is_said_without_repeating_it(
    bench: Bench, arguments: str, said: str
) -> None:
    assert said in (await bench.ended(CallPart(CallId("c"), "files_read", arguments))).text


async def test_no_arguments_at_all_are_none(bench: Bench) -> None:
    bench.hub.give(bench.principal.person.id, held("files_list", parameters={}, schemas=({},)))
    await bench.ended(CallPart(CallId("c"), "files_list", ""))
    assert bench.hub.calls == [(1, "files_list", {}, False)]


async def test_arguments_as_long_as_a_body_are_read(bench: Bench) -> None:
    path = "a" * (BODY_BYTES - len('{"path": ""}'))
    assert (await bench.ended(call("files_read", path=path))).outcome is Outcome.DONE


async def test_arguments_must_fit_both_schemas_while_two_hold(bench: Bench) -> None:
    short = {"type": "object", "properties": {"path": {"type": "string", "maxLength": 3}}}
    tool = held("files_read", schemas=(PATH, short))
    bench.hub.give(bench.principal.person.id, tool)
    assert (await bench.ended(call("files_read", path="long"))).outcome is Outcome.REFUSED
    assert (await bench.ended(call("files_read", path="abc"))).outcome is Outcome.DONE


@requirement("tier.proposal", "tier.in_code")
async def test_a_tier_2_or_3_call_sends_nothing_whatever_its_arguments_say(bench: Bench) -> None:
    anything = {"type": "object"}
    for tier in (2, 3):
        tool = held("files_send", tier, parameters=anything, schemas=(anything,))
        bench.hub.give(bench.principal.person.id, tool)
        result = await bench.run(call("files_send", tier=0, approved=True, confirmed="yes"))
        assert isinstance(result, Proposed)
        assert result.proposal.tier == tier
    assert not bench.hub.calls
    assert await bench.outcomes() == ["proposed", "proposed"]


async def test_the_floor_of_a_skill_raises_a_tier_and_never_lowers_it(bench: Bench) -> None:
    tool = held("bank_pay", 0, skill="bank", skills=frozenset({"bank"}))
    bench.hub.give(bench.principal.person.id, tool, skills=frozenset({"bank"}))
    result = await bench.run(call("bank_pay", path="x"))
    assert isinstance(result, Proposed)
    assert result.proposal.tier is Tier.PIN


@requirement("grant.offered")
async def test_what_was_switched_off_after_the_brain_saw_it_is_not_sent(bench: Bench) -> None:
    box = await bench.box()
    bench.hub.give(bench.principal.person.id, held("files_read"), skills=frozenset())
    ended = await bench.ended(call("files_read", path="a"), box=box)
    assert ended.outcome is Outcome.REFUSED
    bench.hub.give(bench.principal.person.id, held("files_read"), online=False)
    ended = await bench.ended(call("files_read", path="a"), box=box)
    assert ended.outcome is Outcome.AWAY
    bench.hub.give(bench.principal.person.id, held("files_read", digest="another"))
    ended = await bench.ended(call("files_read", path="a"), box=box)
    assert ended.outcome is Outcome.REFUSED
    assert not bench.hub.calls
    assert await bench.outcomes() == ["refused", "away", "refused"]


async def test_a_credential_without_ask_calls_nothing(bench: Bench) -> None:
    turn = await bench.turn()
    lame = replace(bench.principal, permissions=frozenset({Permission.VOICE}))
    with pytest.raises(Forbidden):
        await bench.run(call("files_read", path="a"), replace(turn, principal=lame))
    assert not bench.hub.calls


@requirement("call.here.true", "call.here.false")
async def test_here_is_true_only_for_the_device_whose_own_token_asked(bench: Bench) -> None:
    for here, told in ((1, True), (2, False), (None, False)):
        await bench.run(call("files_read", path="a"), await bench.turn(here=here))
        assert bench.hub.calls[-1][3] is told


async def test_with_two_devices_the_named_one_is_called_by_its_own_rules(bench: Bench) -> None:
    bench.hub.give(bench.principal.person.id, held("files_read", 2), number=2)
    for wrong in ({}, {"device": "Mac 9"}, {"device": 5}):
        ended = await bench.ended(call("files_read", path="a", **wrong))
        assert ended.outcome is Outcome.REFUSED
        assert "Mac 1, Mac 2" in ended.text
    result = await bench.run(call("files_read", path="a", device="Mac 2"))
    assert isinstance(result, Proposed)
    await bench.ended(call("files_read", path="a", device="Mac 1"))
    assert bench.hub.calls == [(1, "files_read", {"path": "a"}, False)]


async def test_an_old_device_argument_is_taken_out_when_it_names_the_one_device(
    bench: Bench,
) -> None:
    await bench.ended(call("files_read", path="a", device="Mac 1"))
    assert bench.hub.calls[-1][2] == {"path": "a"}
    ended = await bench.ended(call("files_read", path="a", device="Mac 2"))
    assert ended.outcome is Outcome.AWAY
    assert "Mac 1 is the only one" in ended.text
    assert len(bench.hub.calls) == 1


async def test_the_seconds_that_a_call_took_are_on_record(bench: Bench) -> None:
    bench.hub.takes = lambda: bench.clock.advance(3)
    await bench.ended(call("files_read", path="a"))
    [line] = (await bench.storage.tool_log.list(bench.principal.person.id, None, 9)).items
    assert line.seconds == 3


@pytest.mark.parametrize(
    ("fault", "outcome", "word"),
    [
        (DeviceAway(), Outcome.AWAY, "not connected"),
        (DeviceBusy(), Outcome.BUSY, "device is busy"),
        (CallTimedOut(), Outcome.TIMEOUT, "device did not answer"),
        (CallLost(), Outcome.UNKNOWN, "not known"),
        (ToolWithdrawn(), Outcome.REFUSED, "Nothing was sent"),
        (RuntimeError("boom"), Outcome.UNKNOWN, "not known"),
    ],
)
@requirement("limit.call")
async def test_every_way_in_which_a_call_fails_is_told_and_written_down(
    bench: Bench, fault: Exception, outcome: Outcome, word: str
) -> None:
    bench.hub.fault = fault
    ended = await bench.ended(call("files_read", path="a"))
    assert ended.outcome is outcome
    assert word in ended.text
    assert (ended.label, ended.private) == (TrustLabel.HOUSE, False)
    assert await bench.outcomes() == [outcome.value]


@requirement("tools.turn")
async def test_a_tool_of_the_house_runs_through_the_same_gate(bench: Bench) -> None:
    ended = await bench.ended(call("house_time"))
    assert ended.text == "15:00, Tuesday, 01 December 2026"
    assert (ended.label, ended.device) == (TrustLabel.HOUSE, None)
    assert await bench.outcomes() == ["done"]


async def test_whatever_comes_nothing_passes_that_is_not_found_permitted_valid_and_logged(
    bench: Bench,
) -> None:
    """Random people, devices, skills, tiers and arguments: what reaches the hub is always in order."""
    chance = random.Random(20261201)  # noqa: S311 - a repeatable test
    person_id = bench.principal.person.id
    for _ in range(150):
        bench.hub.devices.clear()
        tiers = {number: chance.choice((0, 0, 1, 2, 3)) for number in (1, 2)}
        for number in chance.sample((1, 2), chance.choice((0, 1, 1, 2))):
            owner = chance.choice((person_id, person_id, PersonId(person_id + 1)))
            skills = frozenset(chance.choice((("files",),) * 3 + (("other",), ())))
            bench.hub.give(
                owner, held("files_read", tiers[number]), number=number,
                online=chance.random() < 0.7, skills=skills,
            )  # fmt: skip
        box = await bench.box()
        if chance.random() < 0.2:
            bench.hub.devices.clear()
        text = chance.choice(('{"path": "a"}',) * 4 + ('{"path": 5}', "{}", "{", '{"path": "a", "device": "Mac 2"}'))  # fmt: skip
        before = len(bench.hub.calls)
        await bench.run(CallPart(CallId("c"), chance.choice(("files_read",) * 4 + ("files_erase",)), text), box=box)  # fmt: skip
        for device_id, tool, args, _here in bench.hub.calls[before:]:
            mine = {one.device.id: one for one in bench.hub.devices.get(person_id, [])}
            assert mine[device_id].online
            assert "files" in mine[device_id].device.skills
            assert tiers[device_id] < 2
            assert tool == "files_read"
            assert validate((PATH,), args) is None
            assert bench.hub.rows[-1] == ["files_read", device_id, "unknown"]
    assert len(bench.hub.calls) > 8
