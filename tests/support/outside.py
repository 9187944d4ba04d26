"""The outside world on loopback: web servers that answer as a test tells them, and canaries that count."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from typing import Any
from urllib.parse import quote

from aiohttp import web

from tests.support.internet import HERE, PRIVATE
from tests.support.streams import listening

Behaviour = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Site:
    """A web server; keeps the path, query and headers of each request."""

    behaviour: Behaviour
    requests: list[web.Request] = field(default_factory=list)
    host: str = HERE
    port: int = 0

    def url(self, path: str = "/", host: str = "") -> str:
        return f"http://{host or self.host}:{self.port}{path}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request)
        return await self.behaviour(request)


@asynccontextmanager
async def site(behaviour: Behaviour, host: str = HERE) -> AsyncIterator[Site]:
    made = Site(behaviour, host=host)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.handle)
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, 0).start()
        made.port = runner.addresses[0][1]
        yield made
    finally:
        await runner.cleanup()


@dataclass
class Canary:
    """Counts the connections that reach an address which nobody may speak to."""

    host: str
    port: int = 0
    hits: int = 0


@asynccontextmanager
async def canary(host: str = PRIVATE) -> AsyncIterator[Canary]:
    found = Canary(host)

    async def count(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        found.hits += 1

    async with listening(count, host=host) as found.port:
        yield found


@asynccontextmanager
async def speaking(
    answer: Callable[[asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[int]:
    """A server that writes whatever it likes, once the request's head is there; gives its port."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await answer(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass

    async with listening(talk, host=HERE) as port:
        yield port


def answering(
    body: str | bytes = "",
    status: int = 200,
    kind: str = "text/plain",
    told: Mapping[str, str] | None = None,
    **headers: str,
) -> Behaviour:
    """Always the same answer; `told` are more headers under their own names."""

    async def behave(_request: web.Request) -> web.Response:
        raw = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(
            body=raw, status=status, headers={"Content-Type": kind} | named | dict(told or {})
        )

    return behave


# --- the wire shape of the search service ---


def result(number: int = 1, **more: Any) -> dict[str, Any]:
    """One page as Brave tells it."""
    return {
        "title": f"Ragi dosa recipe {number}",
        "url": f"https://cooking{number}.example.com/ragi-dosa",
        "is_source_local": False,
        "description": "Mix ragi flour &amp; rice flour, rest it, and bake thin dosas.",
        "page_age": "2026-10-02T00:00:00",
        "age": "October 2, 2026",
        "profile": {"name": "Cooking", "long_name": f"cooking{number}.example.com"},
        "language": "en",
        "family_friendly": True,
        "type": "search_result",
        "subtype": "generic",
        "meta_url": {"scheme": "https", "hostname": f"cooking{number}.example.com", "path": "› ragi-dosa"},
    } | more  # fmt: skip


def found(*results: dict[str, Any]) -> str:
    """A whole answer of Brave's web search."""
    return json.dumps({
        "query": {"original": "ragi dosa recipe", "more_results_available": True},
        "mixed": {"type": "mixed", "main": [{"type": "web", "index": 0, "all": False}]},
        "type": "search",
        "web": {"type": "search", "results": list(results), "family_friendly": True},
    })  # fmt: skip


def windows(left: str = "0, 14999", reset: str = "1, 1419704") -> dict[str, str]:
    """The headers with which Brave tells how many searches are left."""
    return {
        "X-RateLimit-Limit": "1, 15000",
        "X-RateLimit-Policy": "1;w=1, 15000;w=2592000",
        "X-RateLimit-Remaining": left,
        "X-RateLimit-Reset": reset,
    }


# --- the wire shape of a feed ---


_XML = '<?xml version="1.0" encoding="UTF-8"?>'


def rss(*items: str, title: str = "Nagar Samachar", head: str = "") -> str:
    """An RSS 2.0 feed."""
    return (
        f'{head or _XML}<rss version="2.0"><channel><title>{title}</title>'
        f"<link>https://nagar.example.com/</link>{''.join(items)}</channel></rss>"
    )


def item(title: str, link: str | None = None, when: str = "", text: str = "") -> str:
    """An item of an RSS feed, with what stands in it as it is, and by default an address of its own."""
    if link is None:
        link = f"https://nagar.example.com/{quote(title, safe='')[:80]}"
    date = f"<pubDate>{when}</pubDate>" if when else ""
    return (
        f"<item><title>{title}</title><link>{link}</link><guid>{link}</guid>{date}"
        f"<description>{text}</description></item>"
    )
