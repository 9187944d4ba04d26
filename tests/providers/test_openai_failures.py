"""A model's server that fails: one clear sentence each, the partial answer kept, no secret told."""

import asyncio
import logging
import socket
from typing import Any

from aiohttp import web
import pytest

from ira_home.base.errors import ModelFailed
from ira_home.domain.ports import TextPart
from ira_home.providers.llm.openai import OpenAiBrain
from tests.providers.asking import KEY, answer, calls_in, failure, parts_of
from tests.providers.model_server import (
    Behaviour,
    begin,
    chunk,
    model_server,
    piece,
    pieces,
    refusing,
    send,
    streaming,
    text,
)
from tests.support.views import view


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (refusing(401, {"error": {"message": f"bad key {KEY}"}}), "refused the key"),
        (refusing(403), "does not let this key"),
        (refusing(404), 'no model "tiny"'),
        (refusing(400), "did not accept the request"),
        (refusing(400, {"error": {"message": "tiny does not support tools"}}), "cannot call tools"),
        (
            refusing(400, {"error": {"message": "maximum context length is 4096"}}),
            "too long for the model",
        ),
        (refusing(402), "no credit"),
        (refusing(429), "no more requests"),
        (refusing(429, {"error": {"message": "x", "code": "insufficient_quota"}}), "no credit"),
        (refusing(500), "fault of its own"),
        (refusing(503), "fault of its own"),
        (refusing(302, None, Location="http://127.0.0.1:9/"), "not understood"),
    ],
)
async def test_each_refusal_is_one_sentence(behaviour: Behaviour, words: str) -> None:
    async with asyncio.timeout(20):
        seen, error = await failure(behaviour)
    assert not seen
    assert words in error.message
    assert "\n" not in error.message


async def test_a_failed_request_is_not_sent_again() -> None:
    async with model_server(refusing(500)) as server:
        brain = OpenAiBrain(server.url, "tiny", KEY)
        with pytest.raises(ModelFailed):
            await parts_of(brain)
        await brain.close()
    assert len(server.bodies) == 1


async def test_the_time_to_wait_is_passed_on() -> None:
    _seen, error = await failure(refusing(429, None, **{"Retry-After": "17"}))
    assert error.retry_after_s == 17


async def test_a_stream_that_breaks_keeps_what_came() -> None:
    async def behave(request: web.Request) -> web.StreamResponse:
        response = await begin(request)
        await send(response, text("Half an "))
        assert request.transport is not None
        request.transport.abort()
        return response

    seen, error = await failure(behave)
    assert seen == [TextPart("Half an ")]
    assert "broke off" in error.message


async def test_a_stream_that_ends_without_an_end_is_no_whole_answer() -> None:
    half_a_call = pieces(piece('{"a"', "one", index=0, id="x"))
    for chunks in ([text("Half")], [half_a_call], []):
        seen, error = await failure(streaming(*chunks, done=False))
        assert not calls_in(seen)
        assert "broke off" in error.message


async def test_an_answer_at_its_length_limit_is_kept_and_its_calls_are_not_made() -> None:
    seen, error = await failure(
        streaming(text("Half"), pieces(piece('{"a"', "one", index=0)), chunk({}, "length"))
    )
    assert seen == [TextPart("Half")]
    assert "cut off" in error.message


async def test_an_answer_that_the_provider_stopped_says_so() -> None:
    _seen, error = await failure(streaming(text("Half"), chunk({}, "content_filter")))
    assert "content rules" in error.message


@pytest.mark.parametrize(
    "chunks",
    [["{not json"], ["5"], ['"text"'], ["null"], ["[]"], [chunk("text")], [chunk({"tool_calls": "x"}, "stop")],
     [chunk({"tool_calls": [5]}, "stop")], [{"choices": 5}], [{"choices": [5]}], [pieces(piece("{}")), chunk({}, "stop")]],
)  # fmt: skip
async def test_garbage_in_the_stream_fails_in_words(chunks: list[Any]) -> None:
    _seen, error = await failure(streaming(*chunks))
    assert error.message.startswith("The model")


async def test_an_error_inside_the_stream_is_told() -> None:
    seen, error = await failure(streaming(text("Half"), {"error": {"message": f"oops {KEY}"}}))
    assert seen == [TextPart("Half")]
    assert "reported a fault" in error.message


async def test_a_page_instead_of_an_answer_fails_in_words() -> None:
    async def behave(request: web.Request) -> web.StreamResponse:
        return web.Response(text="<html>hello</html>", content_type="text/html")

    await failure(behave)


async def test_a_server_that_hangs_is_given_up() -> None:
    async def never(request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        return web.Response()

    async def stalls(request: web.Request) -> web.StreamResponse:
        response = await begin(request)
        await send(response, text("Half"))
        await asyncio.Event().wait()
        return response

    for behaviour, came in ((never, []), (stalls, [TextPart("Half")])):
        seen, error = await failure(behaviour, read_s=0.2)
        assert seen == came
        assert "in time" in error.message


async def test_a_server_that_is_not_there_is_named_without_secrets() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    brain = OpenAiBrain(f"http://user:{KEY}@127.0.0.1:{port}/v1?key={KEY}", "tiny", KEY)
    with pytest.raises(ModelFailed, match=f"at 127.0.0.1:{port} cannot be reached") as caught:
        await parts_of(brain)
    assert KEY not in caught.value.message
    await brain.close()


@pytest.mark.parametrize(
    ("url", "model", "key", "words"),
    [("ftp://a/v1", "m", "k", "http"), ("file:///etc/passwd", "m", "k", "http"), ("http://", "m", "k", "http"),
     ("http://a:x/", "m", "k", "http"), ("", "m", "", "No key"), ("http://a.example/v1", "", "k", "No model")],
)  # fmt: skip
async def test_what_is_set_wrongly_is_said_on_use(
    url: str, model: str, key: str, words: str
) -> None:
    brain = OpenAiBrain(url, model, key)
    with pytest.raises(ModelFailed, match=words):
        await parts_of(brain)
    with pytest.raises(ModelFailed, match=words):
        await brain.check()


async def test_cancelling_the_reader_closes_the_stream() -> None:
    begun = asyncio.Event()

    async def behave(request: web.Request) -> web.StreamResponse:
        response = await begin(request)
        await send(response, text("Half"))
        while True:
            await send(response, text("."))
            begun.set()
            await asyncio.sleep(0)

    async with asyncio.timeout(20), model_server(behave) as server:
        brain = OpenAiBrain(server.url, "tiny", KEY)
        reading = asyncio.create_task(parts_of(brain))
        await begun.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await server.closed.wait()
        await brain.close()


async def test_leaving_the_loop_closes_the_stream_and_the_brain_goes_on() -> None:
    endless = True

    async def behave(request: web.Request) -> web.StreamResponse:
        if not endless:
            return await streaming(text("Ding.", "stop"))(request)
        response = await begin(request)
        while True:
            await send(response, text("."))
            await asyncio.sleep(0)

    async with asyncio.timeout(20), model_server(behave) as server:
        brain = OpenAiBrain(server.url, "tiny", KEY)
        stream = brain.step(view("go"))
        assert await anext(stream) == TextPart(".")
        await stream.aclose()  # type: ignore[attr-defined]
        await server.closed.wait()
        endless = False
        assert await parts_of(brain) == [TextPart("Ding.")]
        await brain.close()


async def test_check_asks_for_one_word_without_tools() -> None:
    async def behave(request: web.Request) -> web.StreamResponse:
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": "ready"},
            "finish_reason": "stop",
        }
        return web.json_response(
            {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [choice],
            }
        )

    async with model_server(behave) as server:
        brain = OpenAiBrain(server.url, "tiny", "")
        assert (await brain.check()).startswith("The model tiny at 127.0.0.1:")
        await brain.close()
    assert "tools" not in server.bodies[0]
    assert KEY not in str(server.headers)


async def test_neither_key_nor_content_is_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    await answer(streaming(text("a secret answer", "stop")))
    await failure(refusing(500))
    assert KEY not in caplog.text
    assert "secret" not in caplog.text
    assert "Strike the bell" not in caplog.text


async def test_a_model_in_the_house_is_reached_without_the_proxy_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    parts, _ = await answer(streaming(text("Ding.", "stop")))
    assert parts == [TextPart("Ding.")]
