"""The Brave Search API, against a server on loopback that speaks as it does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
import logging
from typing import Any

from aiohttp import web
import pytest

from ira_home.base.errors import FetchFailed
from ira_home.base.limits import FETCH_BYTES, HIT_TEXT_CHARS, HIT_TITLE_CHARS, QUERY_CHARS
from ira_home.domain.search import Freshness, Hit, SearchChoice
from ira_home.providers.http import GuardedHttp
from ira_home.providers.search.brave import Brave
from ira_home.providers.search.countries import country_of
from tests.support.clock import FakeClock
from tests.support.internet import LoopbackPolicy
from tests.support.outside import Behaviour, Site, answering, canary, found, result, site, windows
from tests.support.requirements import requirement

KEY = "BSA-very-secret-key-0123456789"
JSON = "application/json"


@dataclass
class Desk:
    """A search service that a test speaks for, and who asks it."""

    there: Site
    clock: FakeClock
    choice: SearchChoice
    brave: Brave = field(init=False)
    pauses: list[float] = field(default_factory=list)

    async def ask(self, query: str = "ragi dosa recipe", **more: Any) -> list[Hit]:
        return await self.brave.search(query, **({"count": 5} | more))

    async def refusal(self, behaviour: Behaviour, **more: Any) -> str:
        """What is said of an answer; the key is in none of it."""
        self.there.behaviour = behaviour
        with pytest.raises(FetchFailed) as caught:
            await self.ask(**more)
        assert KEY not in f"{caught.value!r} {caught.value.__cause__!r} {caught.value.details}"
        return caught.value.message


@asynccontextmanager
async def desk(behaviour: Behaviour | None = None, **choice: str) -> AsyncIterator[Desk]:
    async with site(behaviour or answering(found(result()), kind=JSON)) as there:
        http, clock = GuardedHttp(LoopbackPolicy()), FakeClock()
        made = Desk(there, clock, SearchChoice(there.url(""), KEY, "Asia/Kolkata"))

        async def chosen() -> SearchChoice:
            return made.choice

        async def pause(seconds: float) -> None:
            made.pauses.append(seconds)
            clock.advance(seconds)

        made.brave = Brave(http, clock, chosen, pause=pause)
        try:
            yield made
        finally:
            await http.close()


@requirement("search.web")
async def test_a_search_asks_as_the_service_wants_it_and_tells_what_was_found() -> None:
    async with desk() as there:
        hits = await there.ask("  ragi   dosa recipe ", count=3, freshness=Freshness.WEEK)
    assert hits == [
        Hit(
            title="Ragi dosa recipe 1",
            text="Mix ragi flour & rice flour, rest it, and bake thin dosas.",
            host="cooking1.example.com",
            url="https://cooking1.example.com/ragi-dosa",
            age="October 2, 2026",
        )
    ]
    sent = there.there.requests[0]
    assert sent.path == "/res/v1/web/search"
    assert dict(sent.query) == {
        "q": "ragi dosa recipe", "count": "3", "freshness": "pw", "country": "IN", "search_lang": "en",
        "text_decorations": "0", "result_filter": "web",
    }  # fmt: skip
    assert sent.headers["X-Subscription-Token"] == KEY
    assert (sent.headers["Accept"], sent.headers["Accept-Encoding"]) == (JSON, "gzip")


async def test_language_and_country_follow_the_question_and_the_house() -> None:
    async with desk() as there:
        await there.ask("रागी डोसा कैसे बनाएँ")
        there.choice = SearchChoice(there.there.url(""), KEY, "UTC")
        await there.ask("ragi dosa kaise banaye")
    first, second = (dict(one.query) for one in there.there.requests)
    assert (first["search_lang"], first["country"]) == ("hi", "IN")
    assert second["search_lang"] == "en"
    assert "country" not in second
    assert "freshness" not in second


def test_a_time_zone_tells_the_country_where_the_service_knows_it() -> None:
    zones = ("Asia/Kolkata", "Asia/Calcutta", "Europe/Berlin", "Asia/Kathmandu", "UTC", "nonsense")
    assert [country_of(one) for one in zones] == ["IN", "IN", "DE", None, None, None]


async def test_a_long_question_is_cut_and_arrives_whole_up_to_there() -> None:
    async with desk() as there:
        await there.ask("क" * 500)
        with pytest.raises(FetchFailed, match="nothing to search for"):
            await there.ask(" \u200b\n")
    assert [one.query["q"] for one in there.there.requests] == ["क" * QUERY_CHARS]


async def test_without_a_key_nothing_is_sent() -> None:
    async with desk() as there:
        there.choice = SearchChoice(there.there.url(""), "")
        with pytest.raises(FetchFailed, match="No search service is set up"):
            await there.ask()
    assert not there.there.requests


async def test_words_of_strangers_come_as_plain_text_and_only_with_addresses_of_the_web() -> None:
    results = [
        result(1, title="<strong>Ragi</strong> &lt;b&gt;x&lt;/b&gt; &amp;amp;", description="<p>a</p><p>b</p><script>bad()</script>"),
        result(2, url="javascript:alert(1)"),
        result(3, url="https://user:pass@evil.example.com/"),
        result(4, url=None), "no result", None, 7, {},
        result(5, url="https://exämple.com:8443/ä?q=a b", title=None, description=["x"], age={"y": 1}),
        result(6, title="\u202eevil\u0000" + "t" * 900, description="d" * 9_000),
        result(7, url="https://long.example.com/" + "x" * 5_000),
    ]  # fmt: skip
    async with desk(answering(found(*results), kind=JSON)) as there:  # type: ignore[arg-type]
        first, fifth, sixth = await there.ask(count=10)
    assert (first.title, first.text) == ("Ragi <b>x</b> &amp;", "a b")
    assert (fifth.title, fifth.text, fifth.age) == ("xn--exmple-cua.com:8443", "", "")
    assert fifth.url == "https://xn--exmple-cua.com:8443/%C3%A4?q=a+b"
    assert (len(sixth.title), len(sixth.text)) == (HIT_TITLE_CHARS, HIT_TEXT_CHARS)
    assert sixth.title.startswith("evilt")


@pytest.mark.parametrize(
    ("body", "many"),
    [
        (found(), 0),
        ('{"type": "search", "query": {"original": "x"}}', 0),
        ('{"type": "search", "web": null}', 0),
        (found(*(result(n) for n in range(30))), 5),
    ],
)
async def test_as_many_hits_come_as_were_asked_for_at_most(body: str, many: int) -> None:
    async with desk(answering(body, kind=JSON)) as there:
        assert len(await there.ask()) == many


INVALID_KEY = '{"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "status": 422, "detail": "The provided subscription token is invalid."}}'  # fmt: skip
INVALID = '{"type": "ErrorResponse", "error": {"code": "VALIDATION", "status": 422, "detail": "Unable to validate request parameter(s)"}}'  # fmt: skip
UNREADABLE = "The search service sent something that cannot be read."


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        (answering("{}", 401), "refuses the key"),
        (answering("{}", 403), "refuses the key"),
        (answering(INVALID_KEY, 422, JSON), "refuses the key"),
        (answering(INVALID, 422, JSON), "did not accept the question"),
        (answering("{}", 402), "no credit left"),
        (answering("{}", 404), "address is wrong"),
        (answering("oops", 500), "a fault of its own (500)"),
        (answering("oops", 503), "a fault of its own (503)"),
        (answering("<!DOCTYPE html><title>Sign in to the Wi-Fi</title>", kind="text/html"), UNREADABLE),
        (answering("{", kind=JSON), UNREADABLE),
        (answering('{"a": 1}', kind=JSON), UNREADABLE),
        (answering("[]", kind=JSON), UNREADABLE),
        (answering("[" * 100_000, kind=JSON), UNREADABLE),
        (answering(b"\xff\xfe", kind=JSON), UNREADABLE),
        (answering("", 204), UNREADABLE),
        (answering(b" " * (FETCH_BYTES + 1), kind=JSON), "sent more than 2 MB."),
    ],
)  # fmt: skip
async def test_each_failure_is_one_clear_sentence(behaviour: Behaviour, told: str) -> None:
    async with desk() as there:
        said = await there.refusal(behaviour)
    assert told in said
    assert said.count(". ") == 0
    assert len(there.there.requests) == 1


async def test_a_redirect_is_not_followed_so_neither_key_nor_question_goes_elsewhere() -> None:
    async with desk() as there, canary("127.0.0.1") as bird:
        place = f"http://127.0.0.1:{bird.port}/res/v1/web/search?q=x"
        for status in (301, 302, 307, 308):
            assert await there.refusal(answering("", status, Location=place)) == UNREADABLE
    assert bird.hits == 0


async def test_a_service_that_is_not_there_is_named_by_its_host_alone() -> None:
    async with desk() as there:
        there.choice = SearchChoice("https://search.internal/v1?key=x", KEY)
        with pytest.raises(FetchFailed) as caught:
            await there.ask()
    assert caught.value.message == "search.internal cannot be reached."


async def test_the_second_search_of_a_second_waits_for_its_turn() -> None:
    async with desk(answering(found(result()), kind=JSON, told=windows("0, 14999"))) as there:
        await there.ask()
        assert there.pauses == []
        await there.ask()
        there.clock.advance(1.0)
        await there.ask()
    assert there.pauses == [1.0]
    assert len(there.there.requests) == 3


async def test_a_month_that_is_used_up_is_said_without_asking_again() -> None:
    async with desk(answering(found(result()), kind=JSON, told=windows("0, 0"))) as there:
        assert len(await there.ask()) == 1
        with pytest.raises(FetchFailed, match="used up; the service takes more in 16 days"):
            await there.ask()
        assert len(there.there.requests) == 1
        there.clock.advance(1_419_704)
        await there.ask()
        assert len(there.there.requests) == 2
        there.choice = SearchChoice(there.there.url(""), KEY + "-other", "Asia/Kolkata")
        await there.ask()  # another key has a month of its own
    assert len(there.there.requests) == 3


async def test_too_many_in_one_second_is_tried_once_more_and_no_oftener() -> None:
    limited = answering("{}", 429, JSON, told=windows("0, 500", "1, 1000000"))
    good = answering(found(result()), kind=JSON)

    async def first_limited(request: web.Request) -> web.StreamResponse:
        return await (limited if len(there.there.requests) == 1 else good)(request)

    async with desk(first_limited) as there:
        assert len(await there.ask()) == 1
        assert there.pauses == [1.0]
        said = await there.refusal(limited)
    assert said == "The search service takes no more searches for now."
    assert len(there.there.requests) == 4


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ({}, "The search service takes no more searches for now."),
        ({"Retry-After": "120"}, "takes more in 2 minutes."),
        ({"Retry-After": "soon"}, "takes no more searches for now."),
        (windows("0, 0", "1, 90000"), "takes more in 1 day."),
        (windows("nonsense", "1"), "takes no more searches for now."),
        (windows("0", "1, 2"), "takes no more searches for now."),
        (windows(",".join("0" * 99), ",".join("9" * 99)), "takes no more searches for now."),
    ],
)
async def test_being_held_off_is_told_with_its_end_where_that_is_known(
    headers: dict[str, str], told: str
) -> None:
    async with desk() as there:
        assert told in await there.refusal(answering("{}", 429, JSON, told=headers))
    assert len(there.there.requests) == 1


async def test_a_large_answer_within_the_bound_is_read() -> None:
    results = [result(n, description="x" * 5_000) for n in range(20)]
    body = json.dumps({"type": "search", "web": {"results": results}, "more": "y" * 500_000})
    async with desk(answering(body, kind=JSON)) as there:
        assert len(await there.ask(count=10)) == 10


async def test_no_log_line_holds_key_or_question(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with desk() as there:
        await there.ask("privateword")
        await there.refusal(answering("{}", 500), query="privateword")
        there.choice = SearchChoice("http://nowhere.invalid", KEY)
        await there.refusal(answering(""), query="privateword")
    assert KEY not in caplog.text
    assert "privateword" not in caplog.text


def test_the_key_is_not_in_what_the_choice_prints() -> None:
    assert KEY not in repr(SearchChoice("https://x", KEY))
