"""A phone with no app is a device in its browser: its page, and what makes that page installable.

Everything of it happens in the browser. The server learns of it by the device protocol alone.
"""

from aiohttp import web

from ira_home.web.call import Call
from ira_home.web.pages.install import manifest_of
from ira_home.web.pages.skills import IN_BROWSER, shown
from ira_home.web.pages.view import show, words_for
from ira_home.web.routes import Needs, Route

PATH = "/phone"


async def page(call: Call) -> web.Response:
    """The same page for everybody: the browser knows whether it is a device, and of whom."""
    words = words_for(call.request)
    skills = [shown(name, words) for name in IN_BROWSER]
    return await show(call, "phone.html", skills=skills)


async def manifest(call: Call) -> web.Response:
    """What a browser needs to install the page, and what a phone offers when something is shared."""
    share = {
        "action": f"{PATH}/share",
        "method": "POST",
        "enctype": "multipart/form-data",
        "params": {"title": "title", "text": "text", "url": "url"},
    }
    return manifest_of(words_for(call.request), PATH, share_target=share)


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
