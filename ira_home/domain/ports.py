"""Ports: the outside world as Protocols that app fills."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from ira_home.base.ids import CallId
from ira_home.domain.feeds import FeedHealth, News
from ira_home.domain.house import LocalBrain
from ira_home.domain.search import Freshness, Hit
from ira_home.domain.turn_view import TurnView


@dataclass(frozen=True, slots=True)
class TextPart:
    """A streamed piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPart:
    """A whole tool call: `arguments` is the JSON text as the brain wrote it, unchecked."""

    call_id: CallId
    tool: str
    arguments: str


@dataclass(frozen=True, slots=True)
class UsagePart:
    """Tokens that a step cost, where the provider says."""

    prompt_tokens: int
    completion_tokens: int


Part = TextPart | CallPart | UsagePart


class LanguageModel(Protocol):
    """A brain: one step of a turn at a time.

    `step` streams text and whole calls and then ends; several calls may come in one step. It is
    cancelled by cancelling the task that reads it. It raises `ModelFailed` with one clear
    sentence; parts that came before are kept by the caller.
    """

    name: str

    def step(self, view: TurnView) -> AsyncIterator[Part]:
        """The next parts of the turn that `view` shows."""
        ...

    async def check(self) -> str:
        """Ask the smallest thing (`ira brain test`); one sentence on what answered, or ModelFailed."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class LocalBrains(Protocol):
    """Finds servers of models that answer on this very computer."""

    async def look(self) -> tuple[LocalBrain, ...]:
        """Those that answer now, asked anew; never an error, and at most LOCAL_BRAIN_S."""
        ...


class PairingLink(Protocol):
    """Makes the link and the QR of a pairing code (filled by net)."""

    def url(self, code: str) -> str:
        """`https://<lan-address>:<port>/pair#code=…&fp=…&id=…` (DESIGN 4)."""
        ...

    def qr_svg(self, text: str) -> str:
        """The text as one inline SVG without script or style attribute."""
        ...


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer from the internet, whatever its status. Header names are in small letters."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes


class Http(Protocol):
    """Fetches from the internet, and from nowhere else (providers/http.py)."""

    async def get(
        self,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        credentials: Mapping[str, str] | None = None,
        home: str = "",
        redirects: int = ...,
    ) -> Fetched:
        """GET the address, of at most FETCH_BYTES in FETCH_S; raises FetchFailed with one sentence.

        `credentials` are headers for the first origin alone. `home` is an address that the owner
        configured: its own port is allowed too. With `redirects` 0 a redirect is the answer.
        """
        ...


class WebSearch(Protocol):
    """Searches the web: what is asked leaves the house."""

    async def search(
        self, query: str, *, count: int, freshness: Freshness | None = None
    ) -> list[Hit]:
        """The best hits, at most `count`; raises FetchFailed with one sentence."""
        ...


class NewsReader(Protocol):
    """Reads the house's feeds: what is asked stays in the house."""

    async def news(self, words: str = "", *, count: int) -> News:
        """The newest items, at most `count`; with words those that have some of them, best first."""
        ...

    async def read(self, url: str) -> FeedHealth:
        """Try one of the house's feeds, and say how it is doing."""
        ...

    async def health(self) -> list[FeedHealth]:
        """How each feed was doing the last time; nothing is fetched."""
        ...


class Internet(Protocol):
    """What tools may have from outside."""

    @property
    def search(self) -> WebSearch:
        """The search service that the house chose."""
        ...

    @property
    def feeds(self) -> NewsReader:
        """The feeds that the house named."""
        ...
