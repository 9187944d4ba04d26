"""The news feeds that the house keeps."""

from typing import Any

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.control.operation import Nothing, Operation
from ira_home.domain.feeds import FeedHealth
from ira_home.web.services import Services


class Feed(msgspec.Struct):
    """One feed."""

    url: str


def _told(one: FeedHealth, named: tuple[str, ...]) -> dict[str, Any]:
    return {
        "url": one.url,
        "from": "settings" if one.url in named else "house",
        "items": one.items,
        "read_at": None if one.read_at is None else rfc3339(one.read_at),
        "fault": one.fault,
    }


async def add(services: Services, feed: Feed) -> Any:
    """Keep one more feed, and try to read it; what cannot be read now is kept all the same."""
    view = await services.house.add_feed(None, feed.url)
    return _told(await services.feeds.read(feed.url), view.feeds_named)


async def remove(services: Services, feed: Feed) -> Any:
    """Keep a feed no longer."""
    view = await services.house.remove_feed(None, feed.url)
    return {"feeds": list(view.feeds)}


async def all_feeds(services: Services, _: Nothing) -> Any:
    """Every feed in force, and how it was doing the last time that news were asked for."""
    named = (await services.house.get()).feeds_named
    return [_told(one, named) for one in await services.feeds.health()]


OPERATIONS = (
    Operation("feeds.add", Feed, add),
    Operation("feeds.remove", Feed, remove),
    Operation("feeds.list", Nothing, all_feeds),
)
