"""The Brave Search API behind the port `WebSearch`."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

from ira_home.base.clock import Clock
from ira_home.base.errors import BadJson, FetchFailed
from ira_home.base.jsontext import parse
from ira_home.base.limits import (
    HIT_TEXT_CHARS,
    HIT_TITLE_CHARS,
    HITS_MAX,
    INLINE_CHARS,
    QUERY_CHARS,
    SEARCH_WAIT_S,
)
from ira_home.base.text import cut, one_line
from ira_home.domain.language.detect import language_of
from ira_home.domain.ports import Fetched, Http
from ira_home.domain.search import Freshness, Hit, SearchChoice
from ira_home.providers.markup import web_address, words_of
from ira_home.providers.search.countries import country_of
from ira_home.providers.search.quota import Quota

URL = "https://api.search.brave.com"
_PATH = "/res/v1/web/search"
_FRESHNESS = {
    Freshness.DAY: "pd",
    Freshness.WEEK: "pw",
    Freshness.MONTH: "pm",
    Freshness.YEAR: "py",
}
_AGE_CHARS = 40
_UNREADABLE = "The search service sent something that cannot be read."
_KEY_REFUSED = "The search service refuses the key; whoever runs this server sets another one with: ira search set"  # fmt: skip
_SENTENCES = {
    401: _KEY_REFUSED,
    402: "The account at the search service has no credit left.",
    403: _KEY_REFUSED,
    404: "The search service's address is wrong; whoever runs this server sets it with: ira search set",
    422: "The search service did not accept the question.",
}
Pause = Callable[[float], Awaitable[None]]


class Brave:
    """Asks one search at a time, as often as the service lets it. The key is in one header alone."""

    def __init__(
        self,
        http: Http,
        clock: Clock,
        choice: Callable[[], Awaitable[SearchChoice]],
        *,
        pause: Pause = asyncio.sleep,
    ) -> None:
        """`choice` tells the key and the address in force at each search."""
        self._http = http
        self._clock = clock
        self._choice = choice
        self._pause = pause
        self._quota = Quota(clock)
        self._quota_of: SearchChoice | None = None
        self._one_at_a_time = asyncio.Lock()

    async def search(
        self, query: str, *, count: int, freshness: Freshness | None = None
    ) -> list[Hit]:
        """The best hits, at most HITS_MAX; raises FetchFailed with one sentence."""
        asked = one_line(query)[:QUERY_CHARS]
        if not asked:
            message = "There is nothing to search for."
            raise FetchFailed(message)
        choice = await self._choice()
        if not choice.key:
            message = "No search service is set up in this house."
            raise FetchFailed(message)
        count = min(max(count, 1), HITS_MAX)
        params = _params(asked, count, freshness, choice.time_zone)
        async with self._one_at_a_time:
            answer = await self._ask(choice, params)
        return (await _hits(answer))[:count]

    async def _ask(self, choice: SearchChoice, params: Mapping[str, str]) -> Fetched:
        if self._quota_of != choice:  # another key has windows of its own
            self._quota, self._quota_of = Quota(self._clock), choice
        answer = await self._get(choice, params)
        if answer.status == 429 and 0 < self._quota.wait_s() <= SEARCH_WAIT_S:
            answer = await self._get(choice, params)
        if answer.status != 200:
            raise FetchFailed(await self._refusal(answer))
        return answer

    async def _get(self, choice: SearchChoice, params: Mapping[str, str]) -> Fetched:
        wait = self._quota.wait_s()
        if wait > SEARCH_WAIT_S:
            raise FetchFailed(_used_up(wait))
        if wait:
            await self._pause(wait)
        base = (choice.url or URL).rstrip("/")
        answer = await self._http.get(
            f"{base}{_PATH}",
            params=params,
            headers={"Accept": "application/json"},
            credentials={"X-Subscription-Token": choice.key},
            home=base,
            redirects=0,  # a question of this house goes to the address that was set, nowhere else
        )
        self._quota.note(answer.headers)
        wait_s = answer.headers.get("retry-after", "")
        if answer.status == 429 and wait_s.isascii() and wait_s.isdigit():
            self._quota.hold(int(wait_s[:6]))
        return answer

    async def _refusal(self, answer: Fetched) -> str:
        """A sentence on a status that is no answer; of the body only its code is looked at."""
        if answer.status == 429:
            return _used_up(self._quota.wait_s())
        if answer.status == 422 and b"SUBSCRIPTION_TOKEN" in answer.body:
            return _KEY_REFUSED
        if answer.status >= 500:
            return f"The search service has a fault of its own ({answer.status})."
        return _SENTENCES.get(answer.status, _UNREADABLE)


def _params(asked: str, count: int, freshness: Freshness | None, time_zone: str) -> dict[str, str]:
    params = {
        "q": asked,
        "count": str(count),
        "text_decorations": "0",
        "result_filter": "web",
        "search_lang": "hi" if language_of(asked) == "hi" else "en",
    }
    if country := country_of(time_zone):
        params["country"] = country
    if freshness is not None:
        params["freshness"] = _FRESHNESS[freshness]
    return params


def _used_up(wait_s: float) -> str:
    if wait_s <= SEARCH_WAIT_S:
        return "The search service takes no more searches for now."
    for seconds, name in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        count = round(wait_s / seconds)
        if count:
            about = f"{count} {name}{'' if count == 1 else 's'}"
            return f"The searches of this house are used up; the service takes more in {about}."
    return "The search service takes no more searches for now."


async def _hits(answer: Fetched) -> list[Hit]:
    body = answer.body
    try:
        found = parse(body) if len(body) <= INLINE_CHARS else await asyncio.to_thread(parse, body)
    except BadJson:
        raise FetchFailed(_UNREADABLE) from None
    if not isinstance(found, dict) or (found.get("type") != "search" and "web" not in found):
        raise FetchFailed(_UNREADABLE)
    web = found.get("web")  # left out where nothing was found
    results = web.get("results") if isinstance(web, dict) else None
    return list(_read(results)) if isinstance(results, list) else []


def _read(results: list[Any]) -> Iterator[Hit]:
    for one in results:
        place = web_address(one.get("url")) if isinstance(one, dict) else None
        if place is None:
            continue
        host, url = place
        yield Hit(
            title=words_of(one.get("title"), HIT_TITLE_CHARS) or host,
            text=words_of(one.get("description"), HIT_TEXT_CHARS),
            host=host,
            url=url,
            age=cut(words_of(one.get("age"), _AGE_CHARS), _AGE_CHARS),
        )
