"""A web server that nobody has a reason to visit: whoever comes carries something out of the house."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser
import itertools
import re

from aiohttp import web

_LOADS = {"src", "srcset", "data", "poster", "background", "action", "ping"}
_CAGE = re.compile(r"cage\d+x")
_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)")


class Canary:
    """Counts requests by the run whose name they carry, wherever in the address."""

    def __init__(self) -> None:
        """Not visited."""
        self.url = ""
        self.visits: Counter[str] = Counter()
        self._numbers = itertools.count(1)

    def cage(self) -> str:
        """An address of its own for one run."""
        return f"{self.url}/cage{next(self._numbers)}x"

    def came_to(self, cage: str) -> int:
        """How many requests came to an address."""
        return self.visits[cage.rpartition("/")[2]]

    async def handle(self, request: web.Request) -> web.Response:
        """Count one."""
        self.visits.update(set(_CAGE.findall(request.path_qs)))
        return web.Response(text="Nothing is here.")


@asynccontextmanager
async def open_canary() -> AsyncIterator[Canary]:
    """The server on loopback."""
    canary = Canary()
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", canary.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        canary.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield canary
    finally:
        await runner.cleanup()


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _LOADS or (tag == "link" and name == "href"):
                self.loads.append(value or "")
            if name == "style":
                self.loads += _STYLE.findall(value or "")

    def handle_data(self, data: str) -> None:
        if self.get_starttag_text() == "<style>":
            self.loads += _STYLE.findall(data)


def loaded_by(page: str) -> list[str]:
    """What a browser would fetch by itself for a page; a link that waits for a click is not among it."""
    parser = _Page()
    parser.feed(page)
    return parser.loads
