"""Programs for other computers: what this build carries, and the files themselves."""

import asyncio

from aiohttp import web
import msgspec

from ira_home.base.errors import NotFound
from ira_home.web.call import Call
from ira_home.web.carried import Program, programs
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items, all_items

PATH = "/v1/downloads"


class Download(msgspec.Struct):
    """A file with its size in bytes and its SHA-256 in hex; `kinds` are the devices that it makes."""

    name: str
    version: str
    kinds: list[str]
    size: int
    sha256: str
    url: str


def _shown(program: Program) -> Download:
    return Download(
        name=program.name,
        version=program.version,
        kinds=[kind.value for kind in program.kinds],
        size=program.size,
        sha256=program.sha256,
        url=f"{PATH}/{program.name}",
    )


async def show(_call: Call) -> Items[Download]:
    """Every file there is."""
    return all_items(map(_shown, await asyncio.to_thread(programs)))


async def take(call: Call) -> web.StreamResponse:
    """One file; a name that is not in the list is no path of anything."""
    name = call.text("name")
    found = next((one for one in await asyncio.to_thread(programs) if one.name == name), None)
    if found is None:
        raise NotFound
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": f'attachment; filename="{found.name}"',
    }
    return web.FileResponse(found.path, headers=headers)


ROUTES = (
    Route("GET", PATH, show, Needs.OPEN, summary="Programs to take", reply=Items[Download]),
    Route(
        "GET",
        f"{PATH}/{{name}}",
        take,
        Needs.OPEN,
        summary="A program, as a file",
        media="application/octet-stream",
        problems=(NotFound,),
    ),
)
