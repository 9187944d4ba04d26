"""The brain behind an OpenAI-compatible endpoint, against servers that behave well and badly."""

from aiohttp import web

from ira_home.domain.ports import CallPart, TextPart, UsagePart
from ira_home.providers.llm.openai import OpenAiBrain
from tests.providers.asking import BELL, KEY, USAGE, answer, calls_in, parts_of
from tests.providers.model_server import (
    chunk,
    model_server,
    piece,
    pieces,
    streaming,
    text,
)
from tests.support.views import call_and_result, view


async def test_text_is_streamed_as_it_comes_and_usage_is_told() -> None:
    parts, server = await answer(
        streaming(text("Ding "), text("dong."), chunk({}, "stop"), chunk(usage=USAGE))
    )
    assert parts == [TextPart("Ding "), TextPart("dong."), UsagePart(7, 3)]
    body = server.bodies[0]
    assert (body["model"], body["stream"], body["stream_options"]) == (
        "tiny",
        True,
        {"include_usage": True},
    )
    assert [one["function"]["name"] for one in body["tools"]] == ["bell_strike"]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_a_call_that_comes_whole_is_taken() -> None:
    whole = {
        "role": "assistant",
        "content": None,
        "tool_calls": [piece('{"a":1}', "bell_strike", index=0, id="call_1")],
    }
    parts, _ = await answer(streaming(chunk(whole), chunk({}, "tool_calls")))
    assert calls_in(parts) == [("bell_strike", '{"a":1}')]


async def test_interleaved_calls_in_pieces_are_put_together_by_index() -> None:
    parts, _ = await answer(
        streaming(
            pieces(piece("", "bell_strike", index=0, id="call_a")),
            pieces(piece("", "sail_hoist", index=1, id="call_b")),
            pieces(piece('{"ti', index=0), piece('{"hei', index=1)),
            pieces(piece('ght":2}', index=1), piece('mes":3}', index=0)),
            chunk({}, "tool_calls"),
        )
    )
    assert calls_in(parts) == [("bell_strike", '{"times":3}'), ("sail_hoist", '{"height":2}')]


async def test_without_an_index_the_id_tells_calls_apart_and_a_piece_without_either_goes_on() -> (
    None
):
    parts, _ = await answer(
        streaming(
            pieces(piece('{"a"', "one", id="x")), pieces(piece(":1}")),
            pieces(piece('{"b"', "two", id="y")), pieces(piece(":2}", id="y")),
            chunk({}, "tool_calls"),
        )
    )  # fmt: skip
    assert calls_in(parts) == [("one", '{"a":1}'), ("two", '{"b":2}')]


async def test_a_server_that_gives_every_call_the_same_index_is_understood() -> None:
    parts, _ = await answer(
        streaming(
            pieces(piece("{}", "one", index=0, id="x")),
            pieces(piece("{}", "two", index=0, id="y")),
            chunk({}, "tool_calls"),
        )
    )
    assert calls_in(parts) == [("one", "{}"), ("two", "{}")]


async def test_ids_are_unique_in_the_turn_whatever_the_server_says() -> None:
    same = streaming(
        pieces(piece("{}", "one", index=0, id="call_1"), piece("{}", "two", index=1)),
        chunk({}, "stop"),
    )
    async with model_server(same) as server:
        brain = OpenAiBrain(server.url, "tiny", KEY)
        turn = view("go", BELL, steps=call_and_result("bell_strike", "Ding.", call="call_1"))
        ids = [part.call_id for part in await parts_of(brain, turn) if isinstance(part, CallPart)]
        await brain.close()
    assert len({*ids, "call_1"}) == 3
    assert all(ids)


async def test_arguments_are_passed_on_as_text_however_broken() -> None:
    parts, _ = await answer(
        streaming(pieces(piece('{"a": nonsense', "one", index=0, id="x")), chunk({}, "stop"))
    )
    assert calls_in(parts) == [("one", '{"a": nonsense')]


async def test_a_server_that_does_not_know_about_usage_is_asked_once_more_and_never_again() -> None:
    async def behave(request: web.Request) -> web.StreamResponse:
        if "stream_options" in await request.json():
            return web.json_response(
                {"error": {"message": "Unknown field stream_options"}}, status=400
            )
        return await streaming(text("Ding.", "stop"))(request)

    async with model_server(behave) as server:
        brain = OpenAiBrain(server.url, "tiny", KEY)
        assert await parts_of(brain) == [TextPart("Ding.")]
        assert await parts_of(brain) == [TextPart("Ding.")]
        await brain.close()
        assert ["stream_options" in body for body in server.bodies] == [True, False, False]


async def test_no_call_is_offered_when_none_may_be_made() -> None:
    async with model_server(streaming(text("Done.", "stop"))) as server:
        brain = OpenAiBrain(server.url, "tiny", KEY)
        await parts_of(brain, view("go", BELL, may_call=False))
        await brain.close()
    assert server.bodies[0]["tool_choice"] == "none"
