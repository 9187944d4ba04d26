"""The search service: choosing it, and asking it the smallest thing."""

from typing import Any

import msgspec

from ira_home.base.errors import Invalid
from ira_home.control.operation import Nothing, Operation
from ira_home.domain.search import TRIED
from ira_home.web.services import Services


class Search(msgspec.Struct):
    """The key and the address from now on; an empty one is removed, None leaves what is kept."""

    key: str | None = None
    url: str | None = None


async def choose(services: Services, wanted: Search) -> Any:
    """Keep the key and the address; they count from the next search on."""
    fields = {} if wanted.url is None else {"search_url": wanted.url}
    try:
        view = await services.house.change(None, fields, search_key=wanted.key)
    except Invalid as error:
        if error.details.get("field") == "search_url":
            message = f"{error.message} Give it with --url."
            raise Invalid(message, field="search_url") from None
        raise
    return {"search_url": view.search_url, "search_key_set": view.search_key_set}


async def test(services: Services, _: Nothing) -> Any:
    """Search for one word, which counts as one search."""
    hits = await services.search.search(TRIED, count=1)
    return {"results": len(hits), "hosts": [one.host for one in hits]}


OPERATIONS = (
    Operation("search.choose", Search, choose),
    Operation("search.test", Nothing, test),
)
