"""The house's news feeds, fetched when somebody asks and kept for some minutes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from ira_home.base.clock import Clock
from ira_home.base.errors import FetchFailed
from ira_home.base.limits import FEED_AGAIN_S, FEED_FRESH_S, FEEDS
from ira_home.domain.feeds import FeedHealth, News, NewsItem
from ira_home.domain.language.words import content_stems, stem
from ira_home.domain.ports import Fetched, Http
from ira_home.providers.markup import web_address
from ira_home.providers.news.reading import read_feed

_ACCEPT = (
    "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1"
)
_VALIDATOR_CHARS = 256
_AHEAD = timedelta(days=1)  # what is dated later than that has no date that could be believed
_FIRST = datetime(1990, 1, 1, tzinfo=UTC)  # no feed is older
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
# Words that ask for news and are no topic of any.
_NO_TOPIC = frozenset(
    map(
        stem,
        "news latest headline today top new recent khabar khabrein khabren samachar taza taaza aaj खबर खबरें समाचार ताज़ा ताजा आज".split(),
    )
)


@dataclass(slots=True)
class _Feed:
    """What is known of one feed. `tried` is the clock's monotonic time."""

    url: str
    items: list[NewsItem] = field(default_factory=list)
    validators: dict[str, str] = field(default_factory=dict)
    tried: float | None = None
    read_at: datetime | None = None
    fault: str | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Feeds:
    """Reads every feed on its own: one that fails takes nothing from the others."""

    def __init__(
        self, http: Http, clock: Clock, sources: Callable[[], Awaitable[Sequence[str]]]
    ) -> None:
        """`sources` tells the addresses of the feeds in force, each time that news are asked for."""
        self._http = http
        self._clock = clock
        self._sources = sources
        self._feeds: dict[str, _Feed] = {}

    async def news(self, words: str = "", *, count: int) -> News:
        """The newest items; with words those that have some of them, best first."""
        feeds = await self._in_force()
        await asyncio.gather(*(self._refresh(one) for one in feeds))
        items = _newest(_once(item for one in feeds for item in one.items), self._clock.now())
        wanted = content_stems(words) - _NO_TOPIC
        if wanted:
            items = _about(items, wanted)
        failed = tuple(_host_of(one.url) for one in feeds if one.fault is not None)
        return News(tuple(items[:count]), len(feeds), failed)

    async def read(self, url: str) -> FeedHealth:
        """Try one of the feeds in force now, and say how it is doing."""
        for one in await self._in_force():
            if one.url == url:
                await self._refresh(one)
                return _health(one)
        return FeedHealth(url)

    async def health(self) -> list[FeedHealth]:
        """How the feeds in force were doing the last time; nothing is fetched."""
        return [_health(one) for one in await self._in_force()]

    async def _in_force(self) -> list[_Feed]:
        """The feeds that are named now; what was kept of others is let go."""
        urls = list(dict.fromkeys(await self._sources()))[:FEEDS]
        self._feeds = {url: self._feeds.get(url) or _Feed(url) for url in urls}
        return list(self._feeds.values())

    async def _refresh(self, feed: _Feed) -> None:
        async with feed.lock:
            now = self._clock.monotonic()
            rest = FEED_FRESH_S if feed.fault is None else FEED_AGAIN_S
            if feed.tried is not None and now - feed.tried < rest:
                return
            feed.tried = now
            try:
                await self._fetch(feed)
            except FetchFailed as error:
                feed.fault = error.message
            else:
                feed.fault = None
                feed.read_at = self._clock.now()

    async def _fetch(self, feed: _Feed) -> None:
        host = _host_of(feed.url)
        answer = await self._http.get(feed.url, headers={"Accept": _ACCEPT, **feed.validators})
        if answer.status == 304 and feed.validators:
            return
        if answer.status != 200:
            raise FetchFailed(_refusal(host, answer.status))
        feed.items = await asyncio.to_thread(
            read_feed,
            answer.body,
            url=answer.url,
            host=host,
            content_type=answer.headers.get("content-type", ""),
        )
        feed.validators = _validators(answer)


def _validators(answer: Fetched) -> dict[str, str]:
    """What to ask with the next time, so that an unchanged feed need not be sent again."""
    told = {
        "If-None-Match": answer.headers.get("etag", ""),
        "If-Modified-Since": answer.headers.get("last-modified", ""),
    }
    return {
        name: value
        for name, value in told.items()
        if value and len(value) <= _VALIDATOR_CHARS and value.isascii() and value.isprintable()
    }


def _refusal(host: str, status: int) -> str:
    if status in (404, 410):
        return f"There is no such feed at {host} ({status})."
    if status in (401, 403):
        return f"{host} does not give this feed to everybody ({status})."
    if status == 429:
        return f"{host} was asked too often ({status})."
    if status >= 500:
        return f"{host} has a fault of its own ({status})."
    return f"{host} gave an answer that is not understood ({status})."


def _host_of(url: str) -> str:
    place = web_address(url)
    return "an address that is none" if place is None else place[0]


def _health(feed: _Feed) -> FeedHealth:
    return FeedHealth(feed.url, len(feed.items), feed.read_at, feed.fault)


def _once(items: Iterable[NewsItem]) -> list[NewsItem]:
    """The items, each address once: feeds of one newspaper share many."""
    return list({item.url or (item.feed, item.title): item for item in items}.values())


def _newest(items: list[NewsItem], now: datetime) -> list[NewsItem]:
    """The newest first; those without a date that can be believed stay in their order, at the end."""
    believed = [
        one if one.at is None or _FIRST <= one.at <= now + _AHEAD else replace(one, at=None)
        for one in items
    ]
    return sorted(believed, key=lambda one: one.at or _LONG_AGO, reverse=True)


def _about(items: list[NewsItem], wanted: frozenset[str]) -> list[NewsItem]:
    """Those with at least one of the stems, those with most of them first."""
    counted = [(len(wanted & content_stems(f"{one.title} {one.text}")), one) for one in items]
    return [one for count, one in sorted(counted, key=lambda pair: -pair[0]) if count]
