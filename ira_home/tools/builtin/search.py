"""Looking things up outside: the web, and the news of the house's feeds."""

from datetime import tzinfo
from typing import Annotated, Any

from ira_home.base.errors import FetchFailed, ToolFailed
from ira_home.base.limits import HITS, HITS_MAX, NEWS_ITEMS
from ira_home.base.text import cut, one_line
from ira_home.domain.feeds import News, NewsItem
from ira_home.domain.house import HouseSkill
from ira_home.domain.search import Freshness, Hit
from ira_home.domain.trust import TrustLabel
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import tool

_NEWS_MAX = 20
_SAID_CHARS = 100  # of a question, in the answer to it


@tool(
    outward=True,
    output=TrustLabel.WEB,
    skill=HouseSkill.WEB_SEARCH,
    title="Search the web",
    examples=(
        "Search the web for ragi dosa recipe",
        "google karo passport renewal fees",
        "internet par dhundho sasti flight",
        "वेब पर खोजो होली कब है",
    ),
)
async def web_search(
    context: ToolContext,
    query: Annotated[str, "what to search for"],
    count: Annotated[int, "how many results"] = HITS,
    freshness: Annotated[Freshness | None, "how new a page may be at most"] = None,
) -> dict[str, Any]:
    """Search the web for something and tell the pages that were found."""
    try:
        hits = await context.internet.search.search(
            query, count=min(max(count, 1), HITS_MAX), freshness=freshness
        )
    except FetchFailed as error:
        raise ToolFailed(error.message) from error
    said = cut(one_line(query), _SAID_CHARS)
    if not hits:
        return {"summary": f"The web search found nothing for “{said}”."}
    return {
        "summary": f"The web search for “{said}” found this, which nobody here has checked:",
        "items": [_hit(one) for one in hits],
    }


@tool(
    output=TrustLabel.WEB,
    skill=HouseSkill.NEWS,
    title="Read the news",
    examples=(
        "What is in the news today?",
        "aaj ki khabar",
        "taza khabar sunao",
        "आज की ख़बरें",
        "news about cricket",
    ),
)
async def news_search(
    context: ToolContext,
    query: Annotated[str, "a topic; left out for all that is new"] = "",
    count: Annotated[int, "how many items"] = NEWS_ITEMS,
) -> dict[str, Any]:
    """Tell the latest news, headlines of the news feeds of this house, all of them or about a topic."""
    found = await context.internet.feeds.news(query, count=min(max(count, 1), _NEWS_MAX))
    said = cut(one_line(query), _SAID_CHARS)
    told: dict[str, Any] = {"summary": _news_summary(found, said)}
    if found.items:
        told["items"] = [_news_item(one, context.person_zone) for one in found.items]
    return told


def _hit(hit: Hit) -> dict[str, str]:
    told = {"title": hit.title, "text": hit.text, "host": hit.host, "url": hit.url}
    return told | ({"age": hit.age} if hit.age else {})


def _news_item(item: NewsItem, zone: tzinfo) -> dict[str, str]:
    told = {"title": item.title, "text": item.text, "from": item.feed, "host": item.host}
    if item.url:
        told["url"] = item.url
    if item.at is not None:
        told["when"] = f"{item.at.astimezone(zone):%d %B %Y, %H:%M}"
    return told


def _news_summary(found: News, said: str) -> str:
    about = f" about “{said}”" if said else ""
    broken = f" Not readable now: {', '.join(found.failed)}." if found.failed else ""
    if found.items:
        return f"The news{about}, in the words of the feeds:{broken}"
    if found.feeds and len(found.failed) == found.feeds:
        return f"None of the news feeds can be read now.{broken}"
    return f"There is no news{about} in the feeds of this house.{broken}"
