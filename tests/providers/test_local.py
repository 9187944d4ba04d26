"""Servers of models on this very computer: who is found, and what is taken for one."""

import json
from typing import Any

import pytest

from ira_home.base.limits import LOCAL_BRAIN_BYTES, LOCAL_BRAIN_MODELS
from ira_home.domain.house import LocalBrain
from ira_home.providers.llm.local import LocalServers, Place
from tests.support.outside import answering, site, speaking
from tests.support.ports import free_port

OLLAMA, LLAMA = "Ollama", "llama.cpp"


def listed(*names: Any, owner: str = "library") -> str:
    """The list of models as both servers tell it."""
    rows = [{"id": name, "object": "model", "created": 1, "owned_by": owner} for name in names]
    return json.dumps({"object": "list", "data": rows})


async def look(kind: str, port: int) -> tuple[LocalBrain, ...]:
    return await LocalServers((Place(kind, port),)).look()


async def test_both_kinds_are_found_and_nothing_but_their_list_is_asked_for() -> None:
    async with (
        site(answering(listed("llama3.2:latest", "qwen3:4b"), kind="application/json")) as ollama,
        site(answering(listed("models/tiny.gguf", owner="llamacpp"))) as llama,
    ):
        places = (Place(OLLAMA, ollama.port), Place(LLAMA, free_port()), Place(LLAMA, llama.port))
        assert await LocalServers(places).look() == (
            LocalBrain(OLLAMA, f"http://127.0.0.1:{ollama.port}/v1", ("llama3.2:latest", "qwen3:4b")),
            LocalBrain(LLAMA, f"http://127.0.0.1:{llama.port}/v1", ("models/tiny.gguf",)),
        )  # fmt: skip
        for one in (ollama, llama):
            assert [(asked.method, asked.path) for asked in one.requests] == [("GET", "/v1/models")]
            assert not {"Authorization", "Cookie"} & set(one.requests[0].headers)


@pytest.mark.parametrize(
    "body",
    [
        "<html>a start page</html>", "[]", "{}", '{"data": 3}', '{"data": [3, {"id": 4}, {"id": ""}]}',
        "[" * 100_000, listed("nomic-embed-text:latest"), listed("  spaced"), listed("x" * 301),
    ],
)  # fmt: skip
async def test_what_is_no_list_of_models_that_talk_is_nothing(body: str) -> None:
    async with site(answering(body)) as other:
        assert await look(OLLAMA, other.port) == ()


async def test_somebody_else_on_a_usual_port_is_no_llama_cpp() -> None:
    async with site(answering(listed("tiny", owner="somebody"))) as other:
        assert await look(LLAMA, other.port) == ()


@pytest.mark.parametrize("status", [302, 401, 403, 500])
async def test_a_refusal_is_nothing_and_no_redirect_is_followed(status: int) -> None:
    async with site(answering(listed("far"))) as far:
        told = {"Location": far.url("/v1/models")}
        async with site(answering(listed("near"), status, told=told)) as other:
            assert await look(OLLAMA, other.port) == ()
        assert far.requests == []


async def test_a_long_list_is_cut_and_an_endless_one_is_nothing() -> None:
    names = [f"model-{number}" for number in range(LOCAL_BRAIN_MODELS + 5)]
    async with site(answering(listed(*names))) as other:
        (found,) = await look(OLLAMA, other.port)
        assert list(found.models) == names[:LOCAL_BRAIN_MODELS]
    async with site(answering(" " * LOCAL_BRAIN_BYTES + listed("late"))) as other:
        assert await look(OLLAMA, other.port) == ()


async def test_one_that_breaks_off_is_nothing() -> None:
    async def half(writer: Any) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{")
        await writer.drain()
        writer.close()

    async with speaking(half) as port:
        assert await look(OLLAMA, port) == ()


async def test_no_proxy_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with site(answering(listed("proxied"))) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url())
        monkeypatch.setenv("http_proxy", proxy.url())
        assert await look(OLLAMA, free_port()) == ()
        assert proxy.requests == []
