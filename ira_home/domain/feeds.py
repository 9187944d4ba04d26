"""News feeds: the items that they tell, and how they are doing."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class NewsItem:
    """An item of a feed, in the words of strangers: plain text, and an http(s) address or "".

    `host` is the whole host of that address, or of the feed. `at` is when it was published, UTC.
    """

    title: str
    text: str
    feed: str
    host: str
    url: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class News:
    """What was found in how many feeds; `failed` are the hosts of those that could not be read."""

    items: tuple[NewsItem, ...]
    feeds: int
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FeedHealth:
    """How a feed is doing. `fault` is why it could not be read the last time, `read_at` when it was."""

    url: str
    items: int = 0
    read_at: datetime | None = None
    fault: str | None = None
