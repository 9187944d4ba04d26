"""What a batch of writes has run so far, so that one of them can be taken back without the others."""

from collections.abc import Callable
from typing import Any


class Redo:
    """The statements of a batch that may have changed something, in order.

    A savepoint around each write would serve as well, but costs as much as a small write itself:
    SQLite keeps a copy of every page that each of them touches.
    """

    __slots__ = ("_statements",)

    def __init__(self) -> None:
        """Nothing has run yet."""
        self._statements: list[tuple[str, Any]] = []

    def note(self, sql: str, params: Any) -> None:
        """A statement that has run; one that failed has changed nothing and is not noted."""
        self._statements.append((sql, params))

    def mark(self) -> int:
        """This moment."""
        return len(self._statements)

    def is_since(self, mark: int) -> bool:
        """Whether anything has run since that moment."""
        return len(self._statements) > mark

    def again(self, mark: int, run: Callable[[str, Any], object]) -> None:
        """Forget what came after the moment and run what was before it; it ends as it did."""
        del self._statements[mark:]
        for sql, params in self._statements:
            run(sql, params)
