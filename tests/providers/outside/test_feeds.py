"""The house's feeds over real sockets: kept for a while, asked for politely, each on its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import web

from ira_home.base.limits import FEED_AGAIN_S, FEED_FRESH_S, FEEDS, FETCH_BYTES
from ira_home.providers.http import GuardedHttp
from ira_home.providers.news.feeds import Feeds
from tests.support.clock import FakeClock
from tests.support.internet import HERE, LoopbackPolicy
from tests.support.outside import Behaviour, Site, answering, canary, item, rss, site
from tests.support.requirements import requirement

NEWS = rss(
    item("Older", when="Mon, 30 Nov 2026 10:00:00 GMT"),
    item("Newest: cricket", when="Tue, 01 Dec 2026 09:00:00 GMT", text="India wins in Pune"),
    item("Undated: pune metro"),
)


@dataclass
class Stand:
    """Feeds of a test's own."""

    urls: list[str]
    clock: FakeClock
    feeds: Feeds

    async def titles(self, words: str = "", count: int = 20) -> list[str]:
        return [one.title for one in (await self.feeds.news(words, count=count)).items]


@asynccontextmanager
async def stand(*urls: str, total_s: float = 8.0) -> AsyncIterator[Stand]:
    http, clock, named = GuardedHttp(LoopbackPolicy(), total_s=total_s), FakeClock(), list(urls)

    async def sources() -> list[str]:
        return named

    try:
        yield Stand(named, clock, Feeds(http, clock, sources))
    finally:
        await http.close()


def changing(*answers: Behaviour) -> Behaviour:
    """Each answer once, the last one for ever."""
    left = list(answers)

    async def behave(request: web.Request) -> web.StreamResponse:
        return await (left.pop(0) if len(left) > 1 else left[0])(request)

    return behave


def tokens(there: Site) -> list[tuple[str | None, str | None]]:
    return [
        (one.headers.get("If-None-Match"), one.headers.get("If-Modified-Since"))
        for one in there.requests
    ]


@requirement("search.news")
async def test_news_are_the_newest_items_of_all_feeds_each_once() -> None:
    other = rss(
        item("Between", when="Tue, 01 Dec 2026 08:00:00 GMT"),
        item("Newest: cricket", when="Tue, 01 Dec 2026 09:00:00 GMT"),
        title="Other",
    )
    async with (
        site(answering(NEWS)) as one,
        site(answering(other)) as two,
        stand(one.url("/rss"), two.url("/rss")) as there,
    ):
        found = await there.feeds.news(count=20)
        assert [each.title for each in found.items] == [
            "Newest: cricket", "Between", "Older", "Undated: pune metro",
        ]  # fmt: skip
        assert (found.feeds, found.failed) == (2, ())
        assert await there.titles(count=1) == ["Newest: cricket"]
    assert one.requests[0].headers["Accept"].startswith("application/rss+xml")


async def test_words_choose_among_the_items_and_stay_in_the_house() -> None:
    async with site(answering(NEWS)) as one, stand(one.url("/rss")) as there:
        assert await there.titles("cricket in pune") == ["Newest: cricket", "Undated: pune metro"]
        assert await there.titles("latest news today") == await there.titles()
        assert await there.titles("taaza khabar") == await there.titles()
        assert await there.titles("weather") == []
    assert [str(one.rel_url) for one in one.requests] == ["/rss"]


async def test_a_date_that_cannot_be_believed_brings_nothing_to_the_top() -> None:
    feed = rss(
        item("True", when="Tue, 01 Dec 2026 09:00:00 GMT"),
        item("Future", when="Fri, 31 Dec 9999 23:59:59 GMT"),
        item("Ancient", when="Mon, 01 Jan 0001 00:00:00 GMT"),
    )
    async with site(answering(feed)) as one, stand(one.url()) as there:
        found = await there.feeds.news(count=9)
    assert [each.title for each in found.items] == ["True", "Future", "Ancient"]
    assert [each.at for each in found.items] == [datetime(2026, 12, 1, 9, tzinfo=UTC), None, None]


async def test_a_feed_is_kept_for_a_while_and_then_asked_whether_it_changed() -> None:
    first = answering(NEWS, ETag='W/"1"', Last_Modified="Tue, 01 Dec 2026 09:00:00 GMT")
    behaviour = changing(first, answering(status=304), answering(rss(item("Brand new"))))
    async with site(behaviour) as one, stand(one.url("/rss")) as there:
        kept = await there.titles()
        assert await there.titles() == kept
        assert len(one.requests) == 1
        there.clock.advance(FEED_FRESH_S)
        assert await there.titles() == kept  # 304
        there.clock.advance(FEED_FRESH_S)
        assert await there.titles() == ["Brand new"]
        there.clock.advance(FEED_FRESH_S)
        await there.titles()
    told = ('W/"1"', "Tue, 01 Dec 2026 09:00:00 GMT")
    assert tokens(one) == [(None, None), told, told, (None, None)]


async def test_validators_that_would_not_fit_a_header_are_not_sent_back() -> None:
    async with site(answering(NEWS, ETag="x" * 5_000)) as one, stand(one.url()) as there:
        await there.titles()
        there.clock.advance(FEED_FRESH_S)
        await there.titles()
    assert tokens(one) == [(None, None)] * 2


async def test_many_who_ask_at_once_fetch_a_feed_once() -> None:
    async with site(answering(NEWS)) as one, stand(one.url()) as there:
        await asyncio.gather(*(there.titles() for _ in range(10)))
    assert len(one.requests) == 1


async def test_a_feed_that_fails_takes_nothing_from_the_others_and_says_why() -> None:
    bad: dict[str, Behaviour] = {
        "There is no such feed at": answering("", 404),
        "does not give this feed to everybody": answering("", 403),
        "was asked too often": answering("", 429),
        "has a fault of its own": answering("", 500),
        "not understood": answering("", 206),
        "sent more than 2 MB": answering(b"x" * (FETCH_BYTES + 1)),
        "which is refused": answering('<!DOCTYPE rss [<!ENTITY a "b">]><rss></rss>'),
        "is no feed": answering("<html></html>"),
    }
    for why, behaviour in bad.items():
        async with (
            site(answering(NEWS)) as good,
            site(behaviour) as one,
            stand(one.url("/rss?token=secret"), good.url()) as there,
        ):
            found = await there.feeds.news(count=9)
            assert len(found.items) == 3
            assert found.failed == (f"{HERE}:{one.port}",)
            health = await there.feeds.health()
            assert why in str(health[0].fault)
            assert "secret" not in str(health[0].fault)
            assert (health[0].items, health[0].read_at) == (0, None)
            assert (health[1].items, health[1].fault) == (3, None)
            assert health[1].read_at == there.clock.now()


async def test_a_slow_feed_fails_alone_within_its_time() -> None:
    gone = asyncio.Event()

    async def slow(_request: web.Request) -> web.Response:
        await gone.wait()
        return web.Response()

    async with (
        site(answering(NEWS)) as good,
        site(slow) as one,
        stand(one.url(), good.url(), total_s=0.3) as there,
    ):
        found = await there.feeds.news(count=9)
        gone.set()
    assert (len(found.items), len(found.failed)) == (3, 1)


async def test_a_feed_that_failed_keeps_its_items_and_is_tried_again_soon() -> None:
    behaviour = changing(answering(NEWS), answering("", 500), answering(rss(item("Back"))))
    async with site(behaviour) as one, stand(one.url()) as there:
        kept = await there.titles()
        there.clock.advance(FEED_FRESH_S)
        assert await there.titles() == kept
        assert (await there.feeds.health())[0].fault
        await there.titles()
        assert len(one.requests) == 2
        there.clock.advance(FEED_AGAIN_S)
        assert await there.titles() == ["Back"]
        assert (await there.feeds.health())[0].fault is None


async def test_a_feed_that_leads_into_the_house_is_not_followed_there() -> None:
    async with canary() as bird:
        inside = f"http://127.0.0.2:{bird.port}/feed"
        async with (
            site(answering("", 302, Location=inside)) as one,
            stand(one.url(), inside) as there,
        ):
            found = await there.feeds.news(count=9)
            faults = [each.fault for each in await there.feeds.health()]
    assert (found.items, len(found.failed), bird.hits) == ((), 2, 0)
    assert faults == [f"{HERE} cannot be reached.", "127.0.0.2 cannot be reached."]


async def test_feeds_that_are_named_no_longer_are_forgotten() -> None:
    async with (
        site(answering(NEWS)) as one,
        site(answering(rss(item("Second")))) as two,
        stand(one.url(), two.url()) as there,
    ):
        assert len(await there.titles()) == 4
        there.urls.remove(one.url())
        assert await there.titles() == ["Second"]
        there.urls.append(one.url())
        await there.titles()
    assert len(one.requests) == 2


async def test_a_feed_can_be_tried_by_itself() -> None:
    async with (
        site(answering(NEWS)) as one,
        site(answering(NEWS)) as two,
        stand(one.url(), two.url()) as there,
    ):
        assert (await there.feeds.read(two.url())).items == 3
        assert (await there.feeds.read("https://elsewhere.example.com/")).items == 0
    assert (len(one.requests), len(two.requests)) == (0, 1)


async def test_of_too_many_feeds_the_first_are_read() -> None:
    async with (
        site(answering(NEWS)) as one,
        stand(*(one.url(f"/{number}") for number in range(FEEDS + 5))) as there,
    ):
        assert (await there.feeds.news(count=9)).feeds == FEEDS
    assert len(one.requests) == FEEDS
