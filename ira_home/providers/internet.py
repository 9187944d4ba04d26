"""What the house has from outside: one guarded way out, and what uses it."""

from collections.abc import Sequence
from typing import Protocol

from ira_home.base.clock import Clock
from ira_home.domain.search import SearchChoice
from ira_home.providers.addresses import AddressPolicy
from ira_home.providers.http import GuardedHttp
from ira_home.providers.news.feeds import Feeds
from ira_home.providers.search.brave import Brave


class Chosen(Protocol):
    """Who knows what the house chose (household.house.House)."""

    async def search(self) -> SearchChoice:
        """The search service in force, with its key."""
        ...

    async def feeds(self) -> Sequence[str]:
        """The feeds in force."""
        ...


class PublicInternet:
    """An `Internet` behind the policy; nothing is opened before it is asked for something."""

    def __init__(self, policy: AddressPolicy, clock: Clock, chosen: Chosen) -> None:
        """What the house chose is looked up at each use, so that a change counts at once."""
        self._http = GuardedHttp(policy)
        self.search = Brave(self._http, clock, chosen.search)
        self.feeds = Feeds(self._http, clock, chosen.feeds)

    async def close(self) -> None:
        """Let go of what is open."""
        await self._http.close()
