"""A page of a long list: its items and where the next one begins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ira_home.base.errors import Invalid

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """`next_cursor` goes back to the list to get what follows; None at the end."""

    items: tuple[T, ...]
    next_cursor: str | None


def page_of(found: Sequence[T], limit: int, cursor: Callable[[T], str]) -> Page[T]:
    """The first `limit` of what was found; the list asks its table for one more than that."""
    kept = tuple(found[:limit])
    return Page(kept, cursor(kept[-1]) if len(found) > limit and kept else None)


def read_cursor(cursor: str | None, parts: int = 1) -> tuple[int, ...] | None:
    """The whole numbers of a cursor (`17` or `1700000000000.17`); Invalid for anything else."""
    if not cursor:
        return None
    numbers = cursor.split(".")
    good = len(numbers) == parts and all(
        n.isascii() and n.isdigit() and len(n) < 19 for n in numbers
    )
    if not good:
        message = "The cursor is not one of this list."
        raise Invalid(message, field="cursor")
    return tuple(map(int, numbers))
