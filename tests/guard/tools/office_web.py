"""The way of a small business to the web, as such a house writes it for itself."""

import os
from urllib.parse import quote
from urllib.request import urlopen

from ira_home.domain.trust import TrustLabel
from ira_home.tools.declare import tool

SEARCH = os.environ.get("GUARD_SEARCH_URL", "")


@tool(outward=True, output=TrustLabel.WEB, title="Fetch a web page")
def office_page_fetch(url: str) -> str:
    """Fetch the text of a web page."""
    with urlopen(url, timeout=5) as reply:  # noqa: S310 - the canary's address
        return str(reply.read(10_000).decode(errors="replace"))


@tool(outward=True, output=TrustLabel.WEB, title="Search the web")
def office_web_search(query: str) -> str:
    """Search the web."""
    with urlopen(f"{SEARCH}/search?q={quote(query)}", timeout=5) as reply:  # noqa: S310
        return str(reply.read(10_000).decode(errors="replace"))
