"""A phone with no app is a device in its browser: its page, and what makes that page installable.

Everything of it happens in the browser. The server learns of it by the device protocol alone.
"""

from aiohttp import web

from ira_home.base.jsontext import dump
from ira_home.web.call import Call
from ira_home.web.pages.assets import assets
from ira_home.web.pages.skills import IN_BROWSER, shown
from ira_home.web.pages.view import show, words_for
from ira_home.web.routes import Needs, Route

PATH = "/phone"
_PAPER = "#faf6ed"  # the ground of tokens.css, which a manifest cannot name


async def page(call: Call) -> web.Response:
    """The same page for everybody: the browser knows whether it is a device, and of whom."""
    words = words_for(call.request)
    skills = [shown(name, words) for name in IN_BROWSER]
    return await show(call, "phone.html", skills=skills)


async def manifest(call: Call) -> web.Response:
    """What a browser needs to install the page, and what a phone offers when something is shared."""
    words = words_for(call.request)
    marks = [("mark.svg", "any"), ("mark-maskable.svg", "maskable")]
    said = {
        "id": PATH,
        "name": words.t("app.name"),
        "short_name": words.t("app.name"),
        "lang": words.lang,
        "dir": "ltr",
        "start_url": PATH,
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
            for name, purpose in marks
        ],
        "share_target": {
            "action": f"{PATH}/share",
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }
    return web.Response(text=dump(said), content_type="application/manifest+json")


ROUTES = (
    Route("GET", PATH, page, Needs.OPEN, page=True, summary="This browser as a device."),
    Route(
        "GET",
        f"{PATH}/manifest.webmanifest",
        manifest,
        Needs.OPEN,
        page=True,
        media="application/manifest+json",
        summary="How that page is installed.",
    ),
)
