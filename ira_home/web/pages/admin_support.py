"""The support bundle: what would be in it, to be read before anybody is given the file."""

from dataclasses import dataclass

from aiohttp import web

from ira_home.web.call import Call
from ira_home.web.pages.view import show
from ira_home.web.routes import Needs, Route


@dataclass(frozen=True, slots=True)
class Part:
    """One file of the bundle."""

    name: str
    text: str

    @property
    def key(self) -> str:
        """What it is called among the words of the pages."""
        return self.name.partition(".")[0]

    @property
    def kilobytes(self) -> int:
        """Its size, rounded up."""
        return -(-len(self.text.encode()) // 1024)


async def page(call: Call) -> web.Response:
    """Each part with its content."""
    parts = await call.services.support.parts()
    found = [Part(name, text) for name, text in parts.items()]
    return await show(call, "house_support.html", nav="house", parts=found)


ROUTES = (
    Route(
        "GET",
        "/house/support",
        page,
        Needs.CONSOLE,
        page=True,
        summary="What the support bundle holds.",
    ),
)
