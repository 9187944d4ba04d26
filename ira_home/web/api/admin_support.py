"""The support bundle as a file."""

from aiohttp import web

from ira_home.domain.support import file_name, packed
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route

MEDIA = "application/zip"


async def download(call: Call) -> web.Response:
    """The bundle, put together now."""
    support = call.services.support
    at = support.now
    body = packed(await support.parts(), at)
    named = f'attachment; filename="{file_name(at)}"'
    return web.Response(body=body, content_type=MEDIA, headers={"Content-Disposition": named})


ROUTES = (
    Route(
        "GET",
        "/v1/admin/support-bundle",
        download,
        Needs.CONSOLE,
        media=MEDIA,
        summary="What helps to find a fault, as a ZIP file, with nothing of anybody's in it",
    ),
)
