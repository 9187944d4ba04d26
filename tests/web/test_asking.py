"""Asking over HTTP: answers, streams, runs, proposals, conversations."""

import asyncio
from pathlib import Path

import pytest

from tests.support.clock import FakeClock
from tests.support.home import PIN
from tests.support.requirements import requirement
from tests.web.scripted import lamp, scripted


async def test_an_answer_has_the_told_fields(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        device = await lamp(member)
        reply = await member.ask("lamp_colour please")
        assert reply.status == 200
        assert set(reply.body) == {
            "run_id",
            "conversation_id",
            "message_id",
            "text",
            "proposals",
            "tools",
        }
        assert "crimson" in reply.body["text"]
        assert reply.body["tools"] == [
            {"tool": "lamp_colour", "device": "Office Mac", "outcome": "done"}
        ]
        again = await member.ask("hello", reply.body["conversation_id"])
        assert again.body["conversation_id"] == reply.body["conversation_id"]
        await device.hang_up()


@requirement("token.ask", "token.ask_stream", "call.here.true", "call.here.false")
async def test_a_device_asks_as_its_person_and_the_server_says_where(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        device = await lamp(member)
        forged = {"text": "lamp_colour", "here": True, "device_id": device.number}
        await member.call("POST", "/v1/ask", forged)
        reply = await device.caller.ask("lamp_colour")
        async with device.caller.stream(
            "/v1/ask/stream", method="POST", body={"text": "lamp_colour"}
        ) as stream:
            await stream.until(lambda one: one.event == "done")
        assert [one["here"] for one in device.calls] == [False, True, True]
        mine = await member.call("GET", f"/v1/me/conversations/{reply.body['conversation_id']}")
        assert mine.status == 200
        await device.hang_up()


@pytest.mark.parametrize("text", ["", "   ", "x" * 16_001])
async def test_a_text_that_is_empty_or_too_long_is_422(tmp_path: Path, text: str) -> None:
    async with scripted(tmp_path) as (home, _brain):
        reply = await (await home.person()).ask(text)
        assert (reply.status, reply.body["code"]) == (422, "invalid")


async def test_another_persons_conversation_is_404(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member, other = await home.person(), await home.person()
        number = (await member.ask("hello")).body["conversation_id"]
        assert (await other.ask("hello", number)).status == 404
        assert (await other.ask("hello", 99999)).status == 404


async def test_a_stream_tells_start_tool_token_done_each_with_an_id(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        device = await lamp(member)
        told = []
        async with member.stream(
            "/v1/ask/stream", method="POST", body={"text": "lamp_colour"}
        ) as stream:
            while (one := await stream.next()) is not None:
                told.append(one)
        assert [int(one.id or 0) for one in told] == list(range(1, len(told) + 1))
        names = [one.event for one in told]
        assert (names[0], names[-1]) == ("start", "done")
        assert {"tool", "token"} <= set(names)
        run = told[-1].data["run_id"]
        async with member.stream(f"/v1/runs/{run}/stream?after=2") as stream:
            again = await stream.next()
            assert again == told[2]
        after = {"Last-Event-ID": str(len(told) - 1)}
        async with member.stream(f"/v1/runs/{run}/stream", headers=after) as stream:
            assert await stream.next() == told[-1]
            assert await stream.next() is None
        other = await home.person()
        assert (await other.call("GET", f"/v1/runs/{run}/stream")).status == 404
        assert (await member.call("GET", f"/v1/runs/{run}/stream?after=x")).status == 422
        await device.hang_up()


async def test_a_run_goes_on_when_nobody_listens(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, brain):
        member = await home.person()
        brain.hold = asyncio.Event()
        async with member.stream("/v1/ask/stream", method="POST", body={"text": "hi"}) as stream:
            start = await stream.next()
        assert start is not None
        async with member.stream(f"/v1/runs/{start.data['run_id']}/stream?after=1") as again:
            brain.hold.set()
            done = await again.until(lambda one: one.event == "done")
        assert "You said: hi" in done.data["text"]


async def test_a_run_is_stopped(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, brain):
        member, other = await home.person(), await home.person()
        brain.hold = asyncio.Event()
        async with member.stream("/v1/ask/stream", method="POST", body={"text": "hi"}) as stream:
            start = await stream.next()
            assert start is not None
            address = f"/v1/runs/{start.data['run_id']}/cancel"
            assert (await other.call("POST", address)).status == 404
            assert (await member.call("POST", address)).status == 204
            while await stream.next() is not None:
                pass


async def test_a_failing_model_is_an_answer_and_no_error_of_the_server(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        reply = await member.ask("fail")
        assert reply.status == 200
        assert "Half an" in reply.body["text"]
        assert reply.body["error"]["code"] == "model_failed"
        async with member.stream("/v1/ask/stream", method="POST", body={"text": "fail"}) as stream:
            told = await stream.until(lambda one: one.event == "error")
        assert told.data["error"]["code"] == "model_failed"


async def test_a_fourth_waiting_ask_is_409(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, brain):
        member = await home.person()
        number = (await member.ask("hello")).body["conversation_id"]
        brain.hold = asyncio.Event()
        body = {"text": "hi", "conversation_id": number}
        for _ in range(4):
            async with member.stream("/v1/ask/stream", method="POST", body=body) as stream:
                assert await stream.next()
        late = await member.ask("hi", number)
        brain.hold.set()
        assert (late.status, late.body["code"]) == (409, "busy")


async def test_a_repeated_ask_gets_the_same_run(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        device = await lamp(member)
        key = {"Idempotency-Key": "abc"}
        body = {"text": "lamp_colour"}
        first = await member.call("POST", "/v1/ask", body, headers=key)
        again = await member.call("POST", "/v1/ask", body, headers=key)
        assert again.body == first.body
        assert len(device.calls) == 1
        other = await member.call("POST", "/v1/ask", {"text": "else"}, headers=key)
        assert (other.status, other.body["code"]) == (409, "idempotency_conflict")
        await device.hang_up()


@requirement("tier.proposal", "tier.2.yes", "token.actions")
async def test_a_proposal_waits_and_runs_once_on_its_digest(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member, other = await home.person(), await home.person()
        device = await lamp(member)
        async with member.stream() as live:
            card = (await member.ask("door_open")).body["proposals"][0]
            told = await live.until(lambda one: one.event == "proposal")
        assert told.data == card
        assert (await member.call("GET", "/v1/me/actions")).body["items"] == [card]
        assert (await device.caller.call("GET", "/v1/me/actions")).body["items"] == [card]
        address = f"/v1/actions/{card['id']}/confirm"
        assert device.calls == []
        for body, status in (({}, 422), ({"digest": 5}, 422), ({"digest": "0" * 64}, 409)):
            assert (await member.call("POST", address, body)).status == status
            assert (await other.call("POST", address, body)).status == 404
        assert (await other.call("POST", f"/v1/actions/{card['id']}/cancel")).status == 404
        done = await device.caller.confirm(card)
        assert (done.status, len(device.calls)) == (200, 1)
        assert "It is open." in done.body["text"]
        late = await member.confirm(card)
        assert (late.status, late.body["code"], len(device.calls)) == (409, "proposal_over", 1)
        assert (await member.call("GET", "/v1/me/actions")).body["items"] == []
        await device.hang_up()


@requirement("tier.3.pin")
async def test_tier_3_wants_the_pin_in_its_own_field(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        device = await lamp(member)
        device.answers["safe_open"] = {"summary": "The safe is open."}
        card = (await member.ask("safe_open")).body["proposals"][0]
        for pin, code in ((None, "pin_required"), ("1111", "pin_wrong")):
            refused = await member.confirm(card, pin)
            assert (refused.status, refused.body["code"]) == (403, code)
        assert device.calls == []
        assert (await member.confirm(card, PIN)).status == 200
        assert len(device.calls) == 1
        await device.hang_up()


@requirement("tier.2.120s")
async def test_a_proposal_is_over_after_120_seconds(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        device = await lamp(member)
        card = (await member.ask("door_open")).body["proposals"][0]
        assert isinstance(home.clock, FakeClock)
        home.clock.advance(121)
        late = await member.confirm(card)
        assert (late.status, late.body["code"], device.calls) == (410, "proposal_expired", [])
        await device.hang_up()


async def test_saying_no_runs_nothing(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        device = await lamp(member)
        card = (await member.ask("door_open")).body["proposals"][0]
        assert (await member.call("POST", f"/v1/actions/{card['id']}/cancel")).status == 200
        assert (await member.confirm(card)).status == 409
        assert device.calls == []
        await device.hang_up()


async def test_a_device_that_is_away_is_said_and_nothing_is_queued(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        device = await lamp(member)
        card = (await member.ask("door_open")).body["proposals"][0]
        async with member.stream() as live:
            await device.hang_up()
            await live.until(lambda one: one.event == "device" and not one.data["online"])
        refused = await member.confirm(card)
        assert (refused.status, refused.body["code"]) == (409, "device_away")


async def test_conversations_are_listed_found_and_deleted(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member, other = await home.person(), await home.person()
        async with member.stream() as live:
            number = (await member.ask("marigold seeds")).body["conversation_id"]
            told = await live.until(lambda one: one.event == "conversation")
        assert told.data["id"] == number
        listed = (await member.call("GET", "/v1/me/conversations")).body["items"]
        assert [one["id"] for one in listed] == [number]
        found = (await member.call("GET", "/v1/me/search?q=marigold")).body["items"]
        assert {one["conversation_id"] for one in found} == {number}
        assert (await other.call("GET", "/v1/me/search?q=marigold")).body["items"] == []
        address = f"/v1/me/conversations/{number}"
        assert (await other.call("DELETE", address)).status == 404
        assert (await member.call("DELETE", address)).status == 204
        assert (await member.call("GET", address)).status == 404
        assert (await member.call("GET", "/v1/me/search?q=marigold")).body["items"] == []


@requirement("token.revoke.at_once")
async def test_whoever_is_revoked_while_they_wait_gets_no_answer(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, brain):
        member = await home.person()
        device = await member.pair()
        brain.hold = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            theirs = group.create_task(device.caller.ask("hi"))
            mine = group.create_task(member.ask("hi"))
            await asyncio.wait_for(brain.asked.acquire(), 5)
            await asyncio.wait_for(brain.asked.acquire(), 5)
            await home.services.accounts.change(None, member.person.id, name="New name")
            await member.call("DELETE", f"/v1/me/devices/{device.number}")
            assert (await theirs).status == 401
            brain.hold.set()
        assert mine.result().status == 200
        await device.hang_up()


async def test_a_stream_of_an_answer_ends_with_the_session(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, brain):
        member = await home.person()
        brain.hold = asyncio.Event()
        async with member.stream("/v1/ask/stream", method="POST", body={"text": "hi"}) as stream:
            assert await stream.next()
            assert (await member.call("DELETE", "/v1/session")).status == 204
            while await stream.next() is not None:
                pass
        brain.hold.set()


async def test_a_home_that_stops_answers_those_who_wait(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, brain):
        member = await home.person()
        brain.hold = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(member.ask("hi"))
            await asyncio.wait_for(brain.asked.acquire(), 5)
            await home.services.assistant.close()
            await home.services.live.close()
        assert waiting.result().status in (200, 503)
        late = await member.call("GET", "/v1/me/events/stream")
        assert (late.status, late.body["code"]) == (503, "unavailable")


async def test_words_sent_again_are_asked_once_whatever_the_server_went_through(
    tmp_path: Path,
) -> None:
    key = {"Idempotency-Key": "k1"}
    body = {"text": "hello there"}
    async with scripted(tmp_path) as (home, _brain):
        member = await home.person()
        first = await member.call("POST", "/v1/ask", body, headers=key)
        again = await member.call("POST", "/v1/ask", body, headers=key)
        assert again.body == first.body
    async with scripted(tmp_path) as (home, _brain):
        later = home.caller(cookie=member.cookie)
        found = await later.call("POST", "/v1/ask", body, headers=key)
        assert (found.status, found.body["code"]) == (409, "already_done")
        assert found.body["conversation_id"] == first.body["conversation_id"]
        assert found.body["id"] == first.body["message_id"]
        listed = await later.call("GET", "/v1/me/conversations")
        assert [one["id"] for one in listed.body["items"]] == [first.body["conversation_id"]]


async def test_a_conversation_says_what_is_worked_on_in_it(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, brain):
        member = await home.person()
        known = (await member.ask("hello")).body["conversation_id"]
        path = f"/v1/me/conversations/{known}"
        assert (await member.call("GET", path)).body["runs"] == []
        brain.hold = asyncio.Event()
        body = {"text": "hello again", "conversation_id": known}
        async with member.stream("/v1/ask/stream", method="POST", body=body) as stream:
            start = await stream.until(lambda one: one.event == "start")
            [run] = (await member.call("GET", path)).body["runs"]
            said = start.data["message_id"]
            assert run == {"id": start.data["run_id"], "message_id": said, "since": said}
            brain.hold.set()
            await stream.until(lambda one: one.event == "done")
        assert (await member.call("GET", path)).body["runs"] == []
