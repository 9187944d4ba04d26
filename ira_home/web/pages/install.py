"""What a browser needs to keep the pages as an app of their own."""

from aiohttp import web

from ira_home.base.jsontext import dump
from ira_home.web.call import Call
from ira_home.web.pages.assets import assets
from ira_home.web.pages.view import words_for
from ira_home.web.pages.words import LANGUAGES, Words, words_of
from ira_home.web.routes import Needs, Route

_PAPER = "#faf6ed"  # the ground of tokens.css, which a manifest cannot name
_MARKS = (("mark.svg", "any"), ("mark-maskable.svg", "maskable"))


def manifest_of(words: Words, start: str, **more: object) -> web.Response:
    """The manifest of an app that begins at this path."""
    said = {
        "id": start,
        "name": words.t("app.name"),
        "short_name": words.t("app.name"),
        "lang": words.lang,
        "dir": "ltr",
        "start_url": start,
        "scope": "/",
        "display": "standalone",
        "background_color": _PAPER,
        "theme_color": _PAPER,
        "icons": [
            {
                "src": assets().address(name),
                "sizes": "any",
                "type": "image/svg+xml",
                "purpose": purpose,
            }
            for name, purpose in _MARKS
        ],
    }
    return web.Response(text=dump(said | more), content_type="application/manifest+json")


async def manifest(call: Call) -> web.Response:
    """That of the whole app, in the language asked for: a browser fetches it without its cookies."""
    asked = call.request.query.get("lang", "")
    words = words_of(asked) if asked in LANGUAGES else words_for(call.request)
    return manifest_of(words, "/")


ROUTES = (
    Route(
        "GET",
        "/manifest.webmanifest",
        manifest,
        Needs.OPEN,
        page=True,
        media="application/manifest+json",
        summary="How the pages are installed as an app.",
        query=("lang",),
    ),
)
