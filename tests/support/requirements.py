"""The mark that ties a test to a row of `tests/requirements.py`."""

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., object])


def requirement(*ids: str) -> Callable[[Test], Test]:
    """Say that the decorated test proves these requirements; the ids are read from the source."""
    if not ids:
        message = "name at least one requirement"
        raise ValueError(message)

    def mark(test: Test) -> Test:
        return test

    return mark
