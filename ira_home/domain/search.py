"""Searching the web: what is asked for, and what comes back."""

from dataclasses import dataclass, field
from enum import StrEnum

TRIED = "weather"  # a word that every search knows and that says nothing of this house


class Freshness(StrEnum):
    """How new a page may be at most."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found, in the words of strangers: plain text, and an http(s) address.

    `host` is the whole host of that address; `age` how old the page is, as the service says it.
    """

    title: str
    text: str
    host: str
    url: str
    age: str = ""


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """The search service that the house chose. `key` is never shown again; "" is none.

    `url` is empty for the service's own address.
    """

    url: str
    key: str = field(repr=False)
    time_zone: str = "UTC"
