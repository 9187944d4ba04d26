"""Browsers that opened Ira, told to whoever brings the phones in: which of them know her by now."""

from dataclasses import dataclass
import re

from aiohttp import web

from ira_home.web.call import Call, peer_address
from ira_home.web.pages.view import browser, show
from ira_home.web.routes import Needs, Route
from ira_home.web.services import Services

# Of these a page knows for certain; the others may know Ira without a way to show it.
_TELLS = re.compile(r"Chrom(?:e|ium)/")


@dataclass(frozen=True, slots=True)
class Shown:
    """A browser by the name that people know; `state` is yes, no or unsure."""

    name: str
    address: str
    state: str


def note(request: web.Request, services: Services, *, knows: bool = False) -> None:
    """A browser opened a page; `knows`: it says that it knows the certificate."""
    agent = request.headers.get("User-Agent", "")
    if agent:
        services.arrivals.note(peer_address(request), agent, services.clock.now(), knows=knows)


def note_ping(call: Call) -> None:
    """A page of ours says that its browser knows the certificate.

    Nobody but the page can tell: a worker's script is fetched before Chromium looks at the
    certificate that it came with.
    """
    request = call.request
    says = request.query.get("knows") == "yes"
    if says and request.headers.get("Sec-Fetch-Site") == "same-origin":
        note(request, call.services, knows=True)


async def page(call: Call) -> web.Response:
    """Those browsers and nothing else: looked at again and again while phones are brought in."""
    return await show(call, "arrivals_page.html", nav="house", arrivals=others(call))


def others(call: Call) -> list[Shown]:
    """The browsers that were here lately, but for the one that asks."""
    own = (call.address, call.request.headers.get("User-Agent", ""))
    found = []
    for one in call.services.arrivals.lately(call.services.clock.now()):
        if (one.address, one.agent) != own:
            state = "yes" if one.knows else "no" if _TELLS.search(one.agent) else "unsure"
            found.append(Shown(browser(one.agent), one.address, state))
    return found


ROUTES = (
    Route(
        "GET",
        "/address/arrivals",
        page,
        Needs.CONSOLE,
        page=True,
        summary="Browsers that opened Ira lately, and which of them know her.",
    ),
)
