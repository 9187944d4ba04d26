"""Servers of models on this very computer, Ollama's and llama.cpp's, where they listen by themselves."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from ira_home.base.errors import IraError, TooLarge
from ira_home.base.jsontext import parse
from ira_home.base.limits import LOCAL_BRAIN_BYTES, LOCAL_BRAIN_MODELS, LOCAL_BRAIN_S
from ira_home.domain.house import LocalBrain

HERE: Final = "127.0.0.1"
_OLLAMA, _LLAMA = "Ollama", "llama.cpp"
_ID_CHARS = 300
# Models that only turn text into numbers.
_NO_TALKERS = ("embed", "bge-", "minilm", "rerank")


@dataclass(frozen=True, slots=True)
class Place:
    """A port where a server of this kind listens unless it was told otherwise."""

    kind: str
    port: int


# llama.cpp takes the port of Ira's own start page; whoever runs both most often moves it by one.
PLACES: Final = (Place(_OLLAMA, 11434), Place(_LLAMA, 8080), Place(_LLAMA, 8081))


class LocalServers:
    """A `LocalBrains` that asks for the list of models at each place; nothing else is ever sent."""

    def __init__(self, places: Sequence[Place] = PLACES) -> None:
        """Nothing is asked yet."""
        self._places = places

    async def look(self) -> tuple[LocalBrain, ...]:
        """Those that answer now."""
        async with aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=LOCAL_BRAIN_S),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,  # no proxy reaches this computer's own ports
        ) as http:
            found = await asyncio.gather(*(_ask(http, place) for place in self._places))
        return tuple(one for one in found if one is not None)


async def _ask(http: aiohttp.ClientSession, place: Place) -> LocalBrain | None:
    url = f"http://{HERE}:{place.port}/v1"
    try:
        async with http.get(f"{url}/models", allow_redirects=False) as reply:
            listed = parse(await _bounded(reply)) if reply.status == 200 else None
    except (aiohttp.ClientError, TimeoutError, OSError, IraError):
        # silent-ok: nobody is there, or somebody else, which is the usual case.
        return None
    models = tuple(_models(listed, place.kind))[:LOCAL_BRAIN_MODELS]
    return LocalBrain(place.kind, url, models) if models else None


async def _bounded(reply: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for piece in reply.content.iter_any():
        body += piece
        if len(body) > LOCAL_BRAIN_BYTES:
            raise TooLarge
    return bytes(body)


def _models(listed: Any, kind: str) -> Iterable[str]:
    """The models that talk; on llama.cpp's port only those that say that they are its own."""
    rows = listed.get("data") if isinstance(listed, dict) else None
    for row in rows if isinstance(rows, list) else []:
        name = row.get("id") if isinstance(row, dict) else None
        if not isinstance(name, str) or not _is_name(name):
            continue
        if kind == _LLAMA and row.get("owned_by") != "llamacpp":
            continue
        if not any(mark in name.lower() for mark in _NO_TALKERS):
            yield name


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _ID_CHARS and text.isprintable() and text == text.strip()
