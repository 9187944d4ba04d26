"""The worker of the pages, and the page that it shows while the server cannot be reached."""

from aiohttp import web

from ira_home.web.call import Call
from ira_home.web.pages.assets import assets
from ira_home.web.pages.view import frame_of, render, words_for
from ira_home.web.pages.words import LANGUAGES, words_of
from ira_home.web.routes import Needs, Route


async def script(_call: Call) -> web.Response:
    """The worker from the root, so that it sees every page; a browser asks for it anew each time."""
    found = assets().files["sw.js"]
    headers = {"Cache-Control": "no-cache", "ETag": f'"{found.tag}"'}
    return web.Response(body=found.body, headers=headers, content_type=found.media, charset="utf-8")


async def offline(call: Call) -> web.Response:
    """The page in the language asked for. It names nobody: it is kept in the browser."""
    asked = call.request.query.get("lang", "")
    words = words_of(asked) if asked in LANGUAGES else words_for(call.request)
    frame = frame_of(call.request, lang=words.lang)
    html = render("offline.html", words, frame, {})
    return web.Response(text=html, content_type="text/html")


ROUTES = (
    Route(
        "GET",
        "/sw.js",
        script,
        Needs.OPEN,
        page=True,
        media="text/javascript",
        summary="The worker of the pages.",
    ),
    Route(
        "GET",
        "/offline",
        offline,
        Needs.OPEN,
        page=True,
        summary="What the worker shows while Ira cannot be reached.",
    ),
)
